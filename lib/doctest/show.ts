/** The text of a value, as an example writes it, and whether an expected text means the same. Knows nothing of blocks. */

import { inspect, types } from "node:util";

/**
 * Arrays, plain objects, numbers and strings are shown as they are written in source: `[1, "x", { a: true }]`.
 * Everything else, tensors among it, is shown by Node's `util.inspect`, errors as `Name: message`, and an object with a
 * `toString` of its own and no inspection of its own by that.
 */
export const show = (value: unknown): string => (isCyclic(value, []) ? byNode(value) : written(value));

/**
 * Whether an expected text means a value. What fits a line may be broken over several at will, with either kind of
 * quote, and in Node's own form (`[ 1, 2 ]`); a string may also stand as it is. Texts that have several lines of their
 * own, such as a tensor's, are compared exactly, but for spaces at line ends.
 */
export function matches(expected: string, value: unknown): boolean {
  const text = trimmed(expected);
  if (typeof value === "string" && text === trimmed(value)) return true;
  return [show(value), byNode(value)].some(
    (form) => text === trimmed(form) || (!form.includes("\n") && squeezed(text) === squeezed(form)),
  );
}

const trimmed = (text: string): string => text.replace(/[ \t]+$/gm, "").trim();

/** Without white space around brackets and commas, without trailing commas, with one kind of quote. */
const squeezed = (text: string): string =>
  text
    .replace(
      /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\s*([[\]{}(),:])\s*|\s+/g,
      (part, sign?: string) => {
        if (sign !== undefined) return sign;
        return /^\s/.test(part) ? " " : JSON.stringify(unquoted(part));
      },
    )
    .replace(/,([\]})])/g, "$1");

const unquoted = (quoted: string): string => quoted.slice(1, -1).replace(/\\(.)/g, (_, c: string) => ESCAPES[c] ?? c);

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** An array or a plain object, which are shown from the inside. */
function isData(value: unknown): value is object {
  if (typeof value !== "object" || value === null || inspect.custom in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) ? prototype === Array.prototype : prototype === Object.prototype || prototype === null;
}

const isCyclic = (value: unknown, above: readonly unknown[]): boolean =>
  isData(value) && (above.includes(value) || Object.values(value).some((item) => isCyclic(item, [...above, value])));

function written(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (types.isTypedArray(value)) return `${value.constructor.name}(${value.length}) ${list("[", items(value), "]")}`;
  if (!isData(value)) return byNode(value);
  if (Array.isArray(value)) return list("[", items(value as unknown[]), "]");
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${written(item)}`);
  return entries.length === 0 ? "{}" : list("{ ", entries, " }");
}

const items = (values: Iterable<unknown>): string[] => Array.from(values, written);

/** On one line, unless an item has several. */
function list(open: string, texts: readonly string[], close: string): string {
  if (!texts.some((text) => text.includes("\n"))) return open + texts.join(", ") + close;
  return [
    open.trim(),
    ...texts.map((text, i) => indented(i < texts.length - 1 ? `${text},` : text)),
    close.trim(),
  ].join("\n");
}

const indented = (text: string): string => text.replace(/^/gm, "  ");

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

const WIDE = { breakLength: Infinity, depth: Infinity, maxArrayLength: null, maxStringLength: null } as const;

function byNode(value: unknown): string {
  if (types.isNativeError(value)) return `${value.name}: ${value.message}`;
  if (hasOwnText(value)) return String(value);
  const line = inspect(value, { ...WIDE, compact: true });
  return line.includes("\n") ? inspect(value, { ...WIDE, compact: 1 }) : line;
}

/** A class that says how it is written, but not to Node. */
function hasOwnText(value: unknown): boolean {
  if (typeof value !== "object" || value === null || inspect.custom in value) return false;
  const text: unknown = Reflect.get(value, "toString");
  return typeof text === "function" && !Function.prototype.toString.call(text).includes("[native code]");
}
