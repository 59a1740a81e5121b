/**
 * Going over a tensor: `for (const row of t)`, `Array.from(t)`, `[...t]`, `const [a, b] = t`.
 */
import { calledAs } from "../core/entry";
import type { Tensor } from "../tensor";
import { sliceAlong } from "./aggregates/core";
import { run, template } from "./dispatch";

/** The entries of the first axis, one at a time, each without the axis. */
function* rows(this: Tensor): Generator<Tensor, void> {
  const rest = <T>(values: readonly T[]): readonly T[] => Object.freeze(values.slice(1));
  const out = template(this.type, rest(this.shape), rest(this.names));
  for (let i = 0; i < this.shape[0]!; i++) {
    yield calledAs("the iteration over a tensor", () => run("reshape", out, [sliceAlong(this, 0, i, 1)], {}));
  }
}

/**
 * What tensors have for `Symbol.iterator`. A scalar has none, so that the language refuses to go over it, and a template has none: the
 * `toEqual` of test runners goes over whatever has an iterator, down to what has none, and compares the fields of that.
 */
export function iteratorOf(t: Tensor): (() => Iterator<Tensor>) | undefined {
  const { describe, absorbs } = t.backend;
  return t.shape.length === 0 || (describe !== undefined && absorbs === undefined) ? undefined : rows;
}
