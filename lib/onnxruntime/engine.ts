/**
 * What is used of onnxruntime's packages: the same of `onnxruntime-node` and `onnxruntime-web`.
 */
import { ArgumentError, BackendError } from "nx-numerics";

/** Elements as onnxruntime holds them. */
export type EngineData =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/** A tensor of onnxruntime. */
export interface EngineTensor {
  readonly type: string;
  readonly dims: readonly number[];
  getData(releaseData?: boolean): Promise<unknown>;
  dispose(): void;
}

/** A session of onnxruntime. */
export interface EngineSession {
  run(feeds: Readonly<Record<string, EngineTensor>>): Promise<Readonly<Record<string, EngineTensor>>>;
  release(): Promise<void>;
}

/** A package of onnxruntime, as `import * as ort from "onnxruntime-web"` gives it. */
export interface Engine {
  readonly InferenceSession: {
    /** As a method, since the packages say more of what they take. */
    create(model: Uint8Array, options?: object): Promise<unknown>;
  };
  readonly Tensor: new (type: never, data: never, dims: readonly number[]) => unknown;
  readonly env?: unknown;
}

const PACKAGE = "onnxruntime-node";

/** The engine that was given, or that of Node. */
export async function findEngine(given: unknown): Promise<Engine> {
  if (given !== undefined) return checked(given);
  const host = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } };
  if (host.process?.versions?.node === undefined) {
    throw new ArgumentError(
      `onnxruntime needs the option engine outside of Node, as in import * as ort from "onnxruntime-web"; { engine: ort }`,
    );
  }
  const name: string = PACKAGE; // not as a literal: bundlers would look for a package that programs may do without
  try {
    return checked(await import(/* @vite-ignore */ /* webpackIgnore: true */ name));
  } catch (error) {
    if (error instanceof ArgumentError) throw error;
    throw new BackendError(
      `onnxruntime needs the package ${PACKAGE}, which cannot be loaded (${messageOf(error)}): npm install ${PACKAGE}, ` +
        `or give another one by the option engine`,
    );
  }
}

function checked(given: unknown): Engine {
  for (const one of [given, (given as { readonly default?: unknown } | null)?.default]) {
    const { InferenceSession, Tensor } = (one ?? {}) as Partial<Engine>;
    if (typeof InferenceSession?.create === "function" && typeof Tensor === "function") return one as Engine;
  }
  throw new ArgumentError(
    `option engine of onnxruntime must be the module onnxruntime-node or onnxruntime-web, as in import * as ort from "onnxruntime-web"; ` +
      `got: ${typeof given}`,
  );
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
