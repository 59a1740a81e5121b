/**
 * The literals of Python that the header of a `.npy` file is made of, read without evaluating anything: strings
 * without escapes, integers, True, False, None, tuples, lists and dictionaries with string keys.
 */
import { ArgumentError } from "../core/errors";

export type Literal = string | number | boolean | null | readonly Literal[] | ReadonlyMap<string, Literal>;

/** Nesting that no header needs. */
const MAX_DEPTH = 32;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** The literal of a text that consists of a single literal. */
export function parseLiteral(text: string, fn: string): Literal {
  const parser = new Parser(text, fn);
  const value = parser.value(0);
  parser.end();
  return value;
}

class Parser {
  private at = 0;
  private readonly text: string;
  private readonly fn: string;

  constructor(text: string, fn: string) {
    this.text = text;
    this.fn = fn;
  }

  value(depth: number): Literal {
    if (depth > MAX_DEPTH) throw this.fail("fewer brackets in one another");
    const c = this.peek();
    if (c === "(" || c === "[") return this.sequence(c, depth);
    if (c === "{") return this.dictionary(depth);
    if (c === "'" || c === '"') return this.string();
    return this.match(/-?[0-9]/y) ? this.integer() : this.word();
  }

  end(): void {
    if (this.peek() !== "") throw this.fail("the end of the header");
  }

  private fail(expected: string): ArgumentError {
    const got = this.text.slice(this.at, this.at + 20);
    return new ArgumentError(
      `${this.fn}: the header is no Python literal: expected ${expected} at character ${this.at}, got: ${JSON.stringify(got)}`,
    );
  }

  /** The text that a sticky pattern matches here, without moving. */
  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  /** The next character that is no blank, or nothing at the end. */
  private peek(): string {
    this.at += this.match(/[ \t\r\n\f]*/y).length;
    return this.text[this.at] ?? "";
  }

  private take(c: string): boolean {
    if (this.peek() !== c) return false;
    this.at++;
    return true;
  }

  private expect(c: string): void {
    if (!this.take(c)) throw this.fail(JSON.stringify(c));
  }

  /** A tuple or list; a single value in round brackets needs its comma, as in Python. */
  private sequence(open: "(" | "[", depth: number): Literal {
    this.expect(open);
    const close = open === "(" ? ")" : "]";
    const items: Literal[] = [];
    let comma = false;
    while (!this.take(close)) {
      if (items.length > 0 && !comma) throw this.fail(`"," or ${JSON.stringify(close)}`);
      items.push(this.value(depth + 1));
      comma = this.take(",");
    }
    return open === "(" && items.length === 1 && !comma ? items[0]! : items;
  }

  private dictionary(depth: number): Literal {
    this.expect("{");
    const entries = new Map<string, Literal>();
    let comma = true;
    while (!this.take("}")) {
      if (!comma) throw this.fail('"," or "}"');
      const key = this.string();
      if (entries.has(key)) throw this.fail(`no second key ${JSON.stringify(key)} before this`);
      this.expect(":");
      entries.set(key, this.value(depth + 1));
      comma = this.take(",");
    }
    return entries;
  }

  private string(): string {
    const quote = this.peek();
    if (quote !== "'" && quote !== '"') throw this.fail("a string");
    const token = this.match(quote === "'" ? /'[^'\\\n]*'/y : /"[^"\\\n]*"/y);
    if (token === "") throw this.fail("a string without escapes");
    this.at += token.length;
    return token.slice(1, -1);
  }

  /** Files of Python 2 have an `L` after long integers. */
  private integer(): number {
    const token = this.match(/-?[0-9]+L?/y);
    const value = Number(token.replace("L", ""));
    if (!Number.isSafeInteger(value)) throw this.fail("an integer below 2^53");
    this.at += token.length;
    return value;
  }

  private word(): boolean | null {
    const token = this.match(/[A-Za-z]+/y);
    const value = WORDS.get(token);
    if (value === undefined)
      throw this.fail("a string, an integer, True, False, None, a tuple, a list or a dictionary");
    this.at += token.length;
    return value;
  }
}
