/** Computations that are compared with the binary backend: the same results and the same refusals. */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { ConformanceError, type Claim, type Expected } from "./judge";
import { withoutSubnormals } from "./samples";
import { downloaded, lawful, Subject, type Check, type Data } from "./subject";

/** A computation on given operands. */
export interface Compared {
  readonly name: string;
  readonly inputs: () => readonly Data[];
  readonly compute: (...operands: Tensor[]) => Tensor | readonly Tensor[];
}

/** What the binary backend makes of it; null where it refuses with an error of the library. */
export function reference(compute: Compared["compute"], inputs: readonly Data[]): readonly Expected[] | null {
  const binary = new Subject(Nx.binaryBackend);
  try {
    const operands = inputs.map((input) => binary.tensor(input));
    const result = binary.within(() => compute(...operands));
    const results = result instanceof Nx.Tensor ? [result] : result;
    return results.map((one) => ({ type: one.type, shape: one.shape, bytes: downloaded(one) }));
  } catch (error) {
    if (error instanceof Nx.NxError) return null;
    throw error;
  }
}

// oxlint-disable-next-line require-yield -- an error is all there is
function* refused(subject: Subject, compute: Compared["compute"], inputs: readonly Data[]): Iterable<Claim> {
  const operands = inputs.map((input) => subject.tensor(input));
  try {
    subject.within(() => compute(...operands));
  } catch (error) {
    if (error instanceof Nx.NxError) return;
    throw error;
  }
  throw new ConformanceError(`binary refuses this with an error, ${subject.backend.name} does not`);
}

/** The comparison as a check; of the binary backend itself only the laws are asked. */
export function compared({ name, inputs, compute }: Compared): Check {
  return {
    name,
    *run(subject) {
      const flushed = subject.capabilities.subnormals === "flushed";
      const operands = flushed ? inputs().map(withoutSubnormals) : inputs();
      const expected = subject.judged === "nothing" ? [] : reference(compute, operands);
      if (expected === null) yield* refused(subject, compute, operands);
      else
        yield* lawful(subject, {
          inputs: operands,
          compute,
          expected: () => (subject.judged === "known" ? null : expected),
        });
    },
  };
}
