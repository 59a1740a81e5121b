/**
 * Printing values when they are computed, and expressions while they are traced.
 */
import { entriesOf, containerKind, formatPath } from "../../container";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions } from "../../core/options";
import { inspect } from "../../nx/inspect";
import { Tensor } from "../../tensor";
import { isTraced, nodeOf } from "../expr";
import { topological, type Node, type ParameterNode } from "../graph";
import { printGraph } from "../print";
import { isParameter, tensorOfLeaf } from "../signature";
import type { Tensors } from "../trace";
import { unwrapped } from "../wrapping";
import { aliases, observe } from "./hook";
import { isRecordingOrigins } from "./origin";

/** Options of {@link printExpr}. */
export interface PrintOptions {
  /** Stands in front of what is printed. */
  readonly label?: string;
  /** Where the text goes; `console.log` by default. */
  readonly print?: (text: string) => void;
}

/** Options of {@link printValue}. */
export interface PrintValueOptions<T> extends PrintOptions {
  /** Makes what is printed of the value: a part of it, a summary. */
  readonly map?: (value: Tensors<T>) => unknown;
}

const OPTIONS = ["label", "print"];

/** What prints a text behind the label; by default the console of the host, where it has one. */
function printer(fn: string, options: PrintOptions | undefined, keys: readonly string[]): (text: string) => void {
  checkOptions(fn, options, keys);
  const { label = "", print } = (options ?? {}) as { label?: unknown; print?: unknown };
  if (typeof label !== "string") throw new ArgumentError(`option label of ${fn} must be a string, got: ${show(label)}`);
  if (print !== undefined && typeof print !== "function") {
    throw new ArgumentError(`option print of ${fn} must be a function of a text, got: ${show(print)}`);
  }
  const front = label === "" ? "" : `${label}: `;
  const log = (text: string) => (globalThis as { console?: { log: (text: string) => void } }).console?.log(text);
  const to = (print ?? log) as (text: string) => void;
  return (text) => to(front + text);
}

type Path = readonly (string | number)[];

/** The text of each leaf, with its place in the container. */
function textsOf(value: unknown, leafText: (leaf: unknown) => string, path: Path = []): string[] {
  if (containerKind(value) !== null) {
    return entriesOf(value).flatMap(([key, child]) => textsOf(child, leafText, [...path, key]));
  }
  const text = leafText(value);
  return [path.length === 0 ? text : `${formatPath(path)} ${text}`];
}

const valueText = (leaf: unknown): string =>
  leaf instanceof Tensor ? inspect(leaf) : typeof leaf === "string" ? leaf : show(leaf);

/**
 * Prints a value when it has been computed: a {@link hook} that writes to the console.
 *
 * @param value - a tensor, a number or a container of them
 * @param options - `label` stands in front; `map` makes what is printed of the value, on real tensors; `print` is called with
 *   the text in place of `console.log`
 * @returns the value, numbers as tensors
 * @throws ArgumentError where there is no tensor in the value, and for unknown options
 * @example
 * ```ts
 * const print = console.log;
 * const scale = Nx.defn((t: Nx.Tensor) => t.divide(Nx.Defn.printValue(t.sum({ keepAxes: true }), { label: "total", print })));
 * scale(Nx.f32([1, 3], { names: ["x"] }));
 * // prints: total: #Nx.Tensor<
 * //   f32[x: 1]
 * //   [4.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.printValue(Nx.f32([1, 3]), { label: "largest", print: console.log, map: (t) => t.reduceMax().toNumber() });
 * // prints: largest: 3
 * Nx.Defn.printValue(Nx.tensor(1), { labl: "x" } as never);
 * // throws ArgumentError: unknown option "labl" for Nx.Defn.printValue; did you mean "label"?
 * ```
 */
export function printValue<T>(value: T, options?: PrintValueOptions<T>): Tensors<T> {
  const print = printer("Nx.Defn.printValue", options, [...OPTIONS, "map"]);
  const map: unknown = options?.map;
  if (map !== undefined && typeof map !== "function") {
    throw new ArgumentError(`option map of Nx.Defn.printValue must be a function of the value, got: ${show(map)}`);
  }
  const shown = (map ?? ((same: unknown) => same)) as (value: unknown) => unknown;
  return observe("Nx.Defn.printValue", value, null, (computed) => {
    for (const text of textsOf(shown(computed), valueText)) print(text);
  }) as Tensors<T>;
}

/** The expression behind a traced tensor, the value of another one. */
function expressionText(leaf: unknown): string {
  if (!isParameter(leaf)) return valueText(leaf);
  const { inner } = unwrapped(tensorOfLeaf(leaf, "Nx.Defn.printExpr"));
  if (!isTraced(inner)) return inspect(inner);
  const node = nodeOf(inner);
  const parameters = topological([node]).filter(isParameterNode);
  return printGraph({ parameters, outputs: [node], effects: [], free: 0 });
}

const isParameterNode = (node: Node): node is ParameterNode => node.kind === "parameter";

/**
 * Prints the expression of a value while it is being traced: once per trace, not when the graph runs. Outside of a trace
 * there is no expression and the value is printed.
 *
 * @param value - a tensor, a number or a container of them
 * @param options - `label` stands in front; `print` is called with the text in place of `console.log`
 * @returns the value itself
 * @throws ArgumentError for unknown options
 * @example
 * ```ts
 * const norm = Nx.defn((t: Nx.Tensor) => Nx.Defn.printExpr(t.multiply(t).sum(), { label: "squares", print: console.log }).sqrt());
 * norm(Nx.f32([3, 4], { names: ["x"] }));
 * // prints: squares: a = parameter 0                            f32[x: 2]
 * // b = multiply(a, a)                         f32[x: 2]
 * // c = sum(b, axes: [0], keepAxes: false)     f32
 * // return c
 * ```
 * @example
 * ```ts
 * Nx.Defn.printExpr(Nx.tensor(1), { label: 5 as never });
 * // throws ArgumentError: option label of Nx.Defn.printExpr must be a string, got: 5
 * ```
 */
export function printExpr<T>(value: T, options?: PrintOptions): T {
  const print = printer("Nx.Defn.printExpr", options, OPTIONS);
  if (isRecordingOrigins()) return aliases(value);
  for (const text of textsOf(value, expressionText)) print(text);
  return aliases(value);
}
