/**
 * The `Nx.Defn` namespace.
 */
export { cond, type Clause, type Predicate } from "./control/cond";
export { foriLoop, switchCase as switch } from "./control/counted";
export { whileLoop } from "./control/loop";
export { map, scan, type Results, type ScanOptions } from "./control/scan";
export * as Composite from "./composite";
export { customGrad, stopGrad } from "./grad/custom";
export { assertShape, type ShapePattern, type SizePattern } from "./debug/assert";
export { explain, type Explanation } from "./debug/explain/explain";
export type {
  BufferReport,
  FunctionReport,
  GraphReport,
  KernelReport,
  NodeReport,
  PassReport,
  ProgramReport,
  Report,
  TotalsReport,
} from "./debug/explain/report";
export { hook } from "./debug/hook";
export { printExpr, printValue, type PrintOptions, type PrintValueOptions } from "./debug/print";
export {
  hessian,
  jacobian,
  jvp,
  vjp,
  type DerivativeNames,
  type Derivatives,
  type DerivativesOf,
} from "./grad/jacobian";
export { grad, valueAndGrad } from "./grad/grad";
export type { CompilerName } from "./compiler";
export type { HookCallback, HookTable } from "./debug/scope";
export { compile, debugExpr, defn, jit, jitApply, type Expression } from "./defn";
export { lazy, type LazyTensor } from "./lazy";
export { checkPure } from "./purity";
export { untraced } from "./untraced";
export { toGraph, type GraphOptions, type GraphValue, type TracedFunction } from "./to-graph";
export type {
  CaptureNode,
  ControlAttrs,
  ControlKind,
  ControlNode,
  ElementNode,
  FusedAttrs,
  FusedNode,
  Graph,
  HookFunction,
  HookNode,
  LeafNode,
  LiteralNode,
  MultiResultNode,
  Node as GraphNode,
  NodeAttrs,
  NodeBase,
  ParameterNode,
  PrimitiveNode,
  RuntimeCallAttrs,
  RuntimeCallNode,
  RuntimeFunction,
} from "./graph";
export type { Owner as TraceOwner, TraceScope } from "./scope";
export { defaultOptions, type DefaultOptions, type DefnOptions } from "./options";
export type { AxisNames, Entries, Stacked, Tensors } from "./trace";
export {
  vmap,
  type AxisAt,
  type EntriesIn,
  type ManyEntries,
  type NamesGoneOver,
  type VmapAxes,
  type VmapOver,
} from "./vectorize/vectorize";
