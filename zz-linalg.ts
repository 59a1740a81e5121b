import * as Nx from "nx-numerics";
import * as S from "./test/linalg/support";
const fails=new Map<string,number>(); let worst=0; const t0=performance.now();
for (const [m,n,R] of [[2,2,3000],[3,3,3000],[7,3,2000],[4,4,2000],[5,5,1500],[8,8,800],[16,16,150],[20,20,60],[33,33,25]] as const)
for (let r=0;r<R/3;r++) for (const t of S.TYPES) for (const [k,a] of Object.entries(S.kinds(m,n,t))) {
    try { const [u,s,vt]=Nx.LinAlg.svd(a); if (r%10==0) worst=Math.max(worst,S.skewness(u),S.skewness(S.adjoint(vt))); if (m===n) Nx.LinAlg.eigh(S.hermitian(a)); } catch(e) { const key=`${k} ${m} ${n} ${t} ${e}`; fails.set(key,(fails.get(key)??0)+1); }
    if (performance.now()-t0>100e3) { console.log("time",m); r=1e9; break; }
}
console.log([...fails], worst);
