/**
 * What will run, as plain data: the nodes of a graph, the kernels that compute them, the buffers these read and write, and
 * what the passes did. The renderings are made of it; whoever schedules kernels fills in the same form.
 */
import type { Backend, Template } from "../../../backend";
import type { Plan, Step } from "../../plan/plan";
import { runsOf } from "../../programs/runs";
import { leavingNodes } from "./leaving";
import { functionsOf, isControl, isLeaf, resultsOf, rootsOf, topological, type Graph, type Node } from "../../graph";
import { unfused, type Unfused } from "./unfused";
import { expression, namedNodes, typeText, type NameOf } from "../../print";
import { bytesOfTemplate, bytesRead, flopsOfNode, isView } from "./cost";

/** A function of a node: role, and totals of one run. */
export interface FunctionReport {
  readonly role: string;
  readonly graph: GraphReport;
}

export interface NodeReport {
  /** The letters that stand for it in the text of the graph. */
  readonly name: string;
  /** The operation with its operands and attributes. */
  readonly text: string;
  readonly role: "parameter" | "capture" | "literal" | "view" | "hook" | "operation";
  readonly inputs: readonly string[];
  /** Type and shape with names of each result, as text. */
  readonly types: readonly string[];
  /** The index of the node's kernel; null where nothing is computed. */
  readonly kernel: number | null;
  /** The backend that runs the node instead of the operands' backend, or "none"; null where the node does not leave. */
  readonly leaves: string | null;
  readonly functions: readonly FunctionReport[];
}

/** A pass over memory, which computes a node or several fused nodes. */
export interface KernelReport {
  /** Its place in the order of execution. */
  readonly index: number;
  readonly nodes: readonly string[];
  /** Buffers. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly flops: number;
  /** Bytes of temporaries and results that are alive while the kernel runs, in its functions too. */
  readonly liveBytes: number;
}

/** Kernels that run together, as one function. */
export interface ProgramReport {
  readonly kernels: readonly number[];
}

export interface BufferReport {
  readonly name: string;
  readonly role: "argument" | "constant" | "temporary" | "result";
  readonly type: string;
  readonly bytes: number;
  /** The index of the kernel that writes the buffer; null for arguments and constants. */
  readonly from: number | null;
  /** The last kernel that reads it; null where it stays or is never read. */
  readonly to: number | null;
  /** The buffer that is overwritten, by the kernel that reads it last; null for new memory. */
  readonly over: string | null;
}

export interface PassReport {
  readonly name: string;
  /** Places that it rewrote. */
  readonly fired: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
}

/** Sums over the kernels. A `cond` counts as its costliest branch, a `whileLoop` as one step. */
export interface TotalsReport {
  /** Those of functions included. */
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Blocks of memory for temporaries and results, where those that nothing reads any more are used again. */
  readonly blocks: number;
  /** The most that temporaries and results hold at a time. */
  readonly peakBytes: number;
  /** Loops whose number of steps is known only when they run. */
  readonly openLoops: number;
  /** Nodes that the backend of the operands does not compute. */
  readonly leaving: number;
}

export interface GraphReport {
  readonly nodes: readonly NodeReport[];
  readonly outputs: readonly string[];
  readonly kernels: readonly KernelReport[];
  readonly buffers: readonly BufferReport[];
  /** What runs together once it has run often enough; loops do so at once. */
  readonly programs: readonly ProgramReport[];
  /** Kernels that no program can have: they split programs, also the loop whose body they are in. */
  readonly splitting: readonly number[];
  readonly totals: TotalsReport;
}

export interface Report extends GraphReport {
  readonly compiler: string;
  /** The backend of the operands, which runs the graph. */
  readonly backend: string;
  readonly passes: readonly PassReport[];
}

/** The state of a report on a graph. */
interface Context {
  readonly nameOf: NameOf;
  readonly order: readonly Node[];
  readonly kernelOf: ReadonlyMap<Node, number>;
  /** Nodes whose values are never in memory: they are computed on the way in a kernel. */
  readonly passing: ReadonlySet<Node>;
  /** Maps each buffer written in place to the overwritten buffer. */
  readonly over: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<Graph, GraphReport>;
  /** Maps each node that the backend does not compute to the backend that does. */
  readonly leaving: ReadonlyMap<Node, string>;
}

/** Nodes of a graph and of its functions; a kernel is one. */
export function countNodes(graph: Graph): number {
  const nodes = new Set<Node>([...graph.parameters, ...topological(rootsOf(graph))]);
  let count = nodes.size;
  for (const node of nodes) if (node.kind !== "fused") for (const fn of functionsOf(node)) count += countNodes(fn);
  return count;
}

/** The report of a graph that runs step by step as planned: a kernel for each node that computes, fused ones shown open. */
export function reportOf(graph: Graph, plan: Plan, backend: Backend): GraphReport {
  const open = unfused(graph);
  const { order, nameOf } = namedNodes(open.graph);
  const computing = plan.steps.filter(({ node }) => !isView(node));
  const functions = new Map<Graph, GraphReport>();
  for (const { node, functions: plans } of plan.steps) {
    if (node.kind !== "fused")
      functionsOf(node).forEach((fn, i) => functions.set(fn, reportOf(fn, plans[i]!, backend)));
  }
  const nodesOf = (step: Step): readonly Node[] => open.partsOf(step.node);
  const kernelOf = new Map(computing.flatMap((step, i) => nodesOf(step).map((node) => [node, i] as const)));
  const passing = new Set(
    computing.flatMap(({ node }) => {
      const written = new Set(open.resultsOf(node));
      return node.kind === "fused" ? open.partsOf(node).filter((part) => !written.has(part)) : [];
    }),
  );
  const over = overwritten(computing, open, nameOf);
  const leaving = leavingNodes(computing, nodesOf, backend);
  const context: Context = { nameOf, order, kernelOf, passing, over, functions, leaving };
  const buffers = buffersOf(open.graph, context);
  const kernels = computing.map((step, index) => kernelReport(step, index, open, buffers, context));
  const nodes = order.map((node) => nodeReport(node, context));
  return {
    nodes,
    outputs: open.graph.outputs.map(nameOf),
    kernels,
    buffers,
    ...programsIn(plan, computing, backend),
    totals: totalsOf(open.graph, nodes, kernels, buffers, context),
  };
}

/** Which kernels run together, and which cannot. */
function programsIn(
  plan: Plan,
  computing: readonly Step[],
  backend: Backend,
): Pick<GraphReport, "programs" | "splitting"> {
  const { runs, refused } = runsOf(plan, backend);
  const kernelsOf = (steps: readonly Step[]): number[] =>
    steps.map((step) => computing.indexOf(step)).filter((kernel) => kernel >= 0);
  const programs = runs.flatMap((run) => (run ? [{ kernels: kernelsOf(plan.steps.slice(run.first, run.end)) }] : []));
  return { programs, splitting: kernelsOf(refused) };
}

/** Maps each buffer written in place to the overwritten buffer. */
function overwritten(steps: readonly Step[], open: Unfused, nameOf: NameOf): ReadonlyMap<string, string> {
  const placeOf = (node: Node): string => placesOf(node, nameOf)[0]!;
  return new Map(
    steps.flatMap(({ node, reuses }) =>
      (reuses ?? []).flatMap((input, i) => {
        if (input === null) return [];
        return [[placeOf(open.resultsOf(node)[i]!), placeOf(open.valueOf(node.inputs[input]!))] as const];
      }),
    ),
  );
}

function nodeReport(node: Node, { nameOf, kernelOf, functions, leaving }: Context): NodeReport {
  return {
    name: nameOf(node),
    text: expression(node, nameOf),
    role: roleOf(node),
    inputs: node.inputs.map(nameOf),
    types: node.kind === "hook" ? [] : (resultsOf(node) ?? [node.out]).map(typeText),
    kernel: kernelOf.get(node) ?? null,
    leaves: leaving.get(node) ?? null,
    functions: functionsOf(node).map((fn, i) => ({ role: functionRole(node, i), graph: functions.get(fn)! })),
  };
}

function roleOf(node: Node): NodeReport["role"] {
  if (isLeaf(node)) return node.kind;
  if (node.kind === "hook") return "hook";
  return isView(node) ? "view" : "operation";
}

function functionRole(node: Node, index: number): string {
  if (node.kind === "while") return index === 0 ? "condition" : "body";
  if (node.kind === "scan") return "body";
  if (node.kind !== "cond") return "function";
  return index === node.attrs.functions.length - 1 ? "otherwise" : `branch ${index}`;
}

/** The buffers of a node's value; a view lies in the buffers of its operand. */
function placesOf(node: Node, nameOf: NameOf): readonly string[] {
  if (node.kind === "element") return [`${nameOf(node.inputs[0]!)}.${node.attrs.index}`];
  if (node.kind === "reshape") return placesOf(node.inputs[0]!, nameOf);
  const results = resultsOf(node);
  return results ? results.map((_, i) => `${nameOf(node)}.${i}`) : [nameOf(node)];
}

function buffersOf(graph: Graph, { order, nameOf, kernelOf, passing, over }: Context): BufferReport[] {
  const results = new Set(graph.outputs.flatMap((output) => placesOf(output, nameOf)));
  const lastReader = new Map<string, number>();
  for (const node of order) {
    const kernel = kernelOf.get(node);
    if (kernel === undefined) continue;
    for (const place of node.inputs.flatMap((input) => placesOf(input, nameOf))) {
      lastReader.set(place, Math.max(kernel, lastReader.get(place) ?? 0));
    }
  }
  return order.flatMap((node): BufferReport[] => {
    if (isView(node) || passing.has(node)) return [];
    const templates: readonly Template[] = resultsOf(node) ?? [node.out];
    return placesOf(node, nameOf).map((name, i) => ({
      name,
      role: isLeaf(node)
        ? node.kind === "parameter"
          ? "argument"
          : "constant"
        : results.has(name)
          ? "result"
          : "temporary",
      type: typeText(templates[i]!),
      bytes: bytesOfTemplate(templates[i]!),
      from: kernelOf.get(node) ?? null,
      to: results.has(name) ? null : (lastReader.get(name) ?? null),
      over: over.get(name) ?? null,
    }));
  });
}

/** Bytes of what was computed and is still wanted when a kernel runs; what it writes over something is held once. */
function heldAt(index: number, buffers: readonly BufferReport[]): number {
  const gone = new Set(buffers.flatMap(({ over, from }) => (from === index && over !== null ? [over] : [])));
  const isHeld = ({ name, role, from, to }: BufferReport): boolean =>
    from !== null && from <= index && (role === "result" || (to ?? from) >= index) && !gone.has(name);
  return buffers.reduce((sum, buffer) => sum + (isHeld(buffer) ? buffer.bytes : 0), 0);
}

/** Blocks of memory that buffers take, when a block is used again for the next buffer of its size. */
function blocksOf(buffers: readonly BufferReport[], kernels: number): number {
  const passedOn = new Set(buffers.map(({ over }) => over));
  const free = new Map<number, number>();
  const change = (bytes: number, by: number) => free.set(bytes, (free.get(bytes) ?? 0) + by);
  let blocks = 0;
  for (let index = 0; index < kernels; index++) {
    for (const { bytes, from, over } of buffers) {
      if (from !== index || over !== null) continue;
      if ((free.get(bytes) ?? 0) > 0) change(bytes, -1);
      else blocks++;
    }
    for (const { name, bytes, role, from, to } of buffers) {
      if (role === "temporary" && (to ?? from) === index && !passedOn.has(name)) change(bytes, 1);
    }
  }
  return blocks;
}

function kernelReport(
  { node }: Step,
  index: number,
  open: Unfused,
  buffers: readonly BufferReport[],
  context: Context,
): KernelReport {
  const { nameOf, functions } = context;
  const inner = node.kind === "fused" ? [] : functionsOf(node).map((fn) => functions.get(fn)!.totals);
  const inputs = node.inputs.map(open.valueOf);
  const results = open.resultsOf(node);
  return {
    index,
    nodes: open.partsOf(node).map(nameOf),
    reads: [...new Set(inputs.flatMap((input) => placesOf(input, nameOf)))],
    writes: results.flatMap((result) => placesOf(result, nameOf)),
    ...trafficOf(node, inputs, inner, nameOf),
    flops: flopsOfNode(node, (fn) => functions.get(fn)?.totals.flops ?? flopsOfGraph(fn)),
    liveBytes: heldAt(index, buffers) + Math.max(0, ...inner.map(({ peakBytes }) => peakBytes)),
  };
}

/** Operations of the nodes of a kernel, for each run. */
function flopsOfGraph(graph: Graph): number {
  return sum(topological(rootsOf(graph)).map((node) => flopsOfNode(node, flopsOfGraph)));
}

/** Bytes that a node moves; for control flow the bytes of its functions, times their runs. */
function trafficOf(node: Node, inputs: readonly Node[], inner: readonly TotalsReport[], nameOf: NameOf) {
  if (isControl(node)) {
    const all = (bytes: (totals: TotalsReport) => number): number => {
      const each = inner.map(bytes);
      if (node.kind === "cond") return Math.max(...each);
      return each.reduce((sum, one) => sum + one, 0) * (node.kind === "scan" ? node.attrs.length : 1);
    };
    return { bytesRead: all((totals) => totals.bytesRead), bytesWritten: all((totals) => totals.bytesWritten) };
  }
  const seen = new Map(inputs.map((input, i) => [placesOf(input, nameOf).join(), bytesRead(node, i)] as const));
  const written = (resultsOf(node) ?? [node.out]).map(bytesOfTemplate);
  return { bytesRead: sum([...seen.values()]), bytesWritten: sum(written) };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function totalsOf(
  graph: Graph,
  nodes: readonly NodeReport[],
  kernels: readonly KernelReport[],
  buffers: readonly BufferReport[],
  { order, leaving }: Context,
): TotalsReport {
  const inner = nodes.flatMap(({ functions }) => functions.map((fn) => fn.graph.totals));
  const loops = order.filter(({ kind }) => kind === "while").length;
  return {
    nodes: countNodes(graph),
    kernels: kernels.length + sum(inner.map((totals) => totals.kernels)),
    flops: sum(kernels.map(({ flops }) => flops)),
    bytesRead: sum(kernels.map((kernel) => kernel.bytesRead)),
    bytesWritten: sum(kernels.map(({ bytesWritten }) => bytesWritten)),
    blocks: blocksOf(buffers, kernels.length) + sum(inner.map(({ blocks }) => blocks)),
    peakBytes: Math.max(0, ...kernels.map(({ liveBytes }) => liveBytes)),
    openLoops: loops + sum(inner.map(({ openLoops }) => openLoops)),
    leaving: leaving.size + sum(inner.map((totals) => totals.leaving)),
  };
}
