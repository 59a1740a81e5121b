import * as Nx from "nx-numerics";
const z = Nx.complex(Nx.f64([[1,2],[3,-1],[0.5,2]]), Nx.f64([[-1,0.3],[0.2,1],[1,-2]]));
for (const t of [z, z.at(Nx.range(0,1))]) for (const p of Nx.LinAlg.qr(t)) console.log(String(p));
console.log(String(Nx.LinAlg.qr(Nx.complex(Nx.f64([[1]]), Nx.f64([[2]])))));
