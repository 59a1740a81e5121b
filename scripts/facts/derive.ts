/** What a function does to types, whether it has a gradient and what it costs: found by calling it, as the table of calls has it. */
import * as Nx from "nx-numerics";
import { DTYPES, type DType } from "../../lib/core/types";
import type { Called } from "../../test/calls/table";

type Put = (tensor: Nx.Tensor) => unknown;

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A value with others in place of its tensors. */
function replaced(value: unknown, put: Put): unknown {
  if (value instanceof Nx.Tensor) return put(value);
  if (Array.isArray(value)) return value.map((one) => replaced(one, put));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, put)]));
}

function tensorsOf(value: unknown): Nx.Tensor[] {
  const found: Nx.Tensor[] = [];
  replaced(value, (tensor) => found.push(tensor));
  return found;
}

/** A call with its tensors as parameters. */
export interface Call {
  readonly tensors: readonly Nx.Tensor[];
  readonly fn: (...tensors: readonly unknown[]) => unknown;
}

/** A call without options where the function can do without them, or one with those of its row. */
export function callOf({ args, options, isBound, call }: Called, hasOptions = isBound): Call {
  const all = [...args, ...(hasOptions ? [options] : [])];
  return {
    tensors: tensorsOf(all),
    fn: (...tensors) => {
      const rest = [...tensors];
      return call(...(replaced(all, () => rest.shift()) as unknown[]));
    },
  };
}

/** The tensors whose type decides: those of f32 where there are any, else those of the first's type. */
const deciding = ({ tensors }: Call): DType | undefined =>
  (tensors.find(({ type }) => type === "f32") ?? tensors[0])?.type;

const CLASSES: readonly (readonly [string, (type: DType) => boolean])[] = [
  ["everything", () => true],
  ["whole numbers", Nx.Type.isInteger],
  ["floats", (type) => Nx.Type.isFloat(type) && !Nx.Type.isComplex(type)],
  ["complex numbers", (type) => Nx.Type.isComplex(type)],
];

/** Types in words: classes of which all are there, and the others one by one. */
function inWords(types: readonly DType[]): string {
  const left = new Set(types);
  const words = CLASSES.flatMap(([name, isIn]) => {
    const all = DTYPES.filter(isIn);
    if (!all.every((type) => left.has(type))) return [];
    for (const type of all) left.delete(type);
    return [name];
  });
  return [...words, ...[...left].map((type) => `\`${type}\``)].join(", ");
}

/** The types of a result's tensors; refused where the call is. */
function typeOf(call: Call, from: DType, type: DType): string {
  try {
    const result = call.fn(...call.tensors.map((t) => (t.type === from ? Nx.asType(t, type) : t)));
    const found = [...new Set(tensorsOf(result).map((t) => t.type))];
    const told = (one: DType): string => (one === type && found.length > 1 ? "as they are" : `\`${one}\``);
    return found.map(told).join(" and ") || "no tensor";
  } catch (error) {
    if (error instanceof Nx.NxError) return "refused";
    throw error;
  }
}

/** Which type comes of which. */
export function typesOf(call: Call): string | null {
  const from = deciding(call);
  if (from === undefined) return null;
  const results = new Map(DTYPES.map((type) => [type, typeOf(call, from, type)]));
  const isKept = (type: DType): boolean => results.get(type) === `\`${type}\``;
  /** A type that is kept while others of its class become it is one of those. */
  const isOneOfMany = (type: DType): boolean => {
    const [, isIn] = CLASSES.findLast(([, fits]) => fits(type))!;
    const others = DTYPES.filter((one) => one !== type && results.get(one) === `\`${type}\``);
    return others.length > 0 && !DTYPES.filter(isIn).every(isKept);
  };
  const groups = new Map<string, DType[]>();
  for (const [type, result] of results) {
    const to = isKept(type) && !isOneOfMany(type) ? "as they are" : result;
    groups.set(to, [...(groups.get(to) ?? []), type]);
  }
  if ([...groups.keys()].every((to) => to === "no tensor" || to === "refused")) return null;
  if (groups.size === 1 && groups.has("as they are")) return "as the operand";
  return [...groups].map(([to, types]) => `${inWords(types)}: ${to}`).join("; ");
}

/** A number that hangs on every element of a result. */
function weighted(result: unknown): Nx.Tensor {
  const floats = tensorsOf(result).filter(({ type }) => Nx.Type.isFloat(type) || Nx.Type.isComplex(type));
  if (floats.length === 0) throw new RangeError("no floats");
  const totals = floats.map((t) => {
    const flat = Nx.flatten(
      Nx.devectorize(Nx.Type.isComplex(t.type) ? Nx.add(Nx.real(t), Nx.imag(t)) : t, { keepNames: false }),
    );
    return Nx.sum(Nx.multiply(flat, Nx.sin(Nx.iota([flat.size], { type: "f64" }).add(1))));
  });
  return totals.reduce((sum, total) => Nx.add(sum, total));
}

/** A call whose plain numbers are tensors, as parameters of a distribution may be. */
export const withNumbers = (called: Called): Called => ({
  ...called,
  args: called.args.map((arg) => (typeof arg === "number" ? Nx.f64(arg) : arg)),
});

const isFloat = ({ type }: Nx.Tensor): boolean => Nx.Type.isFloat(type);

/** Whether some slope of a call's floats differs from zero. */
function hasSlope(call: Call, floats: readonly Nx.Tensor[]): boolean {
  const loss = (given: readonly Nx.Tensor[]): Nx.Tensor => {
    const rest = [...given];
    return weighted(call.fn(...call.tensors.map((t) => (isFloat(t) ? rest.shift() : t))));
  };
  const slopes = Nx.grad(loss)([...floats]) as readonly Nx.Tensor[];
  return slopes.some((slope) =>
    Nx.abs(slope)
      .asType("f64")
      .toFloat64Array()
      .some((value) => value !== 0),
  );
}

/** Operands at which a slope that is zero by chance is not: complex ones, and longer ones. */
const ELSEWHERE: readonly ((t: Nx.Tensor) => Nx.Tensor)[] = [
  (t) => Nx.complex(t, Nx.multiply(t, 0.5)),
  (t) => (t.rank === 0 ? t : Nx.concatenate([t, Nx.sin(Nx.multiply(t, 7))])),
];

function hasSlopeElsewhere(call: Call, floats: readonly Nx.Tensor[]): boolean {
  return ELSEWHERE.some((moved) => {
    try {
      return hasSlope(call, floats.map(moved));
    } catch {
      return false; // these operands are not for this function
    }
  });
}

/** Whether slopes come through, by differentiating the call. */
export function gradientOf(call: Call): string {
  const floats = call.tensors.filter(isFloat).map((t) => Nx.asType(t, "f64"));
  if (floats.length === 0) return "none: its operands have no floats";
  try {
    if (hasSlope(call, floats) || hasSlopeElsewhere(call, floats)) return "yes";
    return "zero everywhere: the result changes in steps, or not at all";
  } catch (error) {
    if (error instanceof RangeError) return "none: no result has floats";
    if (error instanceof Nx.NxError) return `none: ${error.message.split(/[;:.] /)[0]}`;
    throw error;
  }
}

export interface Traced {
  readonly call: Call;
  readonly ops: ReadonlySet<string>;
  readonly cost: string;
}

const bytes = (count: number): string => `${count} byte${count === 1 ? "" : "s"}`;

function traced(call: Call): Traced {
  const { fn, tensors } = call;
  const { nodes, totals } = Nx.Defn.explain(fn as (...given: Nx.Tensor[]) => Nx.Tensor)(...(tensors as Nx.Tensor[]));
  const operations = nodes.filter(({ role }) => role === "operation").map(({ text }) => /^\w+/.exec(text)![0]);
  const { flops, kernels, bytesRead, bytesWritten } = totals;
  const of = tensors.map((t) => `\`${Nx.inspect(Nx.toTemplate(t)).split("\n")[1]!.trim()}\``).join(", ");
  const work = `${flops} operation${flops === 1 ? "" : "s"} in ${kernels} kernel${kernels === 1 ? "" : "s"}`;
  const moved = `${bytes(bytesRead)} read, ${bytes(bytesWritten)} written`;
  return { call, ops: new Set(operations), cost: `${of ? `of ${of}: ` : ""}${work}, ${moved}` };
}

/** The operations of a call and what they cost as a compiled function, with options if it asks for them; null where it is not traced. */
export function tracedOf(called: Called): Traced | null {
  for (const hasOptions of [called.isBound, called.options !== undefined]) {
    try {
      return traced(callOf(called, hasOptions));
    } catch (error) {
      if (!(error instanceof Nx.NxError)) throw error;
    }
  }
  return null;
}
