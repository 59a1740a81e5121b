/**
 * Finding functions that are not pure: traced twice, they give two graphs.
 */
import { equalsTensor } from "../nx/value";
import { ArgumentError, DefnError, show } from "../core/errors";
import { topological, type Graph, type Node } from "./graph";
import { expanded } from "./lazy";
import { printGraph } from "./print";
import { givenTo } from "./scope";
import { trace } from "./trace";

/**
 * Checks that a function does the same whenever it is called. `defn` runs a function once for each signature and the graph
 * of that run from then on, so whatever else the function reads (`Math.random()`, the time, a variable that changes) stays
 * as it was then. This traces it twice and compares the graphs.
 *
 * @param fn - as for `defn`
 * @returns a function with the same parameters that returns nothing
 * @throws DefnError where the two graphs differ, with the first difference
 * @example
 * ```ts
 * const scale = (t: Nx.Tensor) => t.multiply(2);
 * Nx.Defn.checkPure(scale)(Nx.f32([1, 2], { names: ["x"] }));
 * // => undefined
 * let calls = 0;
 * const counting = (t: Nx.Tensor) => t.multiply(++calls);
 * Nx.Defn.checkPure(counting)(Nx.f32([1, 2]));
 * // throws DefnError: counting is not pure: traced twice it gave different graphs, first at
 * ```
 */
export function checkPure<A extends readonly unknown[]>(fn: (...args: A) => unknown): (...args: A) => void {
  if (typeof fn !== "function") {
    throw new ArgumentError(`Nx.Defn.checkPure expects a function of tensors, got: ${show(fn)}`);
  }
  return (...given: A) => {
    const args = expanded(given, "Nx.Defn.checkPure", new Set());
    const [first, second] = [graphOf(fn, args), graphOf(fn, args)];
    const difference = differenceOf(first, second);
    if (difference === null) return;
    throw new DefnError(
      `${fn.name || "the function"} is not pure: traced twice it gave different graphs, first at\n  ${difference[0]}\n  ` +
        `${difference[1]}\nIt reads something that changes between calls, such as Math.random(), the time or a counter; give ` +
        `that as an argument, and random numbers by a key of Nx.Random`,
    );
  };
}

const graphOf = (fn: (...args: never[]) => unknown, args: readonly unknown[]): Graph =>
  trace(fn, args, new Set(), givenTo("Nx.Defn.checkPure", fn)).graph;

/** The first lines in which two graphs differ. */
function differenceOf(a: Graph, b: Graph): readonly [string, string] | null {
  const [left, right] = [printGraph(a).split("\n"), printGraph(b).split("\n")];
  const [nodes, others] = [topological(a.outputs), topological(b.outputs)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    if (left[i] !== right[i]) return [left[i]?.trim() ?? "(nothing)", right[i]?.trim() ?? "(nothing)"];
  }
  for (let i = 0; i < nodes.length; i++) {
    if (!sameLiteral(nodes[i]!, others[i]!)) return ["a literal tensor", "a literal tensor with other elements"];
  }
  return null;
}

function sameLiteral(a: Node, b: Node): boolean {
  if (!("tensor" in a) || !("tensor" in b)) return true;
  return a.tensor === b.tensor || equalsTensor(a.tensor, b.tensor);
}
