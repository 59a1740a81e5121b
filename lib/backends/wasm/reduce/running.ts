/**
 * What the functions of running reductions share: what a running reduction is, and how its results and what it holds are
 * stored. Emits code.
 */
import { f32x4, i32, local, v128, type Int, type Vector } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { emitStore } from "../codegen/access";
import { words } from "../codegen/vectors";
import type { Four, WorkType } from "./lanes";

export interface Running {
  readonly op: "sum" | "product" | "reduceMax" | "reduceMin";
  readonly type: DType;
  readonly work: WorkType;
  /** Type of the results: the operand's, or of half floats the work type, to be rounded afterwards. */
  readonly out: DType;
  readonly wide: boolean;
}

/** Stores one entry of what is held. */
export function storeState(wide: boolean, at: Int, offset: number, vector: Vector): void {
  if (wide) v128.store64_lane({ offset }, 0, at, vector);
  else v128.store32_lane({ offset }, 0, at, vector);
}

/** The first lane as an element of the result. */
export function storeOne({ work, out }: Running, at: Int, vector: Vector): void {
  const bytes = bytesOf(out);
  if (work === "f64" && out === "f32") v128.store32_lane({ offset: 0 }, 0, at, f32x4.demote_f64x2_zero(vector));
  else if (bytes === 8) v128.store64_lane({ offset: 0 }, 0, at, vector);
  else if (bytes === 4) v128.store32_lane({ offset: 0 }, 0, at, vector);
  else if (bytes === 2) v128.store16_lane({ offset: 0 }, 0, at, vector);
  else v128.store8_lane({ offset: 0 }, 0, at, vector);
}

/** `pointer = base + count * bytes`. */
export function offsetBy(pointer: Int, base: Int, count: Int, bytes: number): void {
  i32.mul(count, bytes);
  local.get(base);
  i32.add();
  local.set(pointer);
}

/** Four elements of the result; `spare` are two vectors to work with. */
export function storeFour({ work, out }: Running, four: Four, at: Int, offset: number, spare: readonly Vector[]): void {
  if (work !== "f64" || out !== "f32") return emitStore(out, [four], at, offset);
  const [low, high] = spare as [Vector, Vector];
  local.set(low, f32x4.demote_f64x2_zero(four[0]!));
  local.set(high, f32x4.demote_f64x2_zero(four[1]!));
  local.set(low, words(low, high, [0, 1, 4, 5]));
  v128.store({ offset }, at, low);
}
