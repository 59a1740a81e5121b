/**
 * `Nx.Defn.toGraph`: a traced function as data, for writers of other formats.
 */
import { templateTensor } from "../backends/template";
import { mapContainer, type Path } from "../container";
import { SymbolicTemplate } from "../core/dims";
import { ArgumentError, DefnError, show } from "../core/errors";
import { userFrames } from "../core/frames";
import { checkOptions, isPlainObject } from "../core/options";
import type { Names } from "../core/shape";
import type { DType } from "../core/types";
import { recordingOrigins } from "./debug/origin";
import { functionsOf, instantiate, mapGraph, orderOf, templateOf, type Graph, type Node } from "./graph";
import { expanded } from "./lazy";
import { cse } from "./passes/cse";
import { dce } from "./passes/dce";
import { fold } from "./passes/fold";
import { forward } from "./passes/identities/forward";
import { normalize } from "./passes/normalize";
import { givenTo } from "./scope";
import { isParameter, type Roles } from "./signature";
import { probed, symbolicPattern, type Templates } from "./symbolic";
import { trace } from "./trace";

/** A parameter or a result of a traced function. */
export interface GraphValue {
  /** Where it stands: the position of the argument and keys within it; of a result, keys within what the function returns. */
  readonly path: readonly (string | number)[];
  readonly type: DType;
  /** Sizes; names where the templates have names. Results have numbers only. */
  readonly shape: readonly (number | string)[];
  readonly names: Names;
}

/** Options of {@link toGraph}. */
export interface GraphOptions {
  /** The sizes to trace with where templates have names; made up where they are not given. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** What a function computes. */
export interface TracedFunction {
  /** The graph: composites are the primitives they stand for, equal nodes are one, constants are computed. */
  readonly graph: Graph;
  /** One for each parameter of the graph. */
  readonly inputs: readonly GraphValue[];
  /** One for each output of the graph. */
  readonly outputs: readonly GraphValue[];
  /** Names of sizes in the templates, with the sizes that were traced. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The nodes of a graph, every node after its inputs. */
  readonly nodesOf: (graph: Graph) => readonly Node[];
  /** The graphs of the functions of a node. */
  readonly functionsOf: (node: Node) => readonly Graph[];
  /** The line of the program that made a node, as stacks write it; null where it is not known. */
  readonly placeOf: (node: Node) => string | null;
}

type AnyFunction = (...args: never[]) => unknown;
const NAME = "Nx.Defn.toGraph";

/**
 * Traces a function and gives its graph as data, for exporters and compilers outside of the library, such as `nx-numerics/onnx`. The
 * form of graphs may change with minor versions.
 *
 * @param fn - as for {@link defn}
 * @param templates - as for {@link compile}: templates or tensors, numbers, containers of them
 * @param options - `sizes`: sizes to trace with, for the names of sizes in templates. Where there are names, nothing is computed while
 *   tracing, so that graphs of several sizes have the same nodes
 * @returns the graph with what stands where in arguments and results
 * @throws DefnError as {@link defn} does; ArgumentError where a size is missing or is no size
 * @example
 * ```ts
 * const { graph, nodesOf, inputs } = Nx.Defn.toGraph((p: { w: Nx.Tensor }) => p.w.exp().sum(), [{ w: Nx.template([3], "f32", { names: ["x"] }) }]);
 * nodesOf(graph).map(({ kind, out }) => `${kind} ${out.type}[${out.shape}]`);
 * // => ["parameter f32[3]", "unary f32[3]", "reduceOp f32[]"]
 * inputs.map(({ path, names }) => [path.join("."), names.join()]);
 * // => [["0.w", "x"]]
 * Nx.Defn.toGraph((t: Nx.Tensor) => t, [Nx.template(["n"], "f32")], { sizes: { m: 3 } });
 * // throws ArgumentError: Nx.Defn.toGraph has no size for "n": give it in sizes, { n: 32 }
 * ```
 */
export function toGraph<A extends readonly unknown[]>(
  fn: (...args: A) => unknown,
  templates: A | Templates<A>,
  options?: GraphOptions,
): TracedFunction {
  if (typeof fn !== "function") throw new ArgumentError(`${NAME} expects a function of tensors, got: ${show(fn)}`);
  if (!Array.isArray(templates))
    throw new ArgumentError(`${NAME} expects a list of arguments, got: ${show(templates)}`);
  checkOptions(NAME, options, ["sizes"]);
  const roles: Roles = { api: NAME, staticArgs: new Set(), isDonated: () => false };
  const given = expanded(templates, NAME, roles.staticArgs);
  const pattern = symbolicPattern(given, roles);
  if (pattern === null) return tracedFor(fn as AnyFunction, given, given, {});
  const traceWith = (sizes: ReadonlyMap<string, number>): TracedFunction =>
    tracedFor(fn as AnyFunction, pattern.withSizes(sizes), given, Object.fromEntries(sizes));
  if (options?.sizes !== undefined && !isPlainObject(options.sizes)) {
    throw new ArgumentError(
      `option sizes of ${NAME} expects sizes by name, such as { n: 32 }, got: ${show(options.sizes)}`,
    );
  }
  if (options?.sizes !== undefined) return traceWith(sizesOf(pattern.dims, options.sizes));
  let found: TracedFunction | undefined;
  probed(pattern, (_, sizes) => (found = traceWith(sizes)));
  return found!;
}

function sizesOf(dims: readonly string[], given: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(
    dims.map((dim) => {
      const size = Object.hasOwn(given, dim) ? given[dim] : undefined;
      if (size === undefined) {
        throw new ArgumentError(`${NAME} has no size for ${JSON.stringify(dim)}: give it in sizes, { ${dim}: 32 }`);
      }
      if (Number.isSafeInteger(size) && size > 0) return [dim, size];
      throw new ArgumentError(
        `${NAME} expects positive integers as sizes, got: ${show(size)} for ${JSON.stringify(dim)}`,
      );
    }),
  );
}

/** Traces with arguments that have sizes; `given` may have names in their place. */
function tracedFor(
  fn: AnyFunction,
  args: readonly unknown[],
  given: readonly unknown[],
  sizes: Readonly<Record<string, number>>,
): TracedFunction {
  const isSized = args === given;
  const { graph: traced, rebuild, sources } = recordingOrigins(() => trace(fn, args, new Set(), givenTo(NAME, fn)));
  const passes = isSized ? [fold, normalize, cse, dce] : [normalize, cse, dce];
  const graph = passes.reduce((current, pass) => pass.run(current), inlined(traced));
  const leaves = leavesOf(given, (leaf) => isParameter(leaf) || isSymbolic(leaf));
  const inputs = sources.map(({ leaf }, i): GraphValue => {
    const { type, names, shape } = graph.parameters[i]!.out;
    const { path, value } = leaves[leaf]!;
    return { path, type, names, shape: isSymbolic(value) ? value.shape : shape };
  });
  const paths: Path[] = [];
  mapContainer(rebuild(traced.outputs.map(({ out }) => templateTensor(out.type, out.shape, out.names))), (_, path) =>
    paths.push(path),
  );
  const outputs = graph.outputs.map(({ out }, i): GraphValue => ({ path: paths[i]!, ...templateOf(out) }));
  return { graph, inputs, outputs, sizes, nodesOf: orderOf, functionsOf, placeOf };
}

const isSymbolic = (value: unknown): value is { readonly shape: readonly (number | string)[] } =>
  value instanceof SymbolicTemplate;

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** The leaves of containers that are wanted, in order, with their places. */
function leavesOf(containers: readonly unknown[], isWanted: (leaf: unknown) => boolean): Leaf[] {
  const found: Leaf[] = [];
  containers.forEach((container, i) =>
    mapContainer(container, (value, path) => isWanted(value) && found.push({ path: [i, ...path], value })),
  );
  return found;
}

/** Every composite as the primitives it stands for; hooks stay behind. */
const inlined = (graph: Graph): Graph =>
  mapGraph(graph, (node) => {
    if (node.kind !== "block") return node;
    const [result] = instantiate(node.attrs.fn, node.inputs);
    const inside = forward(node, result!);
    if (inside === null) throw new DefnError(`the composite ${node.attrs.name} gives another shape than it says`);
    return inside;
  });

/** The first line that is not the library's. */
function placeOf({ origin }: Node): string | null {
  return (origin && userFrames(origin)[0]?.trim()) ?? null;
}
