/**
 * Looking at operands that ops of integers refuse in part: where there is such an element the program ends, and its steps run one
 * by one, of which one raises the error.
 */
import { bytesOf } from "../../../core/types";
import type { Refused } from "../../../program";
import { advance, i32, local, range, type Vector } from "../asm";
import { failIf } from "../routines/routine";
import { loadElement, pushAddress, pushHolds, pushIsNegative, type Place } from "./place";
import type { Emission, Resources } from "./resources";

/** Ends the program where an element of the operand is refused. */
export function planRefusal({ type, size, lanes, at }: Place, { what }: Refused, resources: Resources): Emission {
  const look = (element: Vector): void => {
    if (what === "negative") pushIsNegative(type, element);
    else {
      pushHolds(type, [element]);
      i32.eqz();
    }
    failIf();
  };
  if (lanes) return () => look(lanes[0]!);
  const [counter, pointer, element] = [resources.int(), resources.int(), resources.vector()];
  return () => {
    pushAddress(at!);
    local.set(pointer);
    range(counter, size, 1, () => {
      loadElement(type, [element], { base: pointer, offset: 0 });
      look(element);
      advance(pointer, bytesOf(type));
    });
  };
}
