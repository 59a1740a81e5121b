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

/** Kalman's filter for place and speed in the plane, where `seen` of the two places are measured. */
function filter({ data, shape }: Plain, seen: number): Float32Array {
  const { step, process, measured } = TRACKING;
  const count = shape[0]!;
  const out = new Float32Array(count * 4);
  const state = new Float64Array(4);
  const covariance = Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0));
  const ahead = new Float64Array(16);
  const gain = new Float64Array(8);
  for (let t = 0; t < count; t++) {
    state[0]! += step * state[2]!;
    state[1]! += step * state[3]!;
    // F P, then (F P) F': rows and columns of the places gain those of the speeds.
    for (let j = 0; j < 4; j++) {
      covariance[j]! += step * covariance[8 + j]!;
      covariance[4 + j]! += step * covariance[12 + j]!;
    }
    for (let i = 0; i < 16; i += 4) {
      ahead[i] = covariance[i]! + step * covariance[i + 2]!;
      ahead[i + 1] = covariance[i + 1]! + step * covariance[i + 3]!;
      ahead[i + 2] = covariance[i + 2]!;
      ahead[i + 3] = covariance[i + 3]!;
    }
    for (let i = 0; i < 16; i += 5) ahead[i]! += process;
    const a = ahead[0]! + measured;
    const d = ahead[5]! + measured;
    const b = seen === 1 ? 0 : ahead[1]!;
    const c = seen === 1 ? 0 : ahead[4]!;
    const determinant = a * d - b * c;
    for (let i = 0; i < 4; i++) {
      const first = ahead[4 * i]!;
      const second = seen === 1 ? 0 : ahead[4 * i + 1]!;
      gain[2 * i] = (first * d - second * c) / determinant;
      gain[2 * i + 1] = (second * a - first * b) / determinant;
    }
    const first = data[t * seen]! - state[0]!;
    const second = seen === 1 ? 0 : data[t * seen + 1]! - state[1]!;
    for (let i = 0; i < 4; i++) {
      state[i]! += gain[2 * i]! * first + gain[2 * i + 1]! * second;
      for (let j = 0; j < 4; j++) {
        covariance[4 * i + j] = ahead[4 * i + j]! - gain[2 * i]! * ahead[j]! - gain[2 * i + 1]! * ahead[4 + j]!;
      }
      out[4 * t + i] = state[i]!;
    }
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
  kalmanOne:
    ({ measurements }) =>
    () =>
      filter(measurements!, 1),
  kalmanTwo:
    ({ measurements }) =>
    () =>
      filter(measurements!, 2),
  bodies:
    ({ places, speeds, masses }) =>
    () =>
      attract(places!.data, speeds!.data, masses!.data),
  mandelbrot,
  life,
};
