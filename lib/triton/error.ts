/** What goes wrong beyond this program. */
import { NxError } from "nx-numerics";

/** A server refused a request, did not answer, or answered what the protocol does not allow. */
export class TritonError extends NxError {
  override readonly name = "TritonError";

  constructor(
    message: string,
    /** The status of the answer; null where there was none. */
    readonly status: number | null,
  ) {
    super(message);
  }
}

/** A value of an answer in a message. */
export function shown(value: unknown): string {
  const text =
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
