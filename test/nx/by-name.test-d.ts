/** What the compiler knows of names that meet by name. */
import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

type T<N extends Nx.Names> = Nx.Tensor<N>;

declare const day: T<readonly ["day"]>;
declare const dayHour: T<readonly ["day", "hour"]>;
declare const hourPlace: T<readonly ["hour", "place"]>;
declare const bare: T<readonly [null]>;
declare const untracked: Nx.Tensor;
declare const operand: Nx.Operand;

describe("functions of byName", () => {
  it("have the axes of the first operand, then those that the second has alone", () => {
    expectTypeOf(Nx.byName.subtract(dayHour, day)).toEqualTypeOf<T<readonly ["day", "hour"]>>();
    expectTypeOf(Nx.byName.subtract(day, dayHour)).toEqualTypeOf<T<readonly ["day", "hour"]>>();
    expectTypeOf(Nx.byName.add(hourPlace, dayHour)).toEqualTypeOf<T<readonly ["hour", "place", "day"]>>();
    expectTypeOf(Nx.byName.mul(dayHour, 2)).toEqualTypeOf<T<readonly ["day", "hour"]>>();
    expectTypeOf(Nx.byName.div(2, dayHour, { roundingMode: "floor" })).toEqualTypeOf<T<readonly ["day", "hour"]>>();
    expectTypeOf(Nx.byName.sub(dayHour, dayHour.mean("hour"))).toEqualTypeOf<T<readonly ["day", "hour"]>>();
    expectTypeOf(Nx.byName.where(day, hourPlace, 0)).toEqualTypeOf<T<readonly ["day", "hour", "place"]>>();
    expectTypeOf(Nx.byName.clamp(day, { max: hourPlace })).toEqualTypeOf<T<readonly ["day", "hour", "place"]>>();
  });

  it("cost untracked names nothing", () => {
    expectTypeOf(Nx.byName.add(untracked, day)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.byName.add(day, untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.byName.add(operand, operand)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(day.alignAs(untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(untracked.alignAs(day)).toEqualTypeOf<T<readonly ["day"]>>();
  });

  it("refuse axes without names", () => {
    // @ts-expect-error the axis has no name
    Nx.byName.add(day, bare);
    // @ts-expect-error the axis has no name
    Nx.byName.add(bare, day);
    // @ts-expect-error the axis has no name
    Nx.byName.clamp(day, { min: bare });
    // @ts-expect-error a list is no tensor
    Nx.byName.add(day, [1]);
    // @ts-expect-error there is no such function
    Nx.byName.substract(day, day);
  });
});

describe("alignAs", () => {
  it("has the axes of the other tensor", () => {
    expectTypeOf(day.alignAs(dayHour)).toEqualTypeOf<T<readonly ["day", "hour"]>>();
    expectTypeOf(Nx.alignAs(1, dayHour)).toEqualTypeOf<T<readonly ["day", "hour"]>>();
  });

  it("refuses axes that the other lacks", () => {
    // @ts-expect-error there is no "day"
    dayHour.alignAs(hourPlace);
    // @ts-expect-error nor is there a name
    bare.alignAs(day);
  });
});

describe("vmap over a name", () => {
  it("has that axis in front", () => {
    const total = (x: T<readonly ["hour"]>): T<readonly []> => x.sum();
    expectTypeOf(Nx.Defn.vmap(total, { over: "day" })(dayHour)).toEqualTypeOf<T<readonly ["day"]>>();
    const both = (x: Nx.Tensor, y: T<readonly ["place"]>): T<readonly ["place"]> => y.multiply(x.sum());
    expectTypeOf(Nx.Defn.vmap(both, { over: "hour" })(dayHour, hourPlace)).toEqualTypeOf<
      T<readonly ["hour", "place"]>
    >();
    expectTypeOf(Nx.Defn.vmap((x: Nx.Tensor) => [x, 1], { over: "hour" })(dayHour)[0]).not.toBeAny();
  });
});
