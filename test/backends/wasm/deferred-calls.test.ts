/**
 * Every function and method of the library on operands that wait, however small: it gives what it gives on operands that are there,
 * or raises the same error.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { ArrayData } from "../../../lib/backends/arrays/storage";
import { Waiting } from "../../../lib/backends/arrays/storage";
import { isPlainObject } from "../../../lib/core/options";
import { tune } from "../../../lib/backends/tuning";
import { CALLED, type Called } from "../../calls/table";

/** A value with each tensor in it, in lists and plain objects, replaced. */
function mapped(value: unknown, replace: (t: Nx.Tensor) => unknown): unknown {
  if (value instanceof Nx.Tensor) return replace(value);
  if (Array.isArray(value)) return value.map((part) => mapped(part, replace));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part, replace)]));
}

/** The same elements, which wait: twice the other sign. Templates, which have no elements, and vectorized tensors stay. */
const waiting = (t: Nx.Tensor): Nx.Tensor =>
  ["f32", "f64", "s64"].includes(t.type) && ["wasm", "binary"].includes(t.backend.name)
    ? Nx.negate(Nx.negate(Nx.backendTransfer(Nx.backendCopy(t), "wasm")))
    : t;

const told = (t: Nx.Tensor): string =>
  `${t.type} ${t.shape.join()} ${["wasm", "binary"].includes(t.backend.name) ? Buffer.from(Nx.toBinary(t)).toString("hex") : ""}`;

/** What a call gives, as text: of functions and other objects only that they are there. */
function outcome({ call, options }: Called, args: readonly unknown[]): string {
  try {
    const result: unknown = call(...args, ...(options ? [options] : []));
    return JSON.stringify(mapped(result, told), (_, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part) && !isPlainObject(part)
        ? "object"
        : typeof part === "bigint"
          ? `${part}`
          : part,
    );
  } catch (error) {
    return String(error);
  }
}

/** Functions whose results are others each time (random numbers without a key, numbers of nodes), or that show what waits, or where. */
const OTHERS =
  /host|profile|inspect|explain|configure|registerBackend|Backend|print|read$|serialize|Message|random(Normal|Uniform)|huffle|toGraph/;

describe("every function on what waits", () => {
  beforeAll(() => {
    tune({ deferredFrom: 1, largeFrom: 1, compiledFrom: 0 });
    Nx.globalDefaultBackend("wasm");
  });
  afterAll(() => {
    tune({ deferredFrom: null, largeFrom: null, compiledFrom: null });
    Nx.globalDefaultBackend("auto");
  });

  const rows = CALLED.filter(({ name }) => !OTHERS.test(name));

  it("has operands that wait", () => {
    const t = waiting(Nx.f32([1, 2]));
    expect((t.data as ArrayData).elements).toBeInstanceOf(Waiting);
    expect(rows.filter(({ args }) => args.some((arg) => arg instanceof Nx.Tensor)).length).toBeGreaterThan(400);
  });

  it("gives the same", () => {
    const others: string[] = [];
    for (const row of rows) {
      const expected = Nx.withDefaultBackend(["wasm", { deferred: false }], () => outcome(row, row.args.map((arg) => mapped(arg, waiting)))); // prettier-ignore
      const found = outcome(row, row.args.map((arg) => mapped(arg, waiting))); // prettier-ignore
      if (found !== expected) others.push(`${row.name}: ${found}, not ${expected}`);
    }
    expect(others).toEqual([]);
  });
});
