/**
 * How values that wait are computed, as numbers: what was found out once for values of a structure is done again for others of that
 * structure, without drafting. A structure is all that drafts go by: steps, shapes, which arrays are the same, and who needs what.
 */
import { Recent } from "../../../kernel/generational-cache";
import { reading, type Access, type Reader } from "../../../kernel/operand";
import { REDUCTIONS } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { Shape } from "../../../core/shape";
import { TYPE_NUMBERS } from "../../../core/types";
import type { Move } from "../../../kernel/view";
import type { Elements } from "../../arrays/storage";
import type { LineNest } from "../lines/code";
import type { Draft } from "./draft";
import { nextMark } from "./extent";
import type { Operand, Pending, Step } from "./node";

/** An operand: the numbers of its arrays among those met, several where they are joined. */
interface Read {
  readonly arrays: readonly number[];
  readonly width: 1 | 2;
  readonly access: Access;
}

/** A kernel, or a program of lines, over the arrays met. */
export interface Work {
  readonly runs:
    | { readonly kind: "kernel"; readonly kernel: Kernel; readonly key: string }
    | { readonly kind: "lines"; readonly program: LineNest };
  readonly reads: readonly Read[];
  /** Numbers of the values that the kernel stores, the wanted value last, and the number of the output of each. */
  readonly stored: readonly number[];
  readonly places: readonly number[];
}

/** The way to compute the values of a structure. */
export interface Recipe {
  /** A value that is computed first; -1 for none. */
  readonly first: number;
  /** Numbers of the values that the wanted value shares with other pending values. */
  readonly shared: readonly number[];
  /** The compiled work; null where compiling does not pay yet, or the structure runs op by op. */
  readonly work: Work | null;
}

const AS_BEFORE = -1;

const FOLDS = Object.keys(REDUCTIONS);

const KINDS: { readonly [K in Step["kind"]]: number } = { op: 0, join: 1, fold: 2, move: 3 };

const MOVES: { readonly [K in Move["kind"]]: number } = {
  reshape: 0,
  broadcast: 1,
  transpose: 2,
  reverse: 3,
  slice: 4,
};

/** Lists that structures were written to: the next ones are written over them, so that lists do not grow at each call. */
const spare: number[][] = [];

/** The values that some values are computed of, and the arrays at their ends, in an order that the structure alone decides. */
export class Met {
  readonly values: Pending[] = [];
  readonly arrays: Elements[] = [];
  /** The structure, in the first numbers of a list, and how many these are. */
  readonly code: number[] = spare.pop() ?? [];
  length = 0;
  private readonly mark = nextMark();
  /** The shape that was written last. */
  private last: Shape | null = null;
  private hash = 0;
  /** How much of the structure is in the hash. */
  private hashed = 0;

  constructor(root: Pending, further: readonly Pending[] = []) {
    this.value(root);
    this.meet(further);
  }

  /** Goes on with further values, which come after all that was met. */
  meet(roots: readonly Pending[]): void {
    for (let i = 0; i < roots.length; i++) this.value(roots[i]!);
  }

  /** Gives the list of the structure back: nobody asks for the structure again. */
  close(): void {
    spare.push(this.code);
  }

  /** The hash of the structure. */
  get key(): string {
    const { code, length } = this;
    for (; this.hashed < length; this.hashed++) this.hash = (Math.imul(this.hash, 31) + code[this.hashed]!) | 0;
    return `${this.hash}`;
  }

  /** Readers of the arrays met. */
  readers(reads: readonly Read[]): Reader[] {
    return reads.map(({ arrays, width, access }) =>
      reading(
        arrays.map((array) => this.arrays[array]!),
        width,
        access,
      ),
    );
  }

  private value(value: Pending): void {
    const { values, mark } = this;
    if (value.mark === mark) return this.put(value.place);
    this.put((value.place = values.length));
    value.mark = mark;
    values.push(value);
    const { step, operands, lines, consumers, times, data } = value;
    this.put(operands.length);
    this.put(consumers);
    this.put((times > 2 ? 2 : times) + (data === null ? 0 : 4) + (lines === null ? 0 : 8));
    if (lines !== null) {
      this.put(lines.groups);
      this.put(lines.rows);
    }
    this.step(step);
    this.shape(value.shape);
    for (let i = 0; i < operands.length; i++) this.operand(operands[i]!);
  }

  private operand(operand: Operand): void {
    const array = operand.result;
    if (array === null) return this.value(operand as Pending);
    let at = this.arrays.indexOf(array);
    if (at < 0) at = this.arrays.push(array) - 1;
    this.put(-1 - at);
    this.put(TYPE_NUMBERS[operand.type]);
    this.shape(operand.shape);
  }

  /** Most shapes are the very one before, which a number says that is no length. */
  private shape(shape: Shape): void {
    if (shape === this.last) return this.put(AS_BEFORE);
    this.last = shape;
    this.list(shape);
  }

  private step(step: Step): void {
    this.put(KINDS[step.kind]);
    if (step.kind === "op") return this.put(step.alone.id);
    if (step.kind === "fold") return this.put(FOLDS.indexOf(step.op));
    if (step.kind === "join") {
      this.put(step.axis);
      return this.put(step.cut);
    }
    const { move } = step;
    this.put(MOVES[move.kind]);
    if (move.kind === "slice") {
      this.list(move.attrs.starts as readonly number[]);
      this.list(move.attrs.strides);
    } else if (move.kind !== "reshape") this.list(move.attrs.axes);
  }

  private list(numbers: readonly number[]): void {
    this.put(numbers.length);
    for (let i = 0; i < numbers.length; i++) this.put(numbers[i]!);
  }

  private put(number: number): void {
    this.code[this.length++] = number;
  }
}

/** A recipe and its structure. */
interface Known {
  readonly code: readonly number[];
  readonly recipe: Recipe;
}

/** Structures kept at hand. */
const KEPT = 1024;
const known = new Recent<Known>(KEPT);

/** What is known of a structure. */
export function recipeFor(met: Met): Recipe | null {
  const { code, length } = met;
  const found = known.get(met.key);
  if (found === undefined || found.code.length !== length) return null;
  for (let i = 0; i < length; i++) if (code[i] !== found.code[i]) return null;
  return found.recipe;
}

/** Keeps what was found out for a structure; of structures with the same hash the latest. */
export function learn(met: Met, recipe: Recipe): void {
  known.set(met.key, { code: met.code.slice(0, met.length), recipe });
}

/** The work of a draft that stores these values. */
export function workOf(
  met: Met,
  { readers }: Draft,
  stored: readonly Pending[],
  runs: Work["runs"],
  { walks, places }: { readonly walks?: readonly Access[]; readonly places?: readonly number[] } = {},
): Work {
  return {
    runs,
    reads: readers.map((reader, i) => {
      const access = reader.access.join === undefined ? (walks?.[i] ?? reader.access) : reader.access;
      return { arrays: reader.arrays.map((array) => met.arrays.indexOf(array)), width: reader.width, access };
    }),
    stored: stored.map((value) => met.values.indexOf(value)),
    places: places ?? stored.map((_, i) => i),
  };
}
