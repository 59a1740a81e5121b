import * as Nx from "nx-numerics";
import * as S from "./test/backends/binary/linalg/matrices";
let st = 99;
const rnd = () => {
  st = (st * 48271) % 2147483647;
  return (2 * st) / 2147483647 - 1;
};
for (const n of [16, 40, 64, 128]) {
  const w = [0, 0, 0, 0];
  const t0 = performance.now();
  for (let r = 0; r < 15; r++) {
    const a = S.matrix(n, n, "f64", rnd);
    const [u, s, vt] = Nx.LinAlg.svd(a, { fullMatrices: false });
    const x = [
      S.residual(a, S.times(Nx.multiply(u, s), vt), n),
      S.skewness(u),
      S.skewness(S.adjoint(vt)),
      (Nx.reduceMax(Nx.abs(Nx.subtract(Nx.sqrt(Nx.sum(Nx.multiply(u, u), { axes: [0] })), 1))).toNumber() as number) *
        2 ** 53,
    ];
    x.forEach((v, i) => (w[i] = Math.max(w[i]!, v)));
  }
  console.log(n, w.map((x) => x.toFixed(2)).join(" "), ((performance.now() - t0) / 15).toFixed(1));
}
