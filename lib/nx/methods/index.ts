/**
 * Installs the methods of tensors: the functions of `list.ts` with the tensor in front. Their types are generated of that list.
 */
import type { TensorMethods } from "../../generated/methods";
import { SymbolicTemplate, symbolicUsed } from "../../core/dims";
import { methodEntry } from "../../core/entry";
import { Tensor } from "../../tensor";
import { installElsewhere } from "../elsewhere/methods";
import { defineMethod } from "../methods-of-any";
import { iteratorOf } from "../rows";
import * as list from "./list";

type AnyFunction = (tensor: never, ...args: never[]) => unknown;

const METHODS: { readonly [K in Extract<keyof TensorMethods, string>]: AnyFunction } = list;

/** Puts the methods on the prototype, not enumerable, as methods of a class are. */
export function installMethods(): void {
  installElsewhere();
  Object.defineProperty(Tensor.prototype, Symbol.iterator, {
    get(this: Tensor) {
      return iteratorOf(this);
    },
    configurable: true,
  });
  for (const [name, fn] of Object.entries(METHODS) as [string, AnyFunction][]) {
    defineMethod(name, NOT_OPERATIONS.has(name) ? plainMethod(name, fn) : methodEntry(`Nx.${name}`, fn, MOST[name]));
    refuseSymbolic(name);
  }
}

/** Arguments of functions with rest parameters, the tensor among them. */
const MOST: Readonly<Record<string, number>> = { align: Infinity, at: Infinity, dot: 6 };

/** A method that the language calls, with arguments of its own. */
function plainMethod(name: string, fn: AnyFunction): AnyFunction {
  const call = fn as unknown as (tensor: Tensor, ...args: unknown[]) => unknown;
  const method = function (this: Tensor, ...args: unknown[]): unknown {
    return call(this, ...args);
  };
  return Object.defineProperty(method, "name", { value: name });
}

/** Methods that any object may have. */
const NOT_OPERATIONS: ReadonlySet<string> = new Set(["equals", "hashCode", "toJSON", "toString"]);

/** A template with named sizes is no tensor, but says why where it is used like one. */
function refuseSymbolic(name: string): void {
  if (NOT_OPERATIONS.has(name)) return;
  const value = function (this: SymbolicTemplate): never {
    throw symbolicUsed(this, `Nx.${name}`);
  };
  Object.defineProperty(SymbolicTemplate.prototype, name, { value, writable: true, configurable: true });
}
