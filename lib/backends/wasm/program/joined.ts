/**
 * Kernels of which some operands are several values as one: these are read where they lie, segment by segment. Rows come one after the other,
 * and the segments of a row from left to right, since what kernels write behind a segment is written anew by the next one.
 */
import { getOrMake } from "../../../core/get-or-make";
import { bytesOf } from "../../../core/types";
import type { Kernel } from "../../../kernel/value";
import type { JoinedStep } from "../../../program";
import { preparedOf } from "../../arrays/kernels";
import { advance, call, i32, local, range, type Int } from "../asm";
import { SEGMENT_CALLS, wastes } from "../schedule/element-wise";
import { gridOf, type Grid } from "../elements/segments";
import { pushAddress, type Place } from "./place";
import type { Emission, Resources } from "./resources";

/** Elements that kernels compute at a time at least. */
const GROUP = 4;

interface Joined {
  readonly kernel: Kernel;
  /** The inputs of the step that each operand of the kernel is, and the first element of one that is the same for all. */
  readonly operands: readonly { readonly inputs: readonly number[]; readonly first: number }[];
  readonly grid: Grid;
}

const known = new WeakMap<JoinedStep, Joined | null>();

/** How a step is done by segments; null where that does not pay. */
export const joinedOf = (step: JoinedStep): Joined | null => getOrMake(known, step, bySegments);

function bySegments({ nest }: JoinedStep): Joined | null {
  const { kernel, reads } = preparedOf(nest)!;
  const grid = gridOf(
    kernel,
    reads.map(({ access }) => access),
    nest.rows,
  );
  if (grid === null || wastes(grid.columns, GROUP)) return null;
  if (grid.blocks.length * grid.columns.length > SEGMENT_CALLS) return null;
  const operands = reads.map(({ from, access: { kind, offset } }) => ({
    inputs: typeof from === "number" ? [from] : from,
    first: kind === "uniform" ? offset : 0,
  }));
  return { kernel, operands, grid };
}

/** The code of a kernel by segments. */
export function planJoined(
  step: JoinedStep,
  inputs: readonly Place[],
  outputs: readonly Place[],
  resources: Resources,
): Emission {
  const { kernel, operands, grid } = joinedOf(step)!;
  const { length, blocks, columns } = grid;
  const row = resources.int();
  const moved = new Map<number, Int>();
  const movedBy = (bytes: number): Int => {
    if (!moved.has(bytes)) moved.set(bytes, resources.int());
    return moved.get(bytes)!;
  };
  const places = [
    ...operands.map(({ inputs: own, first }) => ({ first, of: own.map((input) => inputs[input]!) })),
    ...outputs.map((output) => ({ first: 0, of: [output] })),
  ];
  const all = blocks.map(([begin, end]) => {
    const segments = columns.map(([from, to]) => {
      const next = grid.at(begin + from + length);
      const operands = grid.at(begin + from).map(({ array, element }, i) => {
        const { first, of } = places[i]!;
        const { at, type } = of[array]!;
        const bytes = bytesOf(type);
        const pitch = end - begin > length ? (next[i]!.element - element) * bytes : 0;
        return { at: at!, offset: (first + element) * bytes, moved: pitch === 0 ? null : movedBy(pitch) };
      });
      return { n: to - from, run: resources.kernel(kernel, to - from), operands };
    });
    return { rows: (end - begin) / length, segments };
  });
  return () => {
    for (const { rows, segments } of all) {
      for (const offset of moved.values()) local.set(offset, 0);
      range(row, rows, 1, () => {
        for (const { n, run, operands } of segments) {
          i32.const(n);
          for (const { at, offset, moved } of operands) {
            pushAddress(at, offset);
            if (moved === null) continue;
            local.get(moved);
            i32.add();
          }
          call(run);
        }
        for (const [bytes, offset] of moved) advance(offset, bytes);
      });
    }
  };
}
