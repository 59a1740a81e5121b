/**
 * Steps that depend on the one before, as loops over typed arrays.
 */
import { KEPT, STEPS, TIME_STEP, type Plain, type PlainResult, type Programs } from "../program";

function relax(x: Float32Array): Float32Array {
  if (x.length === 1) {
    let value = x[0]!;
    for (let step = 0; step < STEPS.scalar; step++) value = value * 0.999 + 0.001;
    return Float32Array.of(value);
  }
  const out = x.slice();
  for (let step = 0; step < STEPS.scalar; step++) {
    for (let i = 0; i < out.length; i++) out[i] = out[i]! * 0.999 + 0.001;
  }
  return out;
}

function movingMean(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0, mean = 0; i < x.length; i++) out[i] = mean = mean * KEPT + x[i]! * (1 - KEPT);
  return out;
}

function growth(x: Float32Array): Float32Array {
  const out = x.slice();
  for (let step = 0; step < STEPS.gradient; step++) {
    for (let i = 0; i < out.length; i++) out[i]! += TIME_STEP * out[i]! * (1 - out[i]!);
  }
  return out;
}

/** Each element on its own: forward with all states kept, then back. */
function growthGradient(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  const states = new Float64Array(STEPS.gradient);
  for (let i = 0; i < x.length; i++) {
    let value = x[i]!;
    for (let step = 0; step < STEPS.gradient; step++) {
      states[step] = value;
      value += TIME_STEP * value * (1 - value);
    }
    let slope = 1;
    for (let step = STEPS.gradient - 1; step >= 0; step--) slope *= 1 + TIME_STEP * (1 - 2 * states[step]!);
    out[i] = slope;
  }
  return out;
}

export const sequences: Programs<Plain, PlainResult> = {
  whileScalar:
    ({ x }) =>
    () =>
      relax(x!.data),
  whileVector:
    ({ x }) =>
    () =>
      relax(x!.data),
  scanScalar:
    ({ x }) =>
    () =>
      movingMean(x!.data),
  growth:
    ({ x }) =>
    () =>
      growth(x!.data),
  growthGradient:
    ({ x }) =>
    () =>
      growthGradient(x!.data),
};
