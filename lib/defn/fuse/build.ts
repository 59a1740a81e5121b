/**
 * From the nodes of one kernel to the kernel: views become strides, ops become the kernel language, and what others read
 * becomes an output.
 */
import { getOrMake } from "../../core/get-or-make";
import type { NestOperand } from "../../backend";
import { sizeOf } from "../../core/shape";
import { mapNest } from "../../kernel/nest";
import { kernelOf, type ScriptOp, type ScriptRef } from "../../kernel/script";
import { isUniform } from "../../kernel/view";
import type { Node } from "../graph";
import type { Facts } from "./clusters";
import { builtIn, constantRef, scriptOpOf } from "./lower";
import { operandOf } from "./nest";
import { LazyFused, type Fusion } from "./replace";
import { aligned, viewOf, type Viewed } from "./views";

class Draft {
  readonly inputs: Node[] = [];
  readonly operands: NestOperand[] = [];
  readonly ops: ScriptOp[] = [];
  private readonly reads = new Map<string, ScriptRef>();
  private readonly values = new Map<Node, ScriptRef>();
  composed = 0;

  constructor(private readonly members: ReadonlySet<Node>) {}

  add(node: Node): void {
    this.values.set(node, node.kind === "reshape" ? this.reshaped(node) : this.op(node));
  }

  value(node: Node): ScriptRef {
    return this.values.get(node)!;
  }

  private reshaped(node: Node): ScriptRef {
    return this.values.get(node.inputs[0]!) ?? this.read(this.viewOf(node, node), node);
  }

  private op(node: Node): ScriptRef {
    const operands = node.inputs.map((input) => this.operand(input, node));
    return { kind: "op", index: this.ops.push(scriptOpOf(node, operands)) - 1 };
  }

  private operand(input: Node, reader: Node): ScriptRef {
    const own = this.values.get(input);
    if (own && sizeOf(input.out.shape) === sizeOf(reader.out.shape)) return own;
    const constant = builtIn(input);
    if (constant) return constantRef(constant);
    return this.read(aligned(this.viewOf(input), reader.out.shape), input);
  }

  /** What a node shows of a tensor that the kernel does not compute itself; `start` may be one of the kernel's own views. */
  private viewOf(node: Node, start?: Node): Viewed {
    return viewOf(node, (view) => view !== start && this.members.has(view));
  }

  private read({ base, view }: Viewed, input: Node): ScriptRef {
    if (base !== input) this.composed++;
    const uniform = isUniform(view);
    const place = uniform ? "all" : `${view.shape.join()} ${view.strides.join()}`;
    const key = `${base.id} ${view.offset} ${place}`;
    return getOrMake(this.reads, key, () => {
      this.operands.push(operandOf({ base, view }));
      return { kind: "input", index: this.inputs.push(base) - 1 };
    });
  }
}

/** The fusion of some nodes, in the order of the graph; null where a kernel would do no more than the node by itself. */
export function fusionOf(nodes: readonly Node[], { readers, roots }: Facts): Fusion | null {
  const members = new Set(nodes);
  const draft = new Draft(members);
  for (const node of nodes) draft.add(node);
  const ops = nodes.filter(({ kind }) => kind !== "reshape").length;
  if (ops === 1 && draft.composed === 0) return null;
  const isRead = (node: Node): boolean =>
    roots.has(node) || (readers.get(node) ?? []).some((reader) => !members.has(reader));
  const outputs = nodes.filter(isRead);
  const results = outputs.map((node) => draft.value(node));
  const inputs = draft.operands.map(({ type, space }) => ({ type, uniform: space === "one" }));
  const kernel = kernelOf({ inputs, ops: draft.ops, outputs: results });
  const nest = mapNest(kernel, draft.operands, sizeOf(outputs[0]!.out.shape));
  return { inputs: draft.inputs, outputs, attrs: new LazyFused(nest, draft.inputs, outputs) };
}
