import * as Immutable from "immutable";
import { describe, expect, it } from "vitest";
import {
  is,
  isAssociative,
  isCollection,
  isList,
  isMap,
  isOrderedMap,
  isRecord,
  isValueObject,
} from "../../lib/core/immutable";

const Point = Immutable.Record({ x: 0, y: 0 }, "Point");
class Money {
  constructor(readonly cents: number) {}
  equals(other: unknown): boolean {
    return other instanceof Money && other.cents === this.cents;
  }
  hashCode(): number {
    return this.cents;
  }
}

/** Makers, so that each value is there twice: equal ones that are not the same object. */
const VALUES: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 0,
  () => -0,
  () => NaN,
  () => 1,
  () => 1n,
  () => "",
  () => "text",
  () => false,
  () => Symbol.iterator,
  () => [1],
  () => ({ a: 1 }),
  () => Object.create(null) as unknown,
  () => new Date(5),
  () => new Date(NaN),
  () => new Float32Array(2),
  () => Object.assign(() => 1, { equals: () => true, hashCode: () => 1 }),
  () => ({ valueOf: () => Immutable.List([1]) }),
  () => ({ valueOf: () => null }),
  () => new Money(1),
  () => new Money(2),
  () => ({ equals: () => true }),
  () => Immutable.List([1, NaN]),
  () => Immutable.List([1, 2]),
  () => Immutable.Map({ a: 1 }),
  () => Immutable.Map([[NaN, -0]]),
  () => Immutable.OrderedMap({ a: 1 }),
  () => Immutable.Set([1]),
  () => Immutable.OrderedSet([1]),
  () => Immutable.Stack([1]),
  () => Immutable.Seq([1]),
  () => Immutable.Seq({ a: 1 }),
  () => Immutable.Range(0, 3),
  () => Immutable.Repeat(1, 2),
  () => Immutable.List([Immutable.Map({ deep: Immutable.List([new Money(1)]) })]),
  () => Point(),
  () => Point({ x: 1 }),
  () => Point,
];

describe("values of Immutable, told without it", () => {
  const ASKED = { isAssociative, isCollection, isList, isMap, isOrderedMap, isRecord, isValueObject };
  it.each(Object.keys(ASKED) as (keyof typeof ASKED)[])("%s answers as Immutable's own", (name) => {
    for (const make of VALUES) {
      const value = make();
      expect(ASKED[name](value), String(make)).toBe(Immutable[name](value));
    }
  });

  it("is agrees with Immutable's for every pair of values", () => {
    for (const a of VALUES)
      for (const b of VALUES) {
        const [left, right] = [a(), b()];
        expect(is(left, right), `${String(a)}, ${String(b)}`).toBe(Immutable.is(left, right));
        expect(is(left, left)).toBe(Immutable.is(left, left));
      }
  });
});
