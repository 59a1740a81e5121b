/** Calls of binary primitives say what the types of their operands merge to, and backends take their word for it. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { DTYPES, mergeTypes } from "../../lib/core/types";
import { BINARY, binaryType, type BinaryOp } from "../../lib/ops";
import { awkward } from "../defn/fuse/support";
import { randomProgram } from "../fuzz/generate";
import { COMMON, ELEMENTWISE } from "../fuzz/ops/elementwise";
import { runProgram, tensorOf } from "../fuzz/program";
import { bytesOf, inputs, WORK } from "./wasm/refused-work";

const { binaryBackend } = Nx;

/** Calls whose type is not that of their operands. */
const wrong: string[] = [];
let calls = 0;

const { fused: _kernels, ...without } = binaryBackend;
/** A backend that looks at every call, and computes nothing then; graphs run on it op by op. */
const watching: Backend = {
  ...without,
  name: "watching",
  portable: false,
  binary: (out, operands, attrs) => {
    const [left, right] = operands.map(({ type }) => type) as [DType, DType];
    calls++;
    if (attrs.type !== mergeTypes(left, right)) wrong.push(`${attrs.op} of ${left} and ${right}: ${attrs.type}`);
    return binaryBackend.constant(out, [], { value: 1 });
  },
};

/** Steps that refuse no value, as the backend makes up all of them. */
const ROWS = Object.entries({ ...ELEMENTWISE, ...COMMON })
  .filter(([name]) => !/^(divideRounded|idiv|mod|quotient|remainder|(left|right)Shift|pow)$/.test(name))
  .map(([, make]) => make);

/** Runs something on that backend; all its calls must be right, and there must be some. */
function watch(atLeast: number, run: () => void): void {
  calls = 0;
  Nx.withDefaultBackend(watching, run);
  expect(wrong.splice(0)).toEqual([]);
  expect(calls).toBeGreaterThanOrEqual(atLeast);
}

const tensors = DTYPES.map((type) => awkward(watching, type, [3], 7).abs().max(1).min(2).asType(type));
const exists = (op: BinaryOp, left: DType, right: DType): boolean => {
  try {
    return binaryType(op, mergeTypes(left, right)) !== undefined;
  } catch {
    return false;
  }
};
/** Both ways round, with numbers too. */
const pairs = (op: BinaryOp): (readonly [Tensor | number, Tensor | number])[] =>
  tensors.flatMap((x) => [
    ...tensors.filter((y) => exists(op, x.type, y.type)).map((y) => [x, y] as const),
    ...(exists(op, x.type, x.type) ? ([[x, 1], [2, x]] as const) : []), // prettier-ignore
  ]);

const defined = (op: BinaryOp): ((...args: (Tensor | number)[]) => unknown) =>
  Nx.defn((a: Tensor, b: Tensor) => Nx[op](a, b)) as never;

describe("the type that operands merge to travels with the call", () => {
  it.each(Object.keys(BINARY) as BinaryOp[])("of Nx.%s on all types", (op) => {
    const all = pairs(op);
    watch(all.length / 2, () => all.forEach(([x, y]) => Nx[op](x, y)));
    const compiled = [...all.keys()].filter((i) => i % 29 === 0).map((i) => all[i]!);
    watch(compiled.length / 3, () => compiled.forEach(([x, y]) => defined(op)(x, y)));
  });

  it.each(["evaluator", "optimizing"] as const)("through random functions, traced and run by the %s", (compiler) => {
    const run = (seed: number) => {
      const { program } = randomProgram(seed, ROWS, { steps: 12, most: 60 });
      Nx.defn((...traced: Tensor[]) => runProgram(program, traced), { compiler })(...program.inputs.map(tensorOf));
    };
    watch(50, () => Array.from({ length: 100 }, (_, i) => Number(process.env.NX_TEST_SEED) + i).forEach(run));
  });

  it("of identities that put one op in place of another", () => {
    const x = awkward(watching, "f32", [3, 2], 5);
    const fns = [
      (t: Tensor) => t.add(t.sin().negate()),
      (t: Tensor) => t.subtract(t.sin().negate()),
      (t: Tensor) => t.divide(8),
      (t: Tensor) => t.pow(2),
    ];
    for (const fn of fns) watch(1, () => Nx.defn(fn)(x));
  });

  it("of gradients and vectorized functions", () => {
    const [x, y] = [awkward(watching, "f32", [4, 3], 1), awkward(watching, "f64", [4, 3], 2)];
    const fn = (a: Tensor, b: Tensor) => Nx.select(a.less(b), a.multiply(b), a.max(b).divide(3)).sum();
    watch(6, () => Nx.grad((a: Tensor) => fn(a, y))(x));
    watch(3, () => fn(Nx.vectorize(x, "row"), y));
    watch(3, () => Nx.defn((a: Tensor, b: Tensor) => fn(Nx.vectorize(a, "row"), b))(x, y));
  });

  it.each(WORK)("in %s", (_name, work) => {
    const all = Object.fromEntries(Object.entries(inputs()).map(([key, t]) => [key, Nx.backendCopy(t, watching)]));
    watch(0, () => bytesOf(work(all as never)));
  });
});

it("is what the reference goes by, whatever the types of the operands", () => {
  const [x, y] = [2n ** 53n, 2n ** 53n + 1n].map((value) => Nx.tensor([value], { type: "u64", backend: "binary" }));
  const out = { type: "u8", shape: [1], names: [null] } as const;
  const equal = (type: DType) => {
    const data = binaryBackend.binary(out, [x!, y!], { op: "equal", type });
    return binaryBackend.download(new Nx.Tensor(binaryBackend, data, "u8", [1], [null]))[0];
  };
  expect([equal("u64"), equal("f64")]).toEqual([0, 1]); // as doubles they are the same
});
