/**
 * Reductions of values that wait: lines of contiguous elements are folded where they are computed.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { stagesOf } from "../../../core/stages";
import { isComplex, type DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import { keyOf } from "../../../kernel/key";
import { LONG_LINE } from "../../../kernel/nest";
import { Reader, type Access } from "../../../kernel/operand";
import { withUniform } from "../../../kernel/uniform";
import type { Kernel } from "../../../kernel/value";
import type { ReduceOp } from "../../../ops";
import type { ArrayData, Elements } from "../../arrays/storage";
import { arrays } from "../arrays";
import { suits, wasmReduceOp } from "../reduce/reduce";
import { orElse } from "../refusal";
import { isRowsCompiled, type Program } from "../rows/code";
import { placed } from "../rows/kernel";
import { runProgram } from "../rows/run";
import { isWarm } from "../tiering";
import type { Draft } from "./draft";
import { Pending } from "./node";
import { draftOf, kernelFor } from "./settle";

/** How a nest of one kernel and one fold is run. */
interface Folding {
  readonly program: Program;
  readonly walks: readonly Access[];
}

/** Lines, and how many elements each has. */
interface Grid {
  readonly groups: number;
  readonly rows: number;
}

/** The result of a reduction of a value that waits, in the order of `reduceOp`; null where the value had better be computed first. */
function reduceWaiting(out: Template, root: Pending, { op, axes }: Attrs["reduceOp"]): ArrayData | null {
  const grid = gridOf(root, op, axes, out.type);
  if (grid === null) return null;
  const draft = draftOf(root);
  if (draft.isMove) return null;
  const isKept = root.consumers > 0 || draft.isBetterStored(root);
  const stored = [...draft.outputs(), ...(isKept ? [root] : [])];
  const kernel = kernelFor(draft, isKept ? stored : [...stored, root], root.size);
  if (kernel === null) return null;
  const { program, walks } = foldingOf(draft, kernel, { op, out: out.type, grid, stored: stored.length });
  if (!isRowsCompiled(program) && !isWarm(program.key, root.size)) return null;
  const results = stored.map(({ type, shape }) => arrays.unset(type, shape) as Elements);
  const folded = arrays.unset(out.type, out.shape);
  const readers = draft.readers.map(({ elements, width }, i) => new Reader(elements, width, walks[i]!));
  runProgram(program, readers, [...results, folded]);
  draft.swallow(stored);
  stored.forEach((value, i) => value.finish(results[i]!));
  if (!isKept) root.swallow();
  return arrays.hold(folded);
}

/** The lines of a reduction, of elements that are neighbours; null for others. */
function gridOf({ shape, type }: Pending, op: ReduceOp, axes: readonly number[], out: DType): Grid | null {
  if (axes.length === 0 || isComplex(type) || !suits(op, type, out)) return null;
  const [{ before, size, after }, ...further] = stagesOf(shape, axes) as [ReturnType<typeof stagesOf>[number]];
  if (further.length > 0 || after !== 1 || size < 2) return null;
  return { groups: before, rows: size };
}

/** Nests kept at hand. */
const KEPT = 512;
const known = new Recent<Folding>(KEPT);

/** Numbers for walks, by which nests are told apart. */
const walkIds = new WeakMap<Access, number>();
let walksMet = 0;

function idOf(access: Access): number {
  let id = walkIds.get(access);
  if (id === undefined) walkIds.set(access, (id = ++walksMet));
  return id;
}

interface Fold {
  readonly op: ReduceOp;
  readonly out: DType;
  readonly grid: Grid;
  /** How many values besides the result of the fold are stored. */
  readonly stored: number;
}

function foldingOf(draft: Draft, kernel: Kernel, fold: Fold): Folding {
  const { op, out, grid, stored } = fold;
  const { groups, rows } = grid;
  const text = `${op} ${out} ${groups} ${rows} ${stored} ${draft.readers.map(({ access }) => idOf(access)).join()} ${keyOf(kernel)}`;
  let one = known.get(text);
  if (one === undefined) known.set(text, (one = folding(draft, kernel, fold)));
  return one;
}

function folding({ readers }: Draft, kernel: Kernel, { op, out, grid, stored }: Fold): Folding {
  const { groups, rows } = grid;
  const cut = rows > LONG_LINE;
  const found = readers.map((reader) => placed(reader, rows, cut));
  const spaces = found.map(([space]) => space);
  const first = readers.length;
  const outputs = kernel.outputs.map((_, i) => first + i);
  const last = first + outputs.length;
  const values = [
    ...kernel.inputs.map(({ type }, i) => ({ type, space: spaces[i]! })),
    ...kernel.outputs.map(({ type }) => ({ type, space: "full" as const })),
    { type: out, space: "line" as const },
  ];
  const uniform = spaces.map((space) => space === "one" || space === "line");
  const inputs = spaces.map((_, i) => i);
  const map = { kind: "map", space: "full", kernel: withUniform(kernel, uniform), inputs, outputs } as const;
  const ending = { kind: "fold", op, input: last - 1, output: last } as const;
  const key = `deferred ${spaces.join()} ${stored} ${op} ${out} ${keyOf(kernel)}`;
  const results = [...outputs.slice(0, stored), last];
  const program = { groups, rows, cut, values, stages: [map, ending], outputs: results, key };
  return { program, walks: found.map(([, walk]) => walk) };
}

/** Reductions of values that wait, and of all others. */
export const reduceOp: PrimitiveFunction<"reduceOp"> = (out, inputs, attrs) => {
  const { elements } = inputs[0]!.data as ArrayData;
  const root = elements !== null && elements.length === 0 && elements instanceof Pending ? elements : null;
  return (root && folded(out, root, attrs)) ?? wasmReduceOp(out, inputs, attrs);
};

const folded = orElse(reduceWaiting, () => null);
