/**
 * Rewrites a block so that it reports to a recorder named `$doctest` while it runs. The rewriting inserts text and no
 * line breaks: every line of the result is the same line of the block. Runs nothing.
 */

import type ts from "typescript";
import type { ExpectingStatement, Expectation } from "./expectations";
import type { TypeScript } from "./peers";

/** A statement as its recorder knows it: the calls in the rewritten code carry its index in {@link Instrumented.probes}. */
export interface Probe {
  /** Offset of the statement into the code. */
  readonly offset: number;
  readonly value: Expectation | null;
  readonly throws: Expectation | null;
  readonly prints: Expectation | null;
  /** Why the statement's value cannot be compared, if so. */
  readonly problem: string | null;
}

/** A rewritten block. */
export interface Instrumented {
  readonly code: string;
  readonly probes: readonly Probe[];
}

interface Edit {
  readonly pos: number;
  readonly text: string;
}

/** Makes the statements report: each top-level one that it begins, each one with expectations what came of it. */
export function instrument(
  typescript: TypeScript,
  source: ts.SourceFile,
  expecting: readonly ExpectingStatement[],
): Instrumented {
  const edits: Edit[] = [];
  const probes: Probe[] = [];
  for (const statement of source.statements) {
    const offset = statement.getStart(source);
    if (!isDeclarative(typescript, statement)) edits.push({ pos: offset, text: `$doctest.at(${offset});` });
  }
  expecting.forEach(({ node, expectations }, i) => {
    const find = (kind: Expectation["kind"]): Expectation | null => expectations.find((e) => e.kind === kind) ?? null;
    const seen = observe(typescript, node, i);
    const [value, throws, prints] = [find("value"), find("throws"), find("prints")];
    const cannot = (value !== null && !seen.hasValue) || (throws !== null && isDeclarative(typescript, node));
    const offset = node.getStart(source);
    const probe = { offset, value, throws, prints, problem: cannot ? NO_VALUE : null };
    edits.push(...probeEdits(typescript, node, offset, i, probe, seen));
    probes.push(probe);
  });
  return { code: applied(source.text, edits), probes };
}

const NO_VALUE =
  "this statement has nothing that could be compared; expectations stand after expressions and variables";

/** Statements that do nothing when they are reached, or must stay first. */
const isDeclarative = (typescript: TypeScript, node: ts.Statement): boolean =>
  typescript.isImportDeclaration(node) ||
  typescript.isExportDeclaration(node) ||
  typescript.isFunctionDeclaration(node) ||
  typescript.isInterfaceDeclaration(node) ||
  typescript.isTypeAliasDeclaration(node);

/** How the outcome of a statement is reached. */
interface Observed {
  /** The expression to wrap in a call, if that is the way. */
  readonly wrap: ts.Expression | null;
  /** The expression that gives the value after the statement, if that is the way. */
  readonly later: string | null;
  /** Whether it has a value; if not, it can still throw. */
  readonly hasValue: boolean;
}

function observe(typescript: TypeScript, node: ts.Statement, i: number): Observed {
  const expression =
    typescript.isExpressionStatement(node) || typescript.isReturnStatement(node) ? node.expression : null;
  if (expression) return { wrap: expression, later: null, hasValue: true };
  const declared = typescript.isVariableStatement(node) ? node.declarationList.declarations.at(-1) : undefined;
  if (declared?.initializer === undefined) return { wrap: null, later: "undefined", hasValue: false };
  if (typescript.isIdentifier(declared.name)) return { wrap: null, later: declared.name.text, hasValue: true };
  return { wrap: declared.initializer, later: `$doctest.kept(${i})`, hasValue: true };
}

function mayAwait(typescript: TypeScript, node: ts.Node): boolean {
  for (let above: ts.Node | undefined = node.parent; above !== undefined; above = above.parent) {
    if (typescript.isClassStaticBlockDeclaration(above)) return false;
    if (!typescript.isFunctionLike(above)) continue;
    const modifiers = typescript.canHaveModifiers(above) ? typescript.getModifiers(above) : undefined;
    return modifiers?.some(({ kind }) => kind === typescript.SyntaxKind.AsyncKeyword) ?? false;
  }
  return true;
}

function probeEdits(
  typescript: TypeScript,
  node: ts.Statement,
  start: number,
  i: number,
  probe: Probe,
  seen: Observed,
): Edit[] {
  const prints = probe.prints === null ? "" : `;$doctest.prints(${i});`;
  if (probe.problem !== null || (probe.value === null && probe.throws === null))
    return [{ pos: node.end, text: prints }];
  const method = probe.throws === null ? "value" : "returned";
  const wait = mayAwait(typescript, node) ? "await " : "";
  const report = `$doctest.${method}(${i},${wait}(`;
  const after = seen.later === null ? "" : `;${report}${seen.later}));`;
  const edits: Edit[] = [];
  if (probe.throws !== null) edits.push({ pos: start, text: "try{" });
  if (seen.wrap !== null) {
    const open = seen.later === null ? report : `$doctest.keep(${i},(`;
    edits.push({ pos: seen.wrap.getStart(), text: open }, { pos: seen.wrap.end, text: "))" });
  }
  const caught = probe.throws === null ? "" : `}catch($error){$doctest.threw(${i},$error)}`;
  return [...edits, { pos: node.end, text: after + caught + prints }];
}

/** Inserts all texts; what closes at a place comes before what opens there. */
function applied(text: string, edits: readonly Edit[]): string {
  const order = edits.map((edit, i) => ({ ...edit, i })).filter(({ text: t }) => t !== "");
  order.sort((a, b) => a.pos - b.pos || Number(opens(a.text)) - Number(opens(b.text)) || a.i - b.i);
  let out = "";
  let done = 0;
  for (const { pos, text: inserted } of order) {
    out += text.slice(done, pos) + inserted;
    done = pos;
  }
  return out + text.slice(done);
}

const opens = (text: string): boolean => /^(?:\$doctest\.|try\{)/.test(text);
