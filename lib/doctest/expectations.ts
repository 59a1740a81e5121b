/**
 * What the comments of an example expect of the statements above them: `// => value`, `// throws Class: message`,
 * `// prints: text`; and the `// doctest: skip because ...` line. Reads; runs nothing.
 */

import { childrenOf, partsOf, positionOf, type Node, type Source } from "./syntax";

/** One expectation comment. */
export interface Expectation {
  readonly kind: "value" | "throws" | "prints";
  /** The expected text (of `throws`: how the message starts). */
  readonly text: string;
  /** Of `throws`: the name of the error's class. */
  readonly errorName: string;
}

/** A statement of a block with what is expected of it. */
export interface ExpectingStatement {
  readonly node: Node;
  readonly expectations: readonly Expectation[];
  /** Whether `await` may stand in place of the statement. */
  readonly mayAwait: boolean;
}

/** An example that is not written as an example has to be. */
interface FormProblem {
  /** Offset into the code. */
  readonly offset: number;
  readonly text: string;
}

/** All a block's comments say. */
interface Expectations {
  readonly statements: readonly ExpectingStatement[];
  readonly problems: readonly FormProblem[];
}

/** How the first comment line of a block may leave it out. */
type SkipLine = { readonly reason: string } | { readonly problem: string } | null;

const START = /^\s*(=>|throws\b|prints:)/;
/** What in an unexpected place is surely meant as an expectation, and not prose. */
const SURELY = /^\s*(?:=>|prints:|throws\s+[A-Z]\w*\s*(?::|$))/;
/** Arrows that mark an expectation in other tools; here such a comment would not be checked. */
const ALMOST = /^\s*(-+>|==+>|→|⇒)/;

/** Reads the `// doctest: ...` line a block may begin with. */
export function readSkip(code: string): SkipLine {
  const directive = /^\s*\/\/\s*doctest:\s*(.*?)\s*(?:\n|$)/.exec(code)?.[1];
  if (directive === undefined) return null;
  const reason = /^skip\s+because\s+(\S.*)$/.exec(directive)?.[1];
  if (reason !== undefined) return { reason };
  if (/^skip\b/.test(directive)) {
    return { problem: "a skipped example needs its reason: write `// doctest: skip because ...`" };
  }
  return { problem: `unknown directive "doctest: ${directive}"; there is only \`// doctest: skip because ...\`` };
}

/** Reads every expectation of a block, in nested statement lists and function bodies too. */
export function readExpectations(source: Source): Expectations {
  const statements: ExpectingStatement[] = [];
  const problems: FormProblem[] = [];
  const read = new Set<number>();
  const visit = (node: Node, mayAwait: boolean): void => {
    const inner = isFunction(node) ? node["async"] === true : mayAwait && node.type !== "StaticBlock";
    for (const statement of statementsOf(node)) {
      const comments = lineCommentsAfter(source, statement.end);
      const { expectations, problem } = readComments(comments);
      for (const comment of comments) read.add(comment.pos);
      if (expectations.length > 0) statements.push({ node: statement, expectations, mayAwait: inner });
      if (problem !== null) problems.push(problem);
    }
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(source.program, true);
  for (const { type, start, value } of source.comments) {
    if (type !== "Line") continue;
    const almost = ALMOST.exec(value)?.[1];
    if (almost !== undefined) problems.push({ offset: start, text: mistaken(almost) });
    else if (!read.has(start) && SURELY.test(value)) problems.push({ offset: start, text: NOTHING_ABOVE });
  }
  return { statements, problems };
}

const NOTHING_ABOVE = "this expectation stands after no statement, so nothing would check it";
const mistaken = (arrow: string): string => `an expected value is written \`// => value\`, not \`// ${arrow} value\``;

const isFunction = ({ type }: Node): boolean =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

const statementsOf = (node: Node): readonly Node[] => {
  if (/^(?:Program|BlockStatement|StaticBlock|FunctionBody|TSModuleBlock)$/.test(node.type))
    return partsOf(node, "body");
  return node.type === "SwitchCase" ? partsOf(node, "consequent") : [];
};

interface LineComment {
  readonly pos: number;
  readonly line: number;
  readonly column: number;
  /** On the line where the statement ends. */
  readonly isTrailing: boolean;
  readonly text: string;
}

/** The line comments that follow a place with nothing but white space and comments between. */
function lineCommentsAfter({ text, comments }: Source, end: number): LineComment[] {
  const found: LineComment[] = [];
  let from = end;
  for (const { type, value, start, end: stop } of comments) {
    if (start < end) continue;
    if (text.slice(from, start).trim() !== "") break;
    from = stop;
    if (type !== "Line") continue;
    const isTrailing = !text.slice(end, start).includes("\n");
    found.push({ pos: start, ...positionOf(text, start), isTrailing, text: value.trimEnd() });
  }
  return found;
}

interface Read {
  readonly expectations: readonly Expectation[];
  readonly problem: FormProblem | null;
}

/** An expectation goes on over the comment lines right below it; behind a statement, only over those in its column. */
function readComments(comments: readonly LineComment[]): Read {
  const groups: LineComment[][] = [];
  let previous: LineComment | null = null;
  for (const comment of comments) {
    if (START.test(comment.text)) {
      groups.push([comment]);
      previous = comment;
    } else if (previous !== null && goesOn(groups[groups.length - 1]![0]!, previous, comment)) {
      groups[groups.length - 1]!.push(comment);
      previous = comment;
    } else {
      previous = null;
    }
  }
  const expectations = groups.map(readGroup);
  const malformed = expectations.findIndex((e) => e === null);
  if (malformed !== -1) return { expectations: [], problem: { offset: groups[malformed]![0]!.pos, text: MALFORMED } };
  const good = expectations as Expectation[];
  const clash = good.findIndex((e, i) => good.slice(0, i).some((other) => other.kind === e.kind || clashes(e, other)));
  const problem = clash === -1 ? null : { offset: groups[clash]![0]!.pos, text: CLASH };
  return { expectations: problem === null ? good : [], problem };
}

const goesOn = (first: LineComment, previous: LineComment, comment: LineComment): boolean =>
  comment.line === previous.line + 1 && (!first.isTrailing || comment.column === first.column);

const MALFORMED = "an expected error is written `// throws ErrorClass: how its message starts`";
const CLASH = "a statement has one expected value or one expected error; a blank line or a statement must come between";

const clashes = (a: Expectation, b: Expectation): boolean => a.kind !== "prints" && b.kind !== "prints";

function readGroup(group: readonly LineComment[]): Expectation | null {
  const kind = START.exec(group[0]!.text)![1]!;
  const lines = group.map(({ text }, i) => (i === 0 ? text.replace(START, "") : text).replace(/^ /, ""));
  if (kind === "throws") return readThrows(lines);
  while (lines.length > 1 && lines[0]!.trim() === "") lines.shift();
  const text = lines.join("\n").trimEnd();
  return { kind: kind === "=>" ? "value" : "prints", text, errorName: "" };
}

function readThrows(lines: readonly string[]): Expectation | null {
  const match = /^\s*([A-Z][\w$]*)\s*(?::\s*(.*))?$/s.exec(lines.join("\n"));
  return match === null ? null : { kind: "throws", errorName: match[1]!, text: (match[2] ?? "").trim() };
}
