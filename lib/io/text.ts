/**
 * Text in files: strict UTF-8 and JSON whose objects repeat no key. Knows no format.
 */
import { ArgumentError, show } from "../core/errors";
import { isPlainObject } from "../core/options";

interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** UTF-8 is no part of the language; jest with jsdom and React Native lack one or both. */
interface Host {
  readonly TextDecoder?: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => Decoder;
  readonly TextEncoder?: new () => { encode(text: string): Uint8Array };
}

const host = globalThis as unknown as Host;

/** The language's own strict UTF-8, that of addresses: slower, and everywhere. */
const BY_ESCAPES: Decoder & { encode(text: string): Uint8Array } = {
  decode: (bytes) => decodeURIComponent(Array.from(bytes, (byte) => `%${(byte + 256).toString(16).slice(1)}`).join("")),
  encode(text) {
    // half of a surrogate pair, which addresses refuse, is replaced as by TextEncoder
    const whole = text.replace(SURROGATES, (part) => (part.length === 2 ? part : "\ufffd"));
    const escaped = encodeURIComponent(whole).match(/%..|[^%]/g) ?? [];
    return Uint8Array.from(escaped, (part) => (part.length === 1 ? part.charCodeAt(0) : parseInt(part.slice(1), 16)));
  },
};

const SURROGATES = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

/** Text of bytes that are UTF-8, or an error. */
export function decodeUtf8(bytes: Uint8Array, fn: string, what: string): string {
  const { TextDecoder } = host;
  const decoder = TextDecoder ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }) : BY_ESCAPES;
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ArgumentError(`${fn}: ${what} is not valid UTF-8`, { cause });
  }
}

/** Text as UTF-8; lone surrogates, which it cannot hold, are an error. */
export function encodeUtf8(text: string, fn: string, what: string): Uint8Array {
  const bytes = (host.TextEncoder ? new host.TextEncoder() : BY_ESCAPES).encode(text);
  if (decodeUtf8(bytes, fn, what) === text) return bytes;
  throw new ArgumentError(`${fn}: ${what} ${show(text)} holds half of a surrogate pair, which no file can keep`);
}

/** One character per byte. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

/** A JSON object out of bytes; a key that stands twice in one object is an error. */
export function parseJsonObject(bytes: Uint8Array, fn: string, what: string): Readonly<Record<string, unknown>> {
  const text = decodeUtf8(bytes, fn, what);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ArgumentError(`${fn}: ${what} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  if (!isPlainObject(value) || !text.startsWith("{")) {
    throw new ArgumentError(`${fn}: ${what} must be a JSON object that begins with "{", got: ${text.slice(0, 20)}`);
  }
  const repeated = repeatedKey(text);
  if (repeated === null) return value;
  throw new ArgumentError(`${fn}: ${what} has the key ${show(repeated)} twice in one object`);
}

/** The first key that an object of a valid JSON text repeats; `JSON.parse` keeps the last one and says nothing. */
function repeatedKey(json: string): string | null {
  const open: Set<string>[] = [];
  for (let i = 0; i < json.length; i++) {
    const c = json[i];
    if (c === "{") open.push(new Set());
    else if (c === "}") open.pop();
    if (c !== '"') continue;
    const end = stringEnd(json, i);
    if (isKey(json, end)) {
      const key = JSON.parse(json.slice(i, end)) as string;
      const keys = open[open.length - 1]!;
      if (keys.has(key)) return key;
      keys.add(key);
    }
    i = end - 1;
  }
  return null;
}

/** Position after the string that starts at `start`. */
function stringEnd(json: string, start: number): number {
  let i = start + 1;
  while (json[i] !== '"') i += json[i] === "\\" ? 2 : 1;
  return i + 1;
}

function isKey(json: string, end: number): boolean {
  let i = end;
  while (json[i] === " " || json[i] === "\n" || json[i] === "\r" || json[i] === "\t") i++;
  return json[i] === ":";
}
