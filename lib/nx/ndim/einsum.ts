/**
 * Sums of products by a pattern.
 */
import { ArgumentError, show } from "../../core/errors";
import { checkNames } from "../../core/names";
import type { NamesOfAll, ProductNames, ProductPattern } from "../../core/pattern-types";
import { formatShape, type Name, type Shape } from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { apart, asTensors, cast, run, template, typeOfOperands } from "../dispatch";
import { contracted, type Labelled } from "../patterns/contract";
import {
  checkDistinct,
  ELLIPSIS,
  parseTerms,
  patternError,
  type Item,
  type Part,
  type Pattern,
} from "../patterns/parse";

const FN = "Nx.einsum";

/**
 * Sums of products over axes that a pattern names: products of matrices, of several tensors at once, batches of them, traces, diagonals,
 * outer products, sums.
 *
 * In front of `->` stand the axes of each operand, behind it those of the result. An axis of the result goes along the axes of that word
 * in all operands; over all other words the products are added up. A word that stands twice in one operand is the diagonal of two axes;
 * `...` are any number of axes, which broadcast from the right and stay. An axis of size 1 is stretched.
 *
 * Words are the names of axes; an axis without a name takes the word. A pattern without spaces within its terms is read as NumPy reads it,
 * `"ij,jk->ik"`: each letter is an axis of any name, and the result has the names of the axes that its letters stand for. Only a term of
 * several letters for a tensor of one axis says otherwise, since it cannot be letters: `"time, time ->"` are words.
 *
 * Several operands are multiplied two at a time, in an order chosen greedily by the sizes of what comes out.
 *
 * @param pattern - such as `"sample feature, feature unit -> sample unit"`
 * @param operands - tensors or plain numbers, which are not weak here
 * @returns the merged type, as `Nx.dot` gives it: integers wrap around; axes as the pattern says
 * @throws ArgumentError, which points into the pattern, for words that are not those of the axes, sizes of a word that differ, and words in
 *   the result that no operand has
 * @example
 * ```ts
 * const x = Nx.tensor([[1, 2], [3, 4]], { names: ["sample", "feature"] });
 * const w = Nx.tensor([[1, 0, 2], [0, 1, 1]], { names: ["feature", "unit"] });
 * Nx.einsum("sample feature, feature unit -> sample unit", x, w);
 * // => #Nx.Tensor<
 * //   s64[sample: 2][unit: 3]
 * //   [
 * //     [1, 2, 4],
 * //     [3, 4, 10]
 * //   ]
 * // >
 * Nx.einsum("ij,jk->k", x, w).names;
 * // => [ "unit" ]
 * ```
 * @example
 * ```ts
 * Nx.einsum("i i -> i", Nx.tensor([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   s64[i: 2]
 * //   [1, 4]
 * // >
 * const t = Nx.iota([2, 3], { names: ["row", "column"] });
 * Nx.einsum("row col -> row", t as Nx.Tensor);
 * // throws ArgumentError: Nx.einsum: axis 1 of [row: 2][column: 3] is "column", where the pattern says "col"
 * ```
 */
export function einsum<const P extends string, const T extends readonly Operand[]>(
  pattern: ProductPattern<P, NamesOfAll<T>>,
  ...operands: T
): Tensor<ProductNames<P, NamesOfAll<T>>>;
export function einsum(text: string, ...operands: Operand[]): Tensor {
  const pattern = parseTerms(FN, text);
  const type = operands.length === 0 ? "f32" : typeOfOperands(operands, FN);
  const tensors = asTensors(operands, FN);
  checkCount(pattern, tensors.length);
  const isLetters = readsLetters(pattern, tensors);
  const read = pattern.operands.map((items, i) => readTerm(pattern, items, tensors[i]!, isLetters));
  const sizes = sizesOf(pattern, read);
  const result = readResult(pattern, sizes, read, isLetters);
  const several = tensors.length > 2;
  const parts = read.map(({ tensor, axes }) => stretched(several ? cast(tensor, type) : tensor, axes, sizes));
  const made = contracted(parts, result, type);
  const names = result.map((label) => nameOf(pattern, label, read, isLetters));
  const checked = checkNames(names, made.shape);
  const isNamed = checked.every((name, i) => name === made.names[i]);
  return isNamed ? apart(made, ...tensors) : run("reshape", template(type, made.shape, checked), [made], {});
}

/** An axis of an operand: what it is called in the product, and where the pattern says so. */
interface LabelledAxis {
  readonly label: string;
  readonly part: Part;
  readonly axis: number;
}

interface Term {
  readonly tensor: Tensor;
  readonly axes: readonly LabelledAxis[];
}

function checkCount({ text, operands }: Pattern, count: number): void {
  if (operands.length === count) return;
  const [terms, given] = [operands.length, count].map(
    (n, i) => `${n} ${i === 0 ? "term" : "operand"}${n === 1 ? "" : "s"}`,
  );
  throw new ArgumentError(`${FN}: ${given} for a pattern of ${terms}, which commas separate: ${show(text)}`);
}

const isWord = (items: readonly Item[]): boolean => items.length === 1 && items[0]!.parts[0]!.text !== ELLIPSIS;

/** Whether each letter is an axis: where no term has a space within, and none is a word for the one axis of its tensor. */
function readsLetters({ isDense, operands, result }: Pattern, tensors: readonly Tensor[]): boolean {
  const terms = [...operands, result].flat().map(({ parts: [part] }) => part!.text);
  if (!isDense || !terms.every((text) => text === ELLIPSIS || /^[a-zA-Z]+$/.test(text))) return false;
  return !operands.some(
    (items, i) => isWord(items) && items[0]!.parts[0]!.text.length > 1 && tensors[i]!.shape.length === 1,
  );
}

/** What stands in a term, one part an axis. */
function partsOf(items: readonly Item[], isLetters: boolean): Part[] {
  const parts = items.map((item) => item.parts[0]!);
  if (!isLetters) return parts;
  const letters = ({ text, at }: Part): Part[] => Array.from(text, (letter, i) => ({ text: letter, at: at + i }));
  return parts.flatMap((part) => (part.text === ELLIPSIS ? part : letters(part)));
}

function readTerm(pattern: Pattern, items: readonly Item[], tensor: Tensor, isLetters: boolean): Term {
  const { shape, names } = tensor;
  const parts = partsOf(items, isLetters);
  const dots = parts.findIndex(({ text }) => text === ELLIPSIS);
  const count = shape.length - parts.length + (dots < 0 ? 0 : 1);
  if (dots < 0 ? count !== 0 : count < 0) {
    const many = `${parts.length - (dots < 0 ? 0 : 1)} axes${dots < 0 ? "" : " beside ..."}`;
    const at = parts[0] ?? { text: "", at: 0 };
    const term = { at: at.at, text: pattern.text.slice(at.at).split(/,|->/, 1)[0]!.trimEnd() };
    throw patternError(FN, `the tensor of shape ${formatShape(shape, names)} is given ${many}`, pattern.text, term);
  }
  const axes = parts.flatMap((part, i): LabelledAxis[] => {
    if (i === dots)
      return Array.from({ length: count }, (_, k) => ({ label: `...${count - 1 - k}`, part, axis: i + k }));
    return [{ label: part.text, part, axis: dots < 0 || i < dots ? i : i - 1 + count }];
  });
  for (const { part, axis } of isLetters ? [] : axes) {
    const name = names[axis] ?? null;
    if (part.text === ELLIPSIS || name === null || name === part.text) continue;
    const why = `axis ${axis} of ${formatShape(shape, names)} is ${show(name)}, where the pattern says ${show(part.text)}`;
    throw patternError(FN, why, pattern.text, part);
  }
  return { tensor, axes };
}

/** The size of each label; axes of size 1 stretch to it, but not beside another one of the same tensor. */
function sizesOf({ text }: Pattern, terms: readonly Term[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { tensor, axes } of terms) {
    const own = new Map<string, number>();
    for (const { label, part, axis } of axes) {
      const size = tensor.shape[axis]!;
      const [other, beside] = [sizes.get(label) ?? 1, own.get(label) ?? size];
      if (beside !== size || (size !== other && size !== 1 && other !== 1)) {
        const where = formatShape(tensor.shape, tensor.names);
        const why = `${show(part.text)} has size ${beside !== size ? beside : other} elsewhere, and ${size} as axis ${axis} of ${where}`;
        throw patternError(FN, why, text, part);
      }
      own.set(label, size);
      sizes.set(label, Math.max(size, other));
    }
  }
  return sizes;
}

/** The labels of the result. */
function readResult(
  { text, result }: Pattern,
  sizes: ReadonlyMap<string, number>,
  terms: readonly Term[],
  isLetters: boolean,
): string[] {
  const parts = partsOf(result, isLetters);
  checkDistinct(FN, text, parts);
  const dots = [...sizes.keys()]
    .filter((label) => label.startsWith(ELLIPSIS))
    .sort((a, b) => Number(b.slice(3)) - Number(a.slice(3)));
  const hidden = dots.length > 0 && !parts.some((part) => part.text === ELLIPSIS);
  if (hidden) {
    const part = terms.flatMap(({ axes }) => axes).find(({ label }) => label.startsWith(ELLIPSIS))!.part;
    throw patternError(FN, "... must stand behind -> as well: its axes stay", text, part);
  }
  return parts.flatMap((part) => {
    if (part.text === ELLIPSIS) return dots;
    if (sizes.has(part.text)) return part.text;
    throw patternError(FN, `no operand has the axis ${show(part.text)} of the result`, text, part);
  });
}

/** An operand whose axes of size 1 are left out where the label is longer elsewhere: a product stretches along them. */
function stretched(tensor: Tensor, axes: readonly LabelledAxis[], sizes: ReadonlyMap<string, number>): Labelled {
  const kept = axes.filter(({ label, axis }) => tensor.shape[axis] === sizes.get(label));
  const labels = kept.map(({ label }) => label);
  const shape: Shape = Object.freeze(kept.map(({ axis }) => tensor.shape[axis]!));
  // without names, which letters do not care for
  const names = shape.map(() => null);
  const isSame = shape.length === tensor.shape.length && tensor.names.every((name) => name === null);
  return { tensor: isSame ? tensor : run("reshape", template(tensor.type, shape, names), [tensor], {}), labels };
}

/** The name of an axis of the result: its word, or what the axes are named for which its letter stands. */
function nameOf({ text }: Pattern, label: string, terms: readonly Term[], isLetters: boolean): Name {
  if (!isLetters && !label.startsWith(ELLIPSIS)) return label;
  let name: Name = null;
  for (const { tensor, axes } of terms) {
    for (const each of axes) {
      const own = each.label === label ? (tensor.names[each.axis] ?? null) : null;
      if (own === null || own === name) continue;
      if (name !== null) {
        throw patternError(
          FN,
          `${show(each.part.text)} stands for axes named ${show(name)} and ${show(own)}`,
          text,
          each.part,
        );
      }
      name = own;
    }
  }
  return name;
}
