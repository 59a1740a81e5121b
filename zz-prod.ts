import * as Nx from "nx-numerics";
const c = (re:number,im:number)=>new Nx.Complex(re,im);
const z = Nx.c64([c(1,Infinity)]);
const s=(t:Nx.Tensor)=>console.log(JSON.stringify(t.toFlatList().map(String)), t.type);
s(Nx.multiply(Nx.f32([2]), z)); s(Nx.dot(Nx.f32([2]), z)); s(Nx.dot(Nx.c64([c(2,0)]), z));
s(Nx.dot(Nx.u8([1,2]),3)); s(Nx.outer(2,Nx.u8([1])));
const t0=performance.now();
const x=Nx.iota([1,1,100000],{type:"f32"}), k=Nx.iota([1,1,1000],{type:"f32"});
Nx.conv(x,k); console.log(performance.now()-t0, process.memoryUsage().rss/1e6);
for (const [a,b] of [[[8,16,64,64],[32,16,3,3]],[[8,32,32,32],[32,32,1,1]],[[4,32,32,32],[32,1,3,3]]] as const){
 const xx=Nx.iota(a,{type:"f32"}), kk=Nx.iota(b,{type:"f32"}); const o = b[1]===1&&b[2]===3?{featureGroupSize:32,padding:"same" as const}:{padding:"same" as const};
 Nx.conv(xx,kk,o); const t=performance.now(); for(let i=0;i<3;i++)Nx.conv(xx,kk,o); console.log(a,b,(performance.now()-t)/3);
}
const e=(f:()=>unknown)=>{try{f();console.log("ok")}catch(x){console.log((x as Error).name, (x as Error).message)}};
