/**
 * From the nodes of one kernel to the kernel: views become strides, ops become the kernel language, and what others read
 * becomes an output.
 */
import type { View } from "../../backend";
import { Builder } from "../../kernel/builder";
import { keyOf } from "../../kernel/key";
import { load, store, type Typed } from "../../kernel/lower/typed";
import { sizeOf } from "../../core/shape";
import type { Node } from "../graph";
import type { Facts } from "./clusters";
import { lowered, loweredConstant } from "./lower";
import { graphOf, type Fusion } from "./replace";
import { aligned, isUniform, seen, type Seen } from "./views";

class Draft {
  readonly k = new Builder();
  readonly inputs: Node[] = [];
  readonly views: View[] = [];
  private readonly reads = new Map<string, Typed>();
  private readonly values = new Map<Node, Typed>();
  composed = 0;

  constructor(private readonly members: ReadonlySet<Node>) {}

  add(node: Node): void {
    const value =
      node.kind === "reshape"
        ? (this.values.get(node.inputs[0]!) ?? this.read(this.seen(node, node), node))
        : lowered(
            this.k,
            node,
            node.inputs.map((input) => this.operand(input, node)),
          );
    this.values.set(node, value);
  }

  value(node: Node): Typed {
    return this.values.get(node)!;
  }

  private operand(input: Node, reader: Node): Typed {
    const own = this.values.get(input);
    if (own && sizeOf(input.out.shape) === sizeOf(reader.out.shape)) return own;
    const constant = constantBehind(input);
    const known = constant && loweredConstant(this.k, constant);
    if (known) return known;
    return this.read(aligned(this.seen(input), reader.out.shape), input);
  }

  /** What a node shows of a tensor that the kernel does not compute itself; `start` may be one of the kernel's own views. */
  private seen(node: Node, start?: Node): Seen {
    return seen(node, (view) => view !== start && this.members.has(view));
  }

  private read({ base, view }: Seen, input: Node): Typed {
    if (base !== input) this.composed++;
    const uniform = isUniform(view);
    const place = uniform ? "all" : `${view.shape.join()} ${view.strides.join()}`;
    const key = `${base.id} ${view.offset} ${place}`;
    const before = this.reads.get(key);
    if (before) return before;
    const { type } = base.out;
    const index = this.k.input(type, uniform);
    this.inputs.push(base);
    this.views.push(view);
    const value = load(this.k, index, type);
    this.reads.set(key, value);
    return value;
  }
}

/** The constant that a node repeats, if it does. */
function constantBehind(node: Node): Extract<Node, { kind: "constant" }> | null {
  let from = node;
  while (from.kind === "broadcast" || from.kind === "reshape" || from.kind === "transpose") from = from.inputs[0]!;
  return from.kind === "constant" ? from : null;
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
  const kernel = draft.k.kernel(outputs.map((node) => store(draft.k, draft.value(node))));
  const fused = { kernel, key: keyOf(kernel), views: draft.views };
  return { inputs: draft.inputs, outputs, attrs: { fused, fn: graphOf(draft.inputs, outputs) } };
}
