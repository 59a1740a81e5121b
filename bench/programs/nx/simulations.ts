/**
 * Simulations in nx-numerics: fields, filters, bodies, cells.
 */
import * as Nx from "nx-numerics";
import {
  DIFFUSION,
  PLANE,
  SOFTENING,
  spread,
  STEPS,
  TIME_STEP,
  TRACKING,
  type Inputs,
  type Programs,
} from "../program";

type Tensor = Nx.Tensor;
type Result = Tensor | Tensor[];

const { scan, whileLoop } = Nx.Defn;

/** The five-point stencil; beyond the edge everything is cold. */
function diffuse(field: Tensor): Tensor {
  const padded = Nx.pad(field, 0, [
    [1, 1],
    [1, 1],
  ]);
  const shifted = (y: number, x: number): Tensor => padded.slice([y, x], field.shape);
  const around = shifted(0, 1).add(shifted(2, 1)).add(shifted(1, 0)).add(shifted(1, 2));
  return field.add(around.subtract(field.multiply(4)).multiply(DIFFUSION));
}

const heat = Nx.defn(
  (field: Tensor) =>
    whileLoop(
      { i: 0, field },
      ({ i }) => i.less(STEPS.heat),
      ({ i, field }) => ({ i: i.add(1), field: diffuse(field) }),
    ).field,
);

/** Place and speed in the plane; `measures` says what of them is measured. */
function model(measures: readonly (readonly number[])[]) {
  const { step, process, measured } = TRACKING;
  return {
    moves: Nx.f32([
      [1, 0, step, 0],
      [0, 1, 0, step],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]),
    measures: Nx.f32(measures),
    process: Nx.eye(4, { type: "f32" }).multiply(process),
    noise: Nx.eye(measures.length, { type: "f32" }).multiply(measured),
  };
}

type Model = ReturnType<typeof model>;

/** Kalman's filter over all measurements; the gain divides by one number, or solves equations where there are more. */
const filter = Nx.defn(
  (measurements: Tensor, { moves, measures, process, noise }: Model) =>
    scan(
      ({ state, covariance }, measurement) => {
        const predicted = moves.dot(state);
        const ahead = moves.dot(covariance).dot(moves.transpose()).add(process);
        const seen = measures.dot(ahead);
        const spread = seen.dot(measures.transpose()).add(noise);
        const gain = (noise.size === 1 ? seen.divide(spread) : Nx.LinAlg.solve(spread, seen)).transpose();
        const next = predicted.add(gain.dot(measurement.subtract(measures.dot(predicted))));
        return [{ state: next, covariance: ahead.subtract(gain.dot(seen)) }, next];
      },
      { state: Nx.broadcast(Nx.f32(0), [4]), covariance: Nx.eye(4, { type: "f32" }) },
      measurements,
    )[1],
);

const tracking = (rows: readonly (readonly number[])[]) => (inputs: Inputs<Tensor>) => {
  const known = model(rows);
  return () => filter(inputs.measurements!, known);
};

/** A step of bodies that attract each other: all pairs, then kick and drift. */
const attract = Nx.defn((places: Tensor, speeds: Tensor, masses: Tensor): [Tensor, Tensor] => {
  const apart = places.newAxis(0).subtract(places.newAxis(1));
  const inverse = apart
    .multiply(apart)
    .sum({ axes: [2] })
    .add(SOFTENING)
    .rsqrt();
  const pull = inverse.multiply(inverse).multiply(inverse).multiply(masses);
  const force = apart.multiply(pull.newAxis(-1)).sum({ axes: [1] });
  const next = speeds.add(force.multiply(TIME_STEP));
  return [places.add(next.multiply(TIME_STEP)), next];
});

/** How many steps each point of the plane stays near. */
const escape = Nx.defn((re: Tensor, im: Tensor) => {
  const zeros = Nx.broadcast(Nx.f64(0), [im.shape[0]!, re.shape[1]!]);
  return whileLoop(
    { i: 0, x: zeros, y: zeros, steps: zeros },
    ({ i }) => i.less(STEPS.mandelbrot),
    ({ i, x, y, steps }) => {
      const [xx, yy] = [x.multiply(x), y.multiply(y)];
      return {
        i: i.add(1),
        x: xx.subtract(yy).add(re),
        y: x.multiply(y).multiply(2).add(im),
        steps: steps.add(xx.add(yy).lessEqual(4)),
      };
    },
  ).steps;
});

const mandelbrot = ({ image }: Inputs<Tensor>) => {
  const [height, width] = image!.shape as readonly [number, number];
  const re = Nx.tensor(spread(PLANE.left, PLANE.right, width)).newAxis(0);
  const im = Nx.tensor(spread(PLANE.top, PLANE.bottom, height)).newAxis(1);
  return () => escape(re, im);
};

/** A generation of Conway's Life; beyond the edge everything is dead. */
const generation = Nx.defn((cells: Tensor) => {
  const around = Nx.windowSum(cells, [3, 3], { padding: "same" }).subtract(cells);
  return around.equal(3).logicalOr(around.equal(2).logicalAnd(cells));
});

const life = ({ chance }: Inputs<Tensor>) => {
  const cells = chance!.less(0.3);
  return () => generation(cells);
};

export const simulations: Programs<Tensor, Result> = {
  heat: (inputs) => () => heat(inputs.field!),
  kalmanOne: tracking([[1, 0, 0, 0]]),
  kalmanTwo: tracking([
    [1, 0, 0, 0],
    [0, 1, 0, 0],
  ]),
  bodies: (inputs) => () => attract(inputs.places!, inputs.speeds!, inputs.masses!),
  mandelbrot,
  life,
};
