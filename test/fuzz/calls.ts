/**
 * Every public function and method with a wrong number of arguments, wrong kinds of them, wrong options, and values that are almost right:
 * it works, or it raises an error of the library that names the function.
 */
import * as Nx from "nx-numerics";
import { CALLED, type Called } from "../calls/table";
import { callsOthers, faultOf, isEndless, released, thrownBy, WRONG } from "../calls/wrong";
import { broken } from "./generate";
import type { Found, Kind, Tally } from "./kind";
import { Random } from "./random";

/** Values that are right for one function or the other. */
const RIGHT: readonly unknown[] = [
  Nx.iota([2, 3], { names: ["x", "y"] }),
  Nx.eye(2, { type: "f32" }),
  Nx.Random.key(1),
  Nx.f64(0.5),
  [2, 2],
  1,
  "f32",
  "binary",
  (x: unknown) => x,
];

/** Values with their place in a list, for the example. */
const anyValue = (r: Random): unknown => (r.chance(0.7) ? r.pick(WRONG) : r.pick(RIGHT));

/** Numbers that are no sizes, positions or shares, or hardly ever; none makes an array that the host has only just room for. */
const NUMBERS = [0, -1, -0, 0.5, NaN, Infinity, -Infinity, 2, 3, 7, 300, -9, -(2 ** 31) - 1, 2 ** 33, 2 ** 40, 2 ** 53, -(2 ** 53), 1e308, 5e-324]; // prettier-ignore

const WORDS = ["x", "y", "z", "", "f64", "u8", "c64", "nope", "__proto__", "constructor"];

/** Tensors of other types, ranks, names, values and backends. */
const TENSORS: readonly Nx.Tensor[] = [
  Nx.f32([0.5, NaN, -1]),
  Nx.s64([-1, 5]),
  Nx.u64([2n ** 63n]),
  Nx.c64([new Nx.Complex(1, NaN)]),
  Nx.tensor(-3),
  Nx.f16([[1, 2], [3, 4]]),
  Nx.iota([2, 3], { names: ["y", "x"] }),
  Nx.iota([1, 1, 1, 1, 1, 1]),
  Nx.s8([[-128, 127]]),
  Nx.bf16([Infinity, 0]),
  Nx.backendCopy(Nx.f32([1, 2]), "binary"),
  Nx.vectorize(Nx.iota([2, 3], { names: ["x", "y"] }), "x"),
  Nx.vectorize(Nx.iota([5, 3], { names: ["v", "y"], type: "f32" }), "v"),
]; // prettier-ignore

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A list with a hole. */
function holed(list: readonly unknown[], at: number): unknown[] {
  const copy = list.slice();
  delete copy[at];
  return copy;
}

/** Something of the kind of a right value: another number, word or tensor, a list with an item changed, gone, twice or a hole. */
function near(r: Random, value: unknown): unknown {
  if (r.chance(0.1)) return anyValue(r);
  if (typeof value === "number") return r.pick(NUMBERS);
  if (typeof value === "bigint") return r.pick([-1n, 0n, 2n ** 70n]);
  if (typeof value === "string") return r.pick(WORDS);
  if (value instanceof Nx.Tensor) return r.pick(TENSORS);
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const at = r.below(list.length);
    if (r.chance(0.2)) return [...list, list[at]];
    if (r.chance(0.2)) return holed(list, at);
    return r.chance(0.2) ? list.slice(1) : list.map((item, i) => (i === at ? near(r, item) : item));
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  const at = r.below(entries.length);
  return Object.fromEntries(entries.map(([key, item], i) => [key, i === at ? near(r, item) : item]));
}

/** A right call with one value beside what it may be. */
function almost(r: Random, { args, options }: Called): readonly unknown[] {
  const full = options ? [...args, options] : [...args];
  const at = r.below(full.length);
  return full.map((arg, i) => (i === at ? near(r, arg) : arg));
}

/** Numbers of rounds may be any. */
const isLoop = ({ name }: Called): boolean => name.endsWith("foriLoop");

function randomList(r: Random, { args, options }: Called): readonly unknown[] {
  const full = options ? [...args, options] : [...args];
  const wrong = full.map((arg) => (r.chance(0.4) ? anyValue(r) : arg));
  switch (r.below(5)) {
    case 0:
      return wrong.slice(0, r.below(wrong.length + 1));
    case 1:
      return [...wrong, ...Array.from({ length: r.between(1, 2) }, () => anyValue(r))];
    case 2: {
      const keys = Object.keys(options ?? { axes: 0 });
      const spoiled = Object.fromEntries(keys.map((key) => [key, r.chance(0.6) ? anyValue(r) : Reflect.get(options ?? {}, key)]));
      return [...args, r.chance(0.2) ? { ...spoiled, [r.pick(["axis", "nope", "type"])]: anyValue(r) } : spoiled];
    }
    default:
      return wrong;
  }
} // prettier-ignore

/** A value as code, for those that occur here. */
function textOf(value: unknown): string {
  if (value instanceof Nx.Tensor) return `Nx.template([${value.shape}], "${value.type}") /* ${value.backend.name} */`;
  if (typeof value === "function") return "(x) => x";
  if (typeof value === "symbol") return "Symbol()";
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return value.length === 0 || 0 in value ? `[${value.map(textOf).join(", ")}]` : `new Array(${value.length})`; // prettier-ignore
  if (typeof value !== "object" || value === null) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto === null) return "Object.create(null)";
  if (proto !== Object.prototype) return `new ${proto.constructor.name}()`;
  return `{ ${Object.entries(value).map(([key, part]) => `${key}: ${textOf(part)}`).join(", ")} }`; // prettier-ignore
} // prettier-ignore

/** Refuses a tensor that is none: without a size or a name for each axis, or without elements. */
function whole(result: unknown): unknown {
  const isThere = result instanceof Nx.Tensor && ["binary", "wasm"].includes(result.backend.name);
  const wrong = isThere ? broken(result) : null;
  if (wrong !== null) throw new Error(wrong);
  if (isThere && result !== released) result.toBinary();
  return result;
}

function check(row: Called, list: readonly unknown[]): string | null {
  const error = thrownBy(() => whole(row.call(...list)));
  const wrong = error === undefined ? undefined : faultOf(row.name, error);
  const isOthers = error instanceof Nx.NxError && /^Nx\.\w/.test(error.message) && callsOthers(list);
  return wrong === undefined || isOthers ? null : wrong;
}

/** Functions that print do not while they are tried. */
function quietly<T>(fn: () => T): T {
  const { log } = console;
  console.log = () => undefined;
  try {
    return fn();
  } finally {
    console.log = log;
  }
}

function checkCall(seed: number, tally: Tally): Found | null {
  const r = new Random(seed);
  const row = r.pick(CALLED);
  const list = r.chance(0.4) && !isLoop(row) ? almost(r, row) : randomList(r, row);
  tally.programs++;
  tally.use([row.name]);
  if (isEndless(row, list)) return null;
  tally.checks++;
  const wrong = quietly(() => check(row, list));
  Nx.globalDefaultBackend("auto");
  Nx.configureFromFile({}, "a call");
  if (wrong === null) return null;
  return { message: `${row.name}: ${wrong}`, example: `${row.name}(${list.map(textOf).join(", ")});\n` };
}

export const calls: Kind = {
  name: "calls",
  about: "every public function and method with wrong arguments and options: it works, or an `NxError` names it",
  run: checkCall,
};
