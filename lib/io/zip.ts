/**
 * ZIP archives (PKWARE APPNOTE 6.3): the list of their entries with its 64-bit extension, and writing plain ones.
 * Entries are found through the central directory only, so that data descriptors do not matter. Knows no tensors.
 */
import { ArgumentError, show } from "../core/errors";
import { allocateBytes, Reader } from "./bytes";
import { crc32, deflate, type Level } from "./deflate";
import { decodeUtf8, encodeUtf8 } from "./text";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const END_SIZE = 22;
const UNKNOWN = 0xffffffff;
const FLAG_ENCRYPTED = 1;
const FLAG_UTF8 = 1 << 11;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 1980, so that equal tensors give equal files. */
const DOS_DATE = 0x0021;

/** One file of an archive, still compressed. */
export interface ZipEntry {
  readonly name: string;
  readonly deflated: boolean;
  readonly packed: Uint8Array;
  readonly size: number;
  readonly crc: number;
}

interface Directory {
  readonly count: number;
  readonly start: number;
  readonly end: number;
}

/** The entries of an archive in the order of its directory. */
export function readZip(bytes: Uint8Array, fn: string): ZipEntry[] {
  const reader = new Reader(bytes, fn);
  const directory = findDirectory(reader);
  const entries: ZipEntry[] = [];
  const spans: (readonly [start: number, end: number])[] = [];
  let at = directory.start;
  for (let i = 0; i < directory.count; i++) {
    const { entry, span, next } = readEntry(reader, at, directory);
    entries.push(entry);
    spans.push(span);
    at = next;
  }
  if (at !== directory.end)
    throw reader.fail(`the directory of the archive has more than the ${directory.count} entries it states`);
  refuseOverlaps(reader, spans);
  refuseRepeats(reader, entries);
  return entries;
}

/** Entries that share bytes make archives that expand without end (Fifield, "A better zip bomb", WOOT 2019). */
function refuseOverlaps(reader: Reader, spans: readonly (readonly [start: number, end: number])[]): void {
  const sorted = [...spans].sort((a, b) => a[0] - b[0]);
  const shared = sorted.findIndex(([start], i) => i > 0 && start < sorted[i - 1]![1]);
  if (shared > 0) throw reader.fail(`two entries of the archive overlap at byte ${sorted[shared]![0]}`);
}

function refuseRepeats(reader: Reader, entries: readonly ZipEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (seen.has(name)) throw reader.fail(`the archive has two entries named ${show(name)}`);
    seen.add(name);
  }
}

function findDirectory(reader: Reader): Directory {
  const end = findEnd(reader);
  if (reader.u16(end + 4) !== 0 || reader.u16(end + 6) !== 0) {
    throw reader.fail("the archive is split over several files, which is not supported");
  }
  const locator = end - 20;
  const found =
    locator >= 0 && reader.u32(locator) === LOCATOR64
      ? readEnd64(reader, reader.u64(locator + 8), locator)
      : { count: reader.u16(end + 10), size: reader.u32(end + 12), start: reader.u32(end + 16), tail: end };
  if (found.start + found.size !== found.tail) {
    throw reader.fail(
      `the directory of the archive should fill bytes ${found.start} to ${found.tail}, but states ${found.size} bytes`,
    );
  }
  return { count: found.count, start: found.start, end: found.tail };
}

function readEnd64(
  reader: Reader,
  at: number,
  before: number,
): { count: number; size: number; start: number; tail: number } {
  if (at + 56 > before || reader.u32(at) !== END64) {
    throw reader.fail(`the 64-bit end of the archive's directory should be at byte ${at}, but is not there`);
  }
  return { count: reader.u64(at + 32), size: reader.u64(at + 40), start: reader.u64(at + 48), tail: at };
}

/** The end record stands last, before a comment of at most 65535 bytes whose length it states. */
function findEnd(reader: Reader): number {
  const { length } = reader.bytes;
  const first = Math.max(0, length - END_SIZE - 0xffff);
  for (let at = length - END_SIZE; at >= first; at--) {
    if (reader.u32(at) === END && at + END_SIZE + reader.u16(at + 20) === length) return at;
  }
  const hint = reader.bytes[0] === 0x93 ? "a .npy file is read by Nx.loadNumpy" : "is the file cut off?";
  throw reader.fail(`the bytes are no ZIP archive: its directory is not at their end; ${hint}`);
}

function readEntry(
  reader: Reader,
  at: number,
  directory: Directory,
): { entry: ZipEntry; span: readonly [number, number]; next: number } {
  const what = `the entry of the archive's directory at byte ${at}`;
  if (at + 46 > directory.end || reader.u32(at) !== CENTRAL) throw reader.fail(`${what} is missing or damaged`);
  const [nameLength, extraLength, commentLength] = [reader.u16(at + 28), reader.u16(at + 30), reader.u16(at + 32)];
  const next = at + 46 + nameLength + extraLength + commentLength;
  if (next > directory.end) throw reader.fail(`${what} reaches past the directory's end at ${directory.end}`);
  const rawName = reader.bytes.subarray(at + 46, at + 46 + nameLength);
  const name = decodeUtf8(rawName, reader.fn, "the name of an entry");
  const sizes = readSizes(reader, at, at + 46 + nameLength, extraLength);
  const method = checkMethod(reader, at, name);
  const start = dataStart(reader, sizes.offset, rawName, name, directory);
  if (start + sizes.packed > directory.start) {
    throw reader.fail(
      `the entry ${show(name)} states ${sizes.packed} bytes from byte ${start}, past the directory at byte ${directory.start}`,
    );
  }
  if (method === STORED && sizes.packed !== sizes.size) {
    throw reader.fail(`the entry ${show(name)} is not compressed but states ${sizes.packed} and ${sizes.size} bytes`);
  }
  const packed = reader.bytes.subarray(start, start + sizes.packed);
  const entry = { name, deflated: method === DEFLATED, packed, size: sizes.size, crc: reader.u32(at + 16) };
  return { entry, span: [sizes.offset, start + sizes.packed], next };
}

function checkMethod(reader: Reader, at: number, name: string): number {
  if (reader.u16(at + 8) & FLAG_ENCRYPTED) throw reader.fail(`the entry ${show(name)} is encrypted`);
  const method = reader.u16(at + 10);
  if (method === STORED || method === DEFLATED) return method;
  throw reader.fail(
    `the entry ${show(name)} is compressed by method ${method}; supported are 0 (stored) and 8 (deflate)`,
  );
}

/** Sizes and place of an entry; what does not fit 32 bits is in the extra field 1, in this order. */
function readSizes(
  reader: Reader,
  at: number,
  extra: number,
  extraLength: number,
): { size: number; packed: number; offset: number } {
  const fields = [reader.u32(at + 24), reader.u32(at + 20), reader.u32(at + 42)];
  if (fields.includes(UNKNOWN)) {
    let wide = wideField(reader, extra, extra + extraLength);
    for (let i = 0; i < fields.length; i++) {
      if (fields[i] !== UNKNOWN || wide.start + 8 > wide.end) continue;
      fields[i] = reader.u64(wide.start);
      wide = { start: wide.start + 8, end: wide.end };
    }
  }
  const [size, packed, offset] = fields as [number, number, number];
  return { size, packed, offset };
}

/** Where the 64-bit sizes lie; an empty range where there are none. */
function wideField(reader: Reader, start: number, end: number): { start: number; end: number } {
  for (let at = start; at + 4 <= end;) {
    const next = at + 4 + reader.u16(at + 2);
    if (reader.u16(at) === 1) return { start: at + 4, end: Math.min(next, end) };
    at = next;
  }
  return { start: end, end };
}

/** Where an entry's bytes begin: after its local header, which must be that of the same file. */
function dataStart(reader: Reader, at: number, rawName: Uint8Array, name: string, directory: Directory): number {
  const local = at + 30 <= directory.start && reader.u32(at) === LOCAL;
  const start = local ? at + 30 + reader.u16(at + 26) + reader.u16(at + 28) : Infinity;
  if (local && start <= directory.start && reader.u16(at + 26) === rawName.length) {
    if (rawName.every((byte, i) => reader.bytes[at + 30 + i] === byte)) return start;
  }
  throw reader.fail(`the header of the entry ${show(name)} should be at byte ${at}, but is not there or is damaged`);
}

/** An archive of these files, in this order. */
export function writeZip(
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  level: Level,
  fn: string,
): Uint8Array {
  const entries = files.map(([name, bytes]) => {
    const packed = level === null ? bytes : deflate(bytes, level);
    return { name: encodeName(name, fn), packed, size: bytes.length, crc: crc32(bytes), deflated: level !== null };
  });
  const local = entries.reduce((total, { name, packed }) => total + 30 + name.length + packed.length, 0);
  const central = entries.reduce((total, { name }) => total + 46 + name.length, 0);
  checkLimits(entries, local + central, fn);
  const out = allocateBytes(local + central + END_SIZE, fn);
  const writer = new Writer(out);
  const offsets = entries.map((entry) => writer.local(entry));
  entries.forEach((entry, i) => writer.central(entry, offsets[i]!));
  writer.end(entries.length, local, central);
  return out;
}

interface Packed {
  readonly name: Uint8Array;
  readonly packed: Uint8Array;
  readonly size: number;
  readonly crc: number;
  readonly deflated: boolean;
}

function encodeName(name: string, fn: string): Uint8Array {
  const bytes = encodeUtf8(name, fn, "the name");
  if (bytes.length <= 0xffff) return bytes;
  throw new ArgumentError(`${fn}: a name takes ${bytes.length} bytes, an archive keeps at most 65535`);
}

function checkLimits(entries: readonly Packed[], total: number, fn: string): void {
  if (entries.length >= 0xffff) {
    throw new ArgumentError(`${fn} writes at most 65534 tensors into an archive, got: ${entries.length}`);
  }
  if (total < UNKNOWN && entries.every(({ size }) => size < UNKNOWN)) return;
  throw new ArgumentError(`${fn} writes archives below 4 GiB; write several, or use Nx.serialize or Nx.toSafetensors`);
}

/** Writes the parts of an archive one after the other. */
class Writer {
  private at = 0;
  private readonly out: Uint8Array;
  private readonly view: DataView;

  constructor(out: Uint8Array) {
    this.out = out;
    this.view = new DataView(out.buffer);
  }

  /** The header of a file and the file; gives its place. */
  local(entry: Packed): number {
    const start = this.at;
    this.u32(LOCAL);
    this.u16(20);
    this.common(entry);
    this.put(entry.name);
    this.put(entry.packed);
    return start;
  }

  central(entry: Packed, offset: number): void {
    this.u32(CENTRAL);
    this.u16(20);
    this.u16(20);
    this.common(entry);
    for (let i = 0; i < 3; i++) this.u16(0); // comment, disk, kind of content
    this.u32(0);
    this.u32(offset);
    this.put(entry.name);
  }

  end(count: number, start: number, size: number): void {
    this.u32(END);
    this.u32(0);
    this.u16(count);
    this.u16(count);
    this.u32(size);
    this.u32(start);
    this.u16(0);
  }

  /** The common fields of both headers. */
  private common({ name, packed, size, crc, deflated }: Packed): void {
    this.u16(name.some((byte) => byte > 127) ? FLAG_UTF8 : 0);
    this.u16(deflated ? DEFLATED : STORED);
    this.u16(0);
    this.u16(DOS_DATE);
    this.u32(crc);
    this.u32(packed.length);
    this.u32(size);
    this.u16(name.length);
    this.u16(0);
  }

  private u16(value: number): void {
    this.view.setUint16(this.at, value, true);
    this.at += 2;
  }

  private u32(value: number): void {
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  private put(bytes: Uint8Array): void {
    this.out.set(bytes, this.at);
    this.at += bytes.length;
  }
}
