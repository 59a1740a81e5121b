/** Runs programs of the playground, one after the other, and reports what their lines show. */
import * as library from "nx-numerics";
import type { Event, Job, Report, Shown } from "./messages";
import * as files from "./node/files";

/** Elements that a picture or a table is made of at most. */
const MOST_ELEMENTS = 262_144;

/** Where the library looks for Node's modules: its files are those in memory. */
const process = { getBuiltinModule: (id: string) => (id === "node:fs/promises" ? files : undefined) };

const isTensor = (value: unknown): value is library.Tensor => typeof value === "object" && library.isTensor(value);

function shownTensor(tensor: library.Tensor): Shown {
  const { type, shape, names, size } = tensor;
  const isLarge = size > MOST_ELEMENTS;
  const text = library.inspect(tensor);
  const head = { kind: "tensor", text, type, shape: [...shape], names: [...names] } as const;
  if (isLarge || type.startsWith("c") || shape.length === 0) return head;
  try {
    return { ...head, values: library.toFloat64Array(library.asType(tensor, "f64")) };
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

/** A value as consoles show it. */
function plainText(value: unknown, isInner = false): string {
  if (typeof value === "string") return isInner ? JSON.stringify(value) : value;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name}]`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? "-0" : String(value);
  if (Array.isArray(value))
    return enclosed(
      "[",
      value.map((one) => plainText(one, true)),
      "]",
    );
  if (isTypedArray(value))
    return `${value.constructor.name}(${value.length}) ${enclosed(
      "[",
      [...value].map((one) => plainText(one, true)),
      "]",
    )}`;
  if (![undefined, Object.prototype.toString].includes(value.toString)) return String(value);
  return enclosed(
    "{",
    Object.entries(value).map(([key, one]) => `${key}: ${plainText(one, true)}`),
    "}",
  );
}

/** Parts between brackets: on one line, or below each other where one has several lines. */
function enclosed(open: string, parts: readonly string[], close: string): string {
  if (parts.length === 0) return open + close;
  if (!parts.some((part) => part.includes("\n"))) return `${open} ${parts.join(", ")} ${close}`;
  return `${open}\n${parts.join(",\n").replaceAll(/^/gm, "  ")}\n${close}`;
}

function shown(value: unknown): Shown {
  try {
    if (isTensor(value)) return shownTensor(value);
    if (isExplanation(value)) return { kind: "graph", dot: value.toDot(), text: String(value) };
    if (typeof value === "string" && /^\s*<svg[^]*<\/svg>\s*$/.test(value))
      return { kind: "svg", svg: value, text: "a picture" };
    if (isFigure(value)) return { kind: "svg", svg: value.toSvg(), text: value[INSPECT]() };
    return { kind: "text", text: plainText(value) };
  } catch (error) {
    return { kind: "text", text: String(error) };
  }
}

const told = (error: unknown): { name: string; message: string } => {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return { name, message };
};

async function run({ id, code }: Job): Promise<void> {
  const report = (event: Event): void => self.postMessage({ id, event } satisfies Report);
  let line = 0;
  const log = (...values: readonly unknown[]): void => report({ event: "shown", line, values: values.map(shown) });
  const playground = {
    __at: (at: number) => void (line = at),
    __caught: (error: unknown) => report({ event: "failed", line, ...told(error) }),
    __show(at: number, value: unknown, isSaid = false) {
      if (value !== undefined || isSaid) report({ event: "shown", line: at, values: [shown(value)] });
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

Object.assign(globalThis, { process });
let last = Promise.resolve();
self.addEventListener("message", ({ data }: MessageEvent<Job>) => void (last = last.then(() => run(data))));
