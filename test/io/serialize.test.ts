/**
 * The library's own format: what goes in comes out, and files that are not what they say.
 */
import fc from "fast-check";
import { is, List, Map, OrderedMap, Record, Set } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { concat, text, uint } from "./read";
import { tries } from "../effort";

const trip = <T>(value: T, options?: Nx.CompressionOptions): T => Nx.deserialize<T>(Nx.serialize(value, options));

const MAGIC = Uint8Array.of(0x89, 0x4e, 0x78, 0x54, 0x0d, 0x0a, 0x1a, 0x0a);

/** A file with any header. */
function file(header: string, data: Uint8Array = new Uint8Array(), { version = 1, total = -1 } = {}): Uint8Array {
  const padded = text(header.padEnd(Math.ceil((text(header).length + 24) / 64) * 64 - 24));
  const length = total < 0 ? 24 + padded.length + data.length : total;
  return concat(MAGIC, uint(version, 4), uint(padded.length, 4), uint(length, 8), padded, data);
}

describe("round trips", () => {
  const types = [
    "u8",
    "u16",
    "u32",
    "u64",
    "s8",
    "s16",
    "s32",
    "s64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "c64",
    "c128",
  ] as const;

  it.each(types)("keeps %s bit for bit", (type) => {
    const t = Nx.iota([2, 3], { type, names: ["x", null] }).multiply(-3);
    for (const options of [{}, { compression: "deflate" as const }]) {
      const back = trip(t, options);
      expect(back.equals(t)).toBe(true);
      expect(back.toBinary()).toEqual(t.toBinary());
    }
  });

  it("keeps the payload of NaN and the sign of zero", () => {
    const bytes = Uint8Array.of(1, 0, 0xc0, 0x7f, 0, 0, 0, 0x80);
    expect(trip(Nx.fromBinary(bytes, "f32")).toBinary()).toEqual(bytes);
  });

  it("keeps kinds, keys and their order", () => {
    const Layer = Record({ weights: Nx.tensor(0) as Nx.Tensor, kind: "dense" }, "Layer");
    const value = {
      z: [Nx.tensor([1]), [], {}],
      a: List([Nx.tensor(1), "text", null, true]),
      map: Map<unknown, unknown>([
        [1, "one"],
        ["1", "text"],
        [true, false],
        [null, null],
      ]),
      ordered: OrderedMap([
        ["second", Nx.tensor(2)],
        ["first", Nx.tensor(1)],
      ]),
      record: Layer({ weights: Nx.tensor([1, 2], { names: ["x"] }) }),
    };
    const back = Nx.deserialize<typeof value>(Nx.serialize(value), { records: { Layer } });
    expect(Object.keys(back)).toEqual(Object.keys(value));
    expect(back.record).toBeInstanceOf(Layer);
    expect(OrderedMap.isOrderedMap(back.ordered)).toBe(true);
    expect([...back.ordered.keys()]).toEqual(["second", "first"]);
    expect(OrderedMap.isOrderedMap(back.map)).toBe(false);
    for (const key of ["a", "map", "ordered", "record"] as const) expect(is(back[key], value[key])).toBe(true);
    expect(back.z[0]).toMatchObject({ shape: [1] });
    expect(back.z.slice(1)).toEqual([[], {}]);
  });

  it("makes up a record of the same name and fields where its class is not given", () => {
    const back = trip(Record({ a: Nx.tensor(1), b: "x" }, "Point")());
    expect(Record.getDescriptiveName(back)).toBe("Point");
    expect(back.get("b", null)).toBe("x");
    expect(back.equals(Record({ a: Nx.tensor(1), b: "x" })())).toBe(true);
    expect(trip(Record({ a: true })()).toObject()).toEqual({ a: true });
  });

  it("gives numbers back as tensors, other plain values as they are", () => {
    const back = trip([7, 0.5, 2n ** 53n + 1n, new Nx.Complex(1, 2), true, "text", null] as unknown[]);
    expect(back.slice(4)).toEqual([true, "text", null]);
    const tensors = back.slice(0, 4) as Nx.Tensor[];
    expect(tensors.map(({ type }) => type)).toEqual(["s64", "f32", "s64", "c64"]);
    expect(tensors[2]!.toNumber()).toBe(2n ** 53n + 1n);
    expect(trip("text")).toBe("text");
    expect(trip(null)).toBe(null);
  });

  it("writes a tensor that stands in two places once", () => {
    const t = Nx.iota([1000]);
    expect(Nx.serialize([t, { t }]).length).toBeLessThan(9000);
    const [a, { t: b }] = trip([t, { t }] as const);
    expect(a).toBe(b);
    expect(a.equals(t)).toBe(true);
  });

  it("keeps odd texts and keys", () => {
    const value = { "": "\u0000\ud800", "\ud83d\ude00": ["ü"], ["__proto__"]: "own", constructor: "c", 2: "b", 1: "a" };
    const back = trip(value);
    expect(Object.entries(back)).toEqual(Object.entries(value));
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it("compresses where that makes it smaller", () => {
    const zeros = Nx.broadcast(0, [1000]);
    expect(Nx.serialize(zeros, { compression: "deflate" }).length).toBeLessThan(400);
    const noise = Nx.fromBinary(
      Uint8Array.from({ length: 999 }, (_, i) => (Math.imul(i * i + 7, 2654435761) >>> 19) & 255),
      "u8",
    );
    expect(Nx.serialize(noise, { compression: "deflate" }).length).toBe(Nx.serialize(noise).length);
  });

  it("puts all elements at multiples of 64, also when compressed", () => {
    const tensors = [Nx.u8([1, 2, 3]), Nx.f64([1]), Nx.u8(5)];
    const bytes = Nx.serialize(tensors);
    const start = 24 + new DataView(bytes.buffer).getUint32(12, true);
    expect(start % 64).toBe(0);
    expect(bytes.length).toBe(start + 128 + 1);
    expect([...bytes.subarray(start, start + 3)]).toEqual([1, 2, 3]);
    expect(bytes[start + 128]).toBe(5);
  });

  it("any container", () => {
    const tensor = fc
      .tuple(fc.constantFrom(...types), fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }))
      .map(([type, shape]) => Nx.iota(shape, { type }));
    const { value: anything } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        tensor,
        fc.string({ unit: "binary" }),
        fc.boolean(),
        fc.constant(null),
        tie("container"),
      ),
      container: fc.oneof(
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
        fc.array(tie("value"), { maxLength: 4 }).map((items) => List(items)),
        fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 }).map((pairs) => Map(pairs)),
      ),
    }));
    fc.assert(
      fc.property(anything, fc.boolean(), (value, compress) => {
        const bytes = Nx.serialize(value, compress ? { compression: "deflate", level: 1 } : {});
        expect(Nx.serialize(Nx.deserialize(bytes), compress ? { compression: "deflate", level: 1 } : {})).toEqual(
          bytes,
        );
      }),
      { numRuns: tries(150) },
    );
  });
});

describe("what serialize refuses", () => {
  class Net {
    readonly weight = Nx.f32([1]);
    [Nx.container](visit: Nx.Visit): Net {
      return Object.assign(new Net(), { weight: visit(this.weight, "weight") });
    }
  }

  it.each<[unknown, string]>([
    [undefined, "got: undefined"],
    [{ a: [undefined] }, "got: undefined at .a[0]"],
    // oxlint-disable-next-line no-sparse-arrays
    [[1, , 2], "got: undefined at [1]"],
    [() => 1, "got: function"],
    [[Symbol("s")], "got: Symbol(s) at [0]"],
    [{ when: new Date(0) }, "an instance of Date at .when"],
    [new Float32Array(2), "make a tensor of it with Nx.tensor"],
    [Set([1]), "got: an instance of Set"],
    [
      { net: new Net() },
      "got: an instance of Net at .net; give its parts in a plain object, and make the class again of what is read",
    ],
    [Map([[NaN, 1]]), "maps whose keys are strings"],
    [{ m: Map([[{}, 1]]) }, "at .m"],
    [Nx.template([2], "f32"), "Nx.TemplateBackend"],
  ])("%o", (value, message) => {
    expect(() => Nx.serialize(value)).toThrow(Nx.NxError);
    expect(() => Nx.serialize(value)).toThrow(message);
  });

  it("containers that contain themselves, and deep ones", () => {
    const ring: unknown[] = [];
    ring.push(ring);
    expect(() => Nx.serialize(ring)).toThrow("does one of them contain itself?");
    let deep: unknown = "end";
    for (let i = 0; i < 128; i++) deep = [deep];
    expect(trip(deep)).toEqual(deep);
    expect(() => Nx.serialize([deep])).toThrow("up to 128 deep");
  });

  it("traced tensors", () => {
    expect(() => Nx.Defn.jit((t: Nx.Tensor) => t.add(Nx.serialize(t).length))(Nx.tensor(1))).toThrow(Nx.NxError);
  });
});

describe("what deserialize refuses", () => {
  const u8 = (shape: string, more = ""): string =>
    `{"tensors":[{"type":"u8","shape":${shape}${more}}],"value":{"tensor":0}}`;
  const data = Uint8Array.of(1, 2);

  it.each<[string, Uint8Array, string]>([
    ["other bytes", new Uint8Array(100), "were not made by Nx.serialize"],
    ["another version", file(u8("[2]"), data, { version: 2 }), "version 2 of the format"],
    ["another length", file(u8("[2]"), data, { total: 999 }), "should have 999 bytes, got 130; is it cut off?"],
    ["no JSON", file("{", data), "is not valid JSON"],
    ["no list of tensors", file('{"tensors":{}}'), "no list of tensors"],
    ["no type", file(u8("[2]").replace("u8", "u7"), data), 'no known type: "u7"'],
    ["a tensor that is null", file('{"tensors":[null]}'), "no known type: undefined"],
    ["no shape", file(u8("{}"), data), "must be a list of sizes"],
    ["an empty shape", file(u8("[0]")), "empty tensors do not exist"],
    ["too many axes", file(u8(`[${"1,".repeat(65)}1]`), data), "66 axes"],
    ["a huge shape", file(u8("[4294967295]"), data), "end at byte"],
    ["a shape no tensor has", file(u8("[4294967296,4294967296]"), data), "more than the 4294967295"],
    [
      "names that repeat",
      file(u8("[2,1]", ',"names":["x","x"]'), data),
      "axis names of tensor 0 of the file are damaged",
    ],
    ["too few names", file(u8("[2]", ',"names":[]'), data), "axis names of tensor 0"],
    ["too few elements", file(u8("[3]"), data), "end at byte 131, the file at byte 130"],
    ["too many elements", file(u8("[1]"), data), "end at byte 129, the file at byte 130"],
    ["a compressed size that is none", file(u8("[2]", ',"packed":-1,"crc":0'), data), "states -1 compressed bytes"],
    ["no check sum", file(u8("[2]", ',"packed":2'), data), "the check sum undefined"],
    [
      "more than can be expanded",
      file(u8("[4000000000]", ',"packed":2,"crc":0'), data),
      "more than 2 compressed bytes can expand to",
    ],
    ["damaged compression", file(u8("[2]", ',"packed":2,"crc":0'), Uint8Array.of(7, 7)), "are damaged"],
    [
      "a wrong check sum",
      file(u8("[1]", ',"packed":3,"crc":5'), Uint8Array.of(0x63, 0x00, 0x00)),
      "is damaged: its check sum",
    ],
    ["a tensor that is not there", file('{"tensors":[],"value":{"tensor":0}}'), "tensor 0 where there are 0"],
    ["a tensor that is no index", file('{"tensors":[],"value":{"tensor":"length"}}'), 'tensor "length"'],
    ["no structure", file('{"tensors":[]}'), "structure in the file's header is damaged, got: undefined"],
    ["a number", file('{"tensors":[],"value":7}'), "got: 7"],
    ["an unknown kind", file('{"tensors":[],"value":{"set":[]}}'), "got: { set: [] }"],
    ["two kinds", file('{"tensors":[],"value":{"list":[],"map":[]}}'), "got: { list: [], map: [] }"],
    ["a list that is none", file('{"tensors":[],"value":{"list":{}}}'), "instead of a list"],
    ["an object that is none", file('{"tensors":[],"value":{"object":[]}}'), "instead of fields"],
    ["a map without pairs", file('{"tensors":[],"value":{"map":[1]}}'), "instead of a key and a value"],
    ["a map with odd keys", file('{"tensors":[],"value":{"map":[[[],1]]}}'), "instead of a key and a value"],
    ["a record without fields", file('{"tensors":[],"value":{"record":null}}'), "instead of fields"],
    ["a record with an odd name", file('{"tensors":[],"value":{"record":{"name":1,"fields":{}}}}'), "a record named 1"],
    ["deep structures", file(`{"tensors":[],"value":${"[".repeat(20000)}${"]".repeat(20000)}}`), "more than 128 deep"],
  ])("%s", (_, bytes, message) => {
    expect(() => Nx.deserialize(bytes)).toThrow(Nx.ArgumentError);
    expect(() => Nx.deserialize(bytes)).toThrow(message);
  });

  it("every cut of a file", () => {
    const bytes = Nx.serialize([Nx.iota([3]), "x"], { compression: "deflate" });
    for (let end = 0; end < bytes.length; end++) {
      expect(() => Nx.deserialize(bytes.subarray(0, end))).toThrow(Nx.ArgumentError);
    }
  });

  it("more than maxBytes, and options that are none", () => {
    const bytes = Nx.serialize(Nx.broadcast(0, [1000]), { compression: "deflate" });
    expect(() => Nx.deserialize(bytes, { maxBytes: 7999 })).toThrow("take 8000 bytes, more than the 7999 of maxBytes");
    expect(Nx.deserialize<Nx.Tensor>(bytes, { maxBytes: 8000 }).shape).toEqual([1000]);
    expect(() => Nx.deserialize(bytes, { records: { A: 1 } as never })).toThrow("option records of Nx.deserialize");
    expect(() => Nx.deserialize(bytes, { copy: 1 as never })).toThrow("option copy of Nx.deserialize");
    expect(() => Nx.deserialize(bytes, { backend: "gpu" })).toThrow(Nx.BackendError);
  });
});

describe("without a copy", () => {
  it("reads the elements where they lie, on the binary backend", () => {
    const bytes = Nx.serialize(Nx.u8([1, 2, 3]));
    const [own, shared] = [Nx.deserialize<Nx.Tensor>(bytes), Nx.deserialize<Nx.Tensor>(bytes, { copy: false })];
    bytes[bytes.length - 1] = 9;
    expect(own.toFlatList()).toEqual([1, 2, 3]);
    expect(shared.toFlatList()).toEqual([1, 2, 9]);
    expect(shared.add(1).toFlatList()).toEqual([2, 3, 10]);
  });

  it("computes with every type on elements inside a larger buffer", () => {
    for (const type of ["u8", "u16", "s64", "f16", "bf16", "f32", "f64", "c64", "c128"] as const) {
      const t = Nx.iota([4, 3], { type });
      const shared = Nx.deserialize<Nx.Tensor[]>(Nx.serialize([Nx.u8(1), t]), { copy: false })[1]!;
      const functions: ((x: Nx.Tensor) => Nx.Tensor)[] = [
        Nx.transpose,
        Nx.sum,
        (x) => x.multiply(3),
        (x) => x.add(x),
        (x) => x.at(1),
      ];
      for (const f of functions) {
        expect(f(shared).equals(f(t))).toBe(true);
      }
    }
  });
});
