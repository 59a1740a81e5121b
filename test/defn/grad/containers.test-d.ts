import { List } from "immutable";
import { describe, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const { hessian, jacobian } = Nx.Defn;

interface Parameters {
  readonly w: Nx.Tensor;
  readonly layers: readonly Nx.Tensor[];
  readonly rate: number;
}
declare const parameters: Parameters;

describe("derivatives of containers", () => {
  it("are tensors for tensors and numbers", () => {
    expectTypeOf(jacobian((x: Nx.Tensor) => x.exp())(parameters.w)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(jacobian((x: number) => Nx.add(x, [1] as never))(1)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(hessian((x: Nx.Tensor) => x.sum())(parameters.w)).toEqualTypeOf<Nx.Tensor>();
  });
  it("are containers like the argument", () => {
    const found = jacobian((p: Parameters) => p.w.multiply(p.rate))(parameters);
    expectTypeOf(found.w).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(found.layers).toEqualTypeOf<readonly Nx.Tensor[]>();
    expectTypeOf(found.rate).toEqualTypeOf<Nx.Tensor>();
  });
  it("have the result's container outside", () => {
    const found = jacobian((p: Parameters) => ({ loss: p.w.sum(), parts: List([p.w]) }))(parameters);
    expectTypeOf(found.loss.layers[0]!).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(found.parts.get(0)!.w).toEqualTypeOf<Nx.Tensor>();
  });
  it("are twice the argument for second derivatives", () => {
    const found = hessian((p: Parameters, x: Nx.Tensor) => p.w.dot(x))(parameters, parameters.w);
    expectTypeOf(found.w.layers[0]!).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(found.rate.rate).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error the gradient of a second argument is not there
    void found.x;
  });
});
