/**
 * Objects whose keys come from outside: whatever they are called, containers keep them, or say that they do not.
 */
import fc from "fast-check";
import { List, Map, OrderedMap, Record } from "immutable";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { containerKind } from "../../lib/container";
import { concat, text, uint } from "./read";
import { tries } from "../effort";

const MARKS = ["ITERABLE", "KEYED", "INDEXED", "ORDERED", "SEQ", "LIST", "MAP", "SET", "STACK", "RECORD"];
const HOSTILE = [
  ...MARKS.map((mark) => `@@__IMMUTABLE_${mark}__@@`),
  ...[
    "_values",
    "_keys",
    "_indices",
    "_defaultValues",
    "_name",
    "_root",
    "_map",
    "_list",
    "__ownerID",
    "__hash",
    "__hashFn",
  ],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "hasOwnProperty",
    "toString",
    "valueOf",
    "toJSON",
    "then",
    "length",
    "size",
  ],
  ...["get", "set", "has", "toSeq", "entries", "equals", "hashCode", "merge", "update", "withMutations", "@@iterator"],
  ...[
    "tensor",
    "object",
    "list",
    "map",
    "record",
    "type",
    "shape",
    "names",
    "data",
    "backend",
    "",
    "0",
    "-1",
    " ",
    "\u0000",
  ],
];

const objectOf = (entries: readonly (readonly [string, unknown])[]): { [key: string]: Nx.Tensor } =>
  Object.fromEntries(entries) as never;

const keyed = fc
  .uniqueArray(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...HOSTILE) }, fc.string({ unit: "binary-ascii" })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((keys) => objectOf(keys.map((key, i) => [key, Nx.f32([i, -i])])));

/** What an object holds, whatever its keys mean to others. */
const contents = (value: object): unknown =>
  Object.entries(value).map(([key, t]) => [key, t instanceof Nx.Tensor ? t.toFlatList() : t]);

afterEach(() => void vi.restoreAllMocks());

/** Runs a test that must not write to the console. */
function silently(fn: () => void): void {
  const methods = ["log", "warn", "error", "info", "debug"] as const;
  const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => undefined));
  fn();
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
}

describe("objects with any keys", () => {
  it("are objects, in whatever realm they were made", async () => {
    const { runInNewContext } = await import("node:vm");
    for (const key of HOSTILE) {
      const json = JSON.stringify(objectOf([[key, 1 as never]]));
      expect(containerKind(JSON.parse(json))).toBe("object");
      expect(containerKind(runInNewContext("JSON.parse(json)", { json }))).toBe("object");
    }
    expect(containerKind(runInNewContext("new Date()"))).toBe(null);
    expect(containerKind(runInNewContext("new (class Named {})()"))).toBe(null);
    expect([List(), Map(), OrderedMap(), new (Record({ a: 1 }))()].map(containerKind)).toEqual([
      "list",
      "map",
      "map",
      "record",
    ]);
  });

  it("go through traced functions, gradients and transfers", () => {
    fc.assert(
      fc.property(keyed, (value) => {
        const doubled = objectOf(Object.entries(value).map(([key, t]) => [key, t.multiply(2)]));
        const double = Nx.defn((all: { [key: string]: Nx.Tensor }) =>
          objectOf(Object.entries(all).map(([key, t]) => [key, t.multiply(2)])),
        );
        expect(contents(double(value))).toEqual(contents(doubled));
        expect(contents(Nx.defn((all: { [key: string]: Nx.Tensor }) => all)(value))).toEqual(contents(value));
        expect(contents(Nx.backendCopy(value))).toEqual(contents(value));
        const slopes = Nx.grad((all: { [key: string]: Nx.Tensor }) =>
          Object.values(all).reduce((sum, t) => sum.add(Nx.sum(t.multiply(3))), Nx.f32(0)),
        )(value);
        expect(contents(slopes)).toEqual(Object.keys(value).map((key) => [key, [3, 3]]));
      }),
      { numRuns: tries(60) },
    );
  });

  it("are kept by every file format", () => {
    silently(() =>
      fc.assert(
        fc.property(keyed, fc.boolean(), (value, deep) => {
          const nested = deep ? { inner: [value] } : value;
          const back = Nx.deserialize<typeof nested>(Nx.serialize(nested));
          expect(contents(deep ? (back as { inner: object[] }).inner[0]! : back)).toEqual(contents(value));
          const named = Object.entries(value).filter(([key]) => key !== "");
          if (named.length < Object.keys(value).length) return;
          const archive = Object.fromEntries(Nx.loadNumpyArchive(Nx.toNumpyArchive(value)));
          expect(new globalThis.Map(contents(archive) as never)).toEqual(new globalThis.Map(contents(value) as never));
          const tensors = Nx.loadSafetensors(Nx.toSafetensors(value));
          expect(new globalThis.Map(contents(tensors) as never)).toEqual(new globalThis.Map(contents(value) as never));
        }),
        { numRuns: tries(100) },
      ),
    );
  });

  it("are kept in maps", () => {
    fc.assert(
      fc.property(keyed, (value) => {
        const map = OrderedMap(Object.entries(value));
        const back = Nx.deserialize<typeof map>(Nx.serialize(map));
        expect(OrderedMap.isOrderedMap(back)).toBe(true);
        expect([...back].map(([key, t]) => [key, t.toFlatList()])).toEqual(contents(value));
        expect([...Nx.defn((m: typeof map) => m)(map).keys()]).toEqual(Object.keys(value));
      }),
      { numRuns: tries(60) },
    );
  });
});

/** A file with a record of any fields. */
function recordFile(fields: readonly string[], name: string | null): Uint8Array {
  const record = { name, fields: Object.fromEntries(fields.map((field, i) => [field, `value ${i}`])) };
  const header = text(JSON.stringify({ tensors: [], value: { record } }));
  const padded = concat(header, text(" ".repeat(64 - ((header.length + 24) % 64))));
  const magic = Uint8Array.of(0x89, 0x4e, 0x78, 0x54, 0x0d, 0x0a, 0x1a, 0x0a);
  return concat(magic, uint(1, 4), uint(padded.length, 4), uint(24 + padded.length, 8), padded);
}

describe("records of a file", () => {
  it("have every field, or are refused with its name, without a word on the console", () => {
    silently(() =>
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.constantFrom("a", "b", ...HOSTILE), { minLength: 1, maxLength: 3 }),
          fc.constantFrom(null, "P"),
          (fields, name) => {
            let record;
            try {
              record = Nx.deserialize<{ get(key: string): unknown; has(key: string): boolean }>(
                recordFile(fields, name),
              );
            } catch (error) {
              expect(error).toBeInstanceOf(Nx.ArgumentError);
              const { message } = error as Error;
              expect(message).toContain("a name that Immutable keeps for itself");
              expect(fields.some((field) => message.includes(`the field ${JSON.stringify(field)},`))).toBe(true);
              expect(fields.every((field) => field === "a" || field === "b")).toBe(false);
              return;
            }
            expect(containerKind(record)).toBe("record");
            expect(fields.map((field) => record.has(field))).toEqual(fields.map(() => true));
            expect(fields.map((field) => record.get(field))).toEqual(fields.map((_, i) => `value ${i}`));
          },
        ),
        { numRuns: tries(300) },
      ),
    );
  });

  it("with such fields can be made by the caller", () => {
    const made = Nx.deserialize(recordFile(["get", "__proto__"], "P"), { records: { P: (values) => values } });
    expect(contents(made as object)).toEqual([
      ["get", "value 0"],
      ["__proto__", "value 1"],
    ]);
  });

  it("that nobody could read again are not written", () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const Odd = Record({ get: 1 });
    expect(() => Nx.serialize(new Odd())).toThrow(
      'Nx.serialize: a record without a name has the field "get", a name that Immutable keeps for itself; use a Map',
    );
    const Named = Record({ get: 1 }, "Named");
    const back = Nx.deserialize<{ get: Nx.Tensor }>(Nx.serialize(new Named()), {
      records: { Named: (values) => values },
    });
    expect(back.get.toNumber()).toBe(1);
  });
});
