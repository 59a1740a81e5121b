/**
 * The bytes of a module as they are written: numbers in the ways WebAssembly has for them. Knows nothing of instructions.
 */

const wrongNumber = (what: string, value: unknown): Error => new Error(`${what} expected, got: ${String(value)}`);

/** The high words of quiet NaNs; what an engine writes for NaN by itself is its own choice. */
const QUIET_NAN = { f32: 0x7fc00000, f64: 0x7ff80000 } as const;

export class Bytes {
  private data = new Uint8Array(1024);
  private view = new DataView(this.data.buffer);
  private end = 0;

  get length(): number {
    return this.end;
  }

  /** A byte, or the lowest eight bits of an integer. */
  byte(value: number): void {
    const at = this.reserve(1);
    this.data[at] = value;
  }

  /** The lowest bits of an integer in a fixed number of bytes. */
  word(value: number, bytes: 1 | 2 | 4): void {
    for (let i = 0; i < bytes; i++) this.byte(value >>> (8 * i));
  }

  /** The lowest 64 bits of an integer. */
  long(value: bigint): void {
    if (value < -(2n ** 63n) || value >= 2n ** 64n) throw wrongNumber("an integer of 64 bits", value);
    this.word(Number(BigInt.asIntN(32, value)), 4);
    this.word(Number(BigInt.asIntN(32, value >> 32n)), 4);
  }

  /** An unsigned integer in as few bytes as it needs (LEB128). */
  u32(value: number): void {
    if (value !== value >>> 0) throw wrongNumber("an integer from 0 to 2^32 - 1", value);
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.byte(rest | 128);
    this.byte(rest);
  }

  /** The bits of a signed or unsigned integer as a signed one (LEB128). */
  s32(value: number): void {
    if (value !== value >>> 0 && value !== (value | 0)) throw wrongNumber("an integer of 32 bits", value);
    let rest = value | 0;
    for (; rest < -64 || rest > 63; rest >>= 7) this.byte(rest | 128);
    this.byte(rest & 127);
  }

  /** As {@link s32}, of 64 bits. */
  s64(value: bigint): void {
    if (value < -(2n ** 63n) || value >= 2n ** 64n) throw wrongNumber("an integer of 64 bits", value);
    let rest = BigInt.asIntN(64, value);
    for (; rest < -64n || rest > 63n; rest >>= 7n) this.byte(Number(rest & 127n) | 128);
    this.byte(Number(rest & 127n));
  }

  f32(value: number): void {
    if (value !== value) return this.word(QUIET_NAN.f32, 4);
    const at = this.reserve(4);
    this.view.setFloat32(at, value, true);
  }

  f64(value: number): void {
    if (value !== value) {
      this.word(0, 4);
      return this.word(QUIET_NAN.f64, 4);
    }
    const at = this.reserve(8);
    this.view.setFloat64(at, value, true);
  }

  /** A name of ASCII letters, after its length. */
  name(text: string): void {
    this.u32(text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) throw wrongNumber("a name of ASCII letters", text);
      this.byte(code);
    }
  }

  /** What `write` writes, after its length. */
  sized(write: () => void): void {
    const start = this.end;
    write();
    const written = this.end;
    this.u32(written - start);
    this.moveEnd(written, start);
  }

  /** Takes the bytes from `from` on out and puts them before those at `to`. */
  moveEnd(from: number, to: number): void {
    const moved = this.data.slice(from, this.end);
    this.data.copyWithin(to + moved.length, to, from);
    this.data.set(moved, to);
  }

  append(other: Bytes): void {
    const at = this.reserve(other.end);
    this.data.set(other.data.subarray(0, other.end), at);
  }

  toArray(): Uint8Array {
    return this.data.slice(0, this.end);
  }

  /** Makes room behind the last byte; gives where it begins. */
  private reserve(count: number): number {
    const at = this.end;
    this.end += count;
    if (this.end > this.data.length) this.grow();
    return at;
  }

  private grow(): void {
    const larger = new Uint8Array(Math.max(2 * this.data.length, this.end));
    larger.set(this.data);
    this.data = larger;
    this.view = new DataView(larger.buffer);
  }
}
