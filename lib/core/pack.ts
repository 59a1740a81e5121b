/**
 * Plain values on their way into a tensor: gathered one by one in an array of f64 beside what f64 cannot hold, then
 * written once as bytes of the type decided in the end. Knows no shapes and no messages.
 */
import { bytesOfView } from "./bytes";
import type { Complex } from "./complex";
import { bf16FromNumber, f16FromNumber } from "./half";
import { writeInt64FromBigInt, writeInt64FromNumber } from "./int64";
import { defaultComplex, defaultFloat } from "./default-types";
import { isInteger, isIntegral, mergeTypes, type DType } from "./types";

const UINT64_END = 1n << 64n;
const INT64_START = -(1n << 63n);

/** Values in order, and what types were seen among them. */
export class ValueBuffer {
  /** Numbers, real parts, and nearest numbers of bigints. */
  readonly numbers: Float64Array;
  /** Number of values so far. */
  length = 0;
  /** Position of the first number that is no integer, of the first Complex; -1 where there is none. */
  firstFraction = -1;
  firstComplex = -1;
  /** Position of the first bigint that no integer type holds, and the bigint. */
  firstBeyond = -1;
  beyond = 0n;
  private imaginary: Float64Array | null = null;
  /** All values as 64-bit integers, kept from the first bigint on. */
  private wide: Int32Array | null = null;
  private integers = false;
  private fractions = false;
  private booleans = false;
  private arrays: DType | null = null;

  constructor(size: number) {
    this.numbers = new Float64Array(size);
  }

  addNumber(value: number): void {
    this.integers = true;
    if (!isIntegral(value)) {
      this.fractions = true;
      if (this.firstFraction < 0) this.firstFraction = this.length;
    }
    if (this.wide) writeInt64FromNumber(this.wide, 2 * this.length, value);
    this.numbers[this.length++] = value;
  }

  addBoolean(value: boolean): void {
    this.booleans = true;
    if (this.wide) this.wide[2 * this.length] = value ? 1 : 0;
    this.numbers[this.length++] = value ? 1 : 0;
  }

  addBigInt(value: bigint): void {
    this.integers = true;
    if (this.firstBeyond < 0 && (value >= UINT64_END || value < INT64_START)) {
      [this.firstBeyond, this.beyond] = [this.length, value];
    }
    writeInt64FromBigInt((this.wide ??= this.widened()), 2 * this.length, value);
    this.numbers[this.length++] = Number(value);
  }

  addComplex(value: Complex): void {
    if (this.firstComplex < 0) this.firstComplex = this.length;
    (this.imaginary ??= new Float64Array(this.numbers.length))[this.length] = value.im;
    this.numbers[this.length++] = value.re;
  }

  /** All elements of a typed array of that type. */
  addArray(values: ArrayLike<number | bigint>, type: DType): void {
    const { integers, fractions } = this;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (typeof value === "bigint") this.addBigInt(value);
      else this.addNumber(value);
    }
    [this.integers, this.fractions] = [integers, fractions];
    this.arrays = this.arrays === null ? type : mergeTypes(this.arrays, type);
  }

  /** The type that all values have in common, integers being given `integerType`. */
  inferredType(integerType: DType): DType {
    const found: DType[] = [];
    if (this.arrays !== null) found.push(this.arrays);
    if (this.booleans) found.push("u8");
    if (this.integers) found.push(integerType);
    const isDecided = this.arrays !== null && !isInteger(this.arrays); // by floats of a type of their own
    if (this.fractions) found.push(isDecided ? "f32" : defaultFloat());
    if (this.firstComplex >= 0) found.push(isDecided ? "c64" : defaultComplex());
    return found.reduce(mergeTypes);
  }

  /** The bytes of all values in a type; fractions must not meet integer types, nor Complex values real ones. */
  toBytes(type: DType): Uint8Array {
    return bytesOfView(this.pack(type));
  }

  private pack(type: DType): ArrayBufferView {
    switch (type) {
      case "u8":
        return new Uint8Array(this.low());
      case "u16":
        return new Uint16Array(this.low());
      case "u32":
        return new Uint32Array(this.low());
      case "s8":
        return new Int8Array(this.low());
      case "s16":
        return new Int16Array(this.low());
      case "s32":
        return new Int32Array(this.low());
      case "u64":
      case "s64":
        return this.wide ?? this.widened();
      case "f16":
        return packBits(this.numbers, f16FromNumber);
      case "bf16":
        return packBits(this.numbers, bf16FromNumber);
      case "f32":
        return new Float32Array(this.numbers);
      case "f64":
        return this.numbers;
      case "c64":
        return new Float32Array(this.interleaved());
      case "c128":
        return this.interleaved();
      default:
        return type satisfies never;
    }
  }

  /** Values that agree with the integers in the lowest 32 bits: typed arrays store them modulo their width. */
  private low(): Float64Array | Int32Array {
    const { wide } = this;
    return wide ? Int32Array.from({ length: wide.length / 2 }, (_, i) => wide[2 * i]!) : this.numbers;
  }

  private widened(): Int32Array {
    const wide = new Int32Array(2 * this.numbers.length);
    for (let i = 0; i < this.length; i++) writeInt64FromNumber(wide, 2 * i, this.numbers[i]!);
    return wide;
  }

  private interleaved(): Float64Array {
    const { numbers, imaginary } = this;
    const parts = new Float64Array(2 * numbers.length);
    for (let i = 0; i < numbers.length; i++) {
      parts[2 * i] = numbers[i]!;
      if (imaginary) parts[2 * i + 1] = imaginary[i]!;
    }
    return parts;
  }
}

function packBits(numbers: Float64Array, bitsOf: (x: number) => number): Uint16Array {
  const bits = new Uint16Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) bits[i] = bitsOf(numbers[i]!);
  return bits;
}
