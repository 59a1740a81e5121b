/**
 * Element-wise work on so many elements as vectors, loops of vectors, blocks, compiled kernels, memory of their own and several
 * threads begin with, and one more or less; each twice with other operands, so that nothing is left of the first call.
 */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { data, each, expecting, lawful, type Check, type Computation } from "../subject";
import { encode, decode, isInteger, numbers, type Value } from "../values";

const AROUND = (n: number): number[] => [n - 1, n, n + 1];

/** Counts of elements. */
const COUNTS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 7, 8, 9, 12, 13],
  ...[16, 32, 64, 128, 256, 512, 1024, 2048, 4096].flatMap(AROUND),
  ...[8191, 8193, 16_383, 16_384, 16_385, 32_769, 65_537, 131_075, 262_149],
];

/** So many elements are computed by the first kinds only, and once. */
const LARGE = 16_386;
const AT_LARGE = 5;

/** An op on numbers of one type, as plain arithmetic. */
interface Kind {
  readonly name: string;
  readonly types: readonly DType[];
  readonly out: DType;
  readonly compute: (...operands: Tensor[]) => Tensor;
  readonly plain: (...values: never[]) => Value;
}

type Pair = readonly [number, number];

const KINDS: readonly Kind[] = [
  {
    name: "add f32",
    types: ["f32", "f32"],
    out: "f32",
    compute: (x, y) => Nx.add(x!, y!),
    plain: (a: number, b: number) => a + b,
  },
  {
    name: "multiply f64",
    types: ["f64", "f64"],
    out: "f64",
    compute: (x, y) => Nx.multiply(x!, y!),
    plain: (a: number, b: number) => a * b,
  },
  {
    name: "subtract s32",
    types: ["s32", "s32"],
    out: "s32",
    compute: (x, y) => Nx.subtract(x!, y!),
    plain: (a: number, b: number) => (a - b) | 0,
  },
  {
    name: "add u8",
    types: ["u8", "u8"],
    out: "u8",
    compute: (x, y) => Nx.add(x!, y!),
    plain: (a: number, b: number) => (a + b) & 255,
  },
  {
    name: "asType f32 to s16",
    types: ["f32"],
    out: "s16",
    compute: (x) => Nx.asType(x!, "s16"),
    plain: (a: number) => (Number.isNaN(a) ? 0 : Math.max(-32768, Math.min(32767, Math.trunc(a)))),
  },
  {
    name: "multiply s64",
    types: ["s64", "s64"],
    out: "s64",
    compute: (x, y) => Nx.multiply(x!, y!),
    plain: (a: bigint, b: bigint) => BigInt.asIntN(64, a * b),
  },
  {
    name: "add c64",
    types: ["c64", "c64"],
    out: "c64",
    compute: (x, y) => Nx.add(x!, y!),
    plain: (a: Pair, b: Pair) => [a[0] + b[0], a[1] + b[1]],
  },
  {
    name: "less f32",
    types: ["f32", "f32"],
    out: "u8",
    compute: (x, y) => Nx.less(x!, y!),
    plain: (a: number, b: number) => Number(a < b),
  },
  {
    name: "select f64",
    types: ["u8", "f64", "f64"],
    out: "f64",
    compute: (p, x, y) => Nx.select(p!, x!, y!),
    plain: (p: number, a: number, b: number) => (p !== 0 ? a : b),
  },
  {
    name: "multiply f16",
    types: ["f16", "f16"],
    out: "f16",
    compute: (x, y) => Nx.multiply(x!, y!),
    plain: (a: number, b: number) => a * b,
  },
  {
    name: "multiply bf16",
    types: ["bf16", "bf16"],
    out: "bf16",
    compute: (x, y) => Nx.multiply(x!, y!),
    plain: (a: number, b: number) => a * b,
  },
  {
    name: "negate f16",
    types: ["f16"],
    out: "f16",
    compute: (x) => Nx.negate(x!),
    plain: (a: number) => -a,
  },
  {
    name: "asType s32 to f64",
    types: ["s32"],
    out: "f64",
    compute: (x) => Nx.asType(x!, "f64"),
    plain: (a: number) => a,
  },
  {
    name: "sqrt f64",
    types: ["f64"],
    out: "f64",
    compute: (x) => Nx.sqrt(x!),
    plain: (a: number) => (a < 0 ? NaN : Math.sqrt(a)),
  },
];

/** Numbers of a type without a pattern: of all sizes where they are integers, with zeros of both signs where not. */
function scattered(type: DType, count: number, seed: number): Value[] {
  const next = numbers(seed);
  const float = (): number => {
    const [bits, more] = [next(), next()];
    if (bits % 29 === 0) return [0, -0, NaN, Infinity, -Infinity, 1][more % 6]!;
    return (bits / 2 ** 32 - 0.5) * 10 ** ((more % 7) - 2);
  };
  const value = (): Value => {
    if (type === "s64" || type === "u64") return (BigInt(next()) << 32n) | BigInt(next());
    if (isInteger(type)) return type === "u8" && next() % 2 === 0 ? 0 : next();
    return type === "c64" || type === "c128" ? [float(), float()] : float();
  };
  // as the type has them, so that plain arithmetic starts from the same numbers
  return decode(type, encode(type, Array.from({ length: count }, value)));
}

function computation(kind: Kind, count: number, seed: number): Computation {
  const values = kind.types.map((type, i) => scattered(type, count, seed + i));
  const plain = kind.plain as (...operands: Value[]) => Value;
  const results = (): Value[] => values[0]!.map((_, i) => plain(...values.map((list) => list[i]!)));
  return {
    inputs: kind.types.map((type, i) => data(type, [count], values[i]!)),
    compute: kind.compute,
    expected: () => [expecting(kind.out, [count], results())],
  };
}

function kindCheck(kind: Kind, count: number): Check {
  return {
    name: `${kind.name} of ${count}`,
    *run(subject) {
      yield* lawful(subject, computation(kind, count, count));
      if (count < LARGE) yield* lawful(subject, computation(kind, count, count + 1));
    },
  };
}

/** Two results at a time: the second leaves the first as it is. */
function pairedCheck(kind: Kind, count: number): Check {
  return {
    name: `${kind.name} of ${count}, two results at a time`,
    *run(subject) {
      const both = [computation(kind, count, 3), computation(kind, count, 77)];
      const operands = both.map(({ inputs }) => inputs.map((input) => subject.tensor(input)));
      const results = subject.within(() => operands.map((list) => kind.compute(...list)));
      yield* each("the result", results, both.flatMap(({ expected }) => expected()!)); // prettier-ignore
      subject.release([...results, ...operands.flat()]);
    },
  };
}

/** Large work over and over, with other operands each time: what is not done when a call returns shows. */
function repeatedCheck(
  name: string,
  count: number,
  compute: (x: Tensor) => Tensor,
  plain: (a: number) => number,
): Check {
  return {
    name: `${name} of ${count}, six times`,
    *run(subject) {
      for (let round = 0; round < 6; round++) {
        const values = Float64Array.from({ length: count }, (_, i) => ((i * 7 + round * 13) % 1001) - 500);
        const input = subject.tensor(data("f64", [count], values));
        const result = subject.within(() => compute(input));
        yield { what: `round ${round}`, tensor: result, expected: expecting("f64", [count], values.map(plain)) };
        subject.release([input, result]);
      }
    },
  };
}

/** All checks of sizes. */
export function sizeChecks(): Check[] {
  return [
    ...COUNTS.flatMap((count) =>
      KINDS.slice(0, count < LARGE ? KINDS.length : AT_LARGE).map((kind) => kindCheck(kind, count)),
    ),
    ...KINDS.flatMap((kind) => [5, 600, 5001].map((count) => pairedCheck(kind, count))),
    repeatedCheck(
      "square and halve",
      200_003,
      (x) => Nx.multiply(Nx.multiply(x, x), 0.5),
      (a) => a * a * 0.5,
    ),
    repeatedCheck(
      "a chain of thirty",
      100_001,
      (x) => Array.from({ length: 30 }, (_, i) => i).reduce((sum, i) => Nx.add(sum, i), x),
      (a) => a + 435,
    ),
  ];
}
