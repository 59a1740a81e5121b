/**
 * Sorting long lines of records by digits of their keys, from the last digit to the first (radix sort; Knuth, The Art of
 * Computer Programming 3, 5.2.5). How often each digit occurs is counted for all digits in one reading; a digit that all
 * records share moves nothing. A record is a key of 32 or 64 bits, or a position with a key of 32 bits above it.
 */
import { advance, call, copyOne, define, i32, local, memory, range, when, type Code, type Int } from "../asm";

/** A digit: which bits of which word of a record. */
interface Digit {
  /** Byte at which the word begins. */
  readonly word: 0 | 4;
  readonly shift: number;
  readonly bits: number;
}

/** What is sorted. */
export interface Records {
  /** Bytes of a record. */
  readonly bytes: 4 | 8;
  /** Digits, the least significant first. */
  readonly digits: readonly Digit[];
}

/** Digits of a word of which so many bits are used. */
export function digitsOf(word: 0 | 4, used: number, most: number): Digit[] {
  const count = Math.ceil(used / most);
  const bits = Math.ceil(used / count);
  return Array.from({ length: count }, (_, i) => ({ word, shift: i * bits, bits: Math.min(bits, used - i * bits) }));
}

/** Bytes of the counts of a digit. */
const countBytes = ({ bits }: Digit): number => 4 * 2 ** bits;

/** Where the counts of each digit begin. */
const placesOf = (digits: readonly Digit[]): number[] => {
  let at = 0;
  return digits.map((digit) => (at += countBytes(digit)) - countBytes(digit));
};

/** Bytes of all counts. */
export const countsBytes = ({ digits }: Records): number => digits.reduce((sum, digit) => sum + countBytes(digit), 0);

const maskOf = ({ bits }: Digit): number => 4 * (2 ** bits - 1);

/** `count(x, n, counts)`: adds to the counts of all digits. */
function count({ bytes, digits }: Records): Code {
  const places = placesOf(digits);
  return define(["x", "n", "counts"], ["word", "at", "i"], 0, (v) => {
    range(v.i, v.n, 1, () => {
      digits.forEach((digit, d) => {
        if (digits[d - 1]?.word !== digit.word) local.set(v.word, i32.load({ offset: digit.word }, v.x));
        setCount(v.at, v.counts, v.word, digit);
        local.get(v.at);
        i32.add(i32.load({ offset: places[d]! }, v.at), 1);
        i32.store({ offset: places[d]! });
      });
      advance(v.x, bytes);
    });
  });
}

/** Sets `at` to `counts` and the offset of a digit's count. */
function setCount(at: Int, counts: Int, word: Int, digit: Digit): void {
  if (digit.shift >= 2) i32.shr_u(word, digit.shift - 2);
  else i32.shl(word, 2 - digit.shift);
  i32.const(maskOf(digit));
  i32.and();
  local.get(counts);
  i32.add();
  local.set(at);
}

/** `starts(counts, entries, to, bytes)`: counts become the addresses where the records with each digit begin. */
function starts(): Code {
  return define(["counts", "entries", "to", "bytes"], ["i", "here"], 0, (v) => {
    range(v.i, v.entries, 1, () => {
      local.set(v.here, i32.mul(i32.load({}, v.counts), v.bytes));
      i32.store({}, v.counts, v.to);
      advance(v.to, v.here);
      advance(v.counts, 4);
    });
  });
}

/** `place(x, n, counts)`: moves records to where those with their digit go. */
function place({ bytes }: Records, digit: Digit): Code {
  return define(["x", "n", "counts"], ["word", "at", "to", "i"], 0, (v) => {
    range(v.i, v.n, 1, () => {
      local.set(v.word, i32.load({ offset: digit.word }, v.x));
      setCount(v.at, v.counts, v.word, digit);
      local.set(v.to, i32.load({}, v.at));
      if (bytes === 4) i32.store({}, v.to, v.word);
      else copyOne(bytes, v.to, v.x);
      local.get(v.at);
      i32.add(v.to, bytes);
      i32.store({});
      advance(v.x, bytes);
    });
  });
}

/** `sort(x, lines, n, spare, counts)`: sorts lines one after another, in place; `spare` has room for a line. */
function sortLines(records: Records): Code {
  const { bytes, digits } = records;
  const places = placesOf(digits);
  const [counting, starting] = [count(records), starts()];
  const placing = digits.map((digit) => place(records, digit));
  const ints = ["line", "from", "to", "size", "base", "at", "word"] as const;
  return define(["x", "lines", "n", "spare", "counts"], ints, 0, (v) => {
    local.set(v.size, i32.mul(v.n, bytes));
    range(v.line, v.lines, 1, () => {
      memory.fill(v.counts, 0, countsBytes(records));
      call(counting, [v.x, v.n, v.counts]);
      local.set(v.from, v.x);
      local.set(v.to, v.spare);
      digits.forEach((digit, d) => {
        local.set(v.base, i32.add(v.counts, places[d]!));
        local.set(v.word, i32.load({ offset: digit.word }, v.from));
        setCount(v.at, v.base, v.word, digit);
        i32.ne(i32.load({}, v.at), v.n);
        when(() => {
          call(starting, [v.base, 2 ** digit.bits, v.to, bytes]);
          call(placing[d]!, [v.from, v.n, v.base]);
          local.set(v.word, v.from);
          local.set(v.from, v.to);
          local.set(v.to, v.word);
        });
      });
      i32.ne(v.from, v.x);
      when(() => {
        memory.copy(v.x, v.from, v.size);
      });
      advance(v.x, v.size);
    });
  });
}

/** The function that sorts records of a kind. */
export const radixFunctions = (records: Records): { readonly sort: Code } => ({ sort: sortLines(records) });
