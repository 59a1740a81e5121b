/** Steps of single elements: the vocabulary, what is composed of it, choices, conversions. */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { DTYPES, isComplex, isInteger } from "../../../lib/core/types";
import { BINARY, UNARY } from "../../../lib/ops";
import { isCompatible, type Generator, type Make, type Rows, type Value } from "../generate";
import { plainNumber } from "../inputs";
import { call, ref, type Expr, type Options } from "../program";

const isReal = (t: Tensor): boolean => !isComplex(t.type);
const isWhole = (t: Tensor): boolean => isInteger(t.type);
const isFloating = (t: Tensor): boolean => isReal(t) && !isWhole(t);

/** A call as users write it: the function, or the method. */
export function either(g: Generator, name: string, first: Value, ...rest: readonly Expr[]): Expr {
  const isMethod = g.r.chance(0.3) && name in Nx.Tensor.prototype;
  return call(isMethod ? `.${name}` : `Nx.${name}`, ref(first.id), ...rest);
}

const unary =
  (name: string, ok: (t: Tensor) => boolean): Make =>
  (g) => {
    const x = g.pick(ok);
    return x && either(g, name, x);
  };

const binary =
  (name: string, ok: (t: Tensor) => boolean): Make =>
  (g) => {
    const x = g.pick(ok);
    if (!x) return null;
    const y = g.beside(x, ok);
    return g.r.chance(0.15) ? call(`Nx.${name}`, y, ref(x.id)) : either(g, name, x, y);
  };

/** Division, and shifts by places that exist: what they refuse depends on values. */
const WHOLE_DIVISIONS = new Set(["quotient", "idiv"]);
const DIVISIONS = new Set([...WHOLE_DIVISIONS, "remainder", "mod"]);
const SHIFTS = new Set(["leftShift", "rightShift"]);

const guarded =
  (name: string): Make =>
  (g) => {
    const ok = SHIFTS.has(name) || WHOLE_DIVISIONS.has(name) ? isWhole : isReal;
    const x = g.pick(ok);
    if (!x) return null;
    const y = g.beside(x, ok);
    if (SHIFTS.has(name)) return either(g, name, x, g.r.between(0, 9));
    const isPlain = typeof y === "number" || typeof y === "bigint" || g.r.chance(0.2);
    return either(g, name, x, isPlain ? y : call("Nx.select", call("Nx.equal", y, 0), call("Nx.add", y, 3), y));
  };

const REFUSE_COMPLEX = new Set(["floatingReal", "rounding", "ordered", "comparison"]);
const domainOf = (rule: string): ((t: Tensor) => boolean) =>
  rule === "bits" ? isWhole : REFUSE_COMPLEX.has(rule) || rule === "pair" ? isReal : () => true;

const fromTable = (
  table: Readonly<Record<string, { readonly rule: string }>>,
  make: (name: string, ok: (t: Tensor) => boolean) => Make,
): Rows => Object.fromEntries(Object.entries(table).map(([name, { rule }]) => [name, make(name, domainOf(rule))]));

const COMPOSITES: Readonly<Record<string, (t: Tensor) => boolean>> = {
  logSigmoid: isReal,
  swish: isReal,
  square: () => true,
  phase: () => true,
  reciprocal: () => true,
  isFinite: () => true,
  logicalNot: () => true,
  relu: isReal,
  relu6: isReal,
};

/** Functions with numbers as options, and values for these. */
const WITH_OPTIONS: Readonly<Record<string, readonly Options[]>> = {
  celu: [{}, { alpha: 0.5 }],
  elu: [{}, { alpha: 2 }],
  leakyRelu: [{}, { negSlope: 0.2 }],
  softplus: [{ beta: 2 }],
  gelu: [{ approximate: "tanh" }, { approximate: "none" }],
  hardTanh: [{}, { minVal: -0.5, maxVal: 2 }],
  hardSigmoid: [{ alpha: 0.5, beta: 0.25 }],
  selu: [{ alpha: 1.5 }],
  isInfinity: [{ detectPositive: false }, { detectNegative: false }],
};

/** A condition of the shape of a value: u8, or any type. */
export const condition = (g: Generator, x: Value): Expr =>
  isReal(x.t) && g.r.chance(0.8)
    ? call(g.r.pick(["Nx.greater", "Nx.lessEqual", "Nx.notEqual"]), ref(x.id), plainNumber(g.r))
    : call("Nx.notEqual", ref(x.id), 0);

const choice =
  (fn: string): Make =>
  (g) => {
    const x = g.pick();
    const of = x && g.pick((t) => isCompatible(x.t, t, g.most));
    return (
      of &&
      call(
        fn,
        condition(g, x),
        ref(of.id),
        g.beside(of, (t) => isCompatible(x.t, t, g.most)),
      )
    );
  };

const cast: Make = (g) => {
  const x = g.pick();
  if (!x) return null;
  const type = g.r.pick(DTYPES);
  const options = g.r.chance(0.3) ? [{ overflow: g.r.pick(["saturate", "wrap"]) }] : [];
  return g.r.chance(0.5) ? call(`.${type}`, ref(x.id), ...options) : either(g, "asType", x, type, ...options);
};

const SAME_WIDTH: readonly (readonly Nx.DType[])[] = [["u8", "s8"], ["u16", "s16", "f16", "bf16"], ["u32", "s32", "f32"], ["u64", "s64", "f64"]]; // prettier-ignore

/** Bits of NaN are not promised (docs/backends.md, "Bits of NaN"), so that NaN is replaced before bits are looked at. */
const bitcast: Make = (g) => {
  const x = g.pick(isReal);
  if (!x) return null;
  const group = g.r.chance(0.6) ? SAME_WIDTH.find((types) => types.includes(x.t.type))! : g.r.pick(SAME_WIDTH);
  const safe = isFloating(x.t) ? call("Nx.select", call("Nx.isNan", ref(x.id)), 1, ref(x.id)) : ref(x.id);
  return call("Nx.bitcast", safe, g.r.pick(group));
};

const bounds = (g: Generator): [number, number] => {
  const low = g.r.between(-5, 5);
  return [low, low + g.r.between(0, 6)];
};

const OTHERS: Rows = {
  clip: (g) => {
    const x = g.pick(isReal);
    return x && either(g, "clip", x, ...bounds(g));
  },
  clamp: (g) => {
    const x = g.pick(isReal);
    const [min, max] = bounds(g);
    const options = g.r.pick<Options>([{ min, max }, { min }, { max }]);
    return x && call("Nx.clamp", ref(x.id), options);
  },
  lerp: (g) => {
    const x = g.pick(isFloating);
    return x && call("Nx.lerp", ref(x.id), g.beside(x, isFloating), g.r.pick([0, 0.25, 1, -2]));
  },
  divideRounded: (g) => {
    const x = g.pick(isReal);
    if (!x) return null;
    const y = g.beside(x, isReal);
    const safe = call("Nx.select", call("Nx.equal", y, 0), 3, y);
    return call("Nx.divide", ref(x.id), safe, { roundingMode: g.r.pick(["trunc", "floor"]) });
  },
  powWhole: (g) => {
    const x = g.pick();
    return x && either(g, "pow", x, g.r.between(0, 5));
  },
  select: choice("Nx.select"),
  where: choice("Nx.where"),
  asType: cast,
  castAgain: cast,
  bitcast,
  stopGrad: (g) => {
    const x = g.pick();
    return x && call("Nx.Defn.stopGrad", ref(x.id));
  },
};

const optional = (name: string): Make => (g) => {
  const x = g.pick(isReal);
  return x && either(g, name, x, g.r.pick(WITH_OPTIONS[name]!));
}; // prettier-ignore

const named = (names: Iterable<string>, make: (name: string) => Make, mark = ""): Rows =>
  Object.fromEntries([...names].map((name) => [name + mark, make(name)]));

/** Operands whose axes meet by name, in another order and with some that only one has. */
const byName: Make = (g) => {
  const x = g.pick((t) => isReal(t) && t.shape.length > 0 && !t.names.includes(null));
  if (!x) return null;
  const other = g.r.chance(0.5) ? call("Nx.transpose", ref(x.id)) : call("Nx.reduceMax", ref(x.id), 0);
  const [left, right] = g.r.chance(0.5) ? [ref(x.id), other] : [other, ref(x.id)];
  return call(`Nx.byName.${g.r.pick(["add", "subtract", "multiply", "max", "less"])}`, left, right);
};

export const ELEMENTWISE: Rows = {
  byName,
  ...fromTable(UNARY, unary),
  ...fromTable(BINARY, binary),
  ...named([...DIVISIONS, ...SHIFTS], guarded),
  ...named(Object.keys(COMPOSITES), (name) => unary(name, COMPOSITES[name]!)),
  ...named(["copysign", "logAddExp"], (name) => binary(name, isReal)),
  ...named(Object.keys(WITH_OPTIONS), optional, " with options"),
  ...OTHERS,
};

/** The commonest work has a row of its own more, so that programs look like those of users. */
export const COMMON: Rows = {
  ...named(["add", "subtract", "multiply", "divide"], (name) => binary(name, () => true)),
  ...named(["max", "min", "less"], (name) => binary(name, isReal)),
  ...named(["exp", "tanh", "sqrt", "negate"], (name) => unary(name, () => true)),
};
