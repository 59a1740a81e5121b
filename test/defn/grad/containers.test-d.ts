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
    expectTypeOf(jacobian((x: number) => Nx.add(x, 1))(1)).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(hessian((x: Nx.Tensor) => x.sum())(parameters.w)).toEqualTypeOf<Nx.Tensor>();
  });
  it("have the names of the result, then those of the argument that the result has not", () => {
    const day = (x: Nx.Tensor<readonly ["day", "hour"]>) => x.sum("hour");
    const found = jacobian(day)(parameters.w as Nx.Tensor<readonly ["day", "hour"]>);
    expectTypeOf(found.names).toEqualTypeOf<readonly ["day", null, "hour"]>();
    type P = { readonly a: Nx.Tensor<readonly ["x"]>; readonly b: readonly [Nx.Tensor<readonly ["y", null]>, number] };
    const second = hessian((p: P) => Nx.sum(p.a))(null as unknown as P);
    expectTypeOf(second.a.a.names).toEqualTypeOf<readonly ["x", null]>();
    expectTypeOf(second.a.b[0].names).toEqualTypeOf<readonly ["x", "y", null]>();
    expectTypeOf(second.b[0].b[0].names).toEqualTypeOf<readonly ["y", null, null, null]>();
    expectTypeOf(second.b[0].b[1].names).toEqualTypeOf<readonly ["y", null]>();
    expectTypeOf(second.b[1].a.names).toEqualTypeOf<readonly ["x"]>();
    // @ts-expect-error the second "day" has no name
    found.sum({ axes: ["day", "minute"] });
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
    expectTypeOf(found.rate.rate).toEqualTypeOf<Nx.Tensor<readonly []>>();
    // @ts-expect-error the gradient of a second argument is not there
    void found.x;
  });
});
