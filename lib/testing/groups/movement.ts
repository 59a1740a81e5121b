/** Moving elements about: every byte at its place, for elements of every width and planes of many sizes. */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import type { Expected } from "../judge";
import { anything, positionIn, seen, taken, type Seen } from "../plain";
import { check, data, type Check, type Data } from "../subject";
import { numbers } from "../values";

/** One type of each width, and halves. */
const WIDTHS: readonly DType[] = ["u8", "bf16", "f32", "s64", "c128"];

/** Planes around the sizes of vectors, blocks and caches, square and oblong. */
const PLANES: readonly (readonly [number, number])[] = [
  [1, 1],
  [3, 5],
  [4, 4],
  [2, 16],
  [16, 3],
  [17, 15],
  [33, 34],
  [64, 64],
  [67, 129],
  [1031, 5],
  [3, 1029],
  [1, 4097],
  [130, 257],
];

interface Movement {
  readonly name: string;
  readonly compute: (x: Tensor) => Tensor;
  readonly seen: (shape: readonly number[]) => Seen;
}

const plane = (name: string, compute: Movement["compute"], see: (rows: number, columns: number) => Seen): Movement => ({
  name,
  compute,
  seen: ([rows, columns]) => see(rows!, columns!),
});

const half = (n: number): number => Math.ceil(n / 2);

/** Ways to see a plane. */
export const VIEWS: readonly Movement[] = [
  plane(
    "transpose",
    (x) => Nx.transpose(x),
    (m, n) => ({ shape: [n, m], at: ([i, j]) => j! * n + i! }),
  ),
  plane(
    "reverse of rows",
    (x) => Nx.reverse(x, { axes: [0] }),
    (m, n) => ({ shape: [m, n], at: ([i, j]) => (m - 1 - i!) * n + j! }),
  ),
  plane(
    "reverse of columns",
    (x) => Nx.reverse(x, { axes: [1] }),
    (m, n) => ({ shape: [m, n], at: ([i, j]) => i! * n + n - 1 - j! }),
  ),
  plane(
    "reverse of both",
    (x) => Nx.reverse(x),
    (m, n) => ({ shape: [m, n], at: ([i, j]) => (m - 1 - i!) * n + n - 1 - j! }),
  ),
  plane(
    "transpose of the reverse",
    (x) => Nx.transpose(Nx.reverse(x, { axes: [0] })),
    (m, n) => ({ shape: [n, m], at: ([i, j]) => (m - 1 - j!) * n + i! }),
  ),
  plane(
    "slice at an offset",
    (x) => Nx.slice(x, x.shape.map((dim) => dim - half(dim)), x.shape.map(half)), // prettier-ignore
    (m, n) => ({ shape: [half(m), half(n)], at: ([i, j]) => (m - half(m) + i!) * n + n - half(n) + j! }),
  ),
  plane(
    "slice by steps",
    (x) => Nx.slice(x, [0, 0], x.shape, { strides: [2, 3] }),
    (m, n) => ({ shape: [half(m), Math.ceil(n / 3)], at: ([i, j]) => 2 * i! * n + 3 * j! }),
  ),
  plane(
    "one column",
    (x) => Nx.slice(x, [0, half(x.shape[1]!) - 1], [x.shape[0]!, 1]),
    (m, n) => ({ shape: [m, 1], at: ([i]) => i! * n + half(n) - 1 }),
  ),
  plane(
    "rows again and again",
    (x) => Nx.broadcast(x, [3, ...x.shape]),
    (m, n) => ({ shape: [3, m, n], at: ([, i, j]) => i! * n + j! }),
  ),
  plane(
    "elements again and again",
    (x) => Nx.broadcast(x, [...x.shape, 3], { axes: [0, 1] }),
    (m, n) => ({ shape: [m, n, 3], at: ([i, j]) => i! * n + j! }),
  ),
  plane(
    "reshape",
    (x) => Nx.reshape(x, [...x.shape].reverse()),
    (m, n) => ({ shape: [n, m], at: ([i, j]) => i! * m + j! }),
  ),
];

const BOXES: readonly (readonly number[])[] = [
  [2, 3, 4],
  [7, 33, 18],
  [3, 130, 65],
  [5, 4, 3, 34],
];

function permuted(shape: readonly number[], axes: readonly number[]): Seen {
  const position = positionIn(shape);
  return {
    shape: axes.map((axis) => shape[axis]!),
    at: (index) => position(shape.map((_, axis) => index[axes.indexOf(axis)]!)),
  };
}

const ORDERS: Readonly<Record<number, readonly (readonly number[])[]>> = {
  3: [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ],
  4: [
    [3, 2, 1, 0],
    [0, 3, 1, 2],
    [2, 3, 0, 1],
  ],
};

function viewChecks(): Check[] {
  return WIDTHS.flatMap((type, t) =>
    PLANES.flatMap((shape, s) =>
      VIEWS.map((view, v) => {
        return check(`${view.name} ${type}[${shape}]`, () => {
          const input = anything(type, shape, 100 * t + 10 * s + v);
          return { inputs: [input], compute: view.compute, expected: () => [seen(input, view.seen(shape))] };
        });
      }),
    ),
  );
}

function permutationChecks(): Check[] {
  return WIDTHS.flatMap((type, t) =>
    BOXES.flatMap((shape, s) =>
      ORDERS[shape.length]!.map((axes) => {
        return check(`transpose ${type}[${shape}] to ${axes}`, () => {
          const input = anything(type, shape, 7 * t + s);
          const compute = (x: Tensor): Tensor => Nx.transpose(x, { axes });
          return { inputs: [input], compute, expected: () => [seen(input, permuted(shape, axes))] };
        });
      }),
    ),
  );
}

/** Padding of one axis: what lies at a place of the result, or null for padding. */
const unpadded =
  (low: number, interior: number, dim: number) =>
  (i: number): number | null => {
    const at = i - low;
    if (at < 0 || at % (interior + 1) !== 0 || at / (interior + 1) >= dim) return null;
    return at / (interior + 1);
  };

function padded(input: Data, value: Data, config: readonly (readonly [number, number, number])[]): Expected {
  const { shape } = input;
  const position = positionIn(shape);
  const out = shape.map((dim, axis) => {
    const [low, high, interior] = config[axis]!;
    return low + dim + (dim - 1) * interior + high;
  });
  const back = shape.map((dim, axis) => unpadded(config[axis]![0], config[axis]![2], dim));
  return taken(out, [input, value], (index) => {
    const from = back.map((one, axis) => one(index[axis]!));
    return from.includes(null) ? [1, 0] : [0, position(from as number[])];
  });
}

const PADDINGS: readonly (readonly [string, readonly (readonly [number, number, number])[]])[] = [
  ["around", [[1, 2, 0], [3, 1, 0]]], // prettier-ignore
  ["cropping", [[-1, 2, 0], [2, -2, 0]]], // prettier-ignore
  ["between", [[0, 0, 1], [1, 0, 2]]], // prettier-ignore
  ["between, then cropping", [[-1, -1, 2], [-2, 1, 1]]], // prettier-ignore
];

/** Planes that are joined, filled up and picked from. */
const MIDDLING = [
  [3, 5],
  [33, 34],
  [67, 129],
] as const;

function padChecks(): Check[] {
  return WIDTHS.flatMap((type, t) =>
    MIDDLING.flatMap((shape, s) =>
      PADDINGS.map(([name, config]) => {
        return check(`pad ${name} ${type}[${shape}]`, () => {
          const [input, value] = [anything(type, shape, 31 * t + s), anything(type, [], t + 5)];
          return {
            inputs: [input, value],
            compute: (x, v) => Nx.pad(x, v, config),
            expected: () => [padded(input, value, config)],
          };
        });
      }),
    ),
  );
}

function joinChecks(): Check[] {
  return WIDTHS.flatMap((type, t) =>
    MIDDLING.flatMap(([m, n], s) => {
      const parts = [anything(type, [m, n], 3 * t + s), anything(type, [1, n], t), anything(type, [m, n], s + 9)];
      const sides = [anything(type, [m, n], 5 * t + s), anything(type, [m, 2], t + 1)];
      return [
        check(`concatenate rows ${type}[${m},${n}]`, () => ({
          inputs: parts,
          compute: (...xs) => Nx.concatenate(xs),
          expected: () => [
            taken([2 * m + 1, n], parts, ([i, j]) =>
              i! < m ? [0, i! * n + j!] : i === m ? [1, j!] : [2, (i! - m - 1) * n + j!],
            ),
          ],
        })),
        check(`concatenate columns ${type}[${m},${n}]`, () => ({
          inputs: sides,
          compute: (...xs) => Nx.concatenate(xs, { axis: 1 }),
          expected: () => [taken([m, n + 2], sides, ([i, j]) => (j! < n ? [0, i! * n + j!] : [1, i! * 2 + j! - n]))],
        })),
      ];
    }),
  );
}

/** Positions along an axis, some of them several times. */
function picks(count: number, size: number, seed: number): number[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => next() % size);
}

function pickChecks(type: DType, t: number, [m, n]: readonly [number, number]): Check[] {
  const x = anything(type, [m, n], 13 * t + n);
  const rows = picks(41, m, t);
  const columns = picks(n + 3, n, t + 1);
  const each = picks(m * 4, n, t + 2);
  const pairs = Array.from({ length: 9 }, (_, i) => [picks(1, m, i)[0]!, picks(1, n, i + 50)[0]!] as const);
  const name = (what: string): string => `${what} ${type}[${m},${n}]`;
  return [
    check(name("take rows"), () => ({
      inputs: [x, data("s32", [41], rows)],
      compute: (t, i) => Nx.take(t, i, { axis: 0 }),
      expected: () => [taken([41, n], [x], ([i, j]) => [0, rows[i!]! * n + j!])],
    })),
    check(name("take columns"), () => ({
      inputs: [x, data("u16", [n + 3], columns)],
      compute: (t, i) => Nx.take(t, i, { axis: 1 }),
      expected: () => [taken([m, n + 3], [x], ([i, j]) => [0, i! * n + columns[j!]!])],
    })),
    check(name("takeAlongAxis"), () => ({
      inputs: [x, data("s64", [m, 4], each.map(BigInt))],
      compute: (t, i) => Nx.takeAlongAxis(t, i, { axis: 1 }),
      expected: () => [taken([m, 4], [x], ([i, j]) => [0, i! * n + each[i! * 4 + j!]!])],
    })),
    check(name("gather"), () => ({
      inputs: [x, data("s64", [9, 2], pairs.flat().map(BigInt))],
      compute: (t, i) => Nx.gather(t, i),
      expected: () => [taken([9], [x], ([i]) => [0, pairs[i!]![0] * n + pairs[i!]![1]])],
    })),
  ];
}

function writeChecks(type: DType, t: number, [m, n]: readonly [number, number]): Check[] {
  const x = anything(type, [m, n], 17 * t + n);
  const piece = anything(type, [2, n - 1], t + 3);
  const places = [m - 1, 0, m - 1];
  const rows = anything(type, [3, n], t + 4);
  return [
    check(`putSlice ${type}[${m},${n}]`, () => ({
      inputs: [x, piece],
      compute: (t, p) => Nx.putSlice(t, [m - 2, 1], p),
      expected: () => [
        taken([m, n], [x, piece], ([i, j]) =>
          i! >= m - 2 && j! >= 1 ? [1, (i! - m + 2) * (n - 1) + j! - 1] : [0, i! * n + j!],
        ),
      ],
    })),
    check(`indexedPut of rows ${type}[${m},${n}]`, () => ({
      inputs: [x, data("s32", [3, 1], places), rows],
      compute: (t, i, r) => Nx.indexedPut(t, i, r, { axes: [0] }),
      expected: () => [
        taken([m, n], [x, rows], ([i, j]) => {
          const from = places.lastIndexOf(i!);
          return from < 0 ? [0, i! * n + j!] : [1, from * n + j!];
        }),
      ],
    })),
    check(`dynamic slice ${type}[${m},${n}]`, () => ({
      inputs: [x, data("s32", [], [m + 5])],
      compute: (t, start) => Nx.slice(t, [start, 1], [2, n - 1]),
      expected: () => [taken([2, n - 1], [x], ([i, j]) => [0, (m - 2 + i!) * n + 1 + j!])],
    })),
  ];
}

function castChecks(): Check[] {
  const pairs: readonly (readonly [DType, DType])[] = [["u8", "s8"], ["f16", "u16"], ["f32", "s32"], ["s64", "f64"], ["c64", "u64"]]; // prettier-ignore
  return pairs.flatMap(([from, to]) =>
    [5, 4099].map((n) => {
      const input = anything(from, [n], n);
      return check(`bitcast ${from}[${n}] to ${to}`, () => ({
        inputs: [input],
        compute: (x) => Nx.bitcast(x, to),
        expected: () => [{ type: to, shape: [n], bytes: input.bytes }],
      }));
    }),
  );
}

/** All checks of movement. */
export function movementChecks(): Check[] {
  const middling = WIDTHS.flatMap((type, t) =>
    MIDDLING.flatMap((shape) => [...pickChecks(type, t, shape), ...writeChecks(type, t, shape)]),
  );
  return [...viewChecks(), ...permutationChecks(), ...padChecks(), ...joinChecks(), ...middling, ...castChecks()];
}
