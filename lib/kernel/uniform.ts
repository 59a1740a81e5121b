/**
 * Variants of kernels with uniform inputs: one element for the whole space.
 */
import type { Kernel } from "./value";

const variants = new WeakMap<Kernel, Map<string, Kernel>>();

/** The kernel with these inputs uniform, and no others: made once for each kernel, so that its key is written once. */
export function withUniform(kernel: Kernel, uniform: readonly boolean[]): Kernel {
  if (kernel.inputs.every((input, i) => input.uniform === uniform[i])) return kernel;
  const known = variants.get(kernel) ?? new Map<string, Kernel>();
  const name = uniform.join();
  const fresh = known.get(name) ?? {
    ...kernel,
    inputs: kernel.inputs.map(({ type }, i) => ({ type, uniform: uniform[i]! })),
  };
  variants.set(kernel, known.set(name, fresh));
  return fresh;
}
