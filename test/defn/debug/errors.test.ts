import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

/** The error that a function throws. */
function errorOf(fn: () => unknown): Error {
  try {
    fn();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

/** Frames of this file, outermost last. */
const ownFrames = (error: Error): string[] =>
  (error.stack ?? "").split("\n").filter((line) => line.includes("errors.test.ts"));

const zero = Nx.tensor(0);

describe("errors while tracing", () => {
  it("keep the frame of the traced function", () => {
    const error = errorOf(() =>
      Nx.defn(function mistaken(x: Nx.Tensor) {
        return x.sum({ axes: ["nowhere"] });
      })(Nx.tensor([1])),
    );
    expect(ownFrames(error)[0]).toContain("mistaken");
  });

  it("keep it in branches, loops, gradients and vmap", () => {
    const mistaken = (x: Nx.Tensor) => x.reshape([7]);
    const { cond, grad, vmap, whileLoop } = Nx.Defn;
    const inBranch = Nx.defn((x: Nx.Tensor) => cond([[x.sum().greater(0), () => mistaken(x)]], () => x));
    const inLoop = Nx.defn((x: Nx.Tensor) =>
      whileLoop(
        x,
        (y) => y.sum().less(9),
        (y) => mistaken(y),
      ),
    );
    for (const fn of [inBranch, inLoop, grad(mistaken), vmap(mistaken)] as ((x: Nx.Tensor) => unknown)[]) {
      const error = errorOf(() => fn(Nx.f32([[1, 2]])));
      expect(error).toBeInstanceOf(Nx.ArgumentError);
      expect(ownFrames(error)[0]).toContain("mistaken");
    }
  });
});

describe.each(["optimizing", "evaluator"] as const)("errors while running with the %s compiler", (compiler) => {
  const failing = (fn: (x: Nx.Tensor) => unknown): Error => errorOf(() => Nx.Defn.jit(fn, { compiler })(zero));

  it("name the operation and the line of the function", () => {
    const error = failing(function divided(x) {
      const y = x.add(1).subtract(1);
      return Nx.quotient(Nx.tensor([7], { names: ["k"] }), y);
    });
    expect(error).toBeInstanceOf(Nx.ArgumentError);
    expect(error.message).toMatch(
      /zero.*; raised by quotient\(s64\[k: 1\], s64\) at divided \(.*errors\.test\.ts:\d+:\d+\)$/,
    );
    expect(ownFrames(error)[0]).toContain("divided");
    expect(ownFrames(error).length).toBeGreaterThan(1); // the call is there as well
    expect(error.stack).not.toContain("lib/defn");
    expect(error.cause).toBeInstanceOf(Nx.ArgumentError);
    expect((error.cause as Error).message).not.toContain("raised by");
  });

  it("find the line in functions of control flow and of elements", () => {
    const guilty = (x: Nx.Tensor) => Nx.remainder(1, x);
    const { cond, map, whileLoop } = Nx.Defn;
    const fns: ((x: Nx.Tensor) => unknown)[] = [
      (x) => cond([[x.equal(0), () => guilty(x)]], () => x),
      (x) =>
        whileLoop(
          x,
          (y) => y.less(9),
          (y) => cond([[y.greater(5), () => y]], () => guilty(y)),
        ),
      (x) => map((y) => guilty(y), x.newAxis(0)),
      (x) => Nx.map(x.broadcast([3]), guilty),
      (x) => guilty(x).add(Nx.LinAlg.norm(Nx.f32([1]))),
    ];
    for (const fn of fns) expect(failing(fn).message).toMatch(/raised by remainder\(s64, s64\) at guilty \(/);
  });

  it("say the operation alone where the function traces in another way the second time", () => {
    let calls = 0;
    const error = failing((x) => (calls++ === 0 ? Nx.quotient(1, x) : x.add(1).multiply(2)));
    expect(error.message).toMatch(/; raised by quotient\(s64, s64\)$/);
  });

  it("leave the function alone when nothing fails", () => {
    let calls = 0;
    const fn = Nx.Defn.jit((x: Nx.Tensor) => (calls++, x.add(1)), { compiler });
    fn(zero);
    fn(zero);
    expect(calls).toBe(1);
  });
});
