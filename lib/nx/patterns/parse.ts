/**
 * Patterns as text: words for axes, `->` between what is given and what results, commas between operands, parentheses around axes
 * that are one. Knows nothing of tensors.
 */
import { ArgumentError, show } from "../../core/errors";
import { pointedAt } from "../../core/pointing";

/** A word, a number or `...`, and where it stands. */
export interface Part {
  readonly text: string;
  readonly at: number;
}

/** A part of a pattern: an axis, or the axes of `...`. */
export interface Item {
  readonly parts: readonly Part[];
  readonly isGroup: boolean;
  readonly at: number;
}

/** A pattern: what stands in front of the arrow, for each operand, and behind it. */
export interface Pattern {
  readonly text: string;
  readonly operands: readonly (readonly Item[])[];
  readonly result: readonly Item[];
  /** Whether no term has two parts with a space between them. */
  readonly isDense: boolean;
}

export const ELLIPSIS = "...";
const TOKENS = /->|\.{3}|[(),]|(?:(?!->|\.{3})[^\s(),])+/g;
const KEPT = 64;
const known = new Map<string, Pattern>();

export const isNumber = (part: Part): boolean => /^\d+$/.test(part.text);
export const isEllipsis = (part: Part): boolean => part.text === ELLIPSIS;

/** An error at a part of a pattern. */
export function patternError(fn: string, why: string, text: string, part: Part): ArgumentError {
  return new ArgumentError(`${fn}: ${why}${pointedAt(text, part.at, part.text.length)}`);
}

/** A pattern of one operand, with groups. */
export function parseLayout(fn: string, text: unknown): Pattern {
  const pattern = parsed(fn, text, 'such as "row column -> column row"');
  const [, second] = pattern.operands;
  if (second === undefined) return pattern;
  const at = pattern.text.indexOf(",");
  throw patternError(fn, "a pattern of one tensor has no comma", pattern.text, { text: ",", at });
}

/** A pattern of several operands, without groups. */
export function parseTerms(fn: string, text: unknown): Pattern {
  const pattern = parsed(fn, text, 'such as "sample feature, feature unit -> sample unit"');
  const group = [...pattern.operands, pattern.result].flat().find(({ isGroup }) => isGroup);
  if (group === undefined) return pattern;
  const why = "axes in parentheses are for Nx.rearrange; here each word stands for one axis";
  throw patternError(fn, why, pattern.text, { text: "(", at: group.at });
}

/** The pattern of a text. Programs have few, and call them often. */
function parsed(fn: string, text: unknown, example: string): Pattern {
  if (typeof text !== "string") {
    throw new ArgumentError(`${fn} expects a pattern ${example}, got: ${show(text)}`);
  }
  const found = known.get(text);
  if (found !== undefined) return found;
  const pattern = parse(fn, text, example);
  if (known.size >= KEPT) known.clear();
  known.set(text, pattern);
  return pattern;
}

function parse(fn: string, text: string, example: string): Pattern {
  const tokens = Array.from(text.matchAll(TOKENS), (match): Part => ({ text: match[0], at: match.index }));
  const arrows = tokens.filter((token) => token.text === "->");
  if (arrows.length !== 1) {
    const why = `a pattern has one -> in front of the axes of the result, ${example}`;
    throw patternError(fn, why, text, arrows[1] ?? { text: "", at: text.length });
  }
  const arrow = tokens.indexOf(arrows[0]!);
  const [before, after] = [tokens.slice(0, arrow), tokens.slice(arrow + 1)];
  const comma = after.find((token) => token.text === ",");
  if (comma) throw patternError(fn, "the result is one tensor, so no comma stands behind ->", text, comma);
  const operands: Part[][] = [[]];
  for (const token of before) {
    if (token.text === ",") operands.push([]);
    else operands.at(-1)!.push(token);
  }
  const isDense = [...operands, after].every((term) =>
    term.every((part, i) => i === 0 || part.at === term[i - 1]!.at + term[i - 1]!.text.length),
  );
  const items = (term: readonly Part[]): Item[] => itemsOf(fn, text, term);
  return { text, operands: operands.map(items), result: items(after), isDense };
}

function itemsOf(fn: string, text: string, tokens: readonly Part[]): Item[] {
  const items: Item[] = [];
  let group: { parts: Part[]; at: number } | null = null;
  for (const token of tokens) {
    if (token.text === "(") {
      if (group) throw patternError(fn, "parentheses stand in no others", text, token);
      group = { parts: [], at: token.at };
    } else if (token.text === ")") {
      if (!group) throw patternError(fn, "this parenthesis closes none", text, token);
      items.push({ ...group, isGroup: true });
      group = null;
    } else if (group) group.parts.push(token);
    else items.push({ parts: [token], isGroup: false, at: token.at });
  }
  if (group) throw patternError(fn, "this parenthesis is not closed", text, { text: "(", at: group.at });
  checkOnce(fn, text, tokens);
  return items;
}

/** Refuses a second `...` among the axes of one tensor. */
function checkOnce(fn: string, text: string, tokens: readonly Part[]): void {
  const [, second] = tokens.filter(isEllipsis);
  if (second) throw patternError(fn, "... stands once among the axes of a tensor", text, second);
}

/** Refuses a word that stands twice. */
export function checkDistinct(fn: string, text: string, parts: readonly Part[]): void {
  const seen = new Set<string>();
  for (const part of parts) {
    if (seen.has(part.text) && !isNumber(part)) {
      throw patternError(fn, `${show(part.text)} stands twice among the axes of one tensor`, text, part);
    }
    seen.add(part.text);
  }
}
