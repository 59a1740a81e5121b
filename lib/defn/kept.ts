/**
 * Compiled graphs that are kept for graphs like them. A function written in place is another one at each call, and traces to the graph of
 * its last call but for the tensors that it closes over: these become parameters, so that what was compiled for one graph runs the other.
 */
import type { Backend, Template } from "../backend";
import { currentBackend, runTracing } from "../backends/registry";
import { isReadable } from "../backends/reading";
import { tuning } from "../backends/tuning";
import { Complex } from "../core/complex";
import { defaultTypes } from "../core/default-types";
import { isPlainObject } from "../core/options";
import { sizeOf } from "../core/shape";
import { toBinary } from "../nx/conversion";
import type { Tensor } from "../tensor";
import type { Executable } from "./compiler";
import { isRecordingOrigins } from "./debug/origin";
import {
  afterChanges,
  callsProgram,
  functionsOf,
  isLeaf,
  orderOf,
  parameterNode,
  rebuild,
  resultsOf,
  templateOf,
  withChanges,
  type CaptureNode,
  type Changes,
  type Graph,
  type LiteralNode,
  type Node,
} from "./graph";
import { hashOf } from "./passes/cse";
import type { Plan } from "./plan/plan";

interface Entry {
  readonly form: readonly unknown[];
  readonly hash: number;
  readonly backend: Backend;
  /** What of the backend runs programs, which may come later than the backend. */
  readonly programs: Backend["programs"];
  readonly executable: Executable;
}

const LIMIT = 128;

/** Those used last come first. */
const entries: Entry[] = [];

/**
 * Compiles a graph, or runs it by what one like it was compiled to: at its first run only, where something is computed of its tensors alone,
 * which the compiler does once.
 */
export function kept(graph: Graph, compile: (graph: Graph) => Executable, isFirst: boolean): Executable {
  const form = new Form();
  const backend = runTracing(null, currentBackend);
  if (isRecordingOrigins() || !form.takeGraph(graph, false) || (form.isFolded && !isFirst)) return compile(graph);
  const captured = [...form.captured.keys()];
  if (captured.some((tensor) => tensor.backend !== backend)) return compile(graph);
  const shared = keptFor(form.parts, backend, () => compile(lifted(graph, captured)));
  if (captured.length === 0) return { ...shared };
  return new LikeExecutable(graph, compile, shared, captured, form.isFolded);
}

function keptFor(form: unknown[], backend: Backend, compile: () => Executable): Executable {
  form.push(defaultTypes(), ...Object.values(tuning));
  const hash = hashOf(form);
  const { programs } = backend;
  const isLike = (one: Entry): boolean => one.hash === hash && one.backend === backend && one.programs === programs;
  const at = entries.findIndex((one) => isLike(one) && isSame(one.form, form));
  const entry = entries[at] ?? { form, hash, backend, programs, executable: compile() };
  if (at >= 0) entries.splice(at, 1);
  entries.unshift(entry);
  if (entries.length > LIMIT) entries.length = LIMIT;
  return entry.executable;
}

/** A graph that runs by what one like it was compiled to; it is compiled itself where that fails, so that errors are of its own steps. */
class LikeExecutable implements Executable {
  #own: Executable | null = null;
  readonly run: Executable["run"];

  constructor(
    private readonly traced: Graph,
    private readonly compile: (graph: Graph) => Executable,
    shared: Executable,
    captured: readonly Tensor[],
    isOnce: boolean,
  ) {
    let runs = 0;
    this.run = (args) => {
      if (this.#own !== null || (runs++ > 0 && isOnce)) return this.own.run(args);
      try {
        return shared.run([...args, ...captured]);
      } catch {
        return this.own.run(args);
      }
    };
  }

  get graph(): Graph {
    return this.own.graph;
  }

  get plan(): Plan {
    return this.own.plan;
  }

  private get own(): Executable {
    return (this.#own ??= this.compile(this.traced));
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

/** Elements up to which tensors that a function makes are constants, and work is not worth being done ahead. */
const FEW = 16;

const isFew = ({ out }: Node): boolean => sizeOf(out.shape) <= FEW;

/** Kinds that cost nothing where they run at each call. */
const VIEWS: readonly string[] = ["broadcast", "reshape", "transpose"];

/** A graph as a list of values to be compared one by one; tensors that it has bound are told apart from each other only. */
class Form {
  readonly parts: unknown[] = [];
  readonly captured = new Map<Tensor, number>();
  /** Whether something is computed of bound tensors alone. */
  isFolded = false;

  /**
   * False for graphs that call functions of the program, for attributes that are no plain values, and where something would be computed of
   * bound tensors alone again and again.
   */
  takeGraph(graph: Graph, isRepeated: boolean): boolean {
    const { parameters, outputs, effects, free } = graph;
    if (effects.length > 0) return false;
    this.parts.push(parameters.length, free);
    const places = new Map<Node, number>();
    for (const parameter of parameters) {
      places.set(parameter, places.size);
      this.takeTemplate(parameter.out);
    }
    /** Nodes computed of bound tensors and constants alone, and whether there is a tensor among them. */
    const known = new Map<Node, boolean>();
    for (const node of orderOf(graph)) {
      if (places.has(node)) continue;
      places.set(node, places.size);
      if (node.kind === "parameter") return false;
      if ("tensor" in node) known.set(node, this.takeTensor(node));
      else if (!this.takeNode(node, places, known, isRepeated)) return false;
    }
    for (const output of outputs) this.parts.push(places.get(output));
    return true;
  }

  /** Whether a tensor is no constant. */
  private takeTensor({ kind, tensor, out }: CaptureNode | LiteralNode): boolean {
    const isConstant = kind === "literal" && sizeOf(out.shape) <= FEW && isReadable(tensor);
    if (!isConstant && !this.captured.has(tensor)) this.captured.set(tensor, this.captured.size);
    this.parts.push(kind, isConstant ? toBinary(tensor).join() : this.captured.get(tensor));
    this.takeTemplate(out);
    return !isConstant;
  }

  private takeNode(
    node: Node,
    places: ReadonlyMap<Node, number>,
    known: Map<Node, boolean>,
    isRepeated: boolean,
  ): boolean {
    if (isLeaf(node) || callsProgram(node)) return false;
    const functions = functionsOf(node);
    if (functions.length === 0 && node.inputs.every((input) => known.has(input))) {
      const isOfTensors = node.inputs.some((input) => known.get(input));
      known.set(node, isOfTensors);
      if (isOfTensors && !VIEWS.includes(node.kind)) {
        if (isRepeated && ![node, ...node.inputs].every(isFew)) return false;
        this.isFolded = true;
      }
    }
    this.parts.push(node.kind, node.inputs.length);
    for (const input of node.inputs) this.parts.push(places.get(input));
    const outs = resultsOf(node) ?? [node.out];
    this.parts.push(outs.length);
    for (const out of outs) this.takeTemplate(out);
    const isLoop = isRepeated || (node.kind !== "cond" && node.kind !== "block");
    for (const fn of functions) if (!this.takeGraph(fn, isLoop)) return false;
    for (const [key, value] of Object.entries(node.attrs)) {
      this.parts.push(key);
      if (key !== "fn" && key !== "functions" && !this.takeValue(value)) return false;
    }
    return true;
  }

  private takeTemplate({ type, shape, names }: Template): void {
    this.parts.push(type, shape.length);
    for (let axis = 0; axis < shape.length; axis++) this.parts.push(shape[axis], names[axis]);
  }

  private takeValue(value: unknown): boolean {
    if (typeof value === "function" || typeof value === "symbol") return false;
    if (typeof value !== "object" || value === null) this.parts.push(value);
    else if (value instanceof Complex) this.parts.push(value.re, value.im);
    else if (Array.isArray(value)) {
      this.parts.push(value.length);
      return value.every((each) => this.takeValue(each));
    } else if (isPlainObject(value)) {
      const parts = Object.entries(value);
      this.parts.push(parts.length);
      return parts.every(([key, part]) => this.takeValue(key) && this.takeValue(part));
    } else return false;
    return true;
  }
}

/** A graph that has bound tensors as its last parameters. */
function lifted(graph: Graph, tensors: readonly Tensor[]): Graph {
  if (tensors.length === 0) return graph;
  const own = graph.parameters.length;
  const given = tensors.map((tensor, i) => parameterNode(templateOf(tensor), own + i));
  const inside = withNodes(graph, new Map(tensors.map((tensor, i) => [tensor, given[i]!])));
  return { ...inside, parameters: [...graph.parameters, ...given] };
}

/** A graph with nodes in place of tensors that it has bound; its functions read them as values of their surroundings. */
function withNodes(graph: Graph, nodes: ReadonlyMap<Tensor, Node>): Graph {
  const changes: Changes = new Map();
  for (const node of orderOf(graph)) {
    const now =
      "tensor" in node
        ? (nodes.get(node.tensor) ?? node)
        : withSurroundings(node, afterChanges(node.inputs, changes), nodes);
    if (now !== node) changes.set(node, now);
  }
  return withChanges(graph, changes);
}

function withSurroundings(node: Node, inputs: readonly Node[], nodes: ReadonlyMap<Tensor, Node>): Node {
  const functions = functionsOf(node);
  const read = [...nodes.keys()].filter((tensor) => functions.some((fn) => isBound(fn, tensor)));
  if (read.length === 0) return rebuild(node, inputs);
  const own = Math.max(...functions.map(({ parameters }) => parameters.length));
  const given = read.map((tensor, i) => parameterNode(templateOf(tensor), own + i));
  const inner = new Map(read.map((tensor, i) => [tensor, given[i]!]));
  const inside = functions.map((fn) => ({
    ...withNodes(fn, inner),
    parameters: [...fn.parameters, ...given],
    free: fn.free + given.length,
  }));
  return rebuild(node, [...inputs, ...read.map((tensor) => nodes.get(tensor)!)], inside);
}

/** Whether a graph, or a function in it, has bound a tensor. */
const isBound = (graph: Graph, tensor: Tensor): boolean =>
  orderOf(graph).some((node) =>
    "tensor" in node ? node.tensor === tensor : functionsOf(node).some((fn) => isBound(fn, tensor)),
  );
