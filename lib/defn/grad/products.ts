/** Rules of sums of products: dot, convolution, Fourier transform. */
import type { Attrs } from "../../backend";
import { CONV, FFT, IOTA, REVERSE } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { allAxes, inversePermutation } from "../../core/shape";
import { mergeTypes, toComplex, toReal } from "../../core/types";
import { constant, run, template } from "../../nx/dispatch";
import { transpose } from "../../nx/shape";
import { conjugate, equal, logicalOr, multiply, where } from "../../nx/elementwise";
import { dotOf } from "../../nx/ndim/matrices";
import { reach } from "../../nx/windows/geometry";
import type { Tensor } from "../../tensor";
import { reshapeTo, type Rule } from "./core";

type DotAttrs = Attrs["dot"];

/** Cotangent of one operand: g and the other operand, summed over the axes that come from the other alone. */
function dotSide(g: Tensor, own: Tensor, other: Tensor, { contract, batch }: DotAttrs, side: 0 | 1): Tensor {
  const otherSide = side === 0 ? 1 : 0;
  const batches = batch[0].length;
  const free = (t: Tensor, s: 0 | 1) =>
    allAxes(t.shape.length).filter((axis) => !contract[s].includes(axis) && !batch[s].includes(axis));
  const ownFree = free(own, side);
  const otherFree = free(other, otherSide);
  const start = batches + (side === 0 ? ownFree.length : 0);
  const raw =
    g.shape.length === 0
      ? multiply(g, other)
      : dotOf(g, other, {
          contract: [otherFree.map((_, i) => start + i), otherFree],
          batch: [allAxes(batches), batch[otherSide]],
        });
  // raw has: batch, own free axes, then the contracted axes of the other operand in ascending order
  const ascending = [...contract[otherSide]].sort((a, b) => a - b);
  const partner = ascending.map((axis) => contract[side][contract[otherSide].indexOf(axis)]!);
  const order = [...batch[side], ...ownFree, ...partner];
  return transpose(raw, { axes: inversePermutation(order) });
}

export const dotRule: Rule<DotAttrs> = ({ attrs, inputs: [left, right], g }) => [
  () => dotSide(g, left!, right!, attrs, 0),
  () => dotSide(g, right!, left!, attrs, 1),
];

/** Weights along an axis: `ends` for the first and the last, `inner` for all others. */
function weightsOf({ shape, type: complex }: Tensor, axis: number, ends: number, inner: number): Tensor {
  const last = shape[axis]! - 1;
  const type = toReal(complex);
  const sizes = Object.freeze(shape.map((size, i) => (i === axis ? size : 1)));
  const position: Tensor = run(IOTA, template(type, sizes, unnamed(sizes.length)), [], { axis });
  const isEnd = logicalOr(equal(position, 0), equal(position, last));
  return where(isEnd, constant(ends, type), constant(inner, type)) as Tensor;
}

/** Of the transform of n real numbers: the inverse one, of which the ends count once and all others for their conjugates, too. */
function halfRule(g: Tensor, { axis }: Attrs["fft"]): Tensor {
  const n = 2 * (g.shape[axis]! - 1);
  const shape = Object.freeze(g.shape.map((size, i) => (i === axis ? n : size)));
  const weighted = multiply(conjugate(g), weightsOf(g, axis, n, n / 2));
  const out = template(toReal(g.type), shape, unnamed(shape.length));
  return run(FFT, out, [weighted], { axis, inverse: true, eps: 0, half: true });
}

/** The other way round. */
function inverseHalfRule(g: Tensor, { axis }: Attrs["fft"]): Tensor {
  const n = g.shape[axis]!;
  const shape = Object.freeze(g.shape.map((size, i) => (i === axis ? n / 2 + 1 : size)));
  const out = template(toComplex(g.type), shape, unnamed(shape.length));
  const spectrum = conjugate(run(FFT, out, [g], { axis, inverse: false, eps: 0, half: true }));
  return multiply(spectrum, weightsOf(spectrum, axis, 1 / n, 2 / n));
}

/** The DFT matrix is symmetric, so its transpose is the transform itself. */
export const fftRule: Rule<Attrs["fft"]> = ({ attrs, g }) => [
  () => {
    if (attrs.half) return (attrs.inverse ? inverseHalfRule : halfRule)(g, attrs);
    return run(FFT, template(g.type, g.shape, unnamed(g.shape.length)), [g], { ...attrs, eps: 0 });
  },
];

type ConvAttrs = Attrs["conv"];

const swap = (t: Tensor): Tensor => transpose(t, { axes: [1, 0, ...allAxes(t.shape.length).slice(2)] });

const flip = (t: Tensor): Tensor =>
  run(REVERSE, template(t.type, t.shape, unnamed(t.shape.length)), [t], { axes: allAxes(t.shape.length).slice(2) });

function convOf(input: Tensor, kernel: Tensor, attrs: ConvAttrs): Tensor {
  const { strides, padding, inputDilation, kernelDilation, batchGroups } = attrs;
  const spatial = strides.map((stride, i) => {
    const span = reach(input.shape[i + 2]!, inputDilation[i]!) + padding[i]![0] + padding[i]![1];
    return Math.floor((span - reach(kernel.shape[i + 2]!, kernelDilation[i]!)) / stride) + 1;
  });
  const shape = Object.freeze([input.shape[0]! / batchGroups, kernel.shape[0]!, ...spatial]);
  const out = template(mergeTypes(input.type, kernel.type), shape, unnamed(shape.length));
  return run(CONV, out, [input, kernel], attrs);
}

/** `[a * groups, b, ...]` to `[a, groups * b, ...]` or back: which of the first two axes the groups are part of. */
function regroup(t: Tensor, groups: number, from: 0 | 1): Tensor {
  if (groups === 1) return t;
  const [first, second, ...rest] = t.shape as [number, number, ...number[]];
  const tail = rest.map((_, i) => i + 3);
  if (from === 0) {
    const split = reshapeTo(t, [groups, first / groups, second, ...rest]);
    return reshapeTo(transpose(split, { axes: [1, 0, 2, ...tail] }), [first / groups, groups * second, ...rest]);
  }
  const split = reshapeTo(t, [first, groups, second / groups, ...rest]);
  return reshapeTo(transpose(split, { axes: [1, 0, 2, ...tail] }), [groups * first, second / groups, ...rest]);
}

/** The cotangent spread by the strides, correlated with the flipped kernel whose channels are swapped. */
function convInput(g: Tensor, input: Tensor, kernel: Tensor, attrs: ConvAttrs): Tensor {
  const { strides, padding, inputDilation, kernelDilation, featureGroups, batchGroups } = attrs;
  const groups = featureGroups > 1 ? featureGroups : batchGroups;
  const flipped = flip(swap(regroup(kernel, groups, 0)));
  const newPadding = strides.map((stride, i) => {
    const taps = reach(kernel.shape[i + 2]!, kernelDilation[i]!) - 1;
    const low = taps - padding[i]![0];
    const spread = reach(g.shape[i + 2]!, stride);
    const length = reach(input.shape[i + 2]!, inputDilation[i]!);
    return [low, length - spread - low + taps] as const;
  });
  const result = convOf(g, flipped, {
    strides: inputDilation,
    padding: newPadding,
    inputDilation: strides,
    kernelDilation,
    featureGroups: groups,
    batchGroups: 1,
  });
  return batchGroups > 1 ? regroup(result, batchGroups, 1) : result;
}

/** The input correlated with the cotangent, both with batch and channels swapped. */
function convKernel(g: Tensor, input: Tensor, kernel: Tensor, attrs: ConvAttrs): Tensor {
  const { strides, padding, inputDilation, kernelDilation, featureGroups, batchGroups } = attrs;
  const newPadding = strides.map((stride, i) => {
    const taps = reach(kernel.shape[i + 2]!, kernelDilation[i]!) - 1;
    const spread = reach(g.shape[i + 2]!, stride);
    const length = reach(input.shape[i + 2]!, inputDilation[i]!);
    return [padding[i]![0], taps + spread - length - padding[i]![0]] as const;
  });
  const result = convOf(swap(input), swap(g), {
    strides: kernelDilation,
    padding: newPadding,
    inputDilation,
    kernelDilation: strides,
    featureGroups: batchGroups,
    batchGroups: featureGroups,
  });
  return swap(result);
}

export const convRule: Rule<ConvAttrs> = ({ attrs, inputs: [input, kernel], g }) => [
  () => convInput(g, input!, kernel!, attrs),
  () => convKernel(g, input!, kernel!, attrs),
];
