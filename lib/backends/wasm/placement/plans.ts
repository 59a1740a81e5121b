/**
 * Plans of work that is done again: how it is cut and where its operands lie depends on how they are walked, which of them lie
 * in the memory of kernels, and some figures such as sizes and threads, not on what they hold.
 */
import type { Access, Reader } from "../../../kernel/operand";
import type { Layout } from ".";
import type { Cut } from "../schedule/cuts";

/** How work is cut, and how its operands are found in each chunk. */
export interface Plan<C = Cut> {
  readonly cut: C;
  readonly layout: Layout;
}

/** What a plan was made for. */
interface Kept<P> {
  readonly walks: readonly Access[];
  readonly resident: readonly boolean[];
  readonly figures: readonly number[];
  readonly plan: P;
}

/** Plans kept for a kernel; the oldest makes room. Making one again takes up to a third of an eager call of a thousand elements. */
const KEPT = 64;

/** Plans by their kernel or program, and collected with it. */
export class Plans<P> {
  private readonly kept = new WeakMap<object, Kept<P>[]>();

  /**
   * The plan for operands that are walked so, lie at such addresses (those that are staged have a negative one), and for
   * these figures: the one that was kept, or is made now. One loop without calls: this is asked for by every eager call.
   */
  get(of: object, readers: readonly Reader[], bases: readonly number[], figures: readonly number[], make: () => P): P {
    const all = this.kept.get(of) ?? [];
    candidates: for (let i = 0; i < all.length; i++) {
      const { walks, resident, figures: own, plan } = all[i]!;
      for (let j = 0; j < figures.length; j++) if (figures[j] !== own[j]) continue candidates;
      for (let j = 0; j < bases.length; j++) if (bases[j]! >= 0 !== resident[j]) continue candidates;
      for (let j = 0; j < readers.length; j++) if (readers[j]!.access !== walks[j]) continue candidates;
      return plan;
    }
    const walks = readers.map(({ access }) => access);
    const kept = { walks, resident: bases.map((base) => base >= 0), figures, plan: make() };
    this.kept.set(of, [kept, ...all].slice(0, KEPT));
    return kept.plan;
  }
}
