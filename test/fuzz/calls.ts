/**
 * Every public function and method with a wrong number of arguments, wrong kinds of them and wrong options: it works, or it
 * raises an error of the library that names the function.
 */
import * as Nx from "nx-numerics";
import { CALLED, type Called } from "../calls/table";
import { callsOthers, faultOf, isEndless, thrownBy, WRONG } from "../calls/wrong";
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

function check(row: Called, list: readonly unknown[]): string | null {
  const error = thrownBy(() => row.call(...list));
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
  const list = randomList(r, row);
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
