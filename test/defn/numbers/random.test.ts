import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Operand, Tensor } from "nx-numerics";
import { DTYPES } from "../../../lib/core/types";
import { FAMILIES, isReadWhole, numbers, programs, REFUSING, runProgram, type Program } from "./support";
import { tries } from "../../effort";

type Fn = (...args: never[]) => unknown;

/** Type, shape, names and bytes of what a function gives, or that it raises an error. */
function outcome(fn: () => unknown): string {
  try {
    const found = fn();
    const parts = Array.isArray(found) ? found : [found];
    return parts.map((part) => text(Nx.toTensor(part as Tensor))).join(" and ");
  } catch (error) {
    if (error instanceof Nx.NxError) return "an error";
    throw error;
  }
}

/** Elements as exact text, NaN being NaN whatever its bits. */
const text = (t: Tensor): string =>
  `${t.type}${JSON.stringify([t.shape, t.names])} ${t.toFlatList().map(elementText).join(" ")}`;

const elementText = (x: unknown): string =>
  x instanceof Nx.Complex ? `${elementText(x.re)}+${elementText(x.im)}i` : Object.is(x, -0) ? "-0" : String(x);

const tensors: fc.Arbitrary<readonly Tensor[]> = fc
  .tuple(fc.constantFrom(...DTYPES), fc.constantFrom(...DTYPES), fc.constantFrom(...DTYPES), fc.boolean())
  .map(([a, b, c, odd]) => [
    Nx.asType(Nx.tensor([1, 3]), a),
    Nx.asType(Nx.tensor(odd ? [2, 200] : [0.3, 1]), b),
    Nx.asType(Nx.tensor(odd ? 100 : 0), c),
  ]);

const cases = fc.record({ tensors, given: fc.tuple(numbers, numbers, numbers) });

/** What is common to all ways of calling: a program over tensors, a number among arguments and two in containers. */
const functionOf =
  (program: Program) =>
  (xs: readonly Operand[], n: Operand, rest: { readonly m: readonly Operand[] }): Tensor =>
    runProgram(program, xs, [n, ...rest.m]);

const runs = { numRuns: tries(150) };
const families = Object.keys(FAMILIES);

describe("a plain number is to a transformed function what it is to the function", () => {
  const check = (callOf: (fn: Fn, args: readonly unknown[]) => Fn) =>
    fc.property(programs(families), cases, (program, { tensors, given: [n, ...m] }) => {
      const fn = functionOf(program) as Fn;
      const args = [tensors, n, { m }] as never[];
      const expected = outcome(() => fn(...args));
      fc.pre(expected !== "an error" || isReadWhole(program));
      expect(outcome(() => callOf(fn, args)(...args))).toBe(expected);
    });

  it("functions that refuse some values", () => {
    fc.assert(
      fc.property(programs(Object.keys(REFUSING), 1), cases, (program, { tensors, given: [n, ...m] }) => {
        const fn = functionOf(program) as Fn;
        const args = [tensors, n, { m }] as never[];
        expect(outcome(() => Nx.defn(fn)(...args))).toBe(outcome(() => fn(...args)));
      }),
      { numRuns: tries(500) },
    );
  });

  it("defn", () =>
    fc.assert(
      check((fn) => Nx.defn(fn)),
      runs,
    ));

  it("defn, node by node", () =>
    fc.assert(
      check((fn) => Nx.defn(fn, { compiler: "evaluator" })),
      runs,
    ));

  it("defn in defn", () => {
    const twice = (fn: Fn) => Nx.defn((...args: never[]) => Nx.defn(fn)(...args) as Tensor);
    fc.assert(check(twice), runs);
  });

  it("jitApply", () => {
    fc.assert(
      check(
        (fn) =>
          (...args: never[]) =>
            Nx.Defn.jitApply(fn as never, args) as unknown,
      ),
      runs,
    );
  });

  it("compile", () =>
    fc.assert(
      check((fn, args) => Nx.Defn.compile(fn as never, args as never) as Fn),
      runs,
    ));

  it("strict promotion", () => {
    const strict =
      (fn: Fn) =>
      (...args: never[]) =>
        Nx.withPromotion("strict", () => fn(...args));
    fc.assert(
      fc.property(programs(families, 2), cases, (program, { tensors, given: [n, ...m] }) => {
        const fn = functionOf(program) as Fn;
        const args = [tensors, n, { m }] as never[];
        expect(outcome(() => strict(Nx.defn(fn))(...args))).toBe(outcome(() => strict(fn)(...args)));
      }),
      runs,
    );
  });
});

describe("what was traced for one number", () => {
  it("serves any other: results are those of a function that was never called before", () => {
    fc.assert(
      fc.property(programs(families), tensors, fc.array(fc.tuple(numbers, numbers, numbers), { minLength: 2, maxLength: 6 }), fc.constantFrom("nx", "strict"), (program, xs, calls, promotion) => {
        const fn = functionOf(program) as Fn;
        const one = Nx.defn(fn, { promotion });
        for (const [n, ...m] of calls) {
          const args = [xs, n, { m }] as never[];
          expect(outcome(() => one(...args))).toBe(outcome(() => Nx.defn(fn, { promotion })(...args)));
        }
      }),
      runs,
    ); // prettier-ignore
  });

  it("serves any other where it was compiled ahead of time", () => {
    fc.assert(
      fc.property(programs(families), cases, cases, (program, { tensors, given: [n, ...m] }, { given: [k, ...l] }) => {
        const fn = functionOf(program) as Fn;
        const args = [tensors, k, { m: l }] as never[];
        const compiled = outcome(() => {
          const first = Nx.Defn.compile(fn as never, [tensors, n, { m }] as never) as Fn;
          return first(...args);
        });
        const failsAtFirst = outcome(() => fn(...([tensors, n, { m }] as never[]))) === "an error";
        expect(compiled).toBe(failsAtFirst ? "an error" : outcome(() => fn(...args)));
      }),
      runs,
    );
  });
});

describe("a transform of a function of a number is that of the function that closes over it", () => {
  type Transform = (fn: (x: Tensor, n: Operand) => Tensor, x: Tensor, n: Operand) => unknown;
  const summed = (program: Program) => (x: Tensor, n: Operand) =>
    Nx.sum(runProgram(program, [x, 0.25, x], [n, n, 0.1]));

  const check = (withArgument: Transform, closed: Transform) =>
    fc.assert(
      fc.property(programs(families), tensors, numbers, (program, [x], n) => {
        expect(outcome(() => withArgument(summed(program), x!, n))).toBe(outcome(() => closed(summed(program), x!, n)));
      }),
      runs,
    );

  it("grad", () => {
    check(
      (fn, x, n) => Nx.grad(fn)(x, n),
      (fn, x, n) => Nx.grad((y: Tensor) => fn(y, n))(x),
    );
  });

  it("valueAndGrad", () => {
    check(
      (fn, x, n) => Nx.valueAndGrad(fn)(x, n),
      (fn, x, n) => Nx.valueAndGrad((y: Tensor) => fn(y, n))(x),
    );
  });

  it("the value beside the gradient with respect to the number itself", () => {
    check(
      (fn, x, n) => Nx.valueAndGrad((m: Operand, y: Tensor) => fn(y, m))(n, x)[0],
      (fn, x, n) => (outcome(() => Nx.grad((m: Operand, y: Tensor) => fn(y, m))(n, x)) === "an error" ? Nx.sum("" as never) : fn(x, n)),
    ); // prettier-ignore
  });

  it("jvp", () => {
    check(
      (fn, x, n) => Nx.defn((y: Tensor, m: Operand) => Nx.Defn.jvp((z: Tensor) => fn(z, m), [y], [y]))(x, n),
      (fn, x, n) => Nx.Defn.jvp((z: Tensor) => fn(z, n), [x], [x]),
    );
  });

  it("vjp", () => {
    check(
      (fn, x, n) => Nx.defn((y: Tensor, m: Operand) => Nx.Defn.vjp((z: Tensor) => fn(z, m), [y])[1](1)[0])(x, n),
      (fn, x, n) => Nx.Defn.vjp((z: Tensor) => fn(z, n), [x])[1](1)[0],
    );
  });

  it("jacobian", () => {
    check(
      (fn, x, n) => Nx.Defn.jacobian(fn)(x, n),
      (fn, x, n) => Nx.Defn.jacobian((y: Tensor) => fn(y, n))(x),
    );
  });

  it("vmap over the tensor alone", () => {
    const both = (x: Tensor) => Nx.stack([x, Nx.add(x, x)]);
    check(
      (fn, x, n) => Nx.defn((xs: Tensor, m: Operand) => Nx.Defn.vmap(fn, [0, null])(xs, m))(both(x), n),
      (fn, x, n) => Nx.defn(Nx.Defn.vmap((y: Tensor) => fn(y, n)))(both(x)),
    );
  });
});
