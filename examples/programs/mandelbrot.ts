/**
 * The Mandelbrot set: how many steps of z² + c each point of the plane takes to leave the circle of radius 2.
 */
import * as Nx from "nx-numerics";

const LIMIT = 200;

/** Steps that each point stays within the circle, at most `LIMIT`. */
const escape = Nx.defn(
  (c: Nx.Tensor<readonly ["imaginary", "real"]>) =>
    Nx.Defn.whileLoop(
      { z: c.multiply(0), steps: Nx.zerosLike(c, { type: "s32" }), turn: 0 },
      ({ turn }) => turn.less(LIMIT),
      ({ z, steps, turn }) => {
        const next = Nx.where(z.abs().lessEqual(2), z.square().add(c), z);
        return { z: next, steps: steps.add(next.abs().lessEqual(2)), turn: turn.add(1) };
      },
    ).steps,
);

/** The points between two corners of the plane. */
const plane = (rows: number, columns: number) => {
  const real = Nx.linspace(-2, 0.5, { n: columns, name: "real", type: "f64" });
  const imaginary = Nx.linspace(-1.15, 1.15, { n: rows, name: "imaginary", type: "f64" });
  return Nx.complex(real, imaginary.newAxis(1, "real"));
};

export const steps = escape(plane(231, 251));
export const area = steps
  .equal(LIMIT)
  .mean()
  .multiply(2.5 * 2.3);

console.log(String(Nx.toHeatmap(escape(plane(21, 61)).add(1).log())));
console.log(`area ${area.item().toFixed(3)}, known as 1.507`);
