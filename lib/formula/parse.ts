/**
 * Formulas as text: a parser by precedence (Pratt, "Top Down Operator Precedence", POPL 1973). Gives a tree of numbers, operands and calls;
 * knows nothing of tensors.
 */
import { ArgumentError, didYouMean, show } from "../core/errors";
import { pointedAt } from "../core/pointing";

/** Where something stands in the text of a formula. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

export type Tree =
  | (Place & { readonly kind: "number"; readonly value: number })
  | (Place & { readonly kind: "operand"; readonly index: number })
  | (Place & { readonly kind: "call"; readonly name: string; readonly args: readonly Tree[] });

/** What may be called: how many operands each function takes. */
export type Arities = Readonly<Record<string, number>>;

interface Token extends Place {
  readonly kind: "number" | "operand" | "word" | "sign" | "end";
  readonly text: string;
}

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E, Infinity, NaN };
const TOKENS =
  /(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_$][\w$]*)|(\*\*|[<>=!]==?|&&|\|\||[-+*/%<>!?:(),])/y;

/** Signs between two operands: the function, and how strongly it binds; of `**` the right one is read first. */
const INFIX: Readonly<Record<string, readonly [name: string, power: number]>> = {
  "||": ["logicalOr", 2],
  "&&": ["logicalAnd", 3],
  "==": ["equal", 4],
  "===": ["equal", 4],
  "!=": ["notEqual", 4],
  "!==": ["notEqual", 4],
  "<": ["less", 5],
  "<=": ["lessEqual", 5],
  ">": ["greater", 5],
  ">=": ["greaterEqual", 5],
  "+": ["add", 6],
  "-": ["subtract", 6],
  "*": ["multiply", 7],
  "/": ["divide", 7],
  "%": ["remainder", 7],
  "**": ["pow", 9],
};
const CHOICE = 1;
const PREFIX = 8;
const PREFIXES: Readonly<Record<string, string | null>> = { "-": "negate", "!": "logicalNot", "+": null };

/** The text of a formula, with the numbers of its operands. */
export const textOf = (strings: readonly string[]): string =>
  strings.map((part, i) => (i === 0 ? part : `\${${i}}${part}`)).join("");

/** The tree of a formula. */
export function parse(strings: readonly string[], arities: Arities): Tree {
  const parser = new Parser(textOf(strings), tokensOf(strings), arities);
  return parser.whole();
}

function formulaError(why: string, text: string, { at, length }: Place): ArgumentError {
  return new ArgumentError(`Nx.formula: ${why}${pointedAt(text, at, length)}`);
}

function tokensOf(strings: readonly string[]): Token[] {
  const text = textOf(strings);
  const tokens: Token[] = [];
  let start = 0;
  strings.forEach((part, i) => {
    if (i > 0) {
      const sign = `\${${i}}`;
      tokens.push({ kind: "operand", text: String(i - 1), at: start, length: sign.length });
      start += sign.length;
    }
    const end = start + part.length;
    for (let at = start; at < end;) {
      if (/\s/.test(text[at]!)) {
        at++;
        continue;
      }
      TOKENS.lastIndex = at;
      const match = TOKENS.exec(text);
      if (match === null) throw formulaError(`${show(text[at])} has no meaning in a formula`, text, { at, length: 1 });
      const kind = match[1] !== undefined ? "number" : match[2] !== undefined ? "word" : "sign";
      tokens.push({ kind, text: match[0], at, length: match[0].length });
      at += match[0].length;
    }
    start = end;
  });
  return [...tokens, { kind: "end", text: "the end", at: text.trimEnd().length, length: 1 }];
}

class Parser {
  private next = 0;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
    private readonly arities: Arities,
  ) {}

  whole(): Tree {
    const tree = this.expression(0);
    const token = this.peek();
    if (token.kind !== "end") throw this.unexpected(token, "an operator such as + or *");
    return tree;
  }

  /** An expression whose signs bind more strongly than `power`. */
  private expression(power: number): Tree {
    let left = this.operand();
    for (;;) {
      const token = this.peek();
      if (token.kind !== "sign") return left;
      if (token.text === "?" && power < CHOICE) {
        left = this.choice(left);
        continue;
      }
      const infix = Object.hasOwn(INFIX, token.text) ? INFIX[token.text]! : undefined;
      if (infix === undefined || infix[1] <= power) return left;
      left = this.infix(left, this.take(), infix);
    }
  }

  private infix(left: Tree, sign: Token, [name, binds]: readonly [string, number]): Tree {
    const right = this.expression(name === "pow" ? binds - 1 : binds);
    const isComparison = binds === INFIX["<"]![1] || binds === INFIX["=="]![1];
    const next = this.peek();
    if (isComparison && next.kind === "sign" && INFIX[next.text]?.[1] === binds) {
      throw this.error("comparisons do not go on; write a < b && b < c, or parentheses", next);
    }
    return { kind: "call", name, args: [left, right], at: sign.at, length: sign.length };
  }

  private choice(condition: Tree): Tree {
    const sign = this.take();
    const yes = this.expression(0);
    this.expect(":", "the other choice behind a colon");
    const no = this.expression(0);
    return { kind: "call", name: "where", args: [condition, yes, no], at: sign.at, length: sign.length };
  }

  private operand(): Tree {
    const token = this.take();
    const { at, length, text } = token;
    if (token.kind === "operand") return { kind: "operand", index: Number(text), at, length };
    if (token.kind === "number") return { kind: "number", value: Number(text), at, length };
    if (token.kind === "word") return this.word(token);
    if (text === "(") {
      const inner = this.expression(0);
      this.expect(")", "a closing parenthesis");
      return inner;
    }
    const name = Object.hasOwn(PREFIXES, text) ? PREFIXES[text] : undefined;
    if (name === undefined) throw this.unexpected(token, "a number, a function or ${a tensor}");
    const inner = this.expression(PREFIX);
    return name === null ? inner : { kind: "call", name, args: [inner], at, length };
  }

  private word(token: Token): Tree {
    const { text, at, length } = token;
    const isCall = this.peek().text === "(";
    if (!isCall && Object.hasOwn(CONSTANTS, text)) return { kind: "number", value: CONSTANTS[text]!, at, length };
    const arity = Object.hasOwn(this.arities, text) ? this.arities[text] : undefined;
    if (arity === undefined || !isCall) throw this.unknown(token, arity !== undefined);
    const open = this.take();
    const args = this.peek().text === ")" ? [] : [this.expression(0)];
    while (this.peek().text === ",") {
      this.take();
      args.push(this.expression(0));
    }
    this.expect(")", "a comma or a closing parenthesis");
    if (args.length !== arity) {
      throw this.error(`${text} takes ${arity} operand${arity === 1 ? "" : "s"}, not ${args.length}`, open);
    }
    return { kind: "call", name: text, args, at, length };
  }

  private unknown(token: Token, isFunction: boolean): ArgumentError {
    const { text } = token;
    if (isFunction) return this.error(`${text} is a function; write ${text}(...)`, token);
    const hint = didYouMean(text, [...Object.keys(this.arities), ...Object.keys(CONSTANTS)]);
    return this.error(
      `${show(text)} is no function or constant of formulas; a value is put in as \${${text}}${hint}`,
      token,
    );
  }

  private peek(): Token {
    return this.tokens[this.next]!;
  }

  private take(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.next++;
    return token;
  }

  private expect(sign: string, what: string): void {
    const token = this.take();
    if (token.kind !== "sign" || token.text !== sign) throw this.unexpected(token, what);
  }

  private unexpected(token: Token, what: string): ArgumentError {
    const got =
      token.kind === "end" ? "the end" : show(token.kind === "operand" ? `\${${Number(token.text) + 1}}` : token.text);
    return this.error(`expected ${what}, got ${got}`, token);
  }

  private error(why: string, place: Place): ArgumentError {
    return formulaError(why, this.text, place);
  }
}
