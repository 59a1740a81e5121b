/**
 * Layouts by patterns, after einops (Rogozhnikov, "Einops: Clear and Reliable Tensor Manipulations with Einstein-like Notation",
 * ICLR 2022): axes are cut into those that the words name, reduced, reordered, repeated and joined.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkNames, unnamed } from "../../core/names";
import { checkOptions } from "../../core/options";
import { checkSize, formatShape, sameShape, type Name, type Shape } from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { apart, asTensor, run, template } from "../dispatch";
import { permuted } from "../shape/move";
import {
  checkDistinct,
  isEllipsis,
  isNumber,
  parseLayout,
  patternError,
  type Item,
  type Part,
  type Pattern,
} from "./parse";

/** What a pattern may do beside rearranging: leave axes out of the result, or have new ones there. */
type Kind = "rearrange" | "reduce" | "repeat";

/** Takes the axes away that are not in the result. */
type Reduction = (tensor: Tensor, axes: readonly number[]) => Tensor;

/** An axis as the words of a pattern cut it, and where it stands there. */
interface Cut {
  readonly key: string;
  readonly size: number;
  readonly part: Part;
}

/** An axis of the result. */
interface Joined {
  readonly keys: readonly string[];
  readonly name: Name;
}

/** A call: what messages and steps need to know of it. */
interface Call {
  readonly fn: string;
  readonly kind: Kind;
  readonly tensor: Tensor;
  readonly pattern: Pattern;
  readonly sizes: Readonly<Record<string, number>>;
}

/** The tensor as a pattern says. */
export function laidOut(
  fn: string,
  kind: Kind,
  tensor: Operand,
  text: unknown,
  given: object | undefined,
  reduce?: Reduction,
): Tensor {
  const pattern = parseLayout(fn, text);
  const call: Call = { fn, kind, tensor: asTensor(tensor, fn), pattern, sizes: sizesOf(fn, pattern, given) };
  const axes = axesOf(call);
  const cuts = cutsOf(call, axes);
  const { joined, added } = resultOf(call, cuts, axes.ellipsis);
  const kept = joined.flatMap(({ keys }) => keys);
  const whole = reshapedTo(call.tensor, cuts.map(({ size }) => size)); // prettier-ignore
  const gone = cuts.flatMap(({ key }, i) => (kept.includes(key) ? [] : [i]));
  const left = cuts.filter((_, i) => !gone.includes(i)).map(({ key }) => key);
  const reduced = reduce === undefined ? whole : reduce(whole, gone);
  const old = kept.filter((key) => left.includes(key));
  const ordered = permuted(
    reduced,
    old.map((key) => left.indexOf(key)),
  );
  const sizes = new Map([...cuts, ...added].map(({ key, size }) => [key, size]));
  const spread = spreadTo(
    ordered,
    kept.map((key) => sizes.get(key)!),
    old.map((key) => kept.indexOf(key)),
  );
  const shape = Object.freeze(joined.map(({ keys }) => keys.reduce((size, key) => size * sizes.get(key)!, 1)));
  const names = checkNames(
    joined.map(({ name }) => name),
    shape,
  );
  const isSame = sameShape(spread.shape, shape) && names.every((name, i) => name === spread.names[i]);
  if (isSame) return apart(spread, call.tensor);
  return run("reshape", template(spread.type, shape, names), [spread], {});
}

function reshapedTo(t: Tensor, shape: Shape): Tensor {
  if (sameShape(t.shape, shape)) return t;
  return run("reshape", template(t.type, Object.freeze(shape.slice()), unnamed(shape.length)), [t], {});
}

/** Axes that are new are those at no place of `axes`. */
function spreadTo(t: Tensor, shape: Shape, axes: readonly number[]): Tensor {
  if (axes.length === shape.length) return t;
  checkSize(shape, "the result, shape");
  return run("broadcast", template(t.type, Object.freeze(shape.slice()), unnamed(shape.length)), [t], { axes });
}

/** The sizes that a call gives for words of its pattern. */
function sizesOf(
  fn: string,
  { operands, result }: Pattern,
  given: object | undefined,
): Readonly<Record<string, number>> {
  const parts = [...operands.flat(), ...result].flatMap(({ parts }) => parts);
  const words = new Set(parts.filter((part) => !isNumber(part) && !isEllipsis(part)).map(({ text }) => text));
  const sizes = checkOptions(fn, given, [...words]) as Readonly<Record<string, number>> | undefined;
  for (const word of Object.keys(sizes ?? {})) {
    const size: unknown = sizes![word];
    if (size === undefined || (Number.isInteger(size) && (size as number) > 0)) continue;
    throw new ArgumentError(`${fn}: the size of ${show(word)} must be a positive integer, got: ${show(size)}`);
  }
  return sizes ?? {};
}

/** The axes of the tensor beside the items of the pattern, and which of them `...` stands for. */
interface Axes {
  readonly items: readonly { readonly item: Item; readonly axis: number }[];
  readonly ellipsis: { readonly first: number; readonly count: number };
}

function axesOf({ fn, tensor, pattern }: Call): Axes {
  const items = pattern.operands[0]!;
  const rank = tensor.shape.length;
  const at = items.findIndex(({ parts, isGroup }) => !isGroup && isEllipsis(parts[0]!));
  const own = at < 0 ? items.length : items.length - 1;
  if (at < 0 ? own !== rank : own > rank) {
    throw new ArgumentError(
      `${fn}: the pattern has ${own} axes in front of ->${at < 0 ? "" : " beside ..."}, the tensor ${rank}: ${show(pattern.text)} ` +
        `for shape ${formatShape(tensor.shape, tensor.names)}`,
    );
  }
  const count = at < 0 ? 0 : rank - own;
  const placed = items.flatMap((item, i) => (i === at ? [] : { item, axis: at < 0 || i < at ? i : i - 1 + count }));
  return { items: placed, ellipsis: { first: Math.max(at, 0), count } };
}

/** What the axes of the tensor are cut into, in their order. Axes of size 1 that have no word are left out. */
function cutsOf(call: Call, { items, ellipsis }: Axes): Cut[] {
  const { fn, tensor, pattern } = call;
  const words = pattern.operands[0]!.flatMap(({ parts }) => parts);
  checkDistinct(fn, pattern.text, words);
  const dots = words.find(isEllipsis);
  const cuts: Cut[] = [];
  for (let axis = 0; axis < tensor.shape.length; axis++) {
    const of = items.find((placed) => placed.axis === axis);
    if (of) cuts.push(...cutsOfAxis(call, of.item, axis));
    else cuts.push({ key: `...${axis - ellipsis.first}`, size: tensor.shape[axis]!, part: dots! });
  }
  return cuts;
}

function cutsOfAxis(call: Call, { parts, isGroup, at }: Item, axis: number): Cut[] {
  const { fn, kind, tensor, pattern, sizes } = call;
  const { text } = pattern;
  const refuse = (why: string, part: Part = parts[0] ?? { text: "()", at }) => patternError(fn, why, text, part);
  const where = `axis ${axis} of ${formatShape(tensor.shape, tensor.names)}`;
  const name = tensor.names[axis] ?? null;
  const isWord = !isGroup && !isNumber(parts[0]!);
  if (isWord && name !== null && name !== parts[0]!.text) {
    throw refuse(`${where} is ${show(name)}, where the pattern says ${show(parts[0]!.text)}`);
  }
  const dots = isGroup ? parts.find(isEllipsis) : undefined;
  if (dots) throw refuse("... in parentheses stands behind -> only", dots);
  const wrong = kind === "reduce" ? undefined : parts.find((part) => isNumber(part) && part.text !== "1");
  if (wrong)
    throw refuse(`an axis that is a number has size 1 here; give it a word, and its size in the options`, wrong);
  const size = tensor.shape[axis]!;
  const own = parts.map((part) => (isNumber(part) ? Number(part.text) : sizes[part.text]));
  const open = own.filter((each) => each === undefined).length;
  const product = own.reduce<number>((all, each) => all * (each ?? 1), 1);
  if (open > 1) {
    const word = parts[own.indexOf(undefined)]!;
    throw refuse(`the size of one word in parentheses follows from the others; give that of ${show(word.text)}`, word);
  }
  const rest = size / product;
  if (open === 0 ? rest !== 1 : !Number.isInteger(rest) || rest < 1) {
    throw refuse(`${where} is not ${open === 0 ? "of size" : "a multiple of"} ${product}, as the pattern says`);
  }
  return parts.flatMap((part, i) =>
    part.text === "1" ? [] : { key: isNumber(part) ? `#${part.at}` : part.text, size: own[i] ?? rest, part },
  );
}

/** The axes of the result, and what is new among them. */
function resultOf(
  call: Call,
  cuts: readonly Cut[],
  { first, count }: Axes["ellipsis"],
): { joined: Joined[]; added: Cut[] } {
  const { fn, kind, tensor, pattern } = call;
  const parts = pattern.result.flatMap((item) => item.parts);
  checkDistinct(fn, pattern.text, parts);
  const had = new Set(cuts.map(({ part }) => part.text));
  const added = parts.flatMap((part) => (isNew(part, had) ? newCut(call, part) : []));
  const lost = kind === "reduce" ? undefined : cuts.find(({ part }) => !parts.some(({ text }) => text === part.text));
  if (lost) {
    const why = `${show(lost.part.text)} stands in front of -> only; Nx.reduce leaves axes out`;
    throw patternError(fn, why, pattern.text, lost.part);
  }
  const dots = Array.from({ length: count }, (_, i) => `...${i}`);
  const keysOf = (part: Part): string[] => {
    if (isEllipsis(part)) return dots;
    return part.text === "1" ? [] : [isNumber(part) ? `#${part.at}` : part.text];
  };
  const joined = pattern.result.flatMap(({ parts: own, isGroup }): Joined | Joined[] => {
    if (isGroup) return { keys: own.flatMap(keysOf), name: null };
    const [part] = own as [Part];
    if (isEllipsis(part)) return dots.map((key, i) => ({ keys: [key], name: tensor.names[first + i]! }));
    return { keys: keysOf(part), name: isNumber(part) ? null : part.text };
  });
  return { joined, added };
}

function isNew(part: Part, had: ReadonlySet<string>): boolean {
  if (isNumber(part)) return part.text !== "1";
  return !had.has(part.text);
}

/** An axis that stands in the result alone. */
function newCut({ fn, kind, pattern, sizes }: Call, part: Part): Cut | [] {
  const refuse = (why: string) => patternError(fn, why, pattern.text, part);
  const what = show(part.text);
  if (isEllipsis(part)) {
    if (pattern.operands[0]!.some(({ parts }) => parts.some(isEllipsis))) return [];
    throw refuse("... stands behind -> only");
  }
  if (kind !== "repeat") throw refuse(`${what} stands behind -> only; Nx.repeat makes new axes`);
  const size = isNumber(part) ? Number(part.text) : sizes[part.text];
  if (size === undefined) throw refuse(`${what} is new, so its size must be given: { ${part.text}: 2 }`);
  if (size === 0) throw refuse("an axis has at least one entry");
  return { key: isNumber(part) ? `#${part.at}` : part.text, size, part };
}
