/**
 * The one linear memory all kernels work in: below what stays, tables and then the room of large tensors, above it a stack of
 * scratch space. Knows bytes, not tensors.
 */
import type { DType } from "../../../core/types";
import { roundUp } from "../../../core/round-up";
import { tableEntries } from "../../../kernel/tables";
import { tuning } from "../../tuning";
import { wasmHost, type WasmMemory } from "./host";
import { Refused, Request } from "./refusal";

const PAGE = 65_536;
/** 1 MB to begin with; it grows as works need more. */
const INITIAL_PAGES = 16;
/** 2 GB, so that addresses stay positive numbers of 32 bits. */
export const MAXIMUM_PAGES = 32_767;
/** Some hosts refuse to set so much aside for memory that is shared; they get a half GB, or an eighth. */
const MAXIMA = [MAXIMUM_PAGES, 8192, 2048];
/** Addresses are multiples of a cache line. */
const ALIGNMENT = 64;

/**
 * Bytes that must be there behind operands and results, which kernels may read, and behind results overwrite; and before operands, which
 * they may read where they go against the order of memory.
 */
export const SLACK = 256;

/** Where tables of the kernel language begin, whose pages nobody touches where no kernel needs one. */
export const TABLES_AT = SLACK;

/** Arrays over the whole memory. They are replaced when it grows: ask for them after the last allocation. */
interface Views {
  readonly u8: Uint8Array;
  readonly s8: Int8Array;
  readonly u16: Uint16Array;
  readonly s16: Int16Array;
  readonly u32: Uint32Array;
  readonly s32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

/** The array that elements of a type are seen through as they are stored. */
export const VIEW: { readonly [T in DType]: keyof Views } = {
  u8: "u8",
  u16: "u16",
  u32: "u32",
  u64: "s32",
  s8: "s8",
  s16: "s16",
  s32: "s32",
  s64: "s32",
  f16: "u16",
  bf16: "u16",
  f32: "f32",
  f64: "f64",
  c64: "f32",
  c128: "f64",
};

interface State {
  readonly memory: WasmMemory;
  readonly shared: boolean;
  /** Pages it can have at most. */
  readonly maximum: number;
  /** The size of the memory, kept here since asking the buffer takes longer. */
  bytes: number;
  /** The start of scratch space; rooms below it are taken for good. */
  base: number;
  top: number;
  views: Views | null;
}

let state: State | null = null;

function create(): State {
  const host = wasmHost()!;
  const base = TABLES_AT + tableEntries() * Float64Array.BYTES_PER_ELEMENT;
  let cause: unknown;
  for (const shared of typeof SharedArrayBuffer === "function" ? [true, false] : [false]) {
    for (const maximum of MAXIMA) {
      try {
        const memory = new host.Memory({ initial: INITIAL_PAGES, maximum, shared });
        return {
          memory,
          shared,
          maximum,
          bytes: memory.buffer.byteLength,
          base,
          top: base,
          views: null,
        };
      } catch (error) {
        cause = error;
      }
    }
  }
  throw cause;
}

const creation = new Request(create);

function current(): State {
  state ??= creation.attempt();
  if (state) return state;
  throw new Refused('out of memory: the host has none for kernels; the backend "binary" needs none', {
    cause: creation.cause,
  });
}

/** The memory that every module imports as `env.memory`. */
export function kernelMemory(): WasmMemory {
  return current().memory;
}

/** Whether there is memory that is shared: modules must declare it so, and only then can threads use it. */
export function isShared(): boolean {
  state ??= creation.attempt();
  return state?.shared ?? false;
}

/** Whether the memory is shared; null as long as none was needed. */
export const isSharedSoFar = (): boolean | null => state?.shared ?? null;

function grow(here: State, end: number): void {
  if (end > tuning.memoryBytes) throw noMore(end);
  const needed = Math.ceil((end - here.bytes) / PAGE);
  // A quarter more than asked for, so that a growing program does not grow the memory at every call.
  const wanted = Math.min(needed + Math.ceil(end / 4 / PAGE), here.maximum - here.bytes / PAGE);
  if (wanted <= needed || !growBy(here.memory, wanted)) {
    if (!growBy(here.memory, needed)) throw noMore(end);
  }
  here.bytes = here.memory.buffer.byteLength;
  here.views = null;
}

const noMore = (bytes: number): Refused => new Refused(`out of memory: cannot reserve ${bytes} bytes for kernels`);

function growBy(memory: WasmMemory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

/** Address of `bytes` bytes of scratch space, valid until the {@link inScratch} around it ends. */
export function scratch(bytes: number): number {
  const here = current();
  const at = here.top;
  const end = at + roundUp(bytes, ALIGNMENT);
  if (end > here.bytes || end > tuning.memoryBytes) grow(here, end);
  here.top = end;
  return at;
}

/** Address of `bytes` bytes of scratch space that are free until more is asked for: for work that takes no other. */
export function borrow(bytes: number): number {
  const here = current();
  const end = here.top + bytes;
  if (end > here.bytes || end > tuning.memoryBytes) grow(here, end);
  return here.top;
}

/** Runs `fn`, then gives back the scratch space it took. */
export function inScratch<T>(fn: () => T): T {
  const here = current();
  const before = here.top;
  try {
    return fn();
  } finally {
    here.top = before;
  }
}

/** Whether `bytes` more bytes of scratch space can be had at all. */
export function hasRoom(bytes: number): boolean {
  const { top, maximum } = current();
  return top + bytes <= maximum * PAGE;
}

/** Bytes that the memory can have at most. */
export const maximumBytes = (): number => current().maximum * PAGE;

/** Address of `bytes` bytes that are taken for good; null while scratch space is in use. */
export function settle(bytes: number): number | null {
  const here = current();
  if (here.top !== here.base) return null;
  const at = here.base;
  const end = at + roundUp(bytes, ALIGNMENT);
  if (end > here.bytes || end > tuning.memoryBytes) grow(here, end);
  here.base = here.top = end;
  return at;
}

/** Arrays over the memory as it is now. */
export function views(): Views {
  const here = current();
  return (here.views ??= viewsOf(here.memory.buffer as ArrayBuffer));
}

const viewsOf = (buffer: ArrayBuffer): Views => ({
  u8: new Uint8Array(buffer),
  s8: new Int8Array(buffer),
  u16: new Uint16Array(buffer),
  s16: new Int16Array(buffer),
  u32: new Uint32Array(buffer),
  s32: new Int32Array(buffer),
  f32: new Float32Array(buffer),
  f64: new Float64Array(buffer),
});
