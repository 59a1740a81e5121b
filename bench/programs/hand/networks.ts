/**
 * Small networks as loops over typed arrays, in f64 where sums are taken.
 */
import { EPSILON, HEADS, LEARNING_RATE, type Inputs, type Plain, type PlainResult, type Programs } from "../program";

/** Rows of x times columns of w, row by row of w, plus a bias for each column. */
function dense(x: Float32Array, w: Float32Array, bias: Float32Array | null, inner: number): Float32Array {
  const [rows, columns] = [x.length / inner, w.length / inner];
  const out = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const row = out.subarray(i * columns, (i + 1) * columns);
    if (bias) row.set(bias);
    for (let k = 0; k < inner; k++) {
      const factor = x[i * inner + k]!;
      const from = k * columns;
      for (let j = 0; j < columns; j++) row[j]! += factor * w[from + j]!;
    }
  }
  return out;
}

function relu(x: Float32Array): Float32Array {
  for (let i = 0; i < x.length; i++) if (x[i]! < 0) x[i] = 0;
  return x;
}

/** Each row becomes shares of 1. */
function softmax(x: Float32Array, columns: number): Float32Array {
  for (let from = 0; from < x.length; from += columns) {
    let most = -Infinity;
    for (let i = from; i < from + columns; i++) most = Math.max(most, x[i]!);
    let sum = 0;
    for (let i = from; i < from + columns; i++) sum += x[i] = Math.exp(x[i]! - most);
    for (let i = from; i < from + columns; i++) x[i]! /= sum;
  }
  return x;
}

/** Takes what the columns of y contribute, with the rows of x, from the weights; and from the bias. */
function learn(x: Float32Array, y: Float32Array, w: Float32Array, b: Float32Array): [Float32Array, Float32Array] {
  const [nextW, nextB] = [w.slice(), b.slice()];
  const columns = b.length;
  const inner = w.length / columns;
  for (let row = 0; row * columns < y.length; row++) {
    for (let k = 0; k < inner; k++) {
      const factor = LEARNING_RATE * x[row * inner + k]!;
      if (factor === 0) continue;
      for (let j = 0; j < columns; j++) nextW[k * columns + j]! -= factor * y[row * columns + j]!;
    }
    for (let j = 0; j < columns; j++) nextB[j]! -= LEARNING_RATE * y[row * columns + j]!;
  }
  return [nextW, nextB];
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

const arraysOf = (inputs: Inputs<Plain>, ...names: string[]): Float32Array[] => names.map((name) => inputs[name]!.data);

const train = (inputs: Inputs<Plain>) => {
  const [x, labels, w1, b1, w2, b2] = arraysOf(inputs, "x", "labels", "w1", "b1", "w2", "b2") as [
    Float32Array,
    ...Float32Array[],
  ];
  const [rows, inner] = inputs.x!.shape as readonly [number, number];
  const [wide, classes] = [b1!.length, b2!.length];
  return (): Float32Array => {
    const hidden = relu(dense(x, w1!, b1!, inner));
    const toScores = softmax(dense(hidden, w2!, b2!, wide), classes);
    for (let i = 0; i < toScores.length; i++) toScores[i] = (toScores[i]! - labels![i]!) / rows;
    const toHidden = new Float32Array(hidden.length);
    for (let row = 0; row < rows; row++) {
      for (let k = 0; k < wide; k++) {
        if (hidden[row * wide + k] === 0) continue;
        let sum = 0;
        for (let j = 0; j < classes; j++) sum += toScores[row * classes + j]! * w2![k * classes + j]!;
        toHidden[row * wide + k] = sum;
      }
    }
    return joined([...learn(x, toHidden, w1!, b1!), ...learn(hidden, toScores, w2!, b2!)]);
  };
};

const mlp = (inputs: Inputs<Plain>) => {
  const [x, w1, b1, w2, b2] = arraysOf(inputs, "x", "w1", "b1", "w2", "b2") as [Float32Array, ...Float32Array[]];
  return (): Float32Array => dense(relu(dense(x, w1!, b1!, inputs.x!.shape[1]!)), w2!, b2!, b1!.length);
};

/** Adds an image, moved and weighted, for each of the nine places of a filter. */
function convolve(image: Float32Array, filter: Float32Array, out: Float32Array, height: number, width: number): void {
  for (let place = 0; place < 9; place++) {
    const down = Math.floor(place / 3) - 1;
    const right = (place % 3) - 1;
    const weight = filter[place]!;
    for (let row = Math.max(0, -down); row < height - Math.max(0, down); row++) {
      const to = row * width;
      const from = (row + down) * width + right;
      for (let i = Math.max(0, -right); i < width - Math.max(0, right); i++) out[to + i]! += weight * image[from + i]!;
    }
  }
}

/** The largest of each 2x2 of an image, or 0. */
function pool(image: Float32Array, out: Float32Array, width: number): void {
  const half = width / 2;
  for (let i = 0; i < out.length; i++) {
    const at = Math.floor(i / half) * 2 * width + (i % half) * 2;
    out[i] = Math.max(0, image[at]!, image[at + 1]!, image[at + width]!, image[at + width + 1]!);
  }
}

function layer(x: Plain, filters: Plain, bias: Float32Array): Plain {
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  const count = bias.length;
  const area = height * width;
  const out = new Float32Array((batch * count * area) / 4);
  const image = new Float32Array(area);
  for (let n = 0; n < batch * count; n++) {
    image.fill(bias[n % count]!);
    for (let channel = 0; channel < channels; channel++) {
      const from = (Math.floor(n / count) * channels + channel) * area;
      const filter = ((n % count) * channels + channel) * 9;
      convolve(x.data.subarray(from, from + area), filters.data.subarray(filter, filter + 9), image, height, width);
    }
    pool(image, out.subarray((n * area) / 4, ((n + 1) * area) / 4), width);
  }
  return { data: out, shape: [batch, count, height / 2, width / 2] };
}

const cnn =
  ({ x, k1, c1, k2, c2, w, b }: Inputs<Plain>) =>
  (): Float32Array => {
    const { data, shape } = layer(layer(x!, k1!, c1!.data), k2!, c2!.data);
    return dense(data, w!.data, b!.data, data.length / shape[0]!);
  };

function normalize(x: Float32Array, gain: Float32Array, shift: Float32Array): Float32Array {
  const columns = gain.length;
  const out = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += columns) {
    let mean = 0;
    for (let i = 0; i < columns; i++) mean += x[from + i]! / columns;
    let variance = 0;
    for (let i = 0; i < columns; i++) variance += (x[from + i]! - mean) ** 2 / columns;
    const scale = 1 / Math.sqrt(variance + EPSILON);
    for (let i = 0; i < columns; i++) out[from + i] = (x[from + i]! - mean) * scale * gain[i]! + shift[i]!;
  }
  return out;
}

/** Shares and sums of one head: its columns of queries, keys and values lie within those of all heads. */
function attendHead(q: Float32Array, k: Float32Array, v: Float32Array, out: Float32Array, rows: number, head: number) {
  const columns = q.length / rows;
  const wide = columns / HEADS;
  const from = head * wide;
  const shares = new Float32Array(rows * rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      let sum = 0;
      for (let c = from; c < from + wide; c++) sum += q[i * columns + c]! * k[j * columns + c]!;
      shares[i * rows + j] = sum / Math.sqrt(wide);
    }
  }
  softmax(shares, rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      const share = shares[i * rows + j]!;
      for (let c = from; c < from + wide; c++) out[i * columns + c]! += share * v[j * columns + c]!;
    }
  }
}

/** Abramowitz and Stegun (1964), 7.1.26: absolute error below 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

const transformer = (inputs: Inputs<Plain>) => {
  const of = (name: string): Float32Array => inputs[name]!.data;
  const [rows, columns] = inputs.x!.shape as readonly [number, number];
  return (): Float32Array => {
    const x = of("x");
    const normal = normalize(x, of("g1"), of("s1"));
    const [q, k, v] = ["wq", "wk", "wv"].map((name) => dense(normal, of(name), null, columns));
    const mixed = new Float32Array(x.length);
    for (let head = 0; head < HEADS; head++) attendHead(q!, k!, v!, mixed, rows, head);
    const attended = dense(mixed, of("wo"), null, columns);
    for (let i = 0; i < x.length; i++) attended[i]! += x[i]!;
    const hidden = dense(normalize(attended, of("g2"), of("s2")), of("w1"), of("b1"), columns);
    for (let i = 0; i < hidden.length; i++) hidden[i]! *= 0.5 * (1 + erf(hidden[i]! * Math.SQRT1_2));
    const out = dense(hidden, of("w2"), of("b2"), of("b1").length);
    for (let i = 0; i < x.length; i++) out[i]! += attended[i]!;
    return out;
  };
};

export const networks: Programs<Plain, PlainResult> = { train, mlp, cnn, transformer };
