/**
 * Windows of few elements as element-wise kernels: an input for each place in the window, which is the same array read from
 * another element on. Axes are folded one after the other, each from its first place on, as the loops of the reference do.
 */
import type { DType } from "../core/types";
import { Builder } from "./builder";
import { keyOf } from "./key";
import { cast } from "./lower/cast";
import type { Keyed } from "./lower/single";
import { load, store } from "./lower/typed";
import type { Recurrence, State, Steps } from "./recurrence";

/** The kernel of windows of so many places along each axis; inputs are the places in row-major order. */
export function windowKernel(recurrence: Recurrence, places: readonly number[], out: DType): Keyed {
  const k = new Builder();
  const { shortcut } = recurrence;
  // A shortcut with doubts would have to be done again where it has some; one without holds the same in narrower lanes.
  const narrow = shortcut && !shortcut.doubt ? shortcut : null;
  const steps: Steps = narrow ?? recurrence;
  const count = places.reduce((product, size) => product * size, 1);
  const { type } = recurrence;
  const inputs = Array.from({ length: count }, () => k.input(type));
  const element = (place: number) => steps.element(k, load(k, inputs[place]!, type));
  const inner = Math.max(
    0,
    places.findIndex((size) => size > 1),
  );
  const fold = (axis: number, place: number, step: number): State => {
    const size = places[axis]!;
    const part = (i: number): State | null => (axis > inner ? fold(axis - 1, place + i * step, step * size) : null);
    // An element is the extreme of itself; to sums and products the neutral element is added as the loops do.
    let state: State | null = recurrence.isIdempotent ? null : steps.init(k);
    for (let i = 0; i < size; i++) {
      const folded = part(i);
      if (folded) state = state ? steps.join(k, state, folded) : folded;
      else {
        const value = element(place + i * step);
        state = state ? steps.step(k, state, value, value) : [value];
      }
    }
    return state!;
  };
  const state = fold(places.length - 1, 0, 1);
  const held = narrow ? narrow.close(k, state, k.i32(count - 1)) : state;
  const kernel = k.kernel([store(k, cast(k, recurrence.result(held), out, "wrap")!)]);
  return { kernel, key: keyOf(kernel), values: kernel.values.length };
}
