/**
 * Products of matrices, convolutions and Fourier transforms at the sizes of tiles, blocks and stretches. Elements are small
 * integers, so that sums are exact in any order; where they are not, the result lies within the roundings of its sum.
 */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { mapped } from "../plain";
import { check, data, expecting, type Check, type Data } from "../subject";
import { decode, encode, integers, numbers, sizeOf, type Value } from "../values";

/** Rows, terms and columns. */
type Size = readonly [m: number, k: number, n: number];

/** Around tiles of 4 x 8, vectors, stretches of 256 and regions of 128 x 512. */
const MATRICES: readonly Size[] = [
  [1, 1, 1],
  [1, 7, 1],
  [3, 5, 4],
  [4, 4, 8],
  [5, 17, 9],
  [8, 16, 8],
  [1, 257, 129],
  [129, 257, 1],
  [17, 31, 33],
  [32, 64, 32],
  [33, 65, 34],
  [65, 129, 63],
  [63, 255, 65],
  [127, 64, 128],
  [129, 257, 130],
  [12, 513, 515],
];
const TYPES: readonly DType[] = ["f32", "f64", "s32", "u8", "s64", "c64", "f16", "bf16", "c128", "u16"];

/** The real parts of elements, and the imaginary parts of complex elements. */
interface Parts {
  readonly re: Float64Array;
  readonly im: Float64Array | null;
}

const isPair = (type: DType): boolean => type === "c64" || type === "c128";
const typed = (type: DType, value: number): Value => (type === "s64" || type === "u64" ? BigInt(value) : value);

/** Small integers, with imaginary parts where the type has them. */
const parts = (type: DType, count: number, seed: number): Parts => ({
  re: Float64Array.from(integers(type, count, seed, 9)),
  im: isPair(type) ? Float64Array.from(integers(type, count, seed + 1, 7)) : null,
});

/** Adds the product of two real matrices, times a sign. */
function addProduct(out: Float64Array, a: Float64Array, b: Float64Array, [m, k, n]: Size, sign: 1 | -1): void {
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const x = sign * a[i * k + p]!;
      for (let j = 0; j < n; j++) out[i * n + j]! += x * b[p * n + j]!;
    }
  }
}

function productOf(a: Parts, b: Parts, size: Size): Parts {
  const [m, , n] = size;
  const re = new Float64Array(m * n);
  addProduct(re, a.re, b.re, size, 1);
  if (!a.im || !b.im) return { re, im: null };
  const im = new Float64Array(m * n);
  addProduct(re, a.im, b.im, size, -1);
  addProduct(im, a.re, b.im, size, 1);
  addProduct(im, a.im, b.re, size, 1);
  return { re, im };
}

/** A matrix the other way round. */
function transposed({ re, im }: Parts, rows: number, columns: number): Parts {
  const transpose = (list: Float64Array): Float64Array =>
    list.map((_, at) => list[(at % rows) * columns + Math.floor(at / rows)]!);
  return { re: transpose(re), im: im && transpose(im) };
}

const operand = (type: DType, shape: readonly number[], { re, im }: Parts): Data =>
  data(
    type,
    shape,
    Array.from(re, (value, i) => (im ? [value, im[i]!] : typed(type, value))),
  );

/** Several matrices as one list. */
function joined(list: readonly Parts[]): Parts {
  const all = (pick: (one: Parts) => Float64Array): Float64Array =>
    Float64Array.from(list.flatMap((one) => [...pick(one)]));
  return { re: all(({ re }) => re), im: list[0]!.im ? all(({ im }) => im!) : null };
}

/** How the operands of a product lie. */
interface Lay {
  readonly name: string;
  readonly left: boolean;
  readonly right: boolean;
}

const LAYS: readonly Lay[] = [
  { name: "", left: false, right: false },
  { name: " of a transposed left", left: true, right: false },
  { name: " of a transposed right", left: false, right: true },
];

function matrixCheck(type: DType, size: Size, lay: Lay): Check {
  const [m, k, n] = size;
  return check(`dot${lay.name} ${type} ${m}x${k}x${n}`, () => {
    const [a, b] = [parts(type, m * k, m + k), parts(type, k * n, k + n)];
    const left = lay.left ? operand(type, [k, m], transposed(a, m, k)) : operand(type, [m, k], a);
    const right = lay.right ? operand(type, [n, k], transposed(b, k, n)) : operand(type, [k, n], b);
    return {
      inputs: [left, right],
      compute: (x, y) => Nx.dot(x, [lay.left ? 0 : 1], y, [lay.right ? 1 : 0]),
      expected: () => [operand(type, [m, n], productOf(a, b, size))],
    };
  });
}

function batchCheck(type: DType, batch: number, size: Size): Check {
  const [m, k, n] = size;
  return check(`dot of ${batch} ${type} ${m}x${k}x${n}`, () => {
    const a = Array.from({ length: batch }, (_, i) => parts(type, m * k, i + m));
    const b = Array.from({ length: batch }, (_, i) => parts(type, k * n, i + n + 40));
    return {
      inputs: [operand(type, [batch, m, k], joined(a)), operand(type, [batch, k, n], joined(b))],
      compute: (x, y) => Nx.dot(x, [2], [0], y, [1], [0]),
      expected: () => [operand(type, [batch, m, n], joined(a.map((one, i) => productOf(one, b[i]!, size))))],
    };
  });
}

/** Fractions: within the roundings of each sum. */
function roundedCheck(type: "f32" | "f64", size: Size): Check {
  const [m, k, n] = size;
  return check(`dot of fractions ${type} ${m}x${k}x${n}`, () => {
    const next = numbers(m * k);
    const fractions = (count: number): number[] =>
      decode(
        type,
        encode(
          type,
          Array.from({ length: count }, () => next() / 2 ** 31 - 1),
        ),
      ) as number[];
    const [a, b] = [fractions(m * k), fractions(k * n)];
    const real = (list: readonly number[]): Parts => ({ re: Float64Array.from(list), im: null });
    const exact = productOf(real(a), real(b), size).re;
    const sizes = productOf(real(a.map(Math.abs)), real(b.map(Math.abs)), size).re;
    const unit = type === "f32" ? 2 ** -24 : 2 ** -53;
    return {
      inputs: [data(type, [m, k], a), data(type, [k, n], b)],
      compute: (x, y) => Nx.dot(x, y),
      expected: () => [
        { ...expecting(type, [m, n], exact), within: Array.from(sizes, (size) => (k + 2) * unit * size) },
      ],
    };
  });
}

/** How a convolution goes over its input. */
interface Convolution {
  readonly input: readonly [batch: number, channels: number, height: number, width: number];
  readonly kernel: readonly [out: number, channels: number, height: number, width: number];
  readonly strides?: readonly [number, number];
  readonly padding?: readonly [number, number];
  readonly dilation?: readonly [number, number];
  readonly groups?: number;
}

const CONVOLUTIONS: readonly Convolution[] = [
  { input: [1, 1, 5, 5], kernel: [1, 1, 3, 3] },
  { input: [2, 3, 7, 9], kernel: [4, 3, 3, 2], strides: [2, 1], padding: [1, 0] },
  { input: [1, 3, 18, 17], kernel: [8, 3, 3, 3], padding: [1, 1] },
  { input: [2, 4, 33, 31], kernel: [6, 2, 3, 5], strides: [1, 2], padding: [1, 2], groups: 2 },
  { input: [1, 8, 20, 21], kernel: [9, 8, 1, 1] },
  { input: [3, 2, 16, 40], kernel: [5, 2, 3, 3], dilation: [2, 3], padding: [2, 1] },
  { input: [1, 16, 34, 33], kernel: [33, 16, 3, 3], padding: [1, 1] },
];

function convolved({ input, kernel, ...rest }: Convolution, x: readonly number[], w: readonly number[]): number[] {
  const { strides = [1, 1], padding = [0, 0], dilation = [1, 1], groups = 1 } = rest;
  const [, channels, height, width] = input;
  const [outs, within, kh, kw] = kernel;
  const shape = outputOf({ input, kernel, ...rest });
  return mapped(shape, ([b, o, i, j]) => {
    const first = Math.floor(o! / (outs / groups)) * within;
    let total = 0;
    for (let c = 0; c < within; c++) {
      for (let p = 0; p < kh; p++) {
        const row = i! * strides[0] + p * dilation[0] - padding[0];
        if (row < 0 || row >= height) continue;
        for (let q = 0; q < kw; q++) {
          const column = j! * strides[1] + q * dilation[1] - padding[1];
          if (column < 0 || column >= width) continue;
          const at = ((b! * channels + first + c) * height + row) * width + column;
          total += x[at]! * w[((o! * within + c) * kh + p) * kw + q]!;
        }
      }
    }
    return total;
  });
}

function outputOf({ input, kernel, strides = [1, 1], padding = [0, 0], dilation = [1, 1] }: Convolution): number[] {
  const side = (axis: 0 | 1): number => {
    const span = dilation[axis] * (kernel[axis + 2]! - 1) + 1;
    return Math.floor((input[axis + 2]! + 2 * padding[axis] - span) / strides[axis]) + 1;
  };
  return [input[0], kernel[0], side(0), side(1)];
}

function convolutionCheck(type: DType, spec: Convolution): Check {
  const { input, kernel, strides = [1, 1], padding = [0, 0], dilation = [1, 1], groups = 1 } = spec;
  return check(`conv ${type}[${input}] by [${kernel}]`, () => {
    const [x, w] = [integers(type, sizeOf(input), input[2], 7), integers(type, sizeOf(kernel), kernel[0], 5)];
    const out = type === "f64" ? "f64" : "f32";
    const all = (list: readonly number[]): Value[] => list.map((value) => typed(type, value));
    return {
      inputs: [data(type, input, all(x)), data(type, kernel, all(w))],
      compute: (a: Tensor, b: Tensor) =>
        Nx.conv(a, b, {
          strides,
          padding: padding.map((pad) => [pad, pad] as const),
          kernelDilation: dilation,
          featureGroupSize: groups,
        }),
      expected: () => [expecting(out, outputOf(spec), convolved(spec, x, w))],
    };
  });
}

/** Fourier transforms of every kind of length, of three rows or columns, against their definition. */
function transformCheck(type: "c64" | "c128", n: number, inverse: boolean, axis: 0 | 1 = 1): Check {
  return check(`${inverse ? "ifft" : "fft"} of ${n} ${type}${axis === 0 ? " along columns" : ""}`, () => {
    const re = integers("s32", n, n, 9);
    const im = integers("s32", n, n + 1, 9);
    const sign = inverse ? 1 : -1;
    const scale = inverse ? 1 / n : 1;
    const plain = (): Value[] =>
      Array.from({ length: n }, (_, k) => {
        const total: [number, number] = [0, 0];
        for (let j = 0; j < n; j++) {
          const angle = (sign * 2 * Math.PI * ((j * k) % n)) / n;
          total[0] += re[j]! * Math.cos(angle) - im[j]! * Math.sin(angle);
          total[1] += re[j]! * Math.sin(angle) + im[j]! * Math.cos(angle);
        }
        return [total[0] * scale, total[1] * scale];
      });
    const most = scale * n * (type === "c64" ? 2e-6 : 1e-13);
    const shape = axis === 1 ? [3, n] : [n, 3];
    const three = <T>(line: readonly T[]): T[] =>
      axis === 1 ? [...line, ...line, ...line] : line.flatMap((value) => [value, value, value]);
    return {
      inputs: [data(type, shape, three(re.map((value, i) => [value, im[i]!] as const)))],
      compute: (x) => (inverse ? Nx.ifft : Nx.fft)(x, { axis, eps: 0 }),
      expected: () => [{ ...expecting(type, shape, three(plain())), within: Array<number>(3 * n).fill(most) }],
    };
  });
}

/** Elements 0 to n / 2 of the transform of real numbers, or the numbers of which these are given, by the definition. */
function halfOf(n: number, parts: readonly Value[], inverse: boolean): Value[] {
  const angle = (j: number, k: number): number => (2 * Math.PI * ((j * k) % n)) / n;
  const given = parts as readonly (readonly [number, number])[];
  return Array.from({ length: inverse ? n : n / 2 + 1 }, (_, i) => {
    let [re, im] = [0, 0];
    given.forEach(([x, y], j) => {
      const weight = inverse ? (j === 0 || j === n / 2 ? 1 : 2) / n : 1;
      re += weight * (x * Math.cos(angle(i, j)) - (inverse ? y * Math.sin(angle(i, j)) : 0));
      im -= x * Math.sin(angle(i, j));
    });
    return inverse ? re : [re, im];
  });
}

/** Transforms of an even number of real numbers and back, of three rows or columns, against their definition. */
function halfCheck(type: "f32" | "f64", n: number, inverse: boolean, axis: 0 | 1): Check {
  return check(`${inverse ? "irfft" : "rfft"} of ${n} ${type}${axis === 0 ? " along columns" : ""}`, () => {
    const count = inverse ? n / 2 + 1 : n;
    const [re, im] = [integers("s32", count, n, 9), integers("s32", count, n + 1, 9)];
    const complex = type === "f32" ? "c64" : "c128";
    const given = re.map((x, i) => [x, inverse ? im[i]! : 0] as const);
    const three = <T>(line: readonly T[]): T[] =>
      axis === 1 ? [...line, ...line, ...line] : line.flatMap((value) => [value, value, value]);
    const shapeOf = (size: number): [number, number] => (axis === 1 ? [3, size] : [size, 3]);
    const made = inverse ? n : n / 2 + 1;
    const most = (inverse ? 1 : n) * (type === "f32" ? 4e-6 : 2e-13);
    return {
      inputs: [
        inverse
          ? data(complex, shapeOf(count), three(given))
          : data(type, shapeOf(count), three(given.map(([x]) => x))),
      ],
      compute: (x) => (inverse ? Nx.irfft(x, { axis, eps: 0, length: n }) : Nx.rfft(x, { axis, eps: 0 })),
      expected: () => [
        {
          ...expecting(inverse ? type : complex, shapeOf(made), three(halfOf(n, given, inverse))),
          within: Array<number>(3 * made).fill(most),
        },
      ],
    };
  });
}

/** All checks of products. */
export function productChecks(): Check[] {
  const matrices = MATRICES.flatMap((size, s) =>
    LAYS.flatMap((lay, l) =>
      [...new Set<DType>(["f32", TYPES[1 + ((s + 3 * l) % 9)]!])].map((type) => matrixCheck(type, size, lay)),
    ),
  );
  const every = TYPES.map((type) => matrixCheck(type, [33, 64, 35], LAYS[0]!));
  const batches = TYPES.slice(0, 6).flatMap((type) => [
    batchCheck(type, 3, [4, 5, 6]),
    batchCheck(type, 1, [9, 17, 10]),
    batchCheck(type, 5, [17, 33, 16]),
    batchCheck(type, 2, [40, 65, 39]),
  ]);
  const convolutions = CONVOLUTIONS.flatMap((spec, i) =>
    (["f32", TYPES[1 + (i % 4)]!] as const).map((type) => convolutionCheck(type, spec)),
  );
  const transforms = [1, 2, 3, 4, 5, 8, 12, 16, 31, 61, 67, 128, 255, 512, 1000, 1024].flatMap((n) => [
    transformCheck("c64", n, false),
    transformCheck("c128", n, n % 2 === 0),
    transformCheck(n % 2 === 0 ? "c128" : "c64", n, n % 4 === 0, 0),
  ]);
  const halves = [2, 4, 6, 10, 16, 30, 62, 134, 200, 256, 510, 1000].flatMap((n) => [
    halfCheck("f32", n, false, n % 4 === 0 ? 1 : 0),
    halfCheck("f64", n, false, n % 4 === 0 ? 0 : 1),
    halfCheck("f32", n, true, n % 4 === 0 ? 0 : 1),
    halfCheck("f64", n, true, n % 4 === 0 ? 1 : 0),
  ]);
  return [
    ...matrices,
    ...every,
    ...batches,
    roundedCheck("f32", [33, 300, 35]),
    roundedCheck("f32", [1, 2049, 70]),
    roundedCheck("f64", [33, 300, 35]),
    ...convolutions,
    ...transforms,
    ...halves,
  ];
}
