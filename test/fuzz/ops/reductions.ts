/** Steps over axes: reductions, running reductions, windows, order, transforms, and products of whole numbers. */
import type { Tensor } from "nx-numerics";
import { isComplex, isInteger } from "../../../lib/core/types";
import type { Generator, Make, Rows, Value } from "../generate";
import { call, item, ref, sizeOf, type Expr, type Options } from "../program";
import { either } from "./elementwise";
import { hasAxes } from "./shape";

const isReal = (t: Tensor): boolean => !isComplex(t.type);
const isLine = (t: Tensor): boolean => hasAxes(t) && isReal(t);

const axesOptions = (g: Generator, t: Tensor): Options[] => {
  if (!hasAxes(t) || g.r.chance(0.25)) return [];
  return [{ axes: g.axes(t), ...(g.r.chance(0.5) ? { keepAxes: true } : {}) }];
};

const over = (name: string, ok: (t: Tensor) => boolean, extra: Options = {}): Make => (g) => {
  const x = g.pick(ok);
  if (!x) return null;
  const [options] = axesOptions(g, x.t);
  const all = { ...options, ...(g.r.chance(0.5) ? extra : {}) };
  return either(g, name, x, ...(Object.keys(all).length > 0 ? [all] : []));
}; // prettier-ignore

const along = (name: string, ok: (t: Tensor) => boolean, extra: Options = {}): Make => (g) => {
  const x = g.pick((t) => hasAxes(t) && ok(t));
  return x && either(g, name, x, { axis: g.axis(x.t), ...(g.r.chance(0.4) ? extra : {}) });
}; // prettier-ignore

const each = (names: readonly string[], make: (name: string) => Make): Rows =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

const any = (): boolean => true;

const REDUCED: Rows = {
  ...each(["sum", "product", "mean"], (name) => over(name, any)),
  ...each(["reduceMax", "reduceMin", "all", "any"], (name) => over(name, isReal)),
  ...each(["variance", "standardDeviation"], (name) => over(name, any, { ddof: 1 })),
  ...each(["argmax", "argmin"], (name) => along(name, isReal, { tieBreak: "high", keepAxis: true })),
  ...each(["median", "mode"], (name) => along(name, isReal)),
  weightedMean: (g) => {
    const x = g.pick(isReal);
    return x && call("Nx.weightedMean", ref(x.id), call("Nx.add", call("Nx.isNan", ref(x.id)), 1));
  },
  allClose: (g) => {
    const x = g.pick();
    return x && call("Nx.allClose", ref(x.id), g.beside(x), { equalNan: g.r.chance(0.5) });
  },
  ...each(["cumulativeSum", "cumulativeProduct"], (name) => along(name, any, { reverse: true })),
  ...each(["cumulativeMax", "cumulativeMin"], (name) => along(name, isReal, { reverse: true })),
  ...each(["diff"], (name) => along(name, any, { order: 0 })),
  ...each(["logSumExp"], (name) => over(name, isReal)),
  ...each(["correlation"], (name) => (g) => {
    const x = g.pick((t) => t.shape.length === 2 && t.shape[1]! <= 40);
    return x && either(g, name, x);
  }),
  covariance: (g) => {
    const x = g.pick((t) => t.shape.length >= 2 && t.shape.at(-1)! <= 40);
    return x && either(g, "covariance", x);
  },
  quantile: (g) => {
    const x = g.pick(isLine);
    return x && call("Nx.quantile", ref(x.id), g.r.pick<Expr>([0, 0.3, 0.5, 1, [0.1, 0.9]]), { axis: g.axis(x.t) });
  },
  searchsorted: (g) => {
    const x = g.pick(isReal);
    return (
      x &&
      call(
        "Nx.searchsorted",
        call("Nx.tensor", [-2, 0, 0, 1.5, 7]),
        ref(x.id),
        ...g.r.some<Options>([{ side: "right" }]),
      )
    );
  },
  segmentSum: (g) => {
    const x = g.pick((t) => hasAxes(t) && t.shape[0]! <= 50);
    if (!x) return null;
    const labels = Array.from({ length: x.t.shape[0]! }, () => g.r.below(3));
    return call(
      g.r.pick([
        "Nx.segmentSum",
        "Nx.segmentMean",
        "Nx.segmentProduct",
        ...(isReal(x.t) ? ["Nx.segmentMax", "Nx.segmentMin"] : []),
      ]),
      ref(x.id),
      call("Nx.tensor", labels),
      3,
    );
  },
  groupBy: (g) => {
    const x = g.pick((t) => isReal(t) && hasAxes(t) && t.shape[0]! <= 50);
    if (!x) return null;
    const labels = (): number[] => Array.from({ length: x.t.shape[0]! }, () => g.r.below(3));
    const groups = g.r.chance(0.7)
      ? call("Nx.groupBy", ref(x.id), 0, labels(), { groups: 3, name: null })
      : call("Nx.groupBy", ref(x.id), 0, [labels(), labels()], { groups: [3, 4] });
    return call(`.${g.r.pick(GROUP_OPS)}`, groups, ...g.r.some<Options>([{ nan: "skip" }]));
  },
  rolling: (g) => {
    const x = g.pick((t) => isReal(t) && hasAxes(t) && t.shape[0]! <= 50);
    if (!x) return null;
    const size = g.r.between(1, Math.min(x.t.shape[0]!, 4));
    const windows = call("Nx.rolling", ref(x.id), 0, size, {
      minPeriods: g.r.between(1, size),
      center: g.r.chance(0.5),
    });
    return call(`.${g.r.pick(GROUP_OPS)}`, windows);
  },
  histogram: (g) => {
    const x = g.pick(isReal);
    return x && item(call("Nx.histogram", ref(x.id), { bins: g.r.between(1, 5), range: [-2, 3] }), 0);
  },
  ...each(["softmax", "logSoftmax"], (name) => along(name, isReal)),
  ...each(["sort", "argsort"], (name) => along(name, isReal, { direction: "desc", stable: true })),
  topK: (g) => {
    const x = g.pick(isLine);
    return x && item(call("Nx.topK", ref(x.id), { k: g.r.between(1, x.t.shape.at(-1)!) }), g.r.below(2));
  },
};

const GROUP_OPS = [
  ...["all", "any", "argmax", "argmin", "count", "first", "last", "max", "mean", "median", "min", "mode", "product"],
  ...["standardDeviation", "sum", "variance"],
];

/** A window, and how it goes over a tensor. */
function window(g: Generator, { t }: Value): [number[], Options[]] {
  const dims = t.shape.map((dim) => g.r.between(1, Math.min(dim, 3)));
  const options: Options = {
    ...(g.r.chance(0.5) ? { strides: t.shape.map(() => g.r.between(1, 3)) } : {}),
    ...(g.r.chance(0.5) ? { padding: g.r.pick<Expr>(["same", "valid", t.shape.map(() => [1, 0])]) } : {}),
    ...(g.r.chance(0.2) ? { windowDilations: t.shape.map(() => g.r.between(1, 2)) } : {}),
  };
  return [dims, Object.keys(options).length > 0 ? [options] : []];
}

const windowed = (name: string, ok: (t: Tensor) => boolean): Make => (g) => {
  const x = g.pick((t) => hasAxes(t) && ok(t));
  if (!x) return null;
  const [dims, options] = window(g, x);
  return call(`Nx.${name}`, ref(x.id), dims, ...options);
}; // prettier-ignore

const scattered = (name: string): Make => (g) => {
  const x = g.pick((t) => isLine(t) && sizeOf(t.shape) <= 2000);
  if (!x) return null;
  const [dims] = window(g, x);
  const source = call("Nx.windowMax", ref(x.id), dims, { strides: dims });
  return call(`Nx.${name}`, ref(x.id), source, 0, dims, { strides: dims });
}; // prettier-ignore

const WINDOWS: Rows = {
  ...each(["windowSum", "windowProduct", "windowMean"], (name) => windowed(name, any)),
  ...each(["windowMax", "windowMin"], (name) => windowed(name, isReal)),
  ...each(["windowScatterMax", "windowScatterMin"], scattered),
};

const transform = (name: string, ok: (t: Tensor) => boolean): Make => (g) => {
  const x = g.pick((t) => hasAxes(t) && ok(t) && sizeOf(t.shape) <= 20_000);
  return x && call(`Nx.${name}`, ref(x.id), { axis: g.axis(x.t), ...(g.r.chance(0.3) ? { length: g.r.between(1, 20) } : {}) });
}; // prettier-ignore

const TRANSFORMS: Rows = {
  ...each(["fft", "ifft"], (name) => transform(name, any)),
  rfft: transform("rfft", isReal),
  irfft: transform("irfft", any),
  fftshift: (g) => {
    const x = g.pick(hasAxes);
    return x && call(g.r.pick(["Nx.fftshift", "Nx.ifftshift"]), ref(x.id), { axes: [g.axis(x.t)] });
  },
  fft2: (g) => {
    const x = g.pick((t) => t.shape.length >= 2 && sizeOf(t.shape) <= 5000);
    return x && call(g.r.pick(["Nx.fft2", "Nx.ifft2"]), ref(x.id));
  },
};

/** Whole numbers of at most 8: sums of their products are exact in every order, so that contractions have the same bits everywhere. */
export const whole = ({ id, t }: Value): Expr => {
  if (isInteger(t.type)) return ref(id);
  const part = (name: string) => call("Nx.clip", call("Nx.round", call(name, ref(id))), -8, 8);
  return isComplex(t.type) ? call("Nx.asType", part("Nx.real"), t.type) : call("Nx.clip", call("Nx.round", ref(id)), -8, 8); // prettier-ignore
};

const dot: Make = (g) => {
  const x = g.pick(hasAxes);
  const k = x?.t.shape.at(-1);
  const y = x && g.pick((t) => hasAxes(t) && (t.shape.at(-2) ?? t.shape[0]) === k);
  if (!x || !y) return null;
  const size = (sizeOf(x.t.shape) / k!) * (sizeOf(y.t.shape) / k!);
  if (size > g.most || size * k! > 4e6) return null;
  const [left, right] = [whole(x), whole(y)];
  const plain = (fn: string, e: Expr) => call(fn, e, x.t.shape.map(() => null)); // prettier-ignore
  return call(
    "Nx.dot",
    plain("Nx.rename", left),
    call(
      "Nx.rename",
      right,
      y.t.shape.map(() => null),
    ),
  );
};

const gram: Make = (g) => {
  const x = g.pick((t) => t.shape.length === 2 && t.shape[0]! ** 2 * t.shape[1]! < 3e6 && t.shape[0]! ** 2 <= g.most);
  if (!x) return null;
  const bare = call("Nx.rename", whole(x), [null, null]);
  return g.r.chance(0.5)
    ? call("Nx.dot", bare, call("Nx.transpose", bare))
    : call("Nx.dot", bare, bare, { contract: [[1], [1]] });
};

const batched: Make = (g) => {
  const x = g.pick((t) => t.shape.length === 3 && sizeOf(t.shape) * t.shape[1]! < 1e6);
  if (!x) return null;
  const bare = call("Nx.rename", whole(x), [null, null, null]);
  return call("Nx.dot", bare, bare, { contract: [[2], [2]], batch: [[0], [0]] });
};

const conv: Make = (g) => {
  const x = g.pick((t) => hasAxes(t) && sizeOf(t.shape) >= 4 && sizeOf(t.shape) <= 20_000);
  if (!x) return null;
  const size = sizeOf(x.t.shape);
  const features = size % 2 === 0 && g.r.chance(0.5) ? 2 : 1;
  const image = call("Nx.reshape", whole(x), [1, features, size / features]);
  const kernel = call("Nx.reshape", call("Nx.iota", [features * 3 * 2]), [2, features, 3]);
  const options = { padding: g.r.pick(["same", "valid"]), strides: g.r.between(1, 2) };
  return size / features >= 3 ? call("Nx.conv", image, call("Nx.asType", kernel, x.t.type), options) : null;
};

const outer: Make = (g) => {
  const x = g.pick((t) => sizeOf(t.shape) <= 250);
  const y = g.pick((t) => sizeOf(t.shape) <= 250);
  return x && y && call("Nx.outer", ref(x.id), ref(y.id));
};

export const REDUCTIONS: Rows = { ...REDUCED, ...WINDOWS, ...TRANSFORMS, dot, gram, batched, conv, outer };
