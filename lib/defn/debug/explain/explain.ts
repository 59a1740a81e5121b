/** `explain`: what a call of a traced function will run. */
import { ArgumentError, show } from "../../../core/errors";
import { underPromotion } from "../../../core/promotion-scope";
import { COMPILERS } from "../../compiler";
import { readSettings, type DefnOptions } from "../../options";
import type { PassObserver } from "../../passes";
import { givenTo } from "../../scope";
import { flattenCall } from "../../signature";
import { donatedTo, trace } from "../../trace";
import { withHooks } from "../scope";
import { toDot } from "./dot";
import { toMermaid } from "./mermaid";
import { runningBackend } from "./leaving";
import { countNodes, reportOf, type PassReport, type Report } from "./report";
import { toText } from "./text";

/** What a call will run, as data, and as text in three forms. */
export interface Explanation extends Report {
  /** Tables for the terminal; `console.log` shows them as well. */
  toString(): string;
  /** A flowchart in the language of Mermaid. */
  toMermaid(): string;
  /** A graph in the DOT language of Graphviz. */
  toDot(): string;
}

/** The functions are not part of the data: they are left out of copies and of JSON. */
function explanation(report: Report): Explanation {
  const hidden = (value: () => string) => ({ value, enumerable: false });
  return Object.defineProperties(
    { ...report },
    {
      toString: hidden(() => toText(report)),
      toMermaid: hidden(() => toMermaid(report)),
      toDot: hidden(() => toDot(report)),
      [Symbol.for("nodejs.util.inspect.custom")]: hidden(() => toText(report)),
    },
  ) as Explanation;
}

/**
 * Says what a call of a function will run: the graph after the passes of the compiler, each kernel with the nodes that it
 * computes, the buffers with their lifetimes and what they are written over, operations on elements, bytes read and written and
 * held at a time, and how often each pass rewrote something.
 *
 * Costs are nominal. An operation on an element counts as one, whatever the function or type; a `cond` counts as its costliest
 * branch and a `whileLoop` as one step. Nothing is run. Where the backend lacks a primitive, the node says which other one computes
 * it (`leaves`, `totals.leaving`): its operands move there, and the result comes back.
 *
 * @param fn - as for {@link defn}
 * @param options - as for {@link defn}
 * @returns a function with the same parameters that returns plain data (`nodes`, `kernels`, `buffers`, `passes`, `totals`)
 *   with `toString()`, `toMermaid()` and `toDot()`
 * @throws ArgumentError for unknown options
 * @throws DefnError as {@link defn} does
 * @example
 * ```ts
 * const distance = (a: Nx.Tensor, b: Nx.Tensor) => Nx.pow(a.subtract(b), 2).sum().sqrt();
 * const explain = () => Nx.Defn.explain(distance)(Nx.f32([1, 2], { names: ["x"] }), Nx.f32([4, 6]));
 * Nx.withDefaultBackend("binary", explain);
 * // => compiler optimizing
 * // 6 nodes, 1 kernel, 6 flops
 * // 16 bytes read, 4 written, at most 4 held, 1 block of memory
 * //
 * // pass           fired  nodes before  after
 * // inline             0             6      6
 * // fold               0             6      6
 * // normalize          0             6      6
 * // cse                0             6      6
 * // dce                0             6      6
 * // transposes         0             6      6
 * // rematerialize      0             6      6
 * // fuse               1             6      6
 * // rows               1             6      4
 * // epilogues          0             4      4
 * // joins              0             4      4
 * //
 * // node                                    type
 * // a = parameter 0                         f32[x: 2]
 * // b = parameter 1                         f32[2]
 * // c = subtract(a, b)                      f32[x: 2]  kernel 0
 * // d = multiply(c, c)                      f32[x: 2]  kernel 0
 * // e = sum(d, axes: [0], keepAxes: false)  f32        kernel 0
 * // f = sqrt(e)                             f32        kernel 0
 * // return f
 * //
 * // kernel  nodes       reads  writes  flops  bytes read  written  held
 * //      0  c, d, e, f  a, b   f           6          16        4     4
 * //
 * // buffer  role      type       bytes  from  to
 * // a       argument  f32[x: 2]      8        0
 * // b       argument  f32[2]         8        0
 * // f       result    f32            4  0
 * ```
 * @example
 * ```ts
 * const { totals, kernels } = Nx.Defn.explain((m: Nx.Tensor) => m.dot(m))(Nx.iota([10, 10], { type: "f32" }));
 * [totals.flops, totals.peakBytes, kernels.length];
 * // => [ 2000, 400, 1 ]
 * Nx.Defn.explain((t: Nx.Tensor) => t, { compiler: "fast" as never });
 * // throws ArgumentError: option compiler of Nx.Defn.explain must be one of "evaluator", "optimizing", got: "fast"
 * ```
 */
export function explain<A extends readonly unknown[]>(
  fn: (...args: A) => unknown,
  options?: DefnOptions,
): (...args: A) => Explanation {
  if (typeof fn !== "function") {
    throw new ArgumentError(`Nx.Defn.explain expects a function of tensors, got: ${show(fn)}`);
  }
  const settings = readSettings(givenTo("Nx.Defn.explain", fn), options);
  return (...args: A) => {
    const compiler = settings.compiler();
    const call = flattenCall(args, settings);
    const traced = underPromotion(settings.promotion(), () =>
      withHooks(settings.hooks, () =>
        trace(fn as (...args: never[]) => unknown, call.args, settings.staticArgs, settings.owner),
      ),
    );
    const passes: PassReport[] = [];
    let nodesBefore = countNodes(traced.graph);
    const observe: PassObserver = ({ name }, after, fired) => {
      const nodesAfter = countNodes(after);
      passes.push({ name, fired, nodesBefore, nodesAfter });
      nodesBefore = nodesAfter;
    };
    const donated = donatedTo(traced.sources, call);
    const { graph, plan } = COMPILERS[compiler](traced.graph, { donated, observe });
    const backend = runningBackend(call.tensors);
    return explanation({ compiler, backend: backend.name, passes, ...reportOf(graph, plan, backend) });
  };
}
