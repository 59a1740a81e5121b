/** Runs one program of the playground and reports what its lines show. */
import type { Event, Job, Shown } from "./messages";

/** Elements that a picture or a table is made of at most. */
const MOST_ELEMENTS = 262_144;

interface TensorLike {
  readonly type: string;
  readonly shape: readonly number[];
  readonly names: readonly (string | null)[];
  readonly size: number;
}

interface Library {
  isTensor(value: unknown): boolean;
  inspect(value: unknown, options?: object): string;
  asType(value: unknown, type: string): unknown;
  toTypedArray(value: unknown): Float64Array;
}

const report = (event: Event): void => self.postMessage(event);

function shownTensor(library: Library, tensor: TensorLike): Shown {
  const { type, shape, names, size } = tensor;
  const isLarge = size > MOST_ELEMENTS;
  const text = library.inspect(tensor);
  const head = { kind: "tensor", text, type, shape: [...shape], names: [...names] } as const;
  if (isLarge || type.startsWith("c") || shape.length === 0) return head;
  try {
    return { ...head, values: library.toTypedArray(library.asType(tensor, "f64")) };
  } catch {
    return head; // a template has no elements
  }
}

/** What `Nx.Defn.explain` gives. */
const isExplanation = (value: unknown): value is { toDot(): string } =>
  typeof value === "object" && value !== null && "toDot" in value && typeof value.toDot === "function";

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** What `nx-numerics/plot` gives. */
const isFigure = (value: unknown): value is { toSvg(): string; [INSPECT](): string } =>
  typeof value === "object" && value !== null && "toSvg" in value && INSPECT in value;

const isTypedArray = (value: object): value is Float64Array =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** A value as consoles show it, on one line. */
function plainText(value: unknown, isInner = false): string {
  if (typeof value === "string") return isInner ? JSON.stringify(value) : value;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name}]`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? "-0" : String(value);
  const list = (values: readonly unknown[]): string => `[ ${values.map((one) => plainText(one, true)).join(", ")} ]`;
  if (Array.isArray(value)) return list(value);
  if (isTypedArray(value)) return `${value.constructor.name}(${value.length}) ${list([...value])}`;
  if (value.toString !== Object.prototype.toString) return String(value);
  const entries = Object.entries(value).map(([key, one]) => `${key}: ${plainText(one, true)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function shown(library: Library, value: unknown): Shown {
  try {
    if (library.isTensor(value) && typeof value === "object") return shownTensor(library, value as TensorLike);
    if (isExplanation(value)) return { kind: "graph", dot: value.toDot(), text: String(value) };
    if (typeof value === "string" && value.trimStart().startsWith("<svg"))
      return { kind: "svg", svg: value, text: "a picture" };
    if (isFigure(value)) return { kind: "svg", svg: value.toSvg(), text: value[INSPECT]() };
    if (Array.isArray(value) && value.some((one) => library.isTensor(one) && typeof one === "object"))
      return { kind: "text", text: value.map((one) => (shown(library, one) as { text: string }).text).join("\n") };
    return { kind: "text", text: plainText(value) };
  } catch (error) {
    return { kind: "text", text: String(error) };
  }
}

const told = (error: unknown): { name: string; message: string } => {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return { name, message };
};

async function run({ code, library: address }: Job): Promise<void> {
  const library = (await import(/* @vite-ignore */ address)) as Library;
  let line = 0;
  const log = (...values: readonly unknown[]): void =>
    report({ event: "shown", line, values: values.map((value) => shown(library, value)) });
  const playground = {
    __at: (at: number) => void (line = at),
    __caught: (error: unknown) => report({ event: "failed", line, ...told(error) }),
    __show(at: number, value: unknown) {
      if (value !== undefined) report({ event: "shown", line: at, values: [shown(library, value)] });
    },
    console: { log, info: log, warn: log, error: log, debug: log, table: log },
  };
  Object.assign(globalThis, { __playground: playground });
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const begun = performance.now();
  try {
    await import(/* @vite-ignore */ url);
    report({ event: "ended", milliseconds: performance.now() - begun });
  } catch (error) {
    report({ event: "failed", line, ...told(error) });
    report({ event: "ended", milliseconds: performance.now() - begun });
  } finally {
    URL.revokeObjectURL(url);
  }
}

self.addEventListener("message", ({ data }: MessageEvent<Job>) => void run(data));
