import * as Nx from "nx-numerics";
const log: string[] = [];
const f = Nx.defn(function average(x: Nx.Tensor, n: Nx.Tensor) {
  Nx.Defn.printValue(x, { label: "x" });
  const total = x.sum();
  return Nx.quotient(total, n);
});
console.log(f(Nx.tensor([1, 2]), Nx.tensor(2)).toNumber());
try { f(Nx.tensor([1, 2]), Nx.tensor(0)); } catch (e) { console.log(e); }
const g = Nx.defn((x: Nx.Tensor) => Nx.Defn.whileLoop(x, (s) => s.less(10), (s) => {
  const next = s.add(1);
  return Nx.add(next, Nx.quotient(1, Nx.subtract(s, 4)));
}));
try { g(Nx.tensor(1)); } catch (e) { console.log(String(e)); console.log((e as Error).stack); }
