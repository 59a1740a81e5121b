/**
 * What every tensor does, in a program that has no further methods as well: it shows itself, converts to a number where the language asks
 * for one, refuses assignments, and lets go of its data at the end of a `using` block.
 */
import { configured } from "../core/config";
import { raisedAt } from "../core/entry";
import { ArgumentError, DefnError } from "../core/errors";
import { formatShape } from "../core/shape";
import { Tensor } from "../tensor";
import { backendDeallocate } from "./backend";
import { toNumber } from "./conversion";
import { inspect } from "./inspect";
import { tableOf } from "./print";

/** The call that makes a tensor with a changed property. */
const FIXED = {
  type: "t.asType(type)",
  shape: "t.reshape(shape)",
  names: "t.rename(names)",
  backend: "Nx.backendCopy(t, backend)",
  data: "the functions of Nx",
} as const;

/** Assigning to a property says what to write; without a setter the language would only refuse it. */
function refuseAssignment(name: keyof typeof FIXED): void {
  const set = function (this: Tensor): never {
    const error = new ArgumentError(
      `a tensor never changes, so its ${name} cannot be assigned; ${FIXED[name]} ${name === "data" ? "make" : "gives"} another tensor`,
    );
    throw raisedAt(set, error);
  };
  const getter = Object.getOwnPropertyDescriptor(Tensor.prototype, name)!;
  Object.defineProperty(Tensor.prototype, name, { ...getter, set });
}

/** The fields that jest clones when it prints a tensor; else jest reads every property of the clone, also properties that raise advice. */
const FIELDS = Object.freeze(["_clone", "_type", "_shape", "_names", "_backend", "_data"]);

/** Puts a method on the prototype, not enumerable, as methods of a class are. */
export function defineMethod(name: string | symbol, value: unknown): void {
  Object.defineProperty(Tensor.prototype, name, { value, writable: true, configurable: true });
}

/** Puts what is above on the prototype. */
export function installBasics(): void {
  for (const name of Object.keys(FIXED)) refuseAssignment(name as keyof typeof FIXED);
  defineMethod(Symbol.for("@jest/serializableProperties"), FIELDS);
  defineMethod(Symbol.for("nodejs.util.inspect.custom"), function (this: Tensor) {
    return configured("consoleForm") === "table" ? tableOf(this) : inspect(this);
  });
  defineMethod(Symbol.toPrimitive, function toPrimitive(this: Tensor, hint: string) {
    if (hint === "string") return inspect(this);
    try {
      return primitiveValue(this);
    } catch (error) {
      throw raisedAt(toPrimitive, error);
    }
  });
  if (Symbol.dispose) {
    defineMethod(Symbol.dispose, function (this: Tensor) {
      backendDeallocate(this);
    });
  }
  defineMethod("toString", function toString(this: Tensor) {
    return inspect(this);
  });
}

/** What an operator of the language sees: the value of a scalar; anything else would be a silent mistake. */
function primitiveValue(tensor: Tensor): unknown {
  if (tensor.backend.absorbs) {
    throw new DefnError(
      `a tensor that is being traced has no value yet, so it cannot be an operand of <, +, ... or a condition; ` +
        `choose with Nx.select and compute with Nx.less, Nx.add, ...; numbers among the arguments are traced, too, ` +
        `unless staticArgs has their places`,
    );
  }
  if (tensor.shape.length === 0) return toNumber(tensor);
  throw new ArgumentError(
    `a tensor of shape ${formatShape(tensor.shape, tensor.names)} cannot be an operand of +, <, ... as JavaScript has no ` +
      `operators for tensors; use Nx.add, Nx.less, ... or String(tensor) for its text`,
  );
}
