/**
 * Steps of recurrences in lanes of vectors: which elements go side by side, and the bodies that schedules emit. What is held
 * is a list of groups, one for each value of a state.
 */
import { getOrMake } from "../../../core/get-or-make";
import { bytesOf, isComplex, type DType } from "../../../core/types";
import { bodyOf, elementIn, kindOf, type Body, type Recurrence, type Steps } from "../../../kernel/recurrence";
import { Builder } from "../../../kernel/builder";
import { isWideKind, type ConstValue, type NumberKind, type Value } from "../../../kernel/value";
import { emitConstant, emitLoadBy, emitLoadTwo, type RowStep } from "../codegen/access";
import { placed, type Loader, type Placed } from "../codegen/body";
import type { Group } from "../codegen/vectors";
import { i32, local, type Int } from "../asm";

/** What is held: a group for each value of a state. */
export type Held = readonly Group[];

export interface Lanes {
  readonly type: DType;
  /** The type that elements have when they are loaded: integers of 32 bits may be extended then. */
  readonly loaded: DType;
  /** Elements from one to the next, and bytes. */
  readonly by: RowStep;
  readonly bytes: number;
  /** Elements side by side: two where these are loaded by themselves as lanes of 64 bits, and groups are single vectors. */
  readonly count: 2 | 4;
  /** Vectors of a group that is held, or that is an element. */
  readonly width: 1 | 2;
  /** Whether lanes that are held have 64 bits. */
  readonly wide: boolean;
  readonly init: readonly ConstValue[];
  readonly isIdempotent: boolean;
  /** A body over groups as these lanes hold them. */
  inGroups(body: Body): Placed;
  /** To an element. */
  readonly element: Placed;
  /** From what is held and an element that is loaded, of which the position is given, to what is held. */
  readonly take: Placed;
  /** From what is held, an element and its position to what is held, in single vectors. */
  readonly step: Placed;
  /** From what is held twice, in single vectors, to what is held. */
  readonly join: Placed;
}

/** The bodies of lanes, for functions that emit them. */
export const bodiesOf = ({ element, step, take, join }: Lanes): readonly Placed[] => [element, step, take, join];

/** Bytes of a value of the work type. */
export const entryBytes = ({ work }: Pick<Recurrence, "work">): 4 | 8 => (isWideKind(kindOf(work)) ? 8 : 4);

/** A body over single vectors. */
export const inSingle = (body: Body): Placed => placed(body, true);

/** Elements that a kernel computes go as many side by side as the widest lanes allow. */
const isSingle = ({ type, prologue }: Recurrence): boolean => bytesOf(type) >= (prologue ? 8 : 4) && !isComplex(type);

/** Lanes of recurrences for their own steps: several functions of a module ask for them. */
const own = new WeakMap<Recurrence, Lanes>();

/** The elements of a recurrence in lanes, for its own steps or others of it. */
export const lanesOf = (recurrence: Recurrence, steps: Steps = recurrence): Lanes =>
  steps === recurrence ? getOrMake(own, recurrence, () => makeLanes(recurrence, steps)) : makeLanes(recurrence, steps);

function makeLanes(recurrence: Recurrence, steps: Steps): Lanes {
  const { type, by = 1 } = recurrence;
  const init = steps.init(new Builder()) as ConstValue[];
  const kinds = init.map(({ kind }) => kind as NumberKind);
  const n = kinds.length;
  const wide = isWideKind(kinds[0]!);
  const single = wide && isSingle(recurrence);
  const inGroups = (body: Body): Placed => placed(body, single);
  const loaded = single && type === "s32" ? "s64" : single && type === "u32" ? "u64" : type;
  const elementAt = (k: Builder): Value<NumberKind> => elementIn(k, recurrence, steps, loaded);
  const element = bodyOf([], (k) => [elementAt(k)]);
  const kind = element.outputs[0]!.kind as NumberKind;
  const number: NumberKind = isWideKind(kind) ? "i64" : "i32";
  return {
    type,
    loaded,
    by,
    bytes: by * bytesOf(type),
    count: single ? 2 : 4,
    width: wide && !single ? 2 : 1,
    wide,
    init,
    isIdempotent: steps.isIdempotent ?? false,
    inGroups,
    element: inGroups(element),
    step: inSingle(bodyOf([...kinds, kind, number], (k, g) => steps.step(k, g.slice(0, n), g[n]!, g[n + 1]!))),
    take: inGroups(bodyOf([...kinds, number], (k, g) => steps.step(k, g.slice(0, n), elementAt(k), g[n]!))),
    join: inSingle(bodyOf([...kinds, ...kinds], (k, g) => steps.join(k, g.slice(0, n), g.slice(n)))),
  };
}

/** Loads the elements from an address on. */
export const loader =
  ({ type, count, by, bytes }: Lanes, at: Int, offset: number): Loader =>
  ({ part }, out) => {
    let [first, behind] = [at, offset];
    if (by < 0) {
      // the last one is the first in memory
      [first, behind] = [local.fresh("i32"), 0];
      local.set(first, i32.add(at, offset + (count - 1) * bytes));
    }
    if (count === 2) emitLoadTwo(by, type, out, first, behind);
    else emitLoadBy(by, type, part, out, first, behind);
  };

/** Sets a state to its initial values. */
export function setInit({ init }: Lanes, held: Held): void {
  held.forEach((group, i) => {
    const { kind, value, high } = init[i]!;
    emitConstant(kind as "f32", group, value, high);
  });
}

/** Vectors that `count` states take. */
export const vectorsOf = ({ init, width }: Lanes, count: number): number => init.length * width * count;

/** Some states, the groups of each value of which are neighbours among the vectors. */
export function heldIn({ init, width }: Lanes, vectors: Group, count: number): Held[] {
  const each = width * count;
  return Array.from({ length: count }, (_, j) =>
    init.map((_, i) => vectors.slice(i * each + j * width, i * each + (j + 1) * width)),
  );
}

/** The vectors of states one by one: each a state of single vectors. */
export const inVectors = (states: readonly Held[]): Held[] =>
  states.flatMap((held) => held[0]!.map((_, k) => held.map((group) => [group[k]!])));
