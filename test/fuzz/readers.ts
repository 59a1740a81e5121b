/**
 * Files of strangers: valid files with something changed. Reading them gives a value of a size that the file can hold, or an
 * error of the library; so do configurations of any content.
 */
import * as Nx from "nx-numerics";
import { readData } from "../io/read";
import { isRefusal } from "./generate";
import { messageOf, type Found, type Kind, type Tally } from "./kind";
import { Random } from "./random";

type Read = (bytes: Uint8Array) => readonly Nx.Tensor[];

const named = (tensors: readonly (readonly [string, Nx.Tensor])[]): Nx.Tensor[] => tensors.map(([, t]) => t);
const deep = (value: unknown): Nx.Tensor[] =>
  value instanceof Nx.Tensor
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(deep)
      : [];

const npy: Read = (bytes) => [Nx.loadNumpy(bytes)];
const npz: Read = (bytes) => named(Nx.loadNumpyArchive(bytes));
const safetensors: Read = (bytes) => Object.values(Nx.loadSafetensors(bytes));
const header: Read = (bytes) => (Nx.safetensorsInfo(bytes), []);
const nx: Read = (bytes) => deep(Nx.deserialize(bytes));

interface File {
  readonly name: string;
  /** The call, as code of `bytes`. */
  readonly call: string;
  readonly bytes: Uint8Array;
  readonly read: Read;
}

let files: readonly File[] | undefined;

function made(): readonly File[] {
  const tensors = {
    a: Nx.iota([3, 4], { names: ["x", "y"] }),
    b: Nx.f32([0.5, 1.5]),
    zeros: Nx.broadcast(0, [40, 50]),
  };
  const value = { ...tensors, list: [1, "text"], c: Nx.c64([new Nx.Complex(1, -2)]), scalar: Nx.bf16(3) };
  const file = (name: string, call: string, bytes: Uint8Array, read: Read): File => ({ name, call, bytes, read });
  return [
    file("npy", "Nx.loadNumpy(bytes)", Nx.toNumpy(tensors.a), npy),
    file("npy, version 2", "Nx.loadNumpy(bytes)", Nx.toNumpy(value.c, { version: 2 }), npy),
    file("npy, Fortran order", "Nx.loadNumpy(bytes)", readData("fortran_big.npy"), npy),
    file("npz", "Nx.loadNumpyArchive(bytes)", Nx.toNumpyArchive(tensors), npz),
    file("npz, compressed", "Nx.loadNumpyArchive(bytes)", Nx.toNumpyArchive(tensors, { compression: "deflate" }), npz),
    file("npz of NumPy", "Nx.loadNumpyArchive(bytes)", readData("descriptors.npz"), npz),
    file("safetensors", "Nx.loadSafetensors(bytes)", Nx.toSafetensors(tensors, { metadata: { k: "v" } }), safetensors),
    file("safetensors, header", "Nx.safetensorsInfo(bytes)", Nx.toSafetensors(tensors), header),
    file("nx", "Nx.deserialize(bytes)", Nx.serialize(value), nx),
    file("nx, compressed", "Nx.deserialize(bytes)", Nx.serialize(value, { compression: "deflate" }), nx),
  ];
}

/** One change of the bytes, as data, so that a list of them can be made shorter. */
export type Change =
  | { readonly kind: "byte" | "bit" | "word" | "digit"; readonly at: number; readonly value: number }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "tail"; readonly at: number; readonly piece: readonly number[] }
  | { readonly kind: "splice"; readonly from: number; readonly to: number; readonly piece: readonly number[] };

const WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 65535];
const PIECES = [
  "{}",
  "[]",
  "null",
  '"__proto__"',
  "1e999",
  "-1",
  "9007199254740993",
  "\u0000",
  ',"shape":[0]',
  "9".repeat(20),
];

/** Headers stand at the front or at the end, and are what matters. */
function place(r: Random, length: number): number {
  if (r.chance(0.5)) return r.below(length);
  const near = r.below(Math.min(length, 400));
  return r.chance(0.7) ? near : length - 1 - near;
}

function randomChange(r: Random, length: number): Change {
  const at = place(r, Math.max(1, length));
  switch (r.below(8)) {
    case 7:
      return { kind: "tail", at: r.pick([0, 12]), piece: Array.from({ length: r.below(200) }, () => r.below(256)) };
    case 0:
      return { kind: "byte", at, value: r.below(256) };
    case 1:
      return { kind: "bit", at, value: r.below(8) };
    case 2:
      return { kind: "word", at, value: r.pick(WORDS) };
    case 3:
    case 4:
      return { kind: "digit", at: r.below(60), value: 0x30 + r.below(10) };
    case 5:
      return { kind: "cut", at };
    default: {
      const text = r.chance(0.5) ? [...r.pick(PIECES)].map((c) => c.charCodeAt(0)) : [];
      const piece = text.length > 0 ? text : Array.from({ length: r.below(12) }, () => r.below(256));
      const to = r.chance(0.6) ? at + r.below(12) : place(r, Math.max(1, length));
      return { kind: "splice", from: Math.min(at, to), to: Math.max(at, to), piece };
    }
  }
}

export function withChange(bytes: Uint8Array, change: Change): Uint8Array {
  const out = bytes.slice();
  if (out.length === 0) return out;
  switch (change.kind) {
    case "byte":
      out[change.at % out.length] = change.value;
      return out;
    case "bit":
      out[change.at % out.length]! ^= 1 << change.value;
      return out;
    case "word":
      if (out.length >= 4) new DataView(out.buffer).setUint32(Math.min(change.at, out.length - 4), change.value, true);
      return out;
    case "digit": {
      // digits of the header become other digits, so that it stays well formed and tells other sizes
      const digits = [...out.keys()].filter((i) => out[i]! >= 0x30 && out[i]! <= 0x39);
      if (digits.length > 0) out[digits[change.at % digits.length]!] = change.value;
      return out;
    }
    case "cut":
      return out.slice(0, change.at);
    case "tail":
      return Uint8Array.from([...out.subarray(0, change.at), ...change.piece]);
    case "splice":
      return Uint8Array.from([...out.subarray(0, change.from), ...change.piece, ...out.subarray(change.to)]);
    default:
      return change satisfies never;
  }
}

/** What expanding takes for each entry of an archive, however small it is, and what the engine has not collected yet. */
const SLACK = 2 ** 26;
/** Bytes that a value may take for each byte of its file: what deflate can expand to. */
const EXPANSION = 1032;
/** Milliseconds of the processor that reading a file of a few kB may take, whatever else the machine does. */
const PATIENCE = 2000;

/** What is wrong with how a file is read. */
export function faultOf(read: Read, bytes: Uint8Array, tally: Tally): string | null {
  const start = process.cpuUsage();
  const before = process.memoryUsage().arrayBuffers;
  try {
    const size = read(bytes).reduce((total, t) => total + Nx.byteSize(t), 0);
    if (size > EXPANSION * bytes.length) return `${bytes.length} bytes gave a value of ${size}`;
  } catch (error) {
    if (!isRefusal(error)) return messageOf(error);
    if ((error as Error).message.length <= 20) return `says only: ${messageOf(error)}`;
    tally.refused++;
  }
  const taken = process.memoryUsage().arrayBuffers - before;
  if (taken > 2 * EXPANSION * bytes.length + SLACK) return `${taken} bytes of memory for a file of ${bytes.length}`;
  const time = process.cpuUsage(start).user / 1000;
  return time > PATIENCE ? `${Math.round(time)} ms for a file of ${bytes.length} bytes` : null;
}

const exampleOf = (call: string, bytes: Uint8Array): string =>
  `const bytes = Uint8Array.from(atob(${JSON.stringify(btoa(String.fromCharCode(...bytes)))}), (c) => c.charCodeAt(0));\n` +
  `${call}; // a value or an NxError\n`;

/** Fewer changes that do the same. */
function fewest(changes: readonly Change[], fails: (changes: readonly Change[]) => boolean): readonly Change[] {
  for (let i = 0; i < changes.length; i++) {
    const fewer = changes.filter((_, k) => k !== i);
    if (fails(fewer)) return fewest(fewer, fails);
  }
  return changes;
}

function checkFile(r: Random, tally: Tally): Found | null {
  files ??= made();
  const file = r.pick(files);
  const changes = Array.from({ length: r.between(1, 4) }, () => randomChange(r, file.bytes.length));
  const bytesOf = (list: readonly Change[]): Uint8Array => list.reduce(withChange, file.bytes);
  tally.use([file.name]);
  tally.checks++;
  if (faultOf(file.read, bytesOf(changes), tally) === null) return null;
  const few = fewest(changes, (list) => faultOf(file.read, bytesOf(list), tally) !== null);
  const bytes = bytesOf(few);
  return { message: `${file.name}: ${faultOf(file.read, bytes, tally)}`, example: exampleOf(file.call, bytes) };
}

// ---------------------------------------------------------------------------------------------------- configurations

const KEYS = [
  ...["defaultBackend", "defaultCompiler", "threads", "promotion", "defaultIntegerType", "defaultFloatType"],
  ...["inspectLimit", "nope", "__proto__", "constructor", "toString"],
];

function randomJson(r: Random, depth: number): string {
  const word = () => JSON.stringify(r.pick(["binary", "wasm", "auto", "optimizing", "nx", "strict", "s32", "f64", "", "nope", "__proto__"])); // prettier-ignore
  const leaf = () => r.pick(["null", "true", "0", "-1", "4", "1.5", "1e999", "1e400", word(), word(), word()]);
  if (depth === 0 || r.chance(0.5)) return leaf();
  const parts = Array.from({ length: r.below(4) }, () => randomJson(r, depth - 1));
  if (r.chance(0.5)) return `[${parts.join(",")}]`;
  return `{${parts.map((part) => `${JSON.stringify(r.pick([...KEYS, "threads"]))}:${part}`).join(",")}}`;
}

function checkConfiguration(r: Random, tally: Tally): Found | null {
  const count = r.between(0, 3);
  const text = `{${Array.from({ length: count }, () => `${JSON.stringify(r.pick(KEYS))}:${randomJson(r, 3)}`).join(",")}}`;
  const json = r.chance(0.9) ? text : randomJson(r, 3);
  tally.use(["configuration"]);
  tally.checks++;
  try {
    Nx.configureFromFile(JSON.parse(json) as object, "a file");
    Nx.sum(Nx.iota([3])).toNumber();
  } catch (error) {
    tally.refused++;
    if (!isRefusal(error)) {
      const example = `Nx.configureFromFile(JSON.parse(${JSON.stringify(json)}), "a file");\nNx.sum(Nx.iota([3]));\n`;
      return { message: `configuration: ${messageOf(error)}`, example };
    }
  } finally {
    Nx.configureFromFile({}, "a file");
  }
  return null;
}

export const readers: Kind = {
  name: "readers",
  about:
    "files of every format and configurations, damaged: a value of a size that the file can hold or an `NxError`, in bounded memory and time",
  run: (seed, tally) => {
    const r = new Random(seed);
    tally.programs++;
    return r.chance(0.8) ? checkFile(r, tally) : checkConfiguration(r, tally);
  },
};
