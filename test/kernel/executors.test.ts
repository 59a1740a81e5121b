import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DTYPES, isComplex, type DType } from "../../lib/core/types";
import { runKernel } from "../../lib/backends/wasm/elements/run";
import { Builder } from "../../lib/kernel/builder";
import { interpret } from "../../lib/kernel/interpret/run";
import { storageKind, type Kernel, type NumberKind, type Value } from "../../lib/kernel/value";
import { execute, firstDifference, kernelOf, modelOf, operandsOf, programs } from "./executors-support";
import { ownTable } from "./own-table";
import { tries } from "../effort";

const SIZES = [1, 3, 15, 16, 17, 1000, 1024, 1025, 8192, 8193, 20000];

/** Runs a kernel in both executors and checks some elements of the result against the model. */
function check(kernel: Kernel, size: number, seed: number, samples = 40): void {
  const { data, readers } = operandsOf(kernel, size, seed);
  const interpreted = execute(interpret, kernel, readers, size);
  const generated = execute(runKernel, kernel, readers, size);
  interpreted.forEach((output, i) => expect(firstDifference(output, generated[i]!)).toBeNull());
  for (let s = 0; s < Math.min(samples, size); s++) {
    const at = size <= samples ? s : Math.floor((s * (size - 1)) / (samples - 1));
    modelOf(kernel, data, at).forEach((expected, i) => {
      const width = expected.length;
      expect(Array.from(interpreted[i]!.subarray(at * width, (at + 1) * width))).toEqual(expected);
    });
  }
}

describe("both executors and the model", () => {
  it("agree on random programs of all sizes", () => {
    fc.assert(
      fc.property(programs, fc.constantFrom(...SIZES), fc.nat(1e6), (program, size, seed) =>
        check(kernelOf(program), size, seed),
      ),
      { numRuns: tries(150) },
    );
  });

  it("agree on random programs over few elements", () => {
    fc.assert(
      fc.property(programs, fc.nat(1e6), (program, seed) => check(kernelOf(program), 20, seed)),
      { numRuns: tries(300) },
    );
  });
});

describe("elements of every type", () => {
  const copy = (type: DType, uniform: boolean): Kernel => {
    const k = new Builder();
    const input = k.input(type, uniform);
    const values: Value[] = isComplex(type) ? [k.load(input, 0), k.load(input, 1)] : [k.load(input)];
    return k.kernel([{ type, values }]);
  };

  it.each(DTYPES)("%s come back as they were, plain and uniform", (type) => {
    for (const size of SIZES) {
      check(copy(type, false), size, 5);
      check(copy(type, true), size, 6);
    }
  });
});

describe("each op alone", () => {
  type Make = (k: Builder, load: <K extends NumberKind>(kind: K) => Value<K>) => Value;
  const floats = ["f32", "f64"] as const;
  const ints = ["i32", "i64"] as const;
  const sevenths = ownTable(Float64Array.from({ length: 16 }, (_, i) => i / 7));
  const cases: [string, Make][] = [];
  for (const kind of floats) {
    for (const op of ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest", "truncS", "truncU"] as const)
      cases.push([`${op} ${kind}`, (k, load) => (k[op] as Builder["sqrt"])(load(kind))]);
    for (const op of ["add", "sub", "mul", "div", "min", "max", "pmin", "pmax"] as const)
      cases.push([`${op} ${kind}`, (k, load) => (k[op] as Builder["div"])(load(kind), load(kind))]);
    for (const op of ["fromS32", "fromU32"] as const)
      cases.push([`${op} ${kind}`, (k, load) => k[op](kind, load("i32"))]);
  }
  for (const kind of ints) {
    for (const op of ["neg", "not", "float"] as const)
      cases.push([`${op} ${kind}`, (k, load) => (k[op] as Builder["not"])(load(kind))]);
    for (const op of [
      "add",
      "sub",
      "mul",
      "and",
      "or",
      "xor",
      "andnot",
      "min",
      "max",
      "minU",
      "maxU",
      "ltU",
      "leU",
    ] as const)
      cases.push([`${op} ${kind}`, (k, load) => (k[op] as Builder["and"])(load(kind), load(kind))]);
    for (const op of ["shl", "shrS", "shrU"] as const)
      for (const count of kind === "i32" ? [0, 1, 7, 31] : [0, 1, 7, 31, 32, 33, 40, 63])
        cases.push([`${op} ${kind} by ${count}`, (k, load) => k[op](load(kind), count)]);
  }
  for (const kind of [...floats, ...ints])
    for (const op of ["eq", "ne", "lt", "le", "gt", "ge"] as const)
      cases.push([`${op} ${kind}`, (k, load) => k[op](load(kind), load(kind))]);
  cases.push(
    ["promote", (k, load) => k.promote(load("f32"))],
    ["demote", (k, load) => k.demote(load("f64"))],
    ["extendS", (k, load) => k.extendS(load("i32"))],
    ["extendU", (k, load) => k.extendU(load("i32"))],
    ["wrap", (k, load) => k.wrap(load("i64"))],
    ["widen", (k, load) => k.widen(k.lt(load("i32"), load("i32")))],
    ["narrow", (k, load) => k.narrow(k.lt(load("i64"), load("i64")))],
    ["lookup", (k, load) => k.lookup(sevenths, k.and(load("i32"), 15))],
  );

  const OUT: { readonly [K in NumberKind]: DType } = { f32: "f32", f64: "f64", i32: "s32", i64: "s64" };

  /** Operands of one kind are different inputs; masks are stored as their bits. */
  function kernelFor(make: Make): Kernel {
    const k = new Builder();
    const load = <K extends NumberKind>(kind: K): Value<K> => k.load(k.input(OUT[kind])) as Value<K>;
    const made = make(k, load);
    const value = made.kind === "m32" || made.kind === "m64" ? k.maskBits(made as Value<"m32">) : made;
    return k.kernel([{ type: OUT[value.kind as NumberKind], values: [value] }]);
  }

  it.each(cases)("%s", (_name, make) => {
    for (const size of [3, 3000]) check(kernelFor(make), size, 77, 1500);
  });

  it.each(cases)("%s of what is the same for all elements", (_name, make) => {
    const kernel = kernelFor(make);
    const uniform = { ...kernel, inputs: kernel.inputs.map(({ type }) => ({ type, uniform: true })) };
    for (let seed = 0; seed < 20; seed++) check(uniform, 40, seed, 2);
  });

  it("stores integers cut to their width and keeps all bits of constants", () => {
    for (const type of DTYPES.filter((name) => storageKind(name) === "i32")) {
      const k = new Builder();
      const value = k.xor(k.load(k.input("s32")) as Value<"i32">, k.i32(0x80000001));
      check(k.kernel([{ type, values: [value] }]), 100, 3, 100);
    }
    const k = new Builder();
    const constants = [0, -0, 1, NaN, Infinity, -Infinity, 5e-324, 1e-40, 0.1, -1.7976931348623157e308];
    const values = [
      ...constants.map((x) => ({ type: "f32" as const, values: [k.f32(x)] })),
      ...constants.map((x) => ({ type: "f64" as const, values: [k.f64(x)] })),
      ...[0, 1, -1, 2147483647, -2147483648, 4294967295].map((x) => ({ type: "s32" as const, values: [k.i32(x)] })),
      ...[k.i64(-1, 0), k.i64(0, -1), k.i64(-2147483648, 0), k.constant("i64", -5), k.constant("i64", 2 ** 40 + 3)].map(
        (value) => ({ type: "s64" as const, values: [value] }),
      ),
    ];
    check(k.kernel(values), 2000, 0);
  });
});

describe("cold paths", () => {
  it("keep the constants of their bodies from block to block", () => {
    const k = new Builder();
    const x = k.load(k.input("f32")) as Value<"f32">;
    const slow = k.coldPath(k.lt(x, 0), x, () => k.mul(k.add(x, 3), 0.25));
    const after = k.add(k.mul(slow, k.add(slow, x)), k.sub(slow, x));
    check(k.kernel([{ type: "f32", values: [after] }]), 5000, 9, 500);
  });

  it("are computed where the mask holds for any element, whatever the others are", () => {
    const k = new Builder();
    const x = k.load(k.input("f64")) as Value<"f64">;
    const outer = k.coldPath(k.lt(x, 1e9), k.neg(x), () =>
      k.coldPath(k.lt(x, 100), k.f64(7), () => k.coldPath(k.lt(x, -100), x, () => k.div(k.f64(1), x))),
    );
    check(k.kernel([{ type: "f64", values: [outer] }]), 3000, 12, 3000);
  });
});
