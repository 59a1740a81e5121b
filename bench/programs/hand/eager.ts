/**
 * Normalized rows and a step of a simulation, as loops over typed arrays; training by hand is the loop of training.
 */
import { EPSILON, REACTION, type Inputs, type Plain, type PlainResult, type Programs } from "../program";
import { networks } from "./networks";

const standardise = ({ x }: Inputs<Plain>) => {
  const columns = x!.shape[1]!;
  return (): Float32Array => {
    const out = new Float32Array(x!.data.length);
    for (let from = 0; from < out.length; from += columns) {
      let [sum, squares] = [0, 0];
      for (let i = from; i < from + columns; i++) sum += x!.data[i]!;
      const mean = sum / columns;
      for (let i = from; i < from + columns; i++) squares += (x!.data[i]! - mean) ** 2;
      const scale = Math.sqrt(squares / columns + EPSILON);
      for (let i = from; i < from + columns; i++) out[i] = (x!.data[i]! - mean) / scale;
    }
    return out;
  };
};

const grayScott = ({ u, v }: Inputs<Plain>) => {
  const [rows, columns] = u!.shape as [number, number];
  const { u: du, v: dv, feed, kill } = REACTION;
  return (): Float32Array => {
    const size = rows * columns;
    const out = new Float32Array(2 * size);
    const [a, b] = [u!.data, v!.data];
    for (let y = 0; y < rows; y++) {
      const [above, below] = [((y + rows - 1) % rows) * columns, ((y + 1) % rows) * columns];
      for (let x = 0; x < columns; x++) {
        const [left, right] = [(x + columns - 1) % columns, (x + 1) % columns];
        const row = y * columns;
        const i = row + x;
        const around = (of: Float32Array): number =>
          of[above + x]! + of[below + x]! + of[row + left]! + of[row + right]! - 4 * of[i]!;
        const reacted = a[i]! * b[i]! * b[i]!;
        out[i] = a[i]! + du * around(a) - reacted + feed * (1 - a[i]!);
        out[size + i] = b[i]! + dv * around(b) + reacted - (feed + kill) * b[i]!;
      }
    }
    return out;
  };
};

export const eager: Programs<Plain, PlainResult> = { standardise, grayScott, trainByHand: networks.train! };
