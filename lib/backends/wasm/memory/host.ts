/**
 * What of WebAssembly the host offers, reached without host types: the core is compiled for any JavaScript engine.
 */

/** Linear memory; `buffer` is shared where the memory is. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

type WasmModule = object;

/** An exported function: numbers in, a number or nothing out. */
export type WasmFunction = (...args: number[]) => number;

interface WasmInstance {
  readonly exports: Readonly<Record<string, WasmFunction>>;
}

/** The imports of an instance: the memory under `env`. */
interface WasmImports {
  readonly env: Readonly<Record<string, unknown>>;
}

interface WasmHost {
  readonly Memory: new (descriptor: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
  readonly RuntimeError: new () => Error;
  validate(bytes: Uint8Array): boolean;
}

/** The host's WebAssembly, or null where there is none. */
export function wasmHost(): WasmHost | null {
  return (globalThis as unknown as { WebAssembly?: WasmHost }).WebAssembly ?? null;
}

/** Whether an error is a trap of code of the host. */
export function isTrap(error: unknown): error is Error {
  const host = wasmHost();
  return host !== null && error instanceof host.RuntimeError;
}

interface MemoryHost {
  readonly Deno?: object;
  readonly process?: { availableMemory?(): number };
  readonly navigator?: { readonly deviceMemory?: number };
}

/** Bytes of memory that the host has to spare, or has at all where it says no more than that; 0 where it says nothing. */
export function spareBytes(): number {
  const { Deno, process, navigator } = globalThis as MemoryHost;
  try {
    // Deno asks the user whether programs may know
    if (Deno === undefined && process?.availableMemory) return process.availableMemory();
  } catch {
    return 0;
  }
  return (navigator?.deviceMemory ?? 0) * 2 ** 30;
}

/** A function that makes a vector of an integer: () -> v128, i32.const 0, i8x16.splat, end. */
const SIMD_PROBE = [
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 65, 0, 253, 15, 11],
];

/** A function of three vectors: () -> v128, three times i32.const 0, i8x16.splat, then f32x4.relaxed_madd, end. */
const RELAXED_PROBE = [
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 19, 1, 17, 0, ...[0, 1, 2].flatMap(() => [65, 0, 253, 15]), 253, 0x85, 2, 11],
];

let relaxedSimd: boolean | undefined;

/** Whether the WebAssembly of the host adds products unrounded where it is asked to. */
export const hasRelaxedSimd = (): boolean => (relaxedSimd ??= asksForRelaxedSimd());

function asksForRelaxedSimd(): boolean {
  try {
    return wasmHost()?.validate(Uint8Array.from(RELAXED_PROBE)) ?? false;
  } catch {
    return false;
  }
}

let available: boolean | undefined;

/** Whether kernels can run here: WebAssembly with SIMD, and a page that allows compiling (a strict content security policy does not). */
export function isWasmAvailable(): boolean {
  return (available ??= compilesNow());
}

/** The same, asked again: a page may get a policy at any time. */
export const compilesNow = (): boolean => whatIsMissing() === null;

/** What kernels would need and is not there, as text for users; null where they can run. */
export function whatIsMissing(): string | null {
  const host = wasmHost();
  if (!host) return "the host has no WebAssembly";
  try {
    const bytes = Uint8Array.from(SIMD_PROBE);
    if (!host.validate(bytes)) return "the WebAssembly of the host has no SIMD";
    void new host.Module(bytes);
    return null;
  } catch (error) {
    // A policy is a CompileError; where there is just no room for code at this moment, kernels can do without.
    if (error instanceof RangeError) return null;
    return "the host refuses to compile WebAssembly; a content security policy needs script-src 'wasm-unsafe-eval'";
  }
}
