/**
 * Functions that ONNX has no operator for, or onnxruntime none of double precision, in operations that it has. Each is computed in the
 * arithmetic given, of `f32` or `f64`, and what rounds to `f32` is computed in `f64` where `f32` would lose digits.
 */
import { Arithmetic } from "./numbers";
import type { Value } from "./ir";

/** The function in f64, rounded to the type of the operand. */
function inDouble(f: Arithmetic, x: Value, write: (d: Arithmetic, x: Value) => Value): Value {
  if (f.type === "f64") return write(f, x);
  return f.e.cast(write(new Arithmetic(f.e, "f64"), f.e.cast(x, "f64")), f.type);
}

/** By Kahan: both roundings of 1 + x cancel. */
export function log1p(f: Arithmetic, x: Value): Value {
  const u = f.add(x, 1);
  const d = f.sub(u, 1);
  const isInfinite = f.isInfinite(u);
  const isEdge = f.e.logic("Or", f.is("Equal", d, 0), isInfinite);
  const log = f.of("Log", u);
  return f.where(isEdge, f.where(isInfinite, log, x), f.mul(log, f.div(x, d)));
}

/** By Kahan. */
export function expm1(f: Arithmetic, x: Value): Value {
  const u = f.of("Exp", x);
  const d = f.sub(u, 1);
  const isEdge = f.e.logic("Or", f.is("Equal", d, -1), f.isInfinite(u));
  const usual = f.mul(d, f.div(x, f.of("Log", u)));
  return f.where(f.is("Equal", u, 1), x, f.where(isEdge, d, usual));
}

export const log2 = (f: Arithmetic, x: Value): Value => inDouble(f, x, (d, y) => d.mul(d.of("Log", y), Math.LOG2E));
export const log10 = (f: Arithmetic, x: Value): Value => inDouble(f, x, (d, y) => d.mul(d.of("Log", y), Math.LOG10E));
export const exp2 = (f: Arithmetic, x: Value): Value => inDouble(f, x, (d, y) => d.of("Pow", d.k(2), y));
export const rsqrt = (f: Arithmetic, x: Value): Value => f.of("Reciprocal", f.of("Sqrt", x));

/** A power, and one step of Newton. */
export const cbrt = (f: Arithmetic, x: Value): Value =>
  inDouble(f, x, (d, y) => {
    const size = d.of("Abs", y);
    const root = d.of("Pow", size, d.k(1 / 3));
    const square = d.mul(root, root);
    const step = d.div(d.sub(d.mul(square, root), size), d.mul(square, 3));
    const isEdge = d.e.logic("Or", d.is("Equal", size, 0), d.isInfinite(size));
    return d.mul(d.of("Sign", y), d.where(isEdge, size, d.sub(root, step)));
  });

/** Towards zero. */
export const trunc = (f: Arithmetic, x: Value): Value => f.where(f.is("Less", x, 0), f.of("Ceil", x), f.of("Floor", x));

/** Halves away from zero. */
export function round(f: Arithmetic, x: Value): Value {
  const whole = trunc(f, x);
  const isUp = f.is("GreaterOrEqual", f.of("Abs", f.sub(x, whole)), 0.5);
  return f.where(isUp, f.add(whole, f.of("Sign", x)), whole);
}

/** Of e^-|x|, so that neither side loses what is small; the operator of onnxruntime is 0 where that is less than 1e-19. */
export function sigmoid(f: Arithmetic, x: Value): Value {
  const share = f.of("Exp", f.of("Neg", f.of("Abs", x)));
  return f.div(f.where(f.is("Less", x, 0), share, 1), f.add(share, 1));
}

export const softplus = (f: Arithmetic, x: Value): Value =>
  f.add(f.of("Max", x, f.k(0)), log1p(f, f.of("Exp", f.of("Neg", f.of("Abs", x)))));

/** log(e^a + e^b). */
export function logAddExp(f: Arithmetic, a: Value, b: Value): Value {
  const isSame = f.is("Equal", a, b); // infinities among them
  const distance = f.where(isSame, 0, f.of("Abs", f.sub(a, b)));
  return f.add(f.of("Max", a, b), log1p(f, f.of("Exp", f.of("Neg", distance))));
}

/** log(erfc(x) e^(x^2) (1 + x / 2)) in Chebyshev polynomials of 4 / (1 + x / 2) - 2, for x from 0 on. */
const TAIL = [
  -0.6513268598908547, 0.6419697923564902, 0.019476473204185836, -0.009561514786808632, -0.0009465953444820369,
  0.00036683949785276145, 4.252332480690777e-5, -2.0278578112534242e-5, -1.6242900046470252e-6, 1.303655835580523e-6,
  1.5626441722066403e-8, -8.523809591492679e-8, 6.52905443909909e-9, 5.0593434955512435e-9, -9.913641564928205e-10,
  -2.2736512229338222e-10, 9.646791102033932e-11, 2.394038082870295e-12, -6.8860275263445515e-12, 8.9448792717242e-13,
  3.1309214005412527e-13, -1.1270822371626328e-13, 3.8109061051509293e-16, 7.106097546502487e-15,
  -1.5230281524725517e-15, -9.457497640535273e-17, 1.2102373121629248e-16, -2.816662473011743e-17,
];

/** erfc of numbers from 0 on, in f64. */
function erfcRight(d: Arithmetic, x: Value): Value {
  const t = d.div(2, d.add(x, 2));
  const y = d.sub(d.mul(t, 4), 2);
  let [next, after] = [d.k(0), d.k(0)];
  for (let i = TAIL.length - 1; i > 0; i--) [next, after] = [d.add(d.sub(d.mul(y, next), after), TAIL[i]!), next];
  const log = d.add(d.sub(d.mul(d.mul(y, 0.5), next), after), TAIL[0]!);
  return d.mul(t, d.of("Exp", d.sub(log, d.mul(x, x))));
}

/** (-1)^n 2 / (sqrt(pi) n! (2n + 1)). */
const NEAR = Array.from({ length: 16 }, (_, n) => {
  let factorial = 1;
  for (let i = 2; i <= n; i++) factorial *= i;
  return ((n % 2 === 0 ? 2 : -2) / Math.sqrt(Math.PI) / factorial) * (1 / (2 * n + 1));
});

/** Up to here erf is its Taylor series. */
const NEAR_END = 0.7;

/** erf and erfc in f64. */
function errors(d: Arithmetic, x: Value): { readonly erf: Value; readonly erfc: Value } {
  const size = d.of("Abs", x);
  const bounded = d.of("Min", size, d.k(NEAR_END));
  const near = d.mul(bounded, d.polynomial(d.mul(bounded, bounded), NEAR));
  const right = erfcRight(d, d.of("Min", size, d.k(30)));
  const isNear = d.is("LessOrEqual", size, NEAR_END);
  const signed = d.mul(d.of("Sign", x), d.where(isNear, near, d.sub(1, right)));
  const isLeft = d.is("Less", x, 0);
  return { erf: signed, erfc: d.where(isNear, d.sub(1, signed), d.where(isLeft, d.sub(2, right), right)) };
}

/** In f64; `f32` has an operator. */
export const erf = (f: Arithmetic, x: Value): Value => errors(f, x).erf;

/** erfc(x) e^(x^2) for x from 0 to 10.1, to 2^-27.3. */
const ERFC = {
  above: [1.0000000057398148, 1.2384281890940363, 0.7316228008512641, 0.22922771867722896, 0.03279839954859135],
  below: [1, 2.3668079350189677, 2.4022702204307977, 1.3254034370462842, 0.40632195222163603, 0.058132950846626875],
};

export function erfc(f: Arithmetic, x: Value): Value {
  if (f.type === "f64") return errors(f, x).erfc;
  return inDouble(f, x, (d, y) => {
    const a = d.of("Min", d.of("Abs", y), d.k(10.1));
    const gauss = d.of("Exp", d.of("Neg", d.mul(a, a)));
    const right = d.div(d.mul(gauss, d.polynomial(a, ERFC.above)), d.polynomial(a, ERFC.below));
    return d.where(d.is("Less", y, 0), d.sub(2, right), right);
  });
}

/** erfInv(x) / x in -log(1 - x^2) up to 16, to 2^-26.1. */
const INVERSE = {
  above: [
    0.8862269371323004, 0.30654308441737965, 0.0595896378763224, 0.007765641750353495, 0.0006438957493080989,
    2.4311343352677783e-5,
  ],
  below: [
    1, 0.08409781311485502, 0.032189269512891194, 0.0018770875791238129, 0.0001795282726026103, 1.29075127761555e-6,
  ],
};

/** A quotient of polynomials, in f64 with one step of Halley after it; infinite at -1 and 1, NaN beyond. */
export const erfInv = (f: Arithmetic, x: Value): Value =>
  inDouble(f, x, (d, y) => {
    const size = d.of("Abs", y);
    const below = d.sub(1, size);
    const w = d.of("Neg", d.of("Log", d.mul(below, d.add(size, 1))));
    const usual = d.div(d.mul(y, d.polynomial(w, INVERSE.above)), d.polynomial(w, INVERSE.below));
    const exact = f.type === "f64" ? refined(d, y, size, below, usual) : usual;
    return d.where(d.is("Less", size, 1), exact, d.where(d.is("Equal", size, 1), d.mul(y, Infinity), NaN));
  });

/** Nearer to the root of erf(z) = x; of erfc(z) = 1 - x where erf is near 1. */
function refined(d: Arithmetic, x: Value, size: Value, below: Value, start: Value): Value {
  const z = d.of("Abs", start);
  const { erf: at, erfc: rest } = errors(d, z);
  const error = d.where(d.is("Less", size, 0.5), d.sub(at, size), d.sub(below, rest));
  const step = d.div(error, d.mul(d.of("Exp", d.of("Neg", d.mul(z, z))), 2 / Math.sqrt(Math.PI)));
  return d.mul(d.of("Sign", x), d.sub(z, d.div(step, d.add(d.mul(z, step), 1))));
}

/** The angle whose tangent is x, in f64: that of f32, and what is left of it. */
export function atan(d: Arithmetic, x: Value): Value {
  const size = d.of("Abs", x);
  const isFar = d.is("Greater", size, 1);
  const near = d.where(isFar, d.of("Reciprocal", size), size);
  const rough = d.e.cast(d.e.op("Atan", [d.e.cast(near, "f32")], "f32", x.shape), "f64");
  const [sine, cosine] = [d.of("Sin", rough), d.of("Cos", rough)];
  const rest = d.div(d.sub(d.mul(near, cosine), sine), d.add(cosine, d.mul(near, sine)));
  const angle = d.add(rough, rest);
  return d.mul(d.of("Sign", x), d.where(isFar, d.sub(Math.PI / 2, angle), angle));
}

export const tan = (d: Arithmetic, x: Value): Value => d.div(d.of("Sin", x), d.of("Cos", x));
export const asin = (d: Arithmetic, x: Value): Value =>
  atan(d, d.div(x, d.of("Sqrt", d.mul(d.sub(1, x), d.add(x, 1)))));
export const acos = (d: Arithmetic, x: Value): Value =>
  d.mul(atan(d, d.of("Sqrt", d.div(d.sub(1, x), d.add(x, 1)))), 2);

/** (e^|x| - 1 + (e^|x| - 1) / e^|x|) / 2 with the sign of x. */
export function sinh(d: Arithmetic, x: Value): Value {
  const size = d.of("Abs", x);
  const half = expm1(d, d.mul(size, 0.5));
  const grown = expm1(d, size);
  const usual = d.mul(d.add(grown, d.div(grown, d.add(grown, 1))), 0.5);
  const root = d.add(half, 1); // e^(|x| / 2), where e^|x| is beyond the type
  const large = d.mul(d.mul(root, 0.5), root);
  return d.mul(d.of("Sign", x), d.where(d.is("Greater", size, 40), large, usual));
}

export function cosh(d: Arithmetic, x: Value): Value {
  const root = d.of("Exp", d.mul(d.of("Abs", x), 0.5));
  return d.add(d.mul(d.mul(root, 0.5), root), d.div(0.5, d.mul(root, root)));
}

export const asinh = (f: Arithmetic, x: Value): Value =>
  inDouble(f, x, (d, y) => {
    const size = d.of("Abs", y);
    const bounded = d.of("Min", size, d.k(1e150));
    const square = d.mul(bounded, bounded);
    const usual = log1p(d, d.add(bounded, d.div(square, d.add(d.of("Sqrt", d.add(square, 1)), 1))));
    const far = d.add(d.of("Log", size), Math.LN2);
    return d.mul(d.of("Sign", y), d.where(d.is("Greater", size, 1e150), far, usual));
  });

export function acosh(d: Arithmetic, x: Value): Value {
  const above = d.sub(x, 1);
  const usual = log1p(d, d.add(above, d.mul(d.of("Sqrt", above), d.of("Sqrt", d.add(x, 1)))));
  return d.where(d.is("Greater", x, 1e150), d.add(d.of("Log", x), Math.LN2), usual);
}

export function atanh(d: Arithmetic, x: Value): Value {
  const size = d.of("Abs", x);
  return d.mul(d.of("Sign", x), d.mul(log1p(d, d.div(d.mul(size, 2), d.sub(1, size))), 0.5));
}

/** By atan of the quotient; signs of zeros decide sides. */
export function atan2(d: Arithmetic, y: Value, x: Value): Value {
  const [up, right] = [d.of("Abs", y), d.of("Abs", x)];
  const isSteep = d.is("Greater", up, right);
  const both = d.e.logic("And", d.isInfinite(up), d.isInfinite(right));
  const origin = d.e.logic("And", d.is("Equal", up, 0), d.is("Equal", right, 0));
  const [small, large] = [d.where(isSteep, right, up), d.where(isSteep, up, right)];
  const quotient = d.where(both, 1, d.where(origin, 0, d.div(small, large)));
  const flat = d.type === "f64" ? atan(d, quotient) : d.of("Atan", quotient);
  const turned = d.where(isSteep, d.sub(Math.PI / 2, flat), flat);
  // 1 / -0 is negative, which -0 < 0 is not
  const isNegative = (value: Value) =>
    d.e.logic("Or", d.is("Less", value, 0), d.is("Equal", d.of("Reciprocal", value), -Infinity));
  const angle = d.where(isNegative(x), d.sub(Math.PI, turned), turned);
  return d.where(isNegative(y), d.of("Neg", angle), angle);
}
