/**
 * Rewrites a block so that it reports to a recorder named `$doctest` while it runs. The rewriting inserts text and no
 * line breaks: every line of the result is the same line of the block. Runs nothing.
 */

import type { ExpectingStatement, Expectation } from "./expectations";
import { declarationOf, partOf, partsOf, type Node, type Source } from "./syntax";

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
interface Instrumented {
  readonly code: string;
  readonly probes: readonly Probe[];
}

interface Edit {
  readonly pos: number;
  readonly text: string;
}

/** Adds reports to a program: each top-level statement reports its start, each statement with expectations its outcome. */
export function instrument(source: Source, expecting: readonly ExpectingStatement[]): Instrumented {
  const edits: Edit[] = [];
  const probes: Probe[] = [];
  for (const statement of partsOf(source.program, "body")) {
    const { start } = statement;
    if (!isDeclarative(statement)) edits.push({ pos: start, text: `$doctest.at(${start});` });
  }
  expecting.forEach(({ node, expectations, mayAwait }, i) => {
    const find = (kind: Expectation["kind"]): Expectation | null => expectations.find((e) => e.kind === kind) ?? null;
    const seen = observe(node, i);
    const [value, throws, prints] = [find("value"), find("throws"), find("prints")];
    const cannot = (value !== null && !seen.hasValue) || (throws !== null && isDeclarative(node));
    const probe = { offset: node.start, value, throws, prints, problem: cannot ? NO_VALUE : null };
    edits.push(...probeEdits(node, i, probe, seen, mayAwait));
    probes.push(probe);
  });
  return { code: applied(source.text, edits), probes };
}

const NO_VALUE =
  "this statement has nothing that could be compared; expectations stand after expressions and variables";

/** Whether a statement is a declaration, which does nothing when reached or must stay first. */
const isDeclarative = (statement: Node): boolean => {
  const { type } = declarationOf(statement);
  return /^(?:Import|ExportNamed|ExportAll|Function|TSInterface|TSTypeAlias)Declaration$|^TSDeclareFunction$/.test(
    type,
  );
};

/** How the outcome of a statement is reached. */
interface Observed {
  /** The expression to wrap in a call, if that is the way. */
  readonly wrap: Node | null;
  /** The expression that gives the value after the statement, if that is the way. */
  readonly later: string | null;
  /** Whether it has a value; if not, it can still throw. */
  readonly hasValue: boolean;
}

function observe(statement: Node, i: number): Observed {
  const node = declarationOf(statement);
  const key = { ExpressionStatement: "expression", ReturnStatement: "argument" }[node.type];
  const expression = key === undefined ? null : partOf(node, key);
  if (expression !== null) return { wrap: expression, later: null, hasValue: true };
  const declared = partsOf(node, "declarations").at(-1) ?? null;
  const [name, initial] = [partOf(declared, "id"), partOf(declared, "init")];
  if (name === null || initial === null) return { wrap: null, later: "undefined", hasValue: false };
  if (name.type === "Identifier") return { wrap: null, later: name["name"] as string, hasValue: true };
  return { wrap: initial, later: `$doctest.kept(${i})`, hasValue: true };
}

function probeEdits(node: Node, i: number, probe: Probe, seen: Observed, mayAwait: boolean): Edit[] {
  const prints = probe.prints === null ? "" : `;$doctest.prints(${i});`;
  if (probe.problem !== null || (probe.value === null && probe.throws === null))
    return [{ pos: node.end, text: prints }];
  const method = probe.throws === null ? "value" : "returned";
  const report = `$doctest.${method}(${i},${mayAwait ? "await " : ""}(`;
  const after = seen.later === null ? "" : `;${report}${seen.later}));`;
  const edits: Edit[] = [];
  if (probe.throws !== null) edits.push({ pos: node.start, text: "try{" });
  if (seen.wrap !== null) {
    const open = seen.later === null ? report : `$doctest.keep(${i},(`;
    edits.push({ pos: seen.wrap.start, text: open }, { pos: seen.wrap.end, text: "))" });
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
