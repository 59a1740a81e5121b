/**
 * What tables and heat maps share: checking arguments, escaping, shapes and elements as text.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, Tensor, type Operand } from "nx-numerics";

/** A value in a message. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" || value === null ? String(value) : typeof value;
}

/** Checks that options are an object with known keys only. */
export function checkOptions(fn: string, options: unknown, allowed: readonly string[]): void {
  if (options === undefined) return;
  const plain = typeof options === "object" && options !== null && !Array.isArray(options);
  const unknown = plain ? Object.keys(options).find((key) => !allowed.includes(key)) : shown(options);
  if (unknown === undefined) return;
  throw new ArgumentError(`${fn} takes the options ${allowed.join(", ")}, got: ${unknown}`);
}

/** An option of an integer that is positive, up to a bound. */
export function integerOption(fn: string, key: string, value: unknown, fallback: number, most: number): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return value as number;
  throw new ArgumentError(`option ${key} of ${fn} must be an integer from 1 to ${most}, got: ${shown(value)}`);
}

/** The operand as a tensor. */
export function asTensor(fn: string, value: unknown): Tensor {
  if (value instanceof Tensor) return value;
  if (["number", "bigint", "boolean"].includes(typeof value) || value instanceof Nx.Complex) {
    return Nx.toTensor(value as Operand);
  }
  throw new ArgumentError(`${fn} expects a tensor or a number, got: ${shown(value)}`);
}

/** Whether there are elements to show: templates and traced tensors have none. */
export const hasElements = (t: Tensor): boolean => t.backend.describe === undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that means itself in HTML and XML, in elements and attributes; characters XML cannot hold are replaced. */
export function escapeText(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd").replace(/[&<>"']/g, (c) => ESCAPES[c]!);
}

/** `f32[x: 2][3]`, as tensors print it. */
export function headline({ type, shape, names }: Tensor): string {
  const axes = shape.map((size, i) => (names[i] == null ? `[${size}]` : `[${names[i]}: ${size}]`));
  return type + axes.join("");
}

/** An element as tensors print it. */
export function elementText(value: number | bigint | Nx.Complex, type: Nx.DType): string {
  const lines = Nx.inspect(Nx.tensor(value, { type, backend: "binary" })).split("\n");
  return (lines[2] ?? "").trim();
}
