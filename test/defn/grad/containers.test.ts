/**
 * Jacobians and Hessians of containers: they are those of the same function of one vector, cut into pieces.
 */
import { List, Map as ImmutableMap } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { differences as differencesOf, numbers, randoms } from "./check";

const { Composite, grad, hessian, jacobian, vmap } = Nx.Defn;

interface Point {
  readonly w: Nx.Tensor;
  readonly layers: readonly { readonly a: Nx.Tensor; readonly b: Nx.Tensor }[];
}

const point: Point = {
  w: randoms([2, 2]).rename(["row", "column"]),
  layers: [{ a: randoms([3]), b: Nx.f64(0.7) }],
};
const SIZE = 8;

/** A result of eight elements in three tensors, and one of two elements: the first has more rows than columns, the second fewer. */
const wide = ({ w, layers }: Point, scale: Nx.Operand) => {
  const { a, b } = layers[0]!;
  return {
    sines: w.multiply(b).sin().multiply(scale),
    pair: [w.sum().multiply(a).exp(), b.multiply(b)] as const,
  };
};
const narrow = ({ w, layers }: Point) => {
  const { a, b } = layers[0]!;
  return { one: w.product().add(a.multiply(a).sum().multiply(b)), two: a.dot(a.cos()).multiply(w.sum()) };
};
const energy = (p: Point): Nx.Tensor => {
  const { one, two } = narrow(p);
  return one.multiply(two).sin().add(p.layers[0]!.b.exp().multiply(p.w.sum()));
};

const flat = (container: unknown): Nx.Tensor =>
  Nx.concatenate(Composite.leaves(container).map((t) => t.rename(t.shape.map(() => null)).flatten()));

/** The point whose elements are those of a vector. */
function unflat(vector: Nx.Tensor): Point {
  let start = 0;
  return Composite.map((leaf) => {
    const piece = vector.slice([start], [leaf.size]);
    start += leaf.size;
    return piece.reshape([...leaf.shape], { names: [...leaf.names] });
  }, point);
}

/** The matrix of rows of results and columns of variables that a container of containers stands for. */
function matrixOf(derivatives: unknown, results: readonly Nx.Tensor[]): number[][] {
  const parts = Composite.leaves(derivatives);
  const perResult = parts.length / results.length;
  return results.flatMap((result, k) => {
    const own = parts.slice(k * perResult, (k + 1) * perResult);
    const blocks = own.map(
      (part) =>
        part
          .rename(part.shape.map(() => null))
          .reshape([result.size, part.size / result.size])
          .toList() as number[][],
    );
    return Array.from({ length: result.size }, (_, row) => blocks.flatMap((block) => block[row]!));
  });
}

function expectMatrices(
  actual: readonly (readonly number[])[],
  expected: readonly (readonly number[])[],
  digits: number,
): void {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  actual.forEach((row, i) => row.forEach((value, k) => expect(value).toBeCloseTo(expected[i]![k]!, digits)));
}

describe.each([
  ["more rows than columns", (p: Point) => wide(p, 2)],
  ["more columns than rows", narrow],
] as const)("jacobian, %s", (_name, fn: (p: Point) => unknown) => {
  const results = Composite.leaves(fn(point));
  const found = matrixOf(jacobian(fn)(point), results);

  it("is that of the function of one vector", () => {
    const packed = jacobian((v: Nx.Tensor) => flat(fn(unflat(v))))(flat(point));
    expectMatrices(found, packed.toList() as number[][], 12);
  });
  it("is that of differences", () => {
    const rows = flat(fn(point)).size;
    const expected = Array.from({ length: rows }, (_, row) =>
      differencesOf((v) => flat(fn(unflat(v!))).at(row), [flat(point)], 0),
    );
    const weight = 1.5 + Math.cos(0);
    expectMatrices(found, expected.map((row) => row.map((value) => value / weight)), 6); // prettier-ignore
  });
  it("adds up to the gradient", () => {
    const sums = grad((p: Point) => flat(fn(p)).sum())(point);
    const columns = Array.from({ length: SIZE }, (_, k) => found.reduce((sum, row) => sum + row[k]!, 0));
    expectMatrices([columns], [flat(sums).toFlatList() as number[]], 12);
  });
  it("goes through defn and vmap", () => {
    expectMatrices(matrixOf(Nx.defn(jacobian(fn))(point), results), found, 12);
    const batch = Composite.map((leaf) => Nx.stack([leaf, leaf.add(1)]), point);
    const each = vmap(jacobian(fn))(batch as unknown as Point);
    const first = Composite.leaves(each).map((part) => part.at(0));
    expectMatrices(matrixOf(first, results), found, 12);
  });
});

describe("hessian", () => {
  const leaves = Composite.leaves(point);
  const found = matrixOf(hessian(energy)(point), leaves);

  it("is that of the function of one vector", () => {
    const packed = hessian((v: Nx.Tensor) => energy(unflat(v)))(flat(point));
    expectMatrices(found, packed.toList() as number[][], 11);
  });
  it("is symmetric", () => {
    expectMatrices(found, found[0]!.map((_, k) => found.map((row) => row[k]!)), 11); // prettier-ignore
  });
  it("is that of differences of the gradient", () => {
    const gradient = (v: Nx.Tensor) => flat(grad(energy)(unflat(v)));
    const expected = Array.from({ length: SIZE }, (_, row) =>
      differencesOf((v) => gradient(v!).at(row), [flat(point)], 0),
    );
    const weight = 1.5 + Math.cos(0);
    expectMatrices(found, expected.map((row) => row.map((value) => value / weight)), 6); // prettier-ignore
  });
});

describe("containers", () => {
  const x = Nx.f64(numbers(2), { names: ["x"] });

  it("keep kinds and keys, the result's outside and the argument's inside", () => {
    const fn = (p: ImmutableMap<string, Nx.Tensor>) =>
      List([p.get("a")!.multiply(2), p.get("b")!.multiply(p.get("b")!)]);
    const found = jacobian(fn)(ImmutableMap({ a: x, b: Nx.f64(3) }));
    expect(List.isList(found)).toBe(true);
    expect(ImmutableMap.isMap(found.get(0))).toBe(true);
    const rows = found as unknown as List<ImmutableMap<string, Nx.Tensor>>; // types mention no collection of Immutable
    expect(rows.map((row) => row.map((part) => part.toFlatList()).toJS()).toJS()).toEqual([
      { a: [2, 0, 0, 2], b: [0, 0] },
      { a: [0, 0], b: [6] },
    ]);
  });
  it("keep what is no tensor in the argument", () => {
    const p = { a: Nx.f64(2), kind: "cube", on: true };
    const found = hessian((q: typeof p) => (q.kind === "cube" ? q.a.pow(3) : q.a))(p);
    expect(found.a.a.toNumber()).toBe(12);
    expect([found.kind, found.a.kind]).toEqual(["cube", "cube"]);
  });
  it("have axes of the result first, then those of the variable, whose names give way", () => {
    const fn = (p: { a: Nx.Tensor; s: Nx.Tensor }) => p.a.multiply(p.s);
    const { a, s } = jacobian(fn)({ a: x, s: Nx.f64(2) });
    expect([a.names, s.names]).toEqual([["x", null], ["x"]]);
    const second = hessian((p: { a: Nx.Tensor; s: Nx.Tensor }) => p.a.multiply(p.a).multiply(p.s))({
      a: x,
      s: Nx.f64(2),
    });
    expect([second.a.a.names, second.a.s.names, second.s.a.names, second.s.s.names]).toEqual([
      ["x", null],
      ["x"],
      ["x"],
      [],
    ]);
  });
  it("may be of complex numbers beside real ones", () => {
    const z = Nx.c128([new Nx.Complex(1, 2)]);
    const { z: holomorphic } = jacobian((p: { z: Nx.Tensor; r: Nx.Tensor }) => p.z.multiply(p.z).multiply(p.r))({
      z,
      r: Nx.f64(3),
    });
    expect(holomorphic.toList()).toEqual([[new Nx.Complex(6, 12)]]);
  });
  it("have results of their own, of any kind", () => {
    const found = jacobian((p: Nx.Tensor) => ({ deep: [{ sum: p.sum() }], square: p.multiply(p) }))(x);
    expect(found.deep[0]!.sum.toList()).toEqual([1, 1]);
    expect(found.square.shape).toEqual([2, 2]);
  });
});

describe("errors", () => {
  const refused: readonly (readonly [string, () => unknown, string])[] = [
    ["a result that is no tensor", () => jacobian((p: Nx.Tensor) => ({ p, kind: "x" }))(Nx.f32(1)), 'Nx.Defn.jacobian expects a function that returns a tensor, a number or a container of them, got at .kind: "x"'],
    ["a return that is missing", () => jacobian((_: Nx.Tensor) => undefined)(Nx.f32(1)), "Nx.Defn.jacobian expects a function that returns a tensor, a number or a container of them, got: undefined; is a return missing?"],
    ["nothing returned", () => jacobian((_: Nx.Tensor) => [])(Nx.f32(1)), "Nx.Defn.jacobian expects a function that returns a tensor or a number, got: []"],
    ["nothing to differentiate by", () => jacobian((s: string) => Nx.f32(s.length))("x"), "Nx.Defn.jacobian differentiates with respect to the first argument, which holds no tensor or number"],
    ["hessian of a container of results", () => hessian((x: Nx.Tensor) => [x])(Nx.f32(1)), "Nx.Defn.hessian expects a function that returns one tensor or number"],
    ["hessian of nothing", () => hessian((_: unknown) => Nx.f32(1))(undefined), "Nx.Defn.hessian differentiates with respect to the first argument, which holds no tensor or number"],
  ]; // prettier-ignore
  it.each(refused)("%s", (_name, run, message) => expect(run).toThrow(message));
});

describe("options of transforms", () => {
  const fn = (x: Nx.Tensor) => x.sum();
  const transforms = Object.entries({ grad, valueAndGrad: Nx.Defn.valueAndGrad, jacobian, hessian });
  it.each(transforms)("%s says how to differentiate by another argument", (name, transform) => {
    const call = transform as (fn: unknown, options: unknown) => unknown;
    for (const options of [{ argnums: 1 }, { argnum: 0 }, 1, [0, 1]]) {
      expect(() => call(fn, options)).toThrow(
        `Nx.Defn.${name} differentiates with respect to the first argument, so there is no option argnums: put the other one ` +
          `first, as in Nx.Defn.${name}((b, a) => fn(a, b))(b, a)`,
      );
    }
    expect(() => call(fn, { mode: "reverse" })).toThrow(`unknown option "mode" for Nx.Defn.${name}`);
    expect(() => call(fn, undefined)).not.toThrow();
  });
});

describe("mistakes of functions that are traced", () => {
  const t = Nx.iota([2, 3]);
  const cases: readonly (readonly [string, () => unknown, RegExp])[] = [
    ["a list of numbers", () => grad((x: number[]) => Nx.sum(x as never))([1, 2, 3]), /^Nx\.sum expects .*; Nx\.Defn\.grad was given a list of numbers as argument 0, .*: pass Nx\.tensor\(\[1, 2, 3\]\) to Nx\.Defn\.grad$/],
    ["a list of numbers, methods", () => grad((x: { sum: () => Nx.Tensor }) => x.sum())([1, 2, 3] as never), /sum is not a function; .*pass Nx\.tensor\(\[1, 2, 3\]\) to Nx\.Defn\.grad$/],
    ["options", () => Nx.Defn.jit(Nx.sum as (t: Nx.Tensor, options: object) => Nx.Tensor)(t, { axes: [1] }), /Nx\.Defn\.jit was given an object of numbers as argument 1, .* Nx\.Defn\.jit\(fn, \{ staticArgs: \[1\] \}\)$/],
    ["jvp of what is no list", () => Nx.Defn.jvp((x: Nx.Tensor) => x, t as never, [t]), /Nx\.Defn\.jvp expects the arguments of the function as an array such as \[x, y\], got: a tensor s64\[2\]\[3\]/],
    ["jvp of a list with holes", () => Nx.Defn.jvp((x: Nx.Tensor) => x, new Array(1) as never, [t]), /Nx\.Defn\.jvp expects .*, got: an array of 1 without element 0/],
    ["vjp of a number", () => Nx.Defn.vjp((x: Nx.Tensor) => x, 5 as never), /Nx\.Defn\.vjp expects .*, got: 5/],
    ["cond of a predicate and two functions", () => (Nx.Defn.cond as unknown as (...args: unknown[]) => unknown)(t.sum().greater(0), () => t, () => t), /expects pairs .*, got: a tensor u8\[\]; write Nx\.Defn\.cond\(\[\[predicate, \(\) => a\]\], \(\) => b\)/],
    ["whileLoop with the state behind", () => Nx.Defn.whileLoop((() => 1) as never, (s) => s as never, t as never), /takes the state in front of the functions: Nx\.Defn\.whileLoop\(state, condition, body\)/],
    ["cond of holes", () => Nx.Defn.cond(new Array(5) as never, () => t), /Nx\.Defn\.cond expects pairs/],
    ["customGrad of holes", () => Nx.Defn.customGrad(t, new Array(5) as never, () => []), /Nx\.Defn\.customGrad expects the inputs as an array of tensors/],
    ["vmap of an async function", () => vmap((async (x: Nx.Tensor) => await Promise.resolve(x)) as (x: Nx.Tensor) => unknown)(t), /given to Nx\.Defn\.vmap returned an instance of Promise; it cannot be async/],
  ]; // prettier-ignore
  it.each(cases)("%s", (_name, run, message) => expect(run).toThrow(message));

  it("leave errors alone that do not come of tracing", () => {
    const scaled = (x: Nx.Tensor, p: { a: Nx.Tensor }) => x.add(Nx.iota([5])).multiply(p.a);
    expect(() => Nx.defn(scaled)(t, { a: 2 as never })).toThrow(/^(?!.*staticArgs)/);
    const own = new TypeError("mine");
    expect(() => Nx.defn((_: unknown) => { throw own; })([1])).toThrow(own); // prettier-ignore
  });
  it("static options work as the message says", () => {
    const sum = Nx.Defn.jit(Nx.sum as (t: Nx.Tensor, options: object) => Nx.Tensor, { staticArgs: [1] });
    expect(sum(t, { axes: [1] }).toList()).toEqual([3, 12]);
  });
});
