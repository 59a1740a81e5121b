/**
 * Complete backends made of partial ones: another backend runs the primitives that are lacking, on operands moved there, and the result
 * is moved back.
 */
import { ArgumentError, BackendError, Tensor, tensor as makeTensor, withDefaultBackend } from "nx-numerics";
import type {
  Attrs,
  Backend,
  BackendSpec,
  DataMembers,
  MultiResultAttrs,
  MultiResultFunction,
  MultiResultPrimitive,
  PartialBackend,
  Primitive,
  PrimitiveFunction,
  ScalarFunction,
  Template,
} from "../backend";
import { MULTI_RESULT_PRIMITIVES, PRIMITIVES } from "../backend";

type AnyPrimitive = Primitive | MultiResultPrimitive;
/** Attributes that only some primitives have. */
interface AnyAttrs {
  readonly op?: unknown;
  readonly fn?: ScalarFunction;
}

/** Options of {@link completeBackend}. */
export interface CompleteOptions {
  /**
   * What happens where the fallback has to do something: `"warn"` says so on the console, once for each primitive, op and type,
   * `"silent"` does not, and `"error"` raises a `BackendError`, to see in tests that a program stays on the backend.
   */
  readonly onFallback?: "error" | "warn" | "silent";
}

const MODES = ["error", "warn", "silent"] as const;

/**
 * A complete backend of a partial one: primitives that it has not, or does not do for some operands (`supports`, and types that are
 * `"none"` in its `capabilities`), are done by another backend. Tensors live on the partial backend throughout: operands are
 * downloaded for the fallback, and its results uploaded. Composites are done by what they are made of.
 *
 * Members of the partial backend are given tensors of its own, and know nothing of this.
 * `Nx.Defn.explain` shows which operations of a compiled function leave it.
 *
 * @param partial - a backend, of whose primitives any number may be missing
 * @param fallback - who does what is missing: a name, `[name, options]` or a Backend object
 * @param options - `onFallback`: `"warn"` by default
 * @returns a backend of the same name
 * @throws ArgumentError for wrong options
 * @throws BackendError for an unknown fallback; where something is missing with `onFallback: "error"`
 * @example
 * ```ts
 * import { completeBackend, type PartialBackend } from "nx-numerics/backend";
 * const { upload, download, deallocate, constant } = Nx.binaryBackend;
 * const tiny: PartialBackend = { name: "tiny", options: {}, upload, download, deallocate, constant };
 * Nx.exp(Nx.tensor([0], { type: "f32", backend: tiny }));
 * // throws BackendError: the backend "tiny" has no "unary" (needed by Nx.exp)
 * const whole = completeBackend(tiny, "binary", { onFallback: "silent" });
 * Nx.exp(Nx.tensor([0], { type: "f32", backend: whole, names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 1]
 * //   [1.0]
 * // >
 * Nx.Defn.explain((x: Nx.Tensor) => x.exp().sum())(Nx.tensor([0], { type: "f32", backend: whole })).nodes.map((node) => node.leaves);
 * // => [ null, 'binary', 'binary' ]
 * ```
 * @example
 * ```ts
 * import { completeBackend } from "nx-numerics/backend";
 * completeBackend(Nx.binaryBackend, "binary", { onFallback: "loud" as never });
 * // throws ArgumentError: option onFallback of completeBackend must be one of "error", "warn", "silent", got: "loud"
 * ```
 */
export function completeBackend(
  partial: PartialBackend,
  fallback: BackendSpec = "binary",
  options: CompleteOptions = {},
): Backend {
  const mode = modeOf(options);
  checkPartial(partial);
  // a tensor of the fallback tells it, and that there is such a backend
  const other = makeTensor(0, { backend: fallback }).backend;
  const completion = new Completion(partial, other, mode);
  return completion.backend;
}

/** Refuses what is no backend at all, as every function does that takes one. */
function checkPartial(partial: PartialBackend): void {
  if (typeof partial !== "object" || partial === null || !("upload" in partial)) {
    throw new ArgumentError(
      `completeBackend expects a backend with functions such as "upload", got: ${String(partial)}`,
    );
  }
  withDefaultBackend(partial, () => undefined);
}

function modeOf(options: CompleteOptions): (typeof MODES)[number] {
  if (typeof options !== "object" || options === null) {
    throw new ArgumentError(
      `completeBackend expects its options as an object such as { onFallback: "error" }, got: ${String(options)}`,
    );
  }
  const { onFallback = "warn", ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ArgumentError(`unknown option "${unknown}" for completeBackend, expected: onFallback`);
  if (MODES.includes(onFallback)) return onFallback;
  const words = MODES.map((word) => `"${word}"`).join(", ");
  throw new ArgumentError(
    `option onFallback of completeBackend must be one of ${words}, got: ${JSON.stringify(onFallback)}`,
  );
}

/** Members of the partial backend that are taken over where they exist: the first list is given a tensor of that backend. */
const OF_TENSORS = ["download", "read", "deallocate", "alias", "recycle", "checkUse", "describe"] as const;
const OTHERS = ["upload", "adopt", "reserve", "takeOver", "isNative", "supports"] as const;

class Completion {
  readonly backend: Backend;
  private readonly told = new Set<string>();

  constructor(
    private readonly partial: PartialBackend,
    private readonly other: Backend,
    private readonly mode: (typeof MODES)[number],
  ) {
    const { name, options, portable, capabilities, compositesFrom } = partial;
    const members: Record<string, unknown> = { name, options: options ?? {}, portable, compositesFrom };
    if (capabilities) members["capabilities"] = { ...capabilities, types: this.computedTypes() };
    for (const member of OTHERS) members[member] = this.bound(member);
    for (const member of OF_TENSORS) members[member] = this.ofTensor(member);
    members["fused"] = this.fused();
    // without a member of its own, reshape gives another tensor of the same elements: a copy, where the backend has none either
    if (!partial.alias && !partial.reshape && partial.download) {
      members["alias"] = (t: Tensor) => partial.upload(t, partial.download!(this.asPartial(t)));
    }
    for (const primitive of PRIMITIVES) members[primitive] = this.primitive(primitive);
    for (const primitive of MULTI_RESULT_PRIMITIVES) members[primitive] = this.many(primitive);
    members["doneBy"] = (
      primitive: AnyPrimitive,
      outs: readonly Template[],
      inputs: readonly Template[],
      attrs: AnyAttrs,
    ) => (this.does(primitive, outs, inputs, attrs) ? null : mode === "error" ? "none" : other.name);
    this.backend = Object.fromEntries(
      Object.entries(members).filter(([, value]) => value !== undefined),
    ) as unknown as Backend;
  }

  /** The types that the partial backend computes, with their support. */
  private computedTypes(): object {
    const types = Object.entries(this.partial.capabilities?.types ?? {});
    return Object.fromEntries(types.filter(([, support]) => support !== "none"));
  }

  private bound(member: keyof DataMembers | AnyPrimitive): unknown {
    const value: unknown = this.partial[member];
    return typeof value === "function" ? value.bind(this.partial) : undefined;
  }

  private ofTensor(member: (typeof OF_TENSORS)[number]): unknown {
    const run = this.bound(member) as ((t: Tensor, ...rest: unknown[]) => unknown) | undefined;
    return run && ((t: Tensor, ...rest: unknown[]) => run(this.asPartial(t), ...rest));
  }

  /** A tensor under the name of the partial backend. The constructor is not called, so that `Nx.tidy` counts no further tensor. */
  private asPartial(t: Tensor): Tensor {
    return Object.create(t, { backend: { value: this.partial } }) as Tensor;
  }

  private allSeen(inputs: readonly Tensor[]): readonly Tensor[] {
    return inputs.map((t) => this.asPartial(t));
  }

  private isComputed({ type }: Template): boolean {
    return this.partial.capabilities?.types?.[type] !== "none";
  }

  private does(
    primitive: AnyPrimitive,
    outs: readonly Template[],
    inputs: readonly Template[],
    attrs: AnyAttrs,
  ): boolean {
    if (this.partial[primitive] === undefined || ![...outs, ...inputs].every((t) => this.isComputed(t))) return false;
    return this.partial.supports?.(primitive, outs, inputs, attrs as never) ?? true;
  }

  /** A composite is done by what it is made of. */
  private readonly composite: PrimitiveFunction<"block"> = (_out, inputs, { fn }) =>
    moveTo(fn(...inputs), this.backend).data;

  /** Runs nests, but not of types that the backend does not compute. */
  private fused(): Backend["fused"] {
    const run = this.bound("fused") as Backend["fused"];
    return (
      run &&
      ((outs, inputs, nest, reuses) =>
        [...outs, ...inputs].every((t) => this.isComputed(t)) ? run(outs, this.allSeen(inputs), nest, reuses) : null)
    );
  }

  private primitive<P extends Primitive>(primitive: P): PrimitiveFunction<P> | undefined {
    const own = this.bound(primitive) as PrimitiveFunction<P> | undefined;
    if (!own && primitive === "block") return this.composite as PrimitiveFunction<P>;
    if (!own && this.mode === "error") return undefined; // the library raises, since it knows the function
    return (out, inputs, attrs) => {
      if (own && this.does(primitive, [out], inputs, attrs as AnyAttrs))
        return own(out, this.allSeen(inputs), this.withOwnResults(attrs as AnyAttrs) as Attrs[P]);
      return this.elsewhere(primitive, inputs, attrs as AnyAttrs, [out], (moved, inside) => [
        (this.other[primitive] as PrimitiveFunction<P>).call(this.other, out, moved, inside as unknown as Attrs[P]),
      ])[0];
    };
  }

  private many<P extends MultiResultPrimitive>(primitive: P): MultiResultFunction<P> | undefined {
    const own = this.bound(primitive) as MultiResultFunction<P> | undefined;
    if (!own && this.mode === "error") return undefined;
    return (outs, inputs, attrs) => {
      if (own && this.does(primitive, outs, inputs, attrs)) return own(outs, this.allSeen(inputs), attrs);
      return this.elsewhere(primitive, inputs, attrs as AnyAttrs, outs, (moved) =>
        (this.other[primitive] as MultiResultFunction<P>).call(this.other, outs, moved, attrs as MultiResultAttrs[P]),
      );
    };
  }

  /** Runs a primitive on the fallback, which keeps no tensor of the call. */
  private elsewhere(
    primitive: AnyPrimitive,
    inputs: readonly Tensor[],
    attrs: AnyAttrs,
    outs: readonly Template[],
    run: (inputs: readonly Tensor[], attrs: AnyAttrs) => readonly unknown[],
  ): readonly unknown[] {
    this.tell(primitive, attrs, outs[0]!);
    const moved = inputs.map((input) => moveTo(input, this.other));
    const { fn } = attrs;
    const inside = fn ? { ...attrs, fn: this.onFallback(fn) } : attrs;
    const results = run(moved, inside).map((data, i) => asTensor(this.other, data, outs[i]!));
    const back = results.map((result) => moveTo(result, this.backend).data);
    for (const t of [...moved, ...results]) this.other.deallocate(t);
    return back;
  }

  /** A function of the caller for the fallback: it sees tensors of this backend, and may give one of any. */
  private onFallback(fn: ScalarFunction): ScalarFunction {
    return (...args) => moveTo(fn(...args.map((arg) => moveTo(arg, this.backend))), this.other);
  }

  /** Attributes whose function takes and gives tensors of the partial backend, whatever the caller's does. */
  private withOwnResults(attrs: AnyAttrs): object {
    const { fn } = attrs;
    if (!fn) return attrs;
    const whole = (t: Tensor): Tensor => (t.backend === this.partial ? asTensor(this.backend, t.data, t) : t);
    const own = (result: Tensor): Tensor =>
      result instanceof Tensor ? this.asPartial(moveTo(result, this.backend)) : result;
    return { ...attrs, fn: (...args: Tensor[]) => own(fn(...args.map(whole))) };
  }

  private tell(primitive: AnyPrimitive, { op }: AnyAttrs, { type }: Template): void {
    if (this.mode === "silent") return;
    const what = `"${primitive}"${typeof op === "string" ? ` (${op})` : ""}`;
    const text = `the backend "${this.partial.name}" does not do ${what} of ${type}`;
    if (this.mode === "error") throw new BackendError(text);
    if (this.told.has(text)) return;
    this.told.add(text);
    const host = globalThis as { console?: { warn: (text: string) => void } };
    host.console?.warn(
      `nx-numerics: ${text}; "${this.other.name}" does, and the tensors go there and back. This is said once.`,
    );
  }
}

const asTensor = (backend: Backend, data: unknown, { type, shape, names }: Template): Tensor =>
  new Tensor(backend, data, type, shape, names);

/** A tensor on a backend; itself where it is there. What is no tensor is for the caller to refuse. */
function moveTo(t: Tensor, backend: Backend): Tensor {
  if (!(t instanceof Tensor) || t.backend === backend) return t;
  const { download, name } = t.backend;
  if (download === undefined) {
    throw new BackendError(
      `the backend "${name}" reads asynchronously only, so "${backend.name}" cannot do what it lacks`,
    );
  }
  return asTensor(backend, backend.upload(t, download.call(t.backend, t)), t);
}
