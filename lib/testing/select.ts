/**
 * Which checks are asked of a backend: what it cannot do, says it cannot do, or is excused from is left out, by name and with the
 * reason. What a check is about (types, sizes, ops) is found by running it once on the binary backend, for backends that need it.
 */
import * as Nx from "nx-numerics";
import { PRIMITIVES } from "nx-numerics/backend";
import type { Backend, Capabilities, DType, Primitive, Template, Tensor } from "nx-numerics";
import { Subject, type Check } from "./subject";
import { bytesOf, sizeOf } from "./values";

/** What a check turned out to be about. */
export interface Traits {
  readonly types: ReadonlySet<DType>;
  /** Names of primitives, and of the ops that these were asked for. */
  readonly ops: ReadonlySet<string>;
  /** Bytes of its largest tensor. */
  readonly largest: number;
  /** The most operands and results of a nest. */
  readonly operands: number;
}

interface Noted {
  readonly types: Set<DType>;
  readonly ops: Set<string>;
  largest: number;
  operands: number;
}

function note(noted: Noted, tensors: readonly (Template | Tensor)[]): void {
  for (const { type, shape } of tensors) {
    noted.types.add(type);
    noted.largest = Math.max(noted.largest, sizeOf(shape) * bytesOf(type));
  }
}

/** A backend that records the calls of its primitives and computes nothing. */
function noting(noted: Noted): Backend {
  const primitive =
    (name: Primitive) =>
    (out: Template, inputs: readonly Tensor[], attrs: { readonly op?: string; fn?: (...args: Tensor[]) => Tensor }) => {
      note(noted, [out, ...inputs]);
      noted.ops.add(name).add(attrs.op ?? name);
      return name === "block" ? attrs.fn!(...inputs).data : {};
    };
  return {
    ...Nx.binaryBackend,
    ...(Object.fromEntries(PRIMITIVES.map((name) => [name, primitive(name)])) as object),
    name: "notes",
    linalg(outs, inputs, attrs) {
      note(noted, [...outs, ...inputs]);
      noted.ops.add("linalg").add(attrs.op);
      return outs.map(() => ({}));
    },
    fused(outs, inputs, { kind }) {
      note(noted, [...outs, ...inputs]);
      noted.operands = Math.max(noted.operands, outs.length + inputs.length);
      return kind === "map" ? outs.map(() => ({})) : null;
    },
    upload(out) {
      note(noted, [out]);
      return {};
    },
    download: ({ type, shape }, limit = Infinity) => new Uint8Array(Math.min(limit, sizeOf(shape)) * bytesOf(type)),
    deallocate: () => true,
    alias: () => ({}),
    isNative: () => false,
  };
}

/** What a check is about. */
export function traitsOf(check: Check): Traits {
  const noted: Noted = { types: new Set(), ops: new Set(), largest: 0, operands: 0 };
  try {
    for (const { tensor } of check.run(new Subject(noting(noted), {}, "nothing"))) note(noted, [tensor]);
  } catch (error) {
    // the calls before a refusal are recorded
    if (!(error instanceof Error)) throw error;
  }
  return noted;
}

/** Whether anything of what a backend says of itself depends on what a check is about. */
export const isLimited = ({ types, largestTensor, mostOperands }: Capabilities): boolean =>
  types !== undefined || largestTensor !== undefined || mostOperands !== undefined;

/** The reason why a backend with these capabilities is not asked; undefined where it is asked. */
export function outside(traits: Traits, { types, largestTensor, mostOperands }: Capabilities): string | undefined {
  for (const type of traits.types) if (types?.[type] === "none") return `${type} is not supported`;
  if (traits.largest > (largestTensor ?? Infinity)) return `tensors have at most ${largestTensor} bytes`;
  if (traits.operands > (mostOperands ?? Infinity)) return `nests have at most ${mostOperands} operands and results`;
  return undefined;
}

/** Units in the last place by which results of a type may be off in a check. */
export function boundFor(type: DType, { ops }: Traits, { types, bounds = {} }: Capabilities): number {
  if (types?.[type] !== "bounded") return 0;
  let most = 0;
  for (const op of ops) {
    const bound = bounds[op] ?? bounds["default"] ?? 0;
    most = Math.max(most, typeof bound === "number" ? bound : (bound[type] ?? 0));
  }
  return most;
}
