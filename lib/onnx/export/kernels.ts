/**
 * The element types that operators are computed in. ONNX allows more than engines run: where onnxruntime has no kernel on the CPU, the
 * operands are cast to a type that it has one for, and the result is cast back.
 */
import type { ElementType } from "../types";

const FLOATS = "f32 f64";
const INTEGERS = "s8 s16 s32 s64 u8 u16 u32 u64";
const NUMBERS = `${FLOATS} ${INTEGERS}`;
const ALL = `${NUMBERS} f16 bf16 bool`;
const SUMS = `${FLOATS} s32 s64`;
const EXTREMES = `${FLOATS} s8 s32 s64 u8 u32 u64`;

/** Which types have kernels, found by loading models of one node into onnxruntime 1.30; operators that are not listed have those of floats. */
const TABLE: Readonly<Record<string, string>> = {
  ...each("Abs Add Sub Mul Div Mod Greater GreaterOrEqual Less LessOrEqual", NUMBERS),
  Neg: `${FLOATS} s8 s16 s32 s64`,
  Sign: NUMBERS,
  ...each(
    "Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Erf Gelu Conv AveragePool HardSigmoid HardSwish Selu Softplus",
    "f32",
  ),
  Softsign: "f32",
  ...each("BitwiseNot BitwiseAnd BitwiseOr BitwiseXor", INTEGERS),
  ...each("Not And Or Xor", "bool"),
  ...each("Identity Transpose Reshape Slice Concat Gather GatherElements GatherND", ALL),
  ...each("Pow ReduceSum ReduceProd CumSum", SUMS),
  ...each("Max Min", EXTREMES),
  ...each("ScatterND ScatterElements", NUMBERS),
  BitShift: "u8 u32 u64",
  ...each("Equal Expand", `${NUMBERS} bool`),
  IsNaN: `${FLOATS} bf16`,
  IsInf: FLOATS,
  Where: `${SUMS} u8`,
  ...each("ReduceMax ReduceMin", `${FLOATS} s8 s32 s64 u8`),
  ...each("ArgMax ArgMin", `${FLOATS} s8 s32 s64 u8`),
  TopK: SUMS,
  MatMul: `${SUMS} u32 u64`,
  MaxPool: FLOATS,
  Pad: `${EXTREMES} bool`,
  Clip: EXTREMES,
};

function each(names: string, types: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, types]));
}

const KERNELS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(TABLE).map(([op, types]) => [op, new Set(types.split(" "))]),
);
const OF_FLOATS: ReadonlySet<string> = new Set(FLOATS.split(" "));

/** What to compute in where a type has no kernel, in the order of preference: types that hold it, of which one may hold less. */
const WIDER: { readonly [T in ElementType]: readonly ElementType[] } = {
  bool: ["u8", "s32"],
  u8: ["s32", "s64"],
  s8: ["s32", "s64"],
  u16: ["s32", "u32", "s64"],
  s16: ["s32", "s64"],
  u32: ["s64", "u64"],
  s32: ["s64", "f64"],
  u64: ["s64"], // the same bits
  s64: ["f64"],
  f16: ["f32"],
  bf16: ["f32"],
  f32: ["f64"],
  f64: ["f32"], // loses digits: only where there is nothing else
  c64: [],
  c128: [],
};

/** Whether an operator has a kernel for a type. */
const hasKernel = (op: string, type: ElementType): boolean => (KERNELS.get(op) ?? OF_FLOATS).has(type);

/** The type that an operator is computed in; null where there is none. */
export const kernelType = (op: string, type: ElementType): ElementType | null =>
  hasKernel(op, type) ? type : (WIDER[type].find((wider) => hasKernel(op, wider)) ?? null);
