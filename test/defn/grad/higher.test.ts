import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectClose, expectComplexGradients, complexes, expectGradients, randoms } from "./check";
import { sampled } from "../../effort";

const { cond, grad, hessian, jacobian, scan, vmap, whileLoop } = Nx.Defn;
const { LinAlg } = Nx;

type Fn = (x: Nx.Tensor) => Nx.Tensor;

/** Weights that tell all elements of a result apart. */
const total = (t: Nx.Tensor): Nx.Tensor =>
  Nx.multiply(t, Nx.add(Nx.sin(Nx.iota([...t.shape], { type: "f64" })), 2)).sum();

const regular = (shape: readonly number[]): Nx.Tensor =>
  Nx.add(randoms(shape, -0.5, 0.5), Nx.multiply(Nx.eye([...shape.slice(-2)]), Nx.add(Nx.iota([shape.at(-1)!]), 2)));

/** Different elements in no order. */
const apart = (shape: readonly number[]): Nx.Tensor => {
  const size = shape.reduce((product, dim) => product * dim, 1);
  return Nx.f64(Array.from({ length: size }, (_, i) => ((i * 7 + 3) % 29) / 8 - 1.7)).reshape([...shape]);
};

const symmetric = (t: Nx.Tensor): Nx.Tensor => Nx.add(t, LinAlg.adjoint(t));
const KERNEL = Nx.f64([[[0.5, -1, 2], [1, 0.3, -0.7]]]); // prettier-ignore

/** Functions of all kinds, with points at which they are smooth. */
const FUNCTIONS: [name: string, fn: Fn, x: () => Nx.Tensor][] = [
  ["dot", (x) => Nx.dot(x, Nx.dot(x, x)), () => randoms([2, 2])],
  ["conv", (x) => Nx.pow(Nx.conv(x, KERNEL, { strides: 2, padding: "same" }), 3), () => randoms([1, 2, 4])],
  ["conv of both", (x) => Nx.conv(x.reshape([1, 2, 3]), x.reshape([2, 1, 3]), { featureGroupSize: 2, padding: "same" }), () => randoms([6])],
  ["fft", (x) => Nx.pow(Nx.abs(Nx.fft(x)), 3), () => randoms([4])],
  ["irfft of rfft", (x) => Nx.irfft(Nx.multiply(Nx.rfft(x), Nx.rfft(Nx.sin(x)))), () => randoms([4])],
  ["sort", (x) => Nx.pow(Nx.sort(x, { axis: 1 }), 3), () => apart([2, 3])],
  ["topK", (x) => Nx.exp(Nx.topK(x, { k: 2 })[0]), () => apart([2, 3])],
  ["cumulativeProduct", (x) => Nx.cumulativeProduct(x), () => randoms([4])],
  ["cumulativeProduct with a zero", (x) => Nx.cumulativeProduct(x), () => Nx.f64([0.7, 0, 1.5])],
  ["cumulativeMax", (x) => Nx.pow(Nx.cumulativeMax(x), 3), () => apart([5])],
  ["product with zeros", (x) => Nx.product(x), () => Nx.f64([0, 2, 0, 3])],
  ["windowProduct", (x) => Nx.windowProduct(x, [3], { padding: "same" }), () => randoms([5])],
  ["windowMax", (x) => Nx.pow(Nx.windowMax(x, [2], { strides: 2 }), 3), () => apart([6])],
  ["windowMax, dilated", (x) => Nx.pow(Nx.windowMax(x, [2], { windowDilations: 2 }), 3), () => apart([6])],
  ["windowScatterMax", (x) => Nx.pow(Nx.windowScatterMax(apart([4]), x, 0.5, [2]), 3), () => randoms([3])],
  ["reduceMax", (x) => Nx.pow(Nx.reduceMax(x, { axes: [0] }), 3), () => apart([3, 2])],
  ["standardDeviation", (x) => Nx.standardDeviation(x), () => randoms([4])],
  ["gather and indexedAdd", (x) => Nx.pow(Nx.indexedAdd(x, Nx.tensor([[1], [1]]), Nx.gather(x, Nx.tensor([[0], [2]]))), 3), () => randoms([3])],
  ["slice and putSlice", (x) => Nx.putSlice(Nx.exp(x), [1], Nx.pow(Nx.slice(x, [0], [2]), 3)), () => randoms([4])],
  ["pad", (x) => Nx.pow(x.pad(x.at(0), [[1, -1, 1]]), 3), () => randoms([3])],
  ["select and clip", (x) => Nx.select(Nx.greater(x, 0), Nx.pow(Nx.clip(x, -1, 1), 3), Nx.exp(x)), () => apart([5])],
  ["cholesky", (x) => LinAlg.cholesky(symmetric(x)), () => regular([3, 3])],
  ["eigh", (x) => LinAlg.eigh(symmetric(x))[0], () => regular([3, 3])],
  ["vectors of eigh", (x) => LinAlg.eigh(symmetric(x))[1], () => regular([2, 2])],
  ["lu", (x) => Nx.add(...(LinAlg.lu(x).slice(1) as [Nx.Tensor, Nx.Tensor])), () => regular([3, 3])],
  ["qr", (x) => Nx.dot(Nx.sin(LinAlg.qr(x)[0]), LinAlg.qr(x)[1]), () => regular([3, 2])],
  ["svd", (x) => LinAlg.svd(x)[1], () => regular([3, 2])],
  ["vectors of svd", (x) => LinAlg.svd(x, { fullMatrices: false })[0], () => regular([3, 2])],
  ["solve", (x) => LinAlg.solve(x, x.at(0)), () => regular([3, 3])],
  ["triangularSolve", (x) => LinAlg.triangularSolve(x, x, { lower: false, transformA: "transpose" }), () => regular([2, 2])],
  ["invert", (x) => LinAlg.invert(x), () => regular([2, 2])],
  ["pinv", (x) => LinAlg.pinv(x), () => regular([3, 2])],
  ["pinv of vectors", (x) => LinAlg.pinv(x), () => Nx.f64([0.7, -1.3, 0.4])],
  ["pinv of scalars", (x) => LinAlg.pinv(x), () => Nx.f64(1.4)],
  ["pinv with equal singular values", (x) => LinAlg.pinv(x), () => Nx.eye([3, 2], { type: "f64" })],
  ["leastSquares", (x) => LinAlg.leastSquares(x, Nx.f64([1, -2, 0.5])), () => regular([3, 2])],
  ["determinant of 3", (x) => LinAlg.determinant(x), () => randoms([3, 3])],
  ["determinant of 4", (x) => LinAlg.determinant(x), () => randoms([4, 4])],
  ["determinant of the identity", (x) => LinAlg.determinant(x), () => Nx.eye([4, 4], { type: "f64" })],
  ["norm", (x) => LinAlg.norm(x), () => randoms([2, 2])],
  ["nuclear norm", (x) => LinAlg.norm(x, { ord: "nuclear" }), () => regular([2, 3])],
  ["matrixPower", (x) => LinAlg.matrixPower(x, -2), () => regular([2, 2])],
]; // prettier-ignore

describe("second derivatives", () => {
  it.each(sampled(FUNCTIONS, 15, "1"))("%s", (_name, fn, x) => {
    expectGradients((t) => grad((s: Nx.Tensor) => total(fn(s)))(t), x());
  });

  it.each(sampled(FUNCTIONS, 15, "2"))("the Hessian of %s is symmetric", (_name, fn, x) => {
    const point = x();
    const size = Nx.size(point);
    const matrix = hessian((t: Nx.Tensor) => total(fn(t)))(point).reshape([size, size]);
    expectClose(matrix, Nx.transpose(matrix), 1e-8);
  });

  it("third derivatives of an inverse and a product", () => {
    const third =
      (fn: Fn): Fn =>
      (x) =>
        grad((y: Nx.Tensor) => total(grad((z: Nx.Tensor) => total(fn(z)))(y)))(x);
    expectGradients(third(LinAlg.invert), regular([2, 2]));
    expectGradients(
      third((x) => Nx.cumulativeProduct(x)),
      randoms([4]),
    );
  });

  it("of determinants are those of the book: d2 det = det (tr tr - tr)", () => {
    const a = regular([4, 4]);
    const inverse = LinAlg.invert(a);
    const det = LinAlg.determinant(a);
    const pairs = Nx.transpose(Nx.outer(inverse, inverse).reshape([4, 4, 4, 4]), { axes: [1, 0, 3, 2] });
    const crossed = Nx.transpose(pairs, { axes: [2, 1, 0, 3] });
    expectClose(hessian((x: Nx.Tensor) => LinAlg.determinant(x))(a), Nx.multiply(det, Nx.subtract(pairs, crossed)));
  });
});

/** Control flow with all kinds of functions inside. */
const CONTROLLED: [name: string, fn: (x: Nx.Tensor) => Nx.Tensor][] = [
  ["cond", (x) => cond([[x.sum().less(100), () => LinAlg.solve(x, Nx.sort(x))]], () => x)],
  ["cond, the other branch", (x) => cond([[x.sum().greater(100), () => x]], () => LinAlg.cholesky(symmetric(x)))],
  ["cond of cond", (x) => cond([[x.at(0, 0).greater(0), () => cond([[Nx.u8(0), () => x]], () => x.sin())]], () => x.exp())],
  ["whileLoop", (x) => {
    const start = { i: Nx.tensor(0), m: x };
    return whileLoop(start, ({ i }) => i.less(4), ({ i, m }) => ({ i: i.add(1), m: Nx.dot(m, x).tanh() })).m;
  }],
  ["whileLoop with windows and slices at the step", (x) => {
    const start = { i: Nx.tensor(0), m: x };
    const body = ({ i, m }: { i: Nx.Tensor; m: Nx.Tensor }) => {
      const line = Nx.slice(m, [i, 0], [1, 2]);
      return { i: i.add(1), m: Nx.putSlice(Nx.windowSum(m, [2, 1], { padding: "same" }), [0, 0], Nx.multiply(line, line)) };
    };
    return whileLoop(start, ({ i }) => i.less(2), body).m;
  }],
  ["whileLoop that never runs", (x) => whileLoop(x, (m) => m.sum().greater(1e6), (m) => m.exp())],
  ["whileLoop of as many steps as values say", (x) => whileLoop(x, (m) => LinAlg.norm(m).less(50), (m) => Nx.dot(m, symmetric(m)))],
  ["scan", (x) => {
    const [last, all] = scan((m, row) => [Nx.add(Nx.dot(x, m), row).sin(), m.product()], x.at(1), x);
    return Nx.add(last, all);
  }],
  ["scan in reverse with decompositions", (x) => {
    const [last, all] = scan((m, row) => [LinAlg.solve(x, m.add(row)), LinAlg.norm(m)], x.at(0), x, { reverse: true });
    return Nx.multiply(last, all);
  }],
  ["scan of determinants of four and pinv, which have gradients of their own", (x) => {
    const big = Nx.add(Nx.tile(x, [2, 2]), Nx.eye(4));
    return scan((m, row) => [Nx.add(m, LinAlg.determinant(Nx.multiply(big, m))), LinAlg.pinv(Nx.outer(row, m.add(row)).add(x))], x.at(0, 0), x)[1];
  }],
  ["whileLoop of clip", (x) => {
    const start = { i: Nx.tensor(0), m: x };
    return whileLoop(start, ({ i }) => i.less(3), ({ i, m }) => ({ i: i.add(1), m: Nx.clip(m.multiply(x), -5, 2.5) })).m;
  }],
  ["scan of customGrad of what is carried", (x) => {
    const cube = (t: Nx.Tensor) => Nx.Defn.customGrad(Nx.pow(t, 3), [t], (g) => [g.multiply(Nx.multiply(t, t)).multiply(3)]);
    return scan((m, row) => [cube(m.add(row).multiply(0.3)).sin(), cube(m)], x.at(0), x)[1];
  }],
  ["cond of customGrad", (x) => {
    const square = (t: Nx.Tensor) => Nx.Defn.customGrad(t.multiply(t), [t], (g) => [g.multiply(t).multiply(2)]);
    return cond([[x.sum().greater(100), () => x]], () => square(x.sin()));
  }],
  ["scan in a whileLoop", (x) => {
    const start = { i: Nx.tensor(0), m: x };
    const inner = (m: Nx.Tensor) => scan((s, row) => [s.add(row.sum().sin()), s.multiply(row)], m.sum(), m)[1];
    return whileLoop(start, ({ i }) => i.less(3), ({ i, m }) => ({ i: i.add(1), m: inner(m).tanh() })).m;
  }],
]; // prettier-ignore

describe("control flow", () => {
  it.each(sampled(CONTROLLED, 12, "1"))("%s", (_name, fn) => {
    expectGradients(fn, regular([2, 2]));
  });

  it.each(sampled(CONTROLLED, 12, "2"))("%s, second derivative", (_name, fn) => {
    expectGradients((t) => grad((s: Nx.Tensor) => total(fn(s)))(t), regular([2, 2]));
  });

  it("of complex numbers", () => {
    const looped = (z: Nx.Tensor) => scan((s, row) => [Nx.exp(Nx.multiply(s, row)), s], z.at(0), z)[1];
    expectComplexGradients(looped, complexes([3, 2]));
  });
});

describe("over an axis", () => {
  it.each(sampled(FUNCTIONS, 15, "3"))("vmap of the gradient of %s is the gradient of each", (_name, fn, x) => {
    const one = grad((t: Nx.Tensor) => total(fn(t)));
    const points = [x(), Nx.multiply(x(), 1.25)];
    const each = Nx.stack(points.map((point) => one(point)));
    expectClose(vmap(one)(Nx.stack(points)), each, 1e-8);
  });

  it.each(sampled(FUNCTIONS, 15, "4"))("the gradient of vmap of %s is that of each", (_name, fn, x) => {
    const one = (t: Nx.Tensor) => total(fn(t));
    const points = [x(), Nx.multiply(x(), 0.75)];
    const each = Nx.stack(points.map((point) => grad(one)(point)));
    expectClose(grad((t: Nx.Tensor) => vmap(one)(t).sum())(Nx.stack(points)), each, 1e-8);
  });

  const x = Nx.f64([[-1, 2, 0.5], [1, 0, -3]]); // prettier-ignore

  it("what counts as constant does so for each entry", () => {
    const fn = (row: Nx.Tensor) => row.multiply(Nx.Defn.stopGrad(row)).sum();
    expectClose(vmap(grad(fn))(x), x);
    expectClose(grad((t: Nx.Tensor) => vmap(fn)(t).sum())(x), x);
  });

  it("a gradient given by hand is that of each entry", () => {
    const fn = (row: Nx.Tensor, scale: Nx.Tensor) =>
      Nx.Defn.customGrad(row.multiply(scale).sum(), [row, scale], (g) => [
        row.multiply(g).multiply(100),
        g.multiply(scale),
      ]);
    const scales = Nx.f64([2, 3]);
    const each = vmap(grad((p: readonly [Nx.Tensor, Nx.Tensor]) => fn(...p)))([x, scales]);
    expectClose(each[0], x.multiply(100));
    expectClose(each[1], scales);
    const all = grad((p: readonly [Nx.Tensor, Nx.Tensor]) => vmap(fn)(...p).sum())([x, scales]);
    expectClose(all[0], x.multiply(100));
    expectClose(all[1], scales);
    const shared = grad((scale: Nx.Tensor) => vmap((row: Nx.Tensor) => fn(row, scale))(x).sum())(Nx.f64(2));
    expect(shared.toNumber()).toBe(4);
  });

  it("clip has no slope at its bounds, whichever side has the axis", () => {
    const bounds = Nx.f64([1, 0]);
    const fn = (row: Nx.Tensor, high: Nx.Tensor) => Nx.clip(row, -1, high);
    const slopes = [[0, 0, 1], [0, 0, 0]]; // prettier-ignore
    expect(grad((t: Nx.Tensor) => vmap(fn)(t, bounds))(x).toList()).toEqual(slopes);
    expect(vmap(grad(fn))(x, bounds).toList()).toEqual(slopes);
    expect(grad((high: Nx.Tensor) => vmap(fn)(x, high))(bounds).toList()).toEqual([1, 1]);
    const one = grad((row: Nx.Tensor) => vmap((high: Nx.Tensor) => fn(row, high))(bounds).sum())(Nx.f64([-1, 0.5, 0]));
    expect(one.toList()).toEqual([0, 1, 1]);
  });

  it.each(sampled(CONTROLLED, 12, "3"))("vmap of the gradient of %s", (_name, fn) => {
    const one = grad((t: Nx.Tensor) => total(fn(t)));
    const points = [regular([2, 2]), regular([2, 2])];
    expectClose(vmap(one)(Nx.stack(points)), Nx.stack(points.map((point) => one(point))), 1e-8);
  });
});

/** How far the gradient may be from that of f64, in units of the largest element: a few roundings of each type. */
const EPSILON = { f16: 2 ** -11, bf16: 2 ** -8, f32: 2 ** -24 } as const;

describe.each(["f16", "bf16", "f32"] as const)("gradients of %s", (type) => {
  it.each(sampled(FUNCTIONS, 15, "5"))("%s: keeps its type and names", (_name, fn, x) => {
    const point = Nx.asType(x(), type);
    const names = point.shape.map((_, i) => `axis ${i}`);
    const unnamed = (t: Nx.Tensor) => Nx.rename(t, names.map(() => null)); // prettier-ignore
    const gradient = grad((t: Nx.Tensor) => total(fn(unnamed(t))))(Nx.rename(point, names));
    expect([gradient.type, gradient.names, gradient.shape]).toEqual([type, names, point.shape]);
    expect(Nx.any(Nx.isNan(gradient)).toNumber()).toBe(0);
  });

  it("are exact to the type where the function is", () => {
    const x = Nx.asType(randoms([3, 4]), type);
    for (const fn of [
      (t: Nx.Tensor) => Nx.dot(t, Nx.transpose(Nx.sin(t))),
      (t: Nx.Tensor) => Nx.cumulativeSum(Nx.exp(t)),
      (t: Nx.Tensor) => Nx.windowSum(Nx.multiply(t, t), [2, 2]),
      (t: Nx.Tensor) => LinAlg.norm(t),
    ]) {
      const one = grad((t: Nx.Tensor) => fn(t).sum());
      const [own, exact] = [Nx.asType(one(x), "f64"), one(Nx.asType(x, "f64"))];
      const error = Nx.reduceMax(Nx.abs(Nx.subtract(own, exact))).toNumber() as number;
      const size = Nx.reduceMax(Nx.abs(exact)).toNumber() as number;
      expect(error / size).toBeLessThan(16 * EPSILON[type]);
    }
  });
});

describe("types and names", () => {
  it.each(["c64", "c128"] as const)("of %s stay", (type) => {
    const z = Nx.rename(Nx.asType(complexes([2, 2]), type), ["i", "j"]);
    const gradient = grad((t: Nx.Tensor) => Nx.fft(Nx.multiply(t, t)).sum())(z);
    expect([gradient.type, gradient.names]).toEqual([type, ["i", "j"]]);
  });

  it.each<[string, Fn]>([
    ["dot", (x) => Nx.dot(x, ["i"], Nx.rename(x, ["i", "k"]), ["i"])],
    ["sort", (x) => Nx.sort(x, { axis: "j" }).multiply(x)],
    ["cumulativeSum", (x) => Nx.cumulativeSum(x, { axis: "i" }).multiply(x)],
    ["windowMax", (x) => Nx.windowMax(x, [2, 1])],
    ["take", (x) => Nx.take(x, Nx.tensor([0, 0], { names: ["k"] }), { axis: "j" })],
    ["concatenate", (x) => Nx.concatenate([x, x], { axis: "j" })],
    ["stack", (x) => Nx.stack([x, x], { name: "i2" })],
    ["fft", (x) => Nx.abs(Nx.fft(x, { axis: "i" }))],
    ["solve", (x) => LinAlg.solve(x, Nx.f32([1, 2]))],
    ["svd", (x) => LinAlg.svd(x)[1]],
    ["pinv", (x) => LinAlg.pinv(x)],
    ["determinant", (x) => LinAlg.determinant(Nx.stack([x, x]))],
    ["norm", (x) => LinAlg.norm(x, { axes: ["j"] })],
    ["indexedPut", (x) => Nx.indexedPut(x, Nx.tensor([[0, 1]]), Nx.f32([1]))],
    ["scan", (x) => scan((s, row) => [s.add(row), s], x.at(0), x)[1]],
  ])("names of %s do not get in the way", (_name, fn) => {
    const x = Nx.f32([[3, 1], [2, 5]], { names: ["i", "j"] }); // prettier-ignore
    const gradient = grad((t: Nx.Tensor) => fn(t).sum())(x);
    expect([gradient.type, gradient.names, gradient.shape]).toEqual(["f32", ["i", "j"], [2, 2]]);
    expect(Nx.any(Nx.isNan(gradient)).toNumber()).toBe(0);
  });
});

describe("integers", () => {
  it.each<[string, Fn]>([
    ["dot", (x) => Nx.dot(x, x)],
    ["cumulativeProduct", (x) => Nx.cumulativeProduct(x)],
    ["sort", (x) => Nx.multiply(Nx.sort(x), x)],
    ["windowMax", (x) => Nx.windowMax(x, [1, 2])],
    ["take", (x) => Nx.take(x, Nx.tensor([1, 1]))],
    ["solve", (x) => LinAlg.solve(x, x.at(0))],
    ["determinant", (x) => LinAlg.determinant(x)],
    ["pinv", (x) => LinAlg.pinv(x)],
    ["product", (x) => Nx.product(x)],
    ["slice", (x) => Nx.slice(x, [0, 1], [2, 1])],
  ])("of %s have gradients in f32 that are those of f64", (_name, fn) => {
    const x = Nx.tensor([[3, 1], [2, 5]], { names: ["i", "j"] }); // prettier-ignore
    const one = grad((t: Nx.Tensor) => fn(Nx.rename(t, [null, null])).sum());
    const gradient = one(x);
    expect([gradient.type, gradient.names]).toEqual(["f32", ["i", "j"]]);
    const exact = one(Nx.asType(x, "f64"));
    expectClose(Nx.asType(gradient, "f64"), exact, 1e-6);
  });
});

describe("gradients given by hand", () => {
  it("may read what the function has computed, wherever they are", () => {
    const fn = (x: Nx.Tensor) => {
      const powers = x.exp();
      return cond([[x.sum().less(0), () => x]], () => Nx.Defn.customGrad(x.add(1), [x], (g) => [g.multiply(powers)]));
    };
    expectClose(grad(fn)(Nx.f64([1, 2])), Nx.exp(Nx.f64([1, 2])));
    expectClose(grad((x: Nx.Tensor) => grad(fn)(x))(Nx.f64([1, 2])), Nx.exp(Nx.f64([1, 2])));
  });

  it("call their hooks with each gradient, and only then", () => {
    const seen: unknown[] = [];
    const fn = (x: Nx.Tensor) =>
      Nx.Defn.customGrad(x.multiply(x), [x], (g) => [
        Nx.Defn.hook(g.multiply(3), (value) => seen.push(value.toList())),
      ]);
    Nx.defn(fn)(Nx.f32([1, 2]));
    expect(seen).toEqual([]);
    expect(grad(fn)(Nx.f32([1, 2])).toList()).toEqual([3, 3]);
    expect(seen).toEqual([[3, 3]]);
  });
});

describe("jacobian", () => {
  it.each(sampled(FUNCTIONS, 15, "6"))("of %s: its rows add up to the gradient", (_name, fn, x) => {
    const point = x();
    const rows = jacobian(fn)(point);
    const axes = [...fn(point).shape.keys()];
    expectClose(rows.sum({ axes }), grad((t: Nx.Tensor) => fn(t))(point), 1e-8);
  });
});
