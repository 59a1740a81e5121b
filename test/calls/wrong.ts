/** What functions are called with that is wrong, and what an error of theirs must be. */
import * as Nx from "nx-numerics";
import type { Called } from "./table";

/** What a call throws; generators do when they are read. */
export function thrownBy(call: () => unknown): unknown {
  try {
    const result = call();
    if (typeof result === "object" && result !== null && "next" in result) (result as Iterator<unknown>).next();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** What is wrong with an error that `name` raised, if anything is. */
export function faultOf(name: string, error: unknown): string | undefined {
  if (error === undefined) return "no error";
  if (!(error instanceof Nx.NxError)) return `an error from inside: ${String(error)}`;
  const [text] = error.message.split("; ", 1);
  return new RegExp(`${name.replaceAll(".", "\\.")}(?![\\w$])`).test(text!) ? undefined : `no name: ${error.message}`;
}

/** A tensor whose data is gone. */
export const released = Nx.f32([1, 2]);
Nx.backendDeallocate(released);

/** Values that are wrong for most arguments. */
export const WRONG: readonly unknown[] = [
  null,
  undefined,
  "",
  "nope",
  0,
  NaN,
  -1.5,
  9,
  true,
  false,
  3n,
  Symbol("s"),
  [],
  new Array(3),
  [undefined],
  [null],
  ["nope"],
  [9],
  [[1], [2, 3]],
  {},
  { nope: 1 },
  Object.create(null),
  new Map(),
  new Date(0),
  Promise.resolve(1),
  () => 1,
  Nx.template([2, 2], "f32"),
  released,
  Nx.iota([7]),
  Nx.c64([1]),
  new Uint8Array(3),
];

/** Functions that are called while this one runs raise errors of their own. */
export const callsOthers = (list: readonly unknown[]): boolean =>
  list.some((arg) => typeof arg === "function" || (Array.isArray(arg) && arg.some((item) => Array.isArray(item))));

/** A loop whose condition never changes does not end. */
export const isEndless = ({ name, args }: Called, list: readonly unknown[]): boolean =>
  name.endsWith("whileLoop") && list.some((arg) => typeof arg === "function" && !args.includes(arg));
