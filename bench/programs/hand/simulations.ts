/**
 * Simulations as loops over typed arrays.
 */
import {
  DIFFUSION,
  PLANE,
  SOFTENING,
  spread,
  STEPS,
  TIME_STEP,
  TRACKING,
  type Inputs,
  type Plain,
  type PlainResult,
  type Programs,
} from "../program";

/** Copies a field into one with a margin of zeros, so that no edge is a special case. */
function widened<T extends Float32Array | Uint8Array>(
  out: T,
  data: ArrayLike<number>,
  height: number,
  width: number,
): T {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) out[(y + 1) * (width + 2) + x + 1] = data[y * width + x]!;
  }
  return out;
}

function narrowed<T extends Float32Array | Uint8Array>(out: T, padded: T, height: number, width: number): T {
  for (let y = 0; y < height; y++) {
    out.set(padded.subarray((y + 1) * (width + 2) + 1, (y + 1) * (width + 2) + 1 + width), y * width);
  }
  return out;
}

function heat({ data, shape }: Plain): Float32Array {
  const [height, width] = shape as readonly [number, number];
  const stride = width + 2;
  let now = widened(new Float32Array((height + 2) * stride), data, height, width);
  let next = new Float32Array(now.length);
  for (let step = 0; step < STEPS.heat; step++) {
    for (let y = 1; y <= height; y++) {
      for (let i = y * stride + 1; i <= y * stride + width; i++) {
        const around = now[i - stride]! + now[i + stride]! + now[i - 1]! + now[i + 1]!;
        next[i] = now[i]! + DIFFUSION * (around - 4 * now[i]!);
      }
    }
    [now, next] = [next, now];
  }
  return narrowed(new Float32Array(data.length), now, height, width);
}

type Matrix = Float64Array;

/** out = x y, of matrices with this many rows, inner ones and columns. */
function product(out: Matrix, x: Matrix, y: Matrix, rows: number, inner: number, columns: number): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += x[i * inner + k]! * y[k * columns + j]!;
      out[i * columns + j] = sum;
    }
  }
}

/** out = x y', of matrices with this many rows, inner ones and rows of y. */
function productTransposed(out: Matrix, x: Matrix, y: Matrix, rows: number, inner: number, columns: number): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += x[i * inner + k]! * y[j * inner + k]!;
      out[i * columns + j] = sum;
    }
  }
}

/** gain = seen' / spread, where one or two numbers are measured. */
function solve(gain: Matrix, spread: Matrix, seen: Matrix): void {
  if (spread.length === 1) {
    for (let i = 0; i < 4; i++) gain[i] = seen[i]! / spread[0]!;
    return;
  }
  const determinant = spread[0]! * spread[3]! - spread[1]! * spread[2]!;
  for (let i = 0; i < 4; i++) {
    gain[2 * i] = (seen[i]! * spread[3]! - seen[4 + i]! * spread[1]!) / determinant;
    gain[2 * i + 1] = (seen[4 + i]! * spread[0]! - seen[i]! * spread[2]!) / determinant;
  }
}

const identity = (scale: number): Matrix => Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? scale : 0));

/** Kalman's filter of a model that is data, as it is there: nothing is known of its zeros. */
function tracking(count: 1 | 2) {
  const moves = identity(1);
  moves[2] = moves[7] = TRACKING.step;
  const measures = identity(1).slice(0, 4 * count);
  return ({ measurements }: Inputs<Plain>) =>
    (): Float32Array =>
      filter(measurements!.data, moves, measures);
}

function filter(data: Float32Array, moves: Matrix, measures: Matrix): Float32Array {
  const size = measures.length / 4;
  const [state, predicted, expected] = [new Float64Array(4), new Float64Array(4), new Float64Array(size)];
  const [covariance, moved, ahead] = [identity(1), new Float64Array(16), new Float64Array(16)];
  const [seen, spread, gain] = [new Float64Array(4 * size), new Float64Array(size * size), new Float64Array(4 * size)];
  const out = new Float32Array((data.length / size) * 4);
  for (let t = 0; t < data.length; t += size) {
    product(predicted, moves, state, 4, 4, 1);
    product(moved, moves, covariance, 4, 4, 4);
    productTransposed(ahead, moved, moves, 4, 4, 4);
    for (let i = 0; i < 16; i += 5) ahead[i]! += TRACKING.process;
    product(seen, measures, ahead, size, 4, 4);
    productTransposed(spread, seen, measures, size, 4, size);
    for (let i = 0; i < size; i++) spread[i * size + i]! += TRACKING.measured;
    solve(gain, spread, seen);
    product(expected, measures, predicted, size, 4, 1);
    for (let i = 0; i < size; i++) expected[i] = data[t + i]! - expected[i]!;
    product(state, gain, expected, 4, size, 1);
    product(moved, gain, seen, 4, size, 4);
    for (let i = 0; i < 16; i++) covariance[i] = ahead[i]! - moved[i]!;
    for (let i = 0; i < 4; i++) out[(t / size) * 4 + i] = state[i]! += predicted[i]!;
  }
  return out;
}

/** Each pair once. */
function attract(places: Float32Array, speeds: Float32Array, masses: Float32Array): Float32Array {
  const count = masses.length;
  const force = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const x = places[3 * i]!;
    const y = places[3 * i + 1]!;
    const z = places[3 * i + 2]!;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    for (let j = i + 1; j < count; j++) {
      const dx = places[3 * j]! - x;
      const dy = places[3 * j + 1]! - y;
      const dz = places[3 * j + 2]! - z;
      const square = dx * dx + dy * dy + dz * dz + SOFTENING;
      const pull = 1 / (square * Math.sqrt(square));
      const mine = pull * masses[j]!;
      const other = pull * masses[i]!;
      fx += dx * mine;
      fy += dy * mine;
      fz += dz * mine;
      force[3 * j]! -= dx * other;
      force[3 * j + 1]! -= dy * other;
      force[3 * j + 2]! -= dz * other;
    }
    force[3 * i]! += fx;
    force[3 * i + 1]! += fy;
    force[3 * i + 2]! += fz;
  }
  const out = new Float32Array(6 * count);
  for (let i = 0; i < 3 * count; i++) {
    const speed = speeds[i]! + TIME_STEP * force[i]!;
    out[i] = places[i]! + TIME_STEP * speed;
    out[3 * count + i] = speed;
  }
  return out;
}

const mandelbrot = ({ image }: Inputs<Plain>) => {
  const [height, width] = image!.shape as readonly [number, number];
  const re = spread(PLANE.left, PLANE.right, width);
  const im = spread(PLANE.top, PLANE.bottom, height);
  return (): Float64Array => {
    const out = new Float64Array(height * width);
    for (let i = 0; i < height; i++) {
      for (let j = 0; j < width; j++) {
        const a = re[j]!;
        const b = im[i]!;
        let x = 0;
        let y = 0;
        let steps = 0;
        while (steps < STEPS.mandelbrot) {
          const xx = x * x;
          const yy = y * y;
          if (xx + yy > 4) break;
          y = 2 * (x * y) + b;
          x = xx - yy + a;
          steps++;
        }
        out[i * width + j] = steps;
      }
    }
    return out;
  };
};

/** A generation, with sums of three cells above each other that are used three times. */
const life = ({ chance }: Inputs<Plain>) => {
  const [height, width] = chance!.shape as readonly [number, number];
  const stride = width + 2;
  const alive = chance!.data.map((value) => (value < Math.fround(0.3) ? 1 : 0));
  const cells = widened(new Uint8Array((height + 2) * stride), alive, height, width);
  return (): Uint8Array => {
    const out = new Uint8Array(height * width);
    for (let y = 0, at = 0; y < height; y++) {
      const row = (y + 1) * stride;
      let left = 0;
      let middle = cells[row + 1 - stride]! + cells[row + 1]! + cells[row + 1 + stride]!;
      for (let i = row + 1; i <= row + width; i++) {
        const right = cells[i + 1 - stride]! + cells[i + 1]! + cells[i + 1 + stride]!;
        const nine = left + middle + right;
        out[at++] = nine === 3 ? 1 : nine === 4 ? cells[i]! : 0;
        left = middle;
        middle = right;
      }
    }
    return out;
  };
};

export const simulations: Programs<Plain, PlainResult> = {
  heat:
    ({ field }) =>
    () =>
      heat(field!),
  kalmanOne: tracking(1),
  kalmanTwo: tracking(2),
  bodies:
    ({ places, speeds, masses }) =>
    () =>
      attract(places!.data, speeds!.data, masses!.data),
  mandelbrot,
  life,
};
