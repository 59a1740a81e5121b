/**
 * Values in messages, whatever they are.
 */
import * as Nx from "nx-numerics";

export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Nx.isTensor(value)) return Nx.inspect(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}
