/**
 * Compression by DEFLATE (RFC 1951, by fflate) with bounds, and the check sum of ZIP archives.
 */
import { ArgumentError, NxError } from "../core/errors";
import { integerOption, wordOption } from "../core/options";
import { allocateBytes } from "./bytes";
import { compression } from "./dependencies";

/** How files are written. */
export interface CompressionOptions {
  /** `"none"` (default) or `"deflate"`. */
  readonly compression?: "none" | "deflate";
  /** From 0, fast, to 9, small; 6 by default. Only for `"deflate"`. */
  readonly level?: number;
}

/** A level of DEFLATE, or null for none. */
export type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | null;

/** A match of 258 bytes costs two bits at least: no stream expands more. */
const MAX_RATIO = 1032;
/** Compressed bytes taken at a time, so that a stream that holds more than it should is noticed soon. */
const CHUNK = 32768;

export function levelOf(fn: string, options: CompressionOptions | undefined): Level {
  const compression = wordOption(fn, "compression", options?.compression, ["none", "deflate"], "none");
  const level = integerOption(fn, "level", options?.level, 6, 0);
  if (level > 9) throw new ArgumentError(`option level of ${fn} must be an integer from 0 to 9, got: ${level}`);
  return compression === "none" ? null : (level as Exclude<Level, null>);
}

export function deflate(bytes: Uint8Array, level: Exclude<Level, null>): Uint8Array {
  return compression().deflateSync(bytes, { level });
}

/** Refuses sizes that no compressed stream of that length can have. */
export function checkExpansion(packed: number, size: number, fn: string, what: string): void {
  if (size <= packed * MAX_RATIO) return;
  throw new ArgumentError(`${fn}: ${what} states ${size} bytes, more than ${packed} compressed bytes can expand to`);
}

/** The expanded bytes piece by piece. */
function* inflated(packed: Uint8Array, fn: string, what: string): Generator<Uint8Array, void> {
  let pieces: Uint8Array[] = [];
  const stream = new (compression().Inflate)((piece) => pieces.push(piece));
  for (let at = 0; at === 0 || at < packed.length; at += CHUNK) {
    try {
      stream.push(packed.subarray(at, at + CHUNK), at + CHUNK >= packed.length);
    } catch (cause) {
      if (cause instanceof NxError) throw cause;
      throw new ArgumentError(`${fn}: the compressed bytes of ${what} are damaged: ${(cause as Error).message}`, {
        cause,
      });
    }
    yield* pieces;
    pieces = [];
  }
}

/** The first bytes of the expansion: at least `least` where there are so many. */
export function inflatePrefix(packed: Uint8Array, least: number, fn: string, what: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (const piece of inflated(packed, fn, what)) {
    pieces.push(piece);
    total += piece.length;
    if (total >= least) break;
  }
  const head = allocateBytes(total, fn);
  let at = 0;
  for (const piece of pieces) {
    head.set(piece, at);
    at += piece.length;
  }
  return head;
}

/** The whole expansion, which must have exactly `size` bytes. */
export function inflateExactly(packed: Uint8Array, size: number, fn: string, what: string): Uint8Array {
  checkExpansion(packed.length, size, fn, what);
  const whole = allocateBytes(size, fn);
  let at = 0;
  for (const piece of inflated(packed, fn, what)) {
    if (at + piece.length > size) {
      throw new ArgumentError(`${fn}: ${what} states ${size} bytes but its compressed bytes expand to more`);
    }
    whole.set(piece, at);
    at += piece.length;
  }
  if (at === size) return whole;
  throw new ArgumentError(`${fn}: ${what} states ${size} bytes but its compressed bytes expand to ${at}`);
}

let tables: Int32Array | null = null;

/** Four tables, so that four bytes are taken at a time (Kounavis and Berry, "slicing", ISCC 2005). */
function crcTables(): Int32Array {
  if (tables) return tables;
  const made = new Int32Array(4 * 256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    made[i] = c;
  }
  for (let i = 256; i < made.length; i++) made[i] = (made[i - 256]! >>> 8) ^ made[made[i - 256]! & 255]!;
  return (tables = made);
}

/** CRC-32 as ZIP has it. */
export function crc32(bytes: Uint8Array): number {
  const table = crcTables();
  const whole = bytes.length - (bytes.length % 4);
  let crc = -1;
  for (let i = 0; i < whole; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      table[768 + (crc & 255)]! ^
      table[512 + ((crc >>> 8) & 255)]! ^
      table[256 + ((crc >>> 16) & 255)]! ^
      table[crc >>> 24]!;
  }
  for (let i = whole; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]!) & 255]!;
  return ~crc >>> 0;
}
