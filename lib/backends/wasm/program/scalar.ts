/**
 * Kernels over a single element, in vectors from one step to the next.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { NestOperand } from "../../../backend";
import type { Body } from "../../../kernel/recurrence";
import type { Kernel, LoadValue } from "../../../kernel/value";
import type { MapStep } from "../../../program";
import type { Vector } from "../asm";
import { emitBody, flatten, placed } from "../codegen/body";
import { kernelOf } from "./steps";
import { loadElement, partsOf, trim, type Place } from "./place";
import type { Emission, Resources } from "./resources";

const bodies = new WeakMap<Kernel, Body>();

/** A kernel as a body, whose inputs are the parts of elements that it loads. */
const bodyOf = (kernel: Kernel): Body =>
  getOrMake(bodies, kernel, ({ values, outputs }) => {
    const inputs = flatten(values).filter((value) => value.op === "load");
    return { inputs, values, outputs: outputs.flatMap((output) => output.values) };
  });

/** The code of a nest of one element. */
export function planScalar(
  step: MapStep,
  inputs: readonly Place[],
  outputs: readonly Place[],
  resources: Resources,
): Emission {
  const body = placed(bodyOf(kernelOf(step)), true);
  const spare = resources.spare(body.used);
  for (const value of body.constants) resources.constant(value);
  const operands = inputs.map((place, i) => operandLanes(place, step.nest.operands[i]!, resources));
  const vectors = {
    inputs: body.body.inputs.map((value) => {
      const { input, part } = value as LoadValue;
      return [operands[input]!.lanes[part]!];
    }),
    outputs: outputs.flatMap(({ lanes }) => lanes!.map((lane) => [lane])),
    spare,
    constant: (value: Parameters<Resources["constant"]>[0]) => resources.constant(value),
  };
  return () => {
    for (const { load } of operands) load?.();
    emitBody(body, vectors);
    for (const { type, lanes } of outputs) trim(type, lanes!);
  };
}

/** The vectors of an operand, and what brings one element of a longer value there. */
function operandLanes(
  { type, lanes, at }: Place,
  { view }: NestOperand,
  resources: Resources,
): { readonly lanes: readonly Vector[]; readonly load?: Emission } {
  if (lanes) return { lanes };
  const own = Array.from({ length: partsOf(type) }, () => resources.vector());
  return { lanes: own, load: () => loadElement(type, own, at!, view.offset) };
}
