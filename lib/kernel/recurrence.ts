/**
 * Reductions, arg-reductions and scans as data: what is held, what it starts from, how an element joins it and how two of
 * them join, as programs of the kernel language, and the order in which that is done. Who runs a recurrence decides which
 * lanes it goes along; which operations meet in which order is said here.
 */
import { isComplex, isFloat, isInteger, isUnsigned, is64Bit, toReal, type DType } from "../core/types";
import type { ArgReduceOp, CumulativeOp, ReduceOp } from "../ops";
import { Builder } from "./builder";
import { cast } from "./lower/cast";
import { asFloat, asWide, fromStored, load, nonZero, store, type Typed } from "./lower/typed";
import { isWideKind, storageKind, type Kernel, type MaskOf, type NumberKind, type Value } from "./value";

/** Types that values are held in. */
type WorkType = "f32" | "f64" | "s32" | "s64" | "u32" | "u64";

/** The values that are held. */
export type State = readonly Value<NumberKind>[];

/** Going from element to element. */
export interface Steps {
  /** The part of an element that steps take. */
  element(k: Builder, x: Typed): Value<NumberKind>;
  /** The state before the first element: constants, neutral for `step` and `join`. */
  init(k: Builder): State;
  /** The state after an element; `position` is its number, an integer as wide as the element's value. */
  step(k: Builder, state: State, x: Value<NumberKind>, position: Value<NumberKind>): State;
  /** The state after the elements of `left`, then of `right`. */
  join(k: Builder, left: State, right: State): State;
  /** Whether an element that is taken again changes no result. */
  readonly isIdempotent?: boolean;
}

/** A cheaper way through some elements, of which there are at most {@link SHORTCUT_ROWS}. */
export interface Shortcut extends Steps {
  /** What the recurrence itself would hold in the end, where `last` is the position of the last element. */
  close(k: Builder, state: State, last: Value<NumberKind>): State;
  /** Whether it might hold something else, and everything is to be done again. */
  doubt?(k: Builder, state: State): Value;
}

/** Elements of 16 bits whose sums 32 bits hold. */
export const SHORTCUT_ROWS = 2 ** 16;

/** Elements of a block of a tree. */
export const BLOCK = 128;

/**
 * Blocks of elements with so many accumulators each, to which they go in turn; accumulators are joined with those half of
 * them on, again and again, and so are blocks with their neighbours.
 */
interface Tree {
  readonly block: typeof BLOCK;
  readonly accumulators: 8;
}

/**
 * The order of operations. It does not matter (`any`), is a tree, one element after the other (`serial`), or `byFours`: four
 * elements first join each other, as `h + a`, `h + (a + b)`, `h + ((a + b) + c)`, `h + ((a + b) + (c + d))`.
 */
export type Order = "any" | "serial" | "byFours" | Tree;

const TREE: Tree = { block: BLOCK, accumulators: 8 };

export interface Recurrence extends Steps {
  /** Type of the elements that are loaded. */
  readonly type: DType;
  /** Distance of neighbouring elements in memory; 1 where left out. */
  readonly by?: 1 | 2 | -1;
  /** The kernel that makes an element of a loaded one. */
  readonly prologue?: Kernel;
  /** Type of the first value of the state. */
  readonly work: WorkType;
  readonly order: Order;
  /** The result of a state, to be stored as an element of some type. */
  result(state: State): Typed;
  readonly shortcut?: Shortcut;
  /** The steps for lines of up to two elements whose results become f32; see {@link forLength}. */
  readonly ofTwo?: Steps & Held;
}

/** The type of the state, and its result. */
type Held = Pick<Recurrence, "work" | "result">;

const KINDS = { f32: "f32", f64: "f64", s32: "i32", u32: "i32", s64: "i64", u64: "i64" } as const;

/** The kind that values of a work type have. */
export const kindOf = (work: WorkType): NumberKind => KINDS[work];

type Join = (k: Builder, a: Value<NumberKind>, b: Value<NumberKind>) => Value<NumberKind>;

/** Steps that join elements to a single value. */
const joining = (element: Steps["element"], init: (k: Builder) => Value<NumberKind>, join: Join): Steps => ({
  element,
  init: (k) => [init(k)],
  step: (k, [held], x) => [join(k, held!, x)],
  join: (k, [left], [right]) => [join(k, left!, right!)],
});

/** Results of a work type. */
const first = (work: WorkType): Held => ({
  work,
  result: ([held]) => ({ type: work, parts: [held!] }),
});

const add: Join = (k, a, b) => k.add(a, b);
const multiply: Join = (k, a, b) => k.mul(a, b);

/** Elements converted to a work type that holds them. */
const inType =
  (work: WorkType): Steps["element"] =>
  (k, x) => {
    if (work === "f32" || work === "f64") return asFloat(k, x, work);
    return is64Bit(work) ? asWide(k, x) : (x.parts[0] as Value<"i32">);
  };

/** The type that elements of a type are compared in. */
function orderType(type: DType): WorkType {
  if (type === "f64" || type === "s64" || type === "u64") return type;
  if (isFloat(type)) return "f32";
  return isUnsigned(type) ? "u32" : "s32";
}

/** The type that elements are summed and multiplied in. */
const sumType = (type: DType): WorkType => (isFloat(type) ? "f64" : isUnsigned(type) ? "u64" : "s64");

/** The parts of complex numbers are summed by themselves, and their products are none of parts. */
const realOnly =
  (row: (type: DType) => Recurrence) =>
  (type: DType): Recurrence | null =>
    isComplex(type) ? null : row(type);

/**
 * Sums and products of up to two elements of f32, results of which are rounded to it: one operation in f64 that is rounded then
 * gives the same as one in f32 (Figueroa, "When is double rounding innocuous?", 1995).
 */
const inTwo = (type: DType, init: number, join: Join): Pick<Recurrence, "ofTwo"> =>
  type === "f32" ? { ofTwo: { ...first("f32"), ...joining(inType("f32"), (k) => k.f32(init), join) } } : {};

/** A recurrence as lines of so many elements are done with, results of which become elements of a type. */
export const forLength = <R extends Recurrence>(recurrence: R, length: number, out: DType): R =>
  length <= 2 && out === recurrence.ofTwo?.work ? { ...recurrence, ...recurrence.ofTwo } : recurrence;

const arithmetic = (init: number, join: Join) =>
  realOnly((type): Recurrence => {
    const work = sumType(type);
    return {
      type,
      ...first(work),
      order: work === "f64" ? TREE : "any",
      ...joining(inType(work), (k) => k.constant(kindOf(work), init), join),
      ...inTwo(type, init, join),
    };
  });

const sum = arithmetic(0, add);

/** Sums of integers of up to 16 bits: some thousand elements in lanes of 32 bits. */
function narrowSum(type: DType): Recurrence | null {
  const wide = sum(type);
  if (!wide || !SMALL_INTEGERS.has(type)) return wide;
  const shortcut: Shortcut = {
    ...joining(inType("s32"), (k) => k.i32(0), add),
    close: (k, [held]) => [k[isUnsigned(type) ? "extendU" : "extendS"](held as Value<"i32">)],
  };
  return { ...wide, shortcut };
}

const SMALL_INTEGERS: ReadonlySet<DType> = new Set<DType>(["u8", "s8", "u16", "s16"]);

// -------------------------------------------------------------------------------------------------------------- extremes

/** The number of a work type that loses against all others where the least one is sought, or the greatest. */
function worst(k: Builder, work: WorkType, least: boolean): Value<NumberKind> {
  switch (work) {
    case "f32":
    case "f64":
      return k.constant(work, least ? Infinity : -Infinity);
    case "s32":
      return k.i32(least ? 2 ** 31 - 1 : -(2 ** 31));
    case "u32":
      return k.i32(least ? -1 : 0);
    case "s64":
      return least ? k.i64(2 ** 31 - 1, -1) : k.i64(-(2 ** 31), 0);
    case "u64":
      return least ? k.i64(-1, -1) : k.i64(0, 0);
    default:
      return work satisfies never;
  }
}

const isFloatWork = (work: WorkType): work is "f32" | "f64" => work === "f32" || work === "f64";

/** Whether `a` is before `b` in the order that is sought. */
function before(k: Builder, work: WorkType, least: boolean, a: Value<NumberKind>, b: Value<NumberKind>): Value {
  const [low, high] = least ? [a, b] : [b, a];
  return isUnsigned(work) ? k.ltU(low as Value<"i32">, high as Value<"i32">) : k.lt(low, high);
}

const isNaN = (k: Builder, x: Value<NumberKind>): Value => k.ne(x, x);

const select = (k: Builder, mask: Value, yes: Value<NumberKind>, no: Value<NumberKind>): Value<NumberKind> =>
  k.select(mask as Value<MaskOf<NumberKind>>, yes, no);

/** The extreme of two values; NaN wins, and -0 is below 0. */
function extreme(work: WorkType, least: boolean): Join {
  if (!isUnsigned(work)) return (k, a, b) => k[least ? "min" : "max"](a, b);
  return (k, a, b) => k[least ? "minU" : "maxU"](a as Value<"i32">, b as Value<"i32">);
}

/** The extreme of two floats by a compare and a choice: of NaN, or of 0 and -0, the first one. */
const chosen =
  (least: boolean): Join =>
  (k, a, b) =>
    k[least ? "pmin" : "pmax"](a as Value<"f64">, b as Value<"f64">);

/**
 * Extremes of floats by a compare and a choice, one instruction of most machines in place of eight. It drops NaN and does not
 * tell 0 from -0, so there is doubt where either may matter: a sum of the elements is NaN where one of them is (and rarely
 * where none is, which does no harm).
 */
function quickExtreme(work: "f32" | "f64", least: boolean): Shortcut {
  const choose = chosen(least);
  return {
    element: inType(work),
    init: (k) => [worst(k, work, least), k.constant(work, 0)],
    step: (k, [held, total], x) => [choose(k, held!, x), k.add(total!, x)],
    join: (k, [a, s], [b, t]) => [choose(k, a!, b!), k.add(s!, t!)],
    isIdempotent: true,
    close: (_, [held]) => [held!],
    doubt: (k, [held, total]) => k.or(isNaN(k, total!) as Value<"m32">, k.eq(held!, 0) as Value<"m32">),
  };
}

const extremes = (least: boolean) =>
  realOnly((type): Recurrence => {
    const work = orderType(type);
    return {
      type,
      ...first(work),
      order: "any",
      ...joining(inType(work), (k) => worst(k, work, least), extreme(work, least)),
      isIdempotent: true,
      ...(isFloatWork(work) && { shortcut: quickExtreme(work, least) }),
    };
  });

const truth =
  (init: number, join: Join) =>
  (type: DType): Recurrence => ({
    type,
    ...first("s32"),
    order: "any",
    ...joining(
      (k, x) => k.and(k.maskBits(nonZero(k, x)), 1),
      (k) => k.i32(init),
      join,
    ),
  });

/** What a reduction does with elements of a type; null for sums and products of complex numbers. */
export const REDUCTIONS: { readonly [K in ReduceOp]: (type: DType) => Recurrence | null } = {
  sum: narrowSum,
  product: arithmetic(1, multiply),
  reduceMax: extremes(false),
  reduceMin: extremes(true),
  all: truth(1, (k, a, b) => k.and(a as Value<"i32">, b as Value<"i32">)),
  any: truth(0, (k, a, b) => k.or(a as Value<"i32">, b as Value<"i32">)),
};

// ---------------------------------------------------------------------------------------------------------- arg-reductions

type Comparison = (k: Builder, x: Value<NumberKind>, held: Value<NumberKind>) => Value;

/** Whether `x`, which comes after what is held, takes its place: a NaN beats every number, and -0 and 0 are equal. */
const better =
  (work: WorkType, least: boolean, later: boolean): Comparison =>
  (k, x, held) => {
    if (!isFloatWork(work)) {
      return later ? k.not(before(k, work, least, held, x) as Value<"m32">) : before(k, work, least, x, held);
    }
    const isAsGood: Comparison = (_, a, b) => (least ? k.le(a, b) : k.ge(a, b));
    if (later) return k.or(isAsGood(k, x, held) as Value<"m32">, isNaN(k, x) as Value<"m32">);
    // What is held stays where it is as good, or a NaN.
    return k.andnot(k.eq(held, held) as Value<"m32">, isAsGood(k, held, x) as Value<"m32">);
  };

/** An arg-reduction, and what finds the extreme first and its position then. */
export interface Search extends Recurrence {
  readonly shortcut: Shortcut;
  /** Extremes alone, of which NaN is one: less work for an element. */
  readonly extreme: Shortcut;
  /** The shortcut where no element is NaN, which it has doubts about; null for integers. */
  readonly quick: Shortcut | null;
  /** Whether the last of equal values counts. */
  readonly later: boolean;
  /** Whether `x` replaces the held element, which comes before it. */
  readonly better: Comparison;
  /** Whether an element is the extreme. */
  readonly isFound: Comparison;
}

/** Extremes by a compare and a choice, which drop NaN; of floats a mask of those that there were goes with them. */
function extremeOrNaN(work: WorkType, least: boolean): Shortcut {
  if (!isFloatWork(work)) {
    const steps = joining(inType(work), (k) => worst(k, work, least), extreme(work, least));
    return { ...steps, isIdempotent: true, close: (_, state) => state };
  }
  const choose = chosen(least);
  const either = (k: Builder, a: Value, b: Value): Value<NumberKind> => k.or(a as Value<"i64">, b as Value<"i64">);
  return {
    element: inType(work),
    init: (k) => [worst(k, work, least), work === "f64" ? k.i64(0, 0) : k.i32(0)],
    step: (k, [held, nan], x) => [choose(k, held!, x), either(k, nan!, k.maskBits(isNaN(k, x) as Value<"m64">))],
    join: (k, [a, m], [b, n]) => [choose(k, a!, b!), either(k, m!, n!)],
    isIdempotent: true,
    close: (k, [held, nan]) => [select(k, k.ne(nan!, 0), k.constant(work, NaN), held!)],
  };
}

/**
 * Counts how many elements have come since the one that is held, in place of choosing positions: two instructions of most
 * machines in place of three, and no positions are needed on the way.
 */
function byAge(search: Omit<Search, "extreme" | "shortcut" | "quick">, wide: boolean, extreme: Join | null): Shortcut {
  return {
    element: search.element,
    init: (k) => [search.init(k)[0]!, wide ? k.i64(-1, -1) : k.i32(-1)],
    step(k, [held, age], x) {
      const taken = search.better(k, x, held!);
      const older = k.add(age!, 1) as Value<"i64">;
      const value = extreme ? extreme(k, held!, x) : select(k, taken, x, held!);
      return [value, k.andnot(older, k.maskBits(taken as Value<"m64">))];
    },
    join: search.join,
    close: (k, [held, age], last) => [held!, k.sub(last, age!)],
  };
}

/**
 * The same for floats among which there is no NaN: a choice is one instruction, and a comparison another one. The sum of the elements is NaN
 * where one of them is.
 */
function byQuickAge(
  search: Omit<Search, "extreme" | "shortcut" | "quick">,
  work: "f32" | "f64",
  least: boolean,
): Shortcut {
  const wide = work === "f64";
  const choose = chosen(least);
  return {
    element: search.element,
    init: (k) => [worst(k, work, least), wide ? k.i64(-1, -1) : k.i32(-1), k.constant(work, 0)],
    step(k, [held, age, total], x) {
      // Of equal ones the first is chosen.
      const [a, b] = search.later ? [x, held!] : [held!, x];
      const isSecond = k.maskBits(before(k, work, least, b, a) as Value<"m64">);
      const older = k.add(age!, 1) as Value<"i64">;
      return [choose(k, a, b), search.later ? k.and(older, isSecond) : k.andnot(older, isSecond), k.add(total!, x)];
    },
    join: search.join,
    close: (k, [held, age], last) => [held!, k.sub(last, age!)],
    doubt: (k, [, , total]) => isNaN(k, total!),
  };
}

/** Holds the extreme and its position: of equal values the first, or the last one. */
const position =
  (least: boolean) =>
  (type: DType, tie: "low" | "high"): Search => {
    const work = orderType(type);
    const replaces = better(work, least, tie === "high");
    const take: Steps["join"] = (k, [held, index], [x, number]) => {
      const mask = replaces(k, x!, held!);
      return [select(k, mask, x!, held!), select(k, mask, number!, index!)];
    };
    const wide = is64Bit(work) || work === "f64";
    const search = {
      type,
      work,
      order: "any",
      result: ([, index]: State): Typed => ({ type: wide ? "s64" : "s32", parts: [index!] }),
      element: inType(work),
      init: (k: Builder): State => [worst(k, work, least), wide ? k.i64(0, 0) : k.i32(0)],
      step: (k: Builder, state: State, x: Value<NumberKind>, number: Value<NumberKind>) => take(k, state, [x, number]),
      join: take,
      later: tie === "high",
      better: replaces,
      isFound: (k: Builder, x: Value<NumberKind>, extreme: Value<NumberKind>) =>
        isFloatWork(work) ? k.or(k.eq(x, extreme) as Value<"m32">, isNaN(k, x) as Value<"m32">) : k.eq(x, extreme),
    } as const;
    // The extreme of integers of 64 bits is a choice itself.
    const join = isFloatWork(work) || is64Bit(work) ? null : extreme(work, least);
    const quick = isFloatWork(work) ? byQuickAge(search, work, least) : null;
    return { ...search, shortcut: byAge(search, wide, join), quick, extreme: extremeOrNaN(work, least) };
  };

/** What an arg-reduction does with real elements of a type. */
export const ARG_REDUCTIONS: { readonly [K in ArgReduceOp]: (type: DType, tie: "low" | "high") => Search } = {
  argmax: position(false),
  argmin: position(true),
};

// -------------------------------------------------------------------------------------------------------------------- scans

/** Sums and products of floats run in f64; integers wrap, and extremes are of the type itself. */
function scanType(type: DType, isOrder: boolean): WorkType {
  if (isFloat(type)) return type === "f64" || !isOrder ? "f64" : "f32";
  if (is64Bit(type)) return type as "s64" | "u64";
  return isUnsigned(type) ? "u32" : "s32";
}

/** A scan; every state is a result. */
export interface Scan extends Recurrence {
  /**
   * Of extremes of floats, which take many instructions that wait for each other: whether what is held certainly stays, and
   * whether an element certainly takes its place.
   */
  readonly settled?: {
    stays(k: Builder, held: Value<NumberKind>, x: Value<NumberKind>): Value;
    goes(k: Builder, held: Value<NumberKind>, x: Value<NumberKind>): Value;
  };
}

const runningIn = (type: DType, work: WorkType, init: (k: Builder) => Value<NumberKind>, join: Join): Scan => ({
  type,
  ...first(work),
  order: "serial",
  ...joining(inType(work), init, join),
});

/** Starts from -0, since 0 would change the sign of that. Parts of complex numbers are summed by themselves, one after the other. */
function runningSum(of: DType): Scan {
  const type = isComplex(of) ? toReal(of) : of;
  const work = scanType(type, false);
  const row = runningIn(type, work, (k) => k.constant(kindOf(work), isFloatWork(work) ? -0 : 0), add);
  return isFloat(of) && of !== "f64" ? { ...row, order: "byFours", ...inTwo(type, 0, add) } : row;
}

function runningProduct(type: DType): Scan {
  const work = scanType(type, false);
  return { ...runningIn(type, work, (k) => k.constant(kindOf(work), 1), multiply), ...inTwo(type, 1, multiply) };
}

const runningExtreme =
  (least: boolean) =>
  (type: DType): Scan => {
    const work = scanType(type, true);
    const row = runningIn(type, work, (k) => worst(k, work, least), extreme(work, least));
    if (!isFloatWork(work)) return row;
    const stays: NonNullable<Scan["settled"]>["stays"] = (k, held, x) => before(k, work, least, held, x);
    return { ...row, settled: { stays, goes: (k, held, x) => stays(k, x, held) } };
  };

/** What a scan does with real elements of a type. */
export const SCANS: { readonly [K in CumulativeOp]: (type: DType) => Scan } = {
  cumulativeSum: runningSum,
  cumulativeProduct: runningProduct,
  cumulativeMax: runningExtreme(false),
  cumulativeMin: runningExtreme(true),
};

// ------------------------------------------------------------------------------------------------------------------- bodies

/** A part of a program of the kernel language: given values, computed values, and outputs among these. */
export interface Body {
  readonly inputs: readonly Value[];
  /** All values that the outputs need, arguments first; loads that are no inputs read an element. */
  readonly values: readonly Value[];
  readonly outputs: readonly Value[];
}

const GIVEN = { f32: "f32", f64: "f64", i32: "s32", i64: "s64" } as const;

/** The body that `build` makes of values of the kinds that are given. */
export function bodyOf(kinds: readonly NumberKind[], build: (k: Builder, given: State) => readonly Value[]): Body {
  const k = new Builder();
  const inputs = kinds.map((kind) => k.load(k.input(GIVEN[kind])));
  const outputs = build(k, inputs);
  return { inputs, values: k.needs(outputs), outputs };
}

/** The result of what a recurrence holds, or its shortcut, as an element of a type; storing cuts integers. */
export function finishing(recurrence: Recurrence, out: DType, shortcut?: Shortcut | null): Body {
  const steps = shortcut ?? recurrence;
  return bodyOf([...kindsOf(steps), positionKind(steps)], (k, given) => {
    const [state, last] = [given.slice(0, -1), given.at(-1)!];
    const result = recurrence.result(shortcut ? shortcut.close(k, state, last) : state);
    const [part] = result.parts as [Value];
    if (isInteger(out) && isInteger(result.type) && storageKind(out) === part.kind) return [part];
    return store(k, cast(k, result, out, "wrap")!).values;
  });
}

/** The kind of positions: integers as wide as the value that is held first. */
export const positionKind = (steps: Steps): "i32" | "i64" => (isWideKind(kindsOf(steps)[0]!) ? "i64" : "i32");

/** The kinds of the values that are held. */
export const kindsOf = ({ init }: Steps): NumberKind[] => init(new Builder()).map(({ kind }) => kind);

/** An element of a recurrence's operand, loaded as one of a type, as some steps take it. */
export function elementIn(k: Builder, { prologue }: Recurrence, steps: Steps, loaded: DType): Value<NumberKind> {
  const x = load(k, k.input(loaded), loaded);
  if (!prologue) return steps.element(k, x);
  const [values] = k.inlined(prologue, [x.bits ? [x.bits] : x.parts]);
  return steps.element(k, fromStored(k, prologue.outputs[0]!.type, values!));
}

/** The recurrence that `of` gives for a kernel's result, over its only operand, in which the kernel is computed; null where there is none. */
export function composed<R extends Recurrence>(prologue: Kernel, of: (type: DType) => R | null): R | null {
  const inner = of(prologue.outputs[0]!.type);
  return inner && { ...inner, type: prologue.inputs[0]!.type, prologue };
}
