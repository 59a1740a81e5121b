/**
 * The status codes of embARC MLI and the error that carries one. Nothing here knows tensors.
 */
import { NxError } from "../core/errors";

/**
 * The status codes of embARC MLI with their numbers, spelt as they are there.
 *
 * `OK` is never raised. Four of the others have no counterpart here, since tensors of this library have no capacity, no banks and
 * no alignment of their own: `NOT_ENGH_MEM`, `MEM_BANK_MISMATCH`, `MISALIGNMENT_ERROR` and `BAD_FUNC_CFG`.
 */
export const STATUS = Object.freeze({
  OK: 0,
  BAD_TENSOR: 1,
  SHAPE_MISMATCH: 2,
  INCOMPATEBLE_TENSORS: 3,
  BAD_FUNC_CFG: 4,
  NOT_ENGH_MEM: 5,
  NOT_SUPPORTED: 6,
  SPEC_PARAM_MISMATCH: 7,
  ARGUMENT_ERROR: 8,
  LENGTH_ERROR: 9,
  SIZE_MISMATCH: 10,
  RANK_MISMATCH: 11,
  TYPE_MISMATCH: 12,
  MEM_BANK_MISMATCH: 13,
  MISALIGNMENT_ERROR: 14,
} as const);

/** The name of a status code. */
export type StatusCode = keyof typeof STATUS;

/**
 * An argument that a function of `Nx.Quantized` refuses, with the status that a kernel of embARC MLI gives for it.
 *
 * @example
 * ```ts
 * const q = Nx.Quantized.quantize(Nx.f32([1, 2]), { type: "fx16", fracBits: 8 });
 * const refusal = (run: () => unknown): unknown => {
 *   try {
 *     return run();
 *   } catch (error) {
 *     return error instanceof Nx.Quantized.QuantizedError ? [error.code, error.status] : error;
 *   }
 * };
 * refusal(() => Nx.Quantized.add(q, q, { out: { type: "sa8", scale: 1, scaleFracBits: 4 } }));
 * // => ["INCOMPATEBLE_TENSORS", 3]
 * ```
 */
export class QuantizedError extends NxError {
  override readonly name = "QuantizedError";
  /** @internal */
  static override readonly kind = "QuantizedError";
  /** The number of the status in embARC MLI. */
  readonly status: number;

  constructor(
    /** The name of the status in embARC MLI, without `MLI_STATUS_`. */
    readonly code: StatusCode,
    message: string,
  ) {
    super(message);
    this.status = STATUS[code];
  }
}
