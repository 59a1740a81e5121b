/**
 * Tensors of ONNX files: bytes of each type, typed fields, and what is refused.
 */
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { TensorProtoSchema } from "../../lib/onnx/schema/onnx_pb";
import { ELEMENT_TYPES, elementsOf, protoOf, tensorOf, type ElementType } from "../../lib/onnx/types";

const TYPES = Object.keys(ELEMENT_TYPES).filter((type) => type !== "bool") as Nx.DType[];

describe("tensors of files", () => {
  it("every type keeps its bytes and its shape", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
        (type, shape) => {
          const tensor = Nx.asType(Nx.iota(shape), type);
          const back = tensorOf(protoOf("t", tensor));
          expect(elementsOf(protoOf("t", tensor)).type).toBe(type);
          expect(back.type).toBe(type);
          expect(back.shape).toEqual(shape);
          expect(Nx.toBinary(back)).toEqual(Nx.toBinary(tensor));
        },
      ),
    );
  });

  const field = (type: ElementType, dims: number[], fields: object) =>
    tensorOf(
      create(TensorProtoSchema, { name: "t", dataType: ELEMENT_TYPES[type], dims: dims.map(BigInt), ...fields }),
    );

  it.each([
    ["u8", { int32Data: [1, 255] }, [1, 255]],
    ["s8", { int32Data: [-128, 127] }, [-128, 127]],
    ["u16", { int32Data: [1, 65535] }, [1, 65535]],
    ["s16", { int32Data: [-32768, 3] }, [-32768, 3]],
    ["s32", { int32Data: [-(2 ** 31), 7] }, [-(2 ** 31), 7]],
    ["s64", { int64Data: [-(2n ** 63n), 7n] }, [-(2n ** 63n), 7]],
    ["u32", { uint64Data: [4294967295n, 7n] }, [4294967295, 7]],
    ["u64", { uint64Data: [2n ** 64n - 1n, 7n] }, [2n ** 64n - 1n, 7]],
    ["f16", { int32Data: [0x3c00, 0xc100] }, [1, -2.5]],
    ["bf16", { int32Data: [0x3f80, 0xc020] }, [1, -2.5]],
    ["f32", { floatData: [1.5, -0.25] }, [1.5, -0.25]],
    ["f64", { doubleData: [0.1, -0.3] }, [0.1, -0.3]],
    ["bool", { int32Data: [7, 0] }, [1, 0]],
  ] as const)("typed fields of %s", (type, fields, expected) => {
    expect(Nx.toFlatList(field(type, [2], fields))).toEqual(expected);
  });

  it("complex numbers are pairs", () => {
    expect(Nx.toFlatList(field("c64", [1], { floatData: [1, -2] }))).toEqual([new Nx.Complex(1, -2)]);
    expect(Nx.toFlatList(field("c128", [1], { doubleData: [0.1, 0.2] }))).toEqual([new Nx.Complex(0.1, 0.2)]);
  });

  it("truth values of files are 0 and 1", () => {
    expect(Nx.toFlatList(field("bool", [3], { rawData: new Uint8Array([0, 2, 255]) }))).toEqual([0, 1, 1]);
  });

  it("lists without elements are read, and are no tensors", () => {
    const proto = create(TensorProtoSchema, { name: "axes", dataType: 7, dims: [0n] });
    expect(elementsOf(proto)).toEqual({ type: "s64", shape: [0], bytes: new Uint8Array() });
    expect(() => tensorOf(proto)).toThrow('the ONNX tensor "axes" has no elements, and empty tensors do not exist');
  });

  it.each([
    [
      "too few elements",
      { dataType: 1, dims: [3n], floatData: [1, 2] },
      /has 2 elements of type f32 for the shape \[3\]/,
    ],
    ["too many bytes", { dataType: 1, dims: [1n], rawData: new Uint8Array(5) }, /1.25 elements of type f32/],
    ["a negative size", { dataType: 1, dims: [-1n], floatData: [1] }, /the sizes \[-1\]/],
    ["sizes without end", { dataType: 1, dims: [2n ** 62n, 4n] }, /which no tensor has/],
    ["another file", { dataType: 1, dims: [1n], dataLocation: 1 }, /lies in another file/],
    ["text", { dataType: 8, dims: [1n] }, /type 8 \(string\)/],
    ["half bytes", { dataType: 22, dims: [1n] }, /type 22 \(int4\)/],
    ["an unknown type", { dataType: 99, dims: [1n] }, /type 99, which no tensor has/],
  ])("refuses %s", (_, fields, message) => {
    expect(() => tensorOf(create(TensorProtoSchema, { name: "w", ...fields }))).toThrow(message);
    expect(() => tensorOf(create(TensorProtoSchema, { name: "w", ...fields }))).toThrow(Nx.ArgumentError);
  });
});
