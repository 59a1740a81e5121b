import { List } from "immutable";
import * as Nx from "nx-numerics";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LazyTensor } from "../../lib/defn/lazy";

const { Batch, defn } = Nx;
const { compile, debugExpr, explain, hessian, jacobian, jit, jitApply, jvp, vjp, vmap } = Nx.Defn;

interface Entry {
  readonly x: Nx.Tensor;
  readonly scale: Nx.Tensor;
}
type Given = Entry;

const named = (...values: number[]): Nx.Tensor => Nx.f32(values, { names: ["x"] });
const entry = (a: number, b: number, scale: number) => ({ x: named(a, b), scale });
const stacked = Batch.stack([entry(1, 2, 2), entry(3, 4, 5)]);
const rows = { x: Nx.f32([[5, 6], [7, 8]], { names: ["row", "x"] }), scale: Nx.tensor([3, 4]) }; // prettier-ignore

/** Batches of entries of one kind that came about in all ways there are. */
const BATCHES: Readonly<Record<string, Nx.Batch.Batch<{ x: Nx.Tensor; scale: unknown }>>> = {
  "of stacked entries": stacked,
  "of one entry": Batch.stack([entry(1, 2, 2)]),
  "of one tensor with entries": Batch.concatenate([rows]),
  "of tensors with entries": Batch.concatenate([rows, rows]),
  "of both": Batch.merge(stacked as never, Batch.concatenate([rows]) as never),
  "with padding": Batch.pad(stacked, 3),
  "that was cut": Batch.split(Batch.pad(Batch.concatenate([rows, rows]), 2), 3)[1],
  "named by a later entry": Batch.stack([{ x: Nx.f32([1, 2]), scale: 1 }, entry(3, 4, 5)]),
};

/** Text of anything: types, shapes, names and elements of its tensors. */
const text = (value: unknown): string => `${Nx.inspect(value as Nx.Tensor)} ${JSON.stringify(value)}`;
const texts = (value: unknown): unknown => Nx.Defn.Composite.leaves(value as Nx.Tensor).map(text);

const energy = (given: Given): Nx.Tensor => given.x.multiply(given.x).sum().add(given.scale.sum());
const each = (given: Given): Nx.Tensor => given.x.sum({ axes: ["x"] }).multiply(given.scale);

/** What each transform makes of an argument, be it a batch or the container itself. */
const TRANSFORMS: Readonly<Record<string, (given: Given) => unknown>> = {
  defn: (given) => defn((all: Given) => all)(given),
  "defn, evaluated": (given) => defn(each, { compiler: "evaluator" })(given),
  jit: (given) => jit(each)(given),
  jitApply: (given) => jitApply(each, [given]),
  compile: (given) => compile(each, [given])(given),
  grad: (given) => Nx.grad(energy)(given),
  "grad by another argument": (given) => Nx.grad((w: Nx.Tensor, all: Given) => each(all).multiply(w))(Nx.f32(2), given),
  valueAndGrad: (given) => Nx.valueAndGrad(energy)(given),
  "valueAndGrad with others": (given) => Nx.valueAndGrad((all: Given) => [energy(all), { all }] as const, { hasAux: true })(given),
  "vjp, value": (given) => vjp(each, [given])[0],
  "vjp, gradients": (given) => vjp((all: Given) => [energy(all)], [given])[1](2),
  jvp: (given) => jvp(energy, [given], [given]),
  jacobian: (given) => jacobian(each)(given),
  hessian: (given) => hessian(energy)(given),
  vmap: (given) => vmap(each)(given),
  "vmap of what is the same for all": (given) => vmap((t: Nx.Tensor, all: Given) => energy(all).add(t), [0, null])(named(1, 2), given),
  "an argument within a container": (given) => defn((all: { parts: readonly [Given, Nx.Tensor] }) => energy(all.parts[0]).add(all.parts[1]))({ parts: [given, Nx.f32(1)] }),
  "an argument within a collection": (given) => defn((all: List<Given>) => all.map(energy))(List([given, given])),
  "an argument besides others": (given) => defn((scale: Nx.Operand, all: Given, word: string) => energy(all).multiply(scale).add(word.length))(2, given, "word"),
  "defn within defn": (given) => defn((t: Nx.Tensor) => defn(each)(given).add(t))(Nx.f32(1)),
  "grad within defn": (given) => defn((t: Nx.Tensor) => Nx.grad(energy)(given).x.add(t))(Nx.f32(1)),
  "defn within grad": (given) => Nx.grad((t: Nx.Tensor) => defn(each)(given).multiply(t))(Nx.f32(1)),
  "vmap within defn": (given) => defn((t: Nx.Tensor) => vmap(each)(given).add(t))(Nx.f32(1)),
  "compiled within defn": (given) => defn((t: Nx.Tensor) => compile(each, [given])(given).add(t))(Nx.f32(1)),
}; // prettier-ignore

describe.each(Object.entries(BATCHES))("a batch %s as an argument", (_, batch) => {
  const whole = Batch.materialize(batch) as unknown as Given;
  const argument = batch.asArgument() as unknown as Given;

  it.each(Object.entries(TRANSFORMS))("is the container that it stands for: %s", (_name, transform) => {
    expect(texts(transform(argument))).toEqual(texts(transform(whole)));
  });

  it("has its graph and its plan", () => {
    expect(String(debugExpr(each)(argument))).toBe(String(debugExpr(each)(whole)));
    expect(String(explain(each)(argument))).toBe(String(explain(each)(whole)));
    expect(Nx.Defn.checkPure(each)(argument)).toBeUndefined();
  });

  it("shares traces and compiled functions with it", () => {
    const fn = vi.fn(each);
    const wrapped = defn(fn);
    wrapped(whole);
    wrapped(argument);
    expect(fn).toHaveBeenCalledTimes(1);
    expect(text(compile(each, [argument])(whole))).toBe(text(compile(each, [whole])(argument)));
  });
});

describe("what is made of a batch", () => {
  afterEach(() => vi.restoreAllMocks());
  const left = Nx.f32([1, 2]);
  const right = Nx.f32([3, 4]);
  const batch = Batch.stack([{ used: left, unused: right }, { used: right, unused: left }]); // prettier-ignore
  const argument = batch.asArgument();
  const joins = () => vi.spyOn(left.backend, "concatenate");

  it("is what the function needs, once for each call", () => {
    const fn = defn((all: typeof argument, again: typeof argument) =>
      all.used.multiply(all.used).sum().add(again.used),
    );
    const made = joins();
    fn(argument, argument);
    expect(made).toHaveBeenCalledTimes(1);
    fn(argument, argument);
    expect(made).toHaveBeenCalledTimes(2);
  });

  it("is not needed to compile, nor to show what will run", () => {
    const made = joins();
    compile((all: typeof argument) => all.used.sum(), [argument]);
    explain((all: typeof argument) => all.used.sum())(argument);
    debugExpr((all: typeof argument) => all.used.sum())(argument);
    expect(made).not.toHaveBeenCalled();
  });

  it("is made for a gradient as for its function", () => {
    const gradient = Nx.grad((all: typeof argument) => all.used.multiply(all.used).sum());
    const made = joins();
    gradient(argument);
    expect(made).toHaveBeenCalledTimes(1);
  });

  it("is the call's own: the entries stay when it is donated", () => {
    const fn = defn((all: typeof argument) => all.used.exp(), { donate: true });
    const expected = text(Nx.exp(Batch.materialize(batch).used));
    expect([text(fn(argument)), text(fn(argument))]).toEqual([expected, expected]);
    expect(left.toList()).toEqual([1, 2]);
    expect(defn((a: typeof argument, b: typeof argument) => a.used.add(b.used), { donate: true })(argument, argument).shape).toEqual([2, 2]); // prettier-ignore
  });

  it("may be vectorized", () => {
    const vectorized = Batch.stack([Nx.vectorize(Nx.f32([[1, 2], [3, 4]]), "e"), Nx.f32([5, 6])]); // prettier-ignore
    const fn = (t: Nx.Tensor) => t.multiply(t).sum();
    const made = joins();
    const result = defn(fn)(vectorized.asArgument());
    expect(made).toHaveBeenCalledTimes(1);
    expect(text(result)).toBe(text(defn(fn)(Batch.materialize(vectorized))));
    expect(String(debugExpr(fn)(vectorized.asArgument()))).toBe(String(debugExpr(fn)(Batch.materialize(vectorized))));
    expect(text(Nx.grad(fn)(vectorized.asArgument()))).toBe(text(Nx.grad(fn)(Batch.materialize(vectorized))));
  });

  it("may be of tensors of a trace that runs", () => {
    const both = (a: Nx.Tensor, b: Nx.Tensor) => Batch.stack([a, b]).asArgument();
    const fn = defn((a: Nx.Tensor, b: Nx.Tensor) => defn((t: Nx.Tensor) => t.sum({ axes: [0] }))(both(a, b)));
    expect(fn(left, right).toList()).toEqual([4, 6]);
  });
});

describe("an argument that stands for what it is not", () => {
  it.each([
    ["Nx.defn", defn],
    ["Nx.Defn.jit", jit],
    ["Nx.Defn.grad", Nx.grad],
    ["Nx.Defn.valueAndGrad", Nx.valueAndGrad],
    ["Nx.Defn.jacobian", jacobian],
    ["Nx.Defn.vmap", vmap],
    ["Nx.Defn.debugExpr", debugExpr],
    ["Nx.Defn.explain", explain],
    ["Nx.Defn.checkPure", Nx.Defn.checkPure],
    ["Nx.Defn.compile", (fn: (t: Nx.Tensor) => Nx.Tensor) => (t: Nx.Tensor) => compile(fn, [t])],
  ] as readonly [string, (fn: (t: Nx.Tensor) => Nx.Tensor) => (t: Nx.Tensor) => unknown][])(
    "is an error without entries: %s",
    (name, transform) => {
      const call = transform((t) => t.sum());
      for (const empty of [Batch.new<Nx.Tensor>(), Batch.pad(Batch.new<Nx.Tensor>(), 2)]) {
        const message = `${name} expects a batch with entries, got: ${empty.toString()}; add some with Nx.Batch.stack`;
        expect(() => call(empty.asArgument())).toThrow(new Nx.ArgumentError(message));
      }
    },
  );

  it("is an error of the entries where they do not join", () => {
    const rows = (name: string) => Nx.iota([2, 2], { names: [name, null] });
    const batch = Batch.concatenate([rows("a"), rows("b")]);
    expect(() => defn((t: Nx.Tensor) => t)(batch.asArgument())).toThrow(/cannot merge axis name "a".* with "b"/);
  });

  it("stays itself as a static argument and outside of traces", () => {
    const size = (batch: Nx.Batch.Batch, t: Nx.Tensor) => t.add(batch.size);
    expect(defn(size, { staticArgs: [0] })(stacked, Nx.f32(1)).toNumber()).toBe(3);
    expect(size(stacked, Nx.f32(1)).toNumber()).toBe(3);
    expect(stacked.asArgument()).toBe(stacked);
  });

  it("is compiled for besides names of dimensions", () => {
    const fn = (all: Given, t: Nx.Tensor) => energy(all).add(t.sum());
    const given = stacked.asArgument() as unknown as Given;
    const whole = compile(fn, [given, Nx.template(["n"], "f32") as never]);
    expect(whole(given, Nx.f32([1, 2, 3])).toNumber()).toBe(43);
    expect(() => whole(Batch.pad(stacked, 1).asArgument() as unknown as Given, Nx.f32([1]))).toThrow(/3/);
  });
});

describe("lazy entries", () => {
  const lazily = () => Nx.Defn.lazy(Nx.template([2], "f32"), () => Nx.f32([1, 2])) as unknown as Nx.Tensor;
  const square = (t: Nx.Tensor) => t.multiply(t).sum();

  it("are arguments of vmap, and of what is called within a trace", () => {
    expect(lazily()).toBeInstanceOf(LazyTensor);
    expect(vmap(square)(lazily()).toList()).toEqual([1, 4]);
    expect(vmap((t: Nx.Tensor, same: Nx.Tensor) => same.sum().add(t), [0, null])(named(1, 2), lazily()).toList()).toEqual([4, 5]); // prettier-ignore
    expect(defn((t: Nx.Tensor) => defn(square)(lazily()).add(t))(Nx.f32(1)).toNumber()).toBe(6);
    expect(defn((t: Nx.Tensor) => Nx.grad(square)(lazily()).add(t))(Nx.f32(1)).toList()).toEqual([3, 5]);
  });
});
