/**
 * The text of a tensor, in Nx's form.
 */
import { isReadable, readNow } from "../backends/reading";
import { elementReader } from "../core/bytes";
import { configured } from "../core/config";
import { SymbolicTemplate } from "../core/dims";
import { BackendError, NxError, show } from "../core/errors";
import { formatElement } from "../core/format";
import { formatShape, sizeOf } from "../core/shape";
import { Tensor, type Operand } from "../tensor";
import { asTensor } from "./dispatch";

/**
 * The text of a tensor: type, shape with axis names, elements. `String(tensor)` and Node's console show it as well.
 *
 * Floats have the fewest digits that read back as the same number of their type. After `inspectLimit` elements (see
 * `Nx.configure`) the rest is left out.
 *
 * @param tensor - any tensor; a plain number is taken as a scalar tensor
 * @returns several lines of text; for a tensor that cannot be read any more, a word that says so in place of its elements
 * @example
 * ```ts
 * Nx.inspect(Nx.tensor([[1, 2.5], [-Infinity, NaN]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2]
 * //   [
 * //     [1.0, 2.5],
 * //     [-Inf, NaN]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const { inspectLimit } = Nx.configure({ inspectLimit: 4 });
 * Nx.iota([3, 3]);
 * // => #Nx.Tensor<
 * //   s64[3][3]
 * //   [
 * //     [0, 1, 2],
 * //     [3, ...],
 * //     ...
 * //   ]
 * // >
 * Nx.configure({ inspectLimit });
 * ```
 * @example
 * ```ts
 * const t = Nx.f32([1, 2], { names: ["x"] });
 * Nx.backendDeallocate(t);
 * t;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   (deallocated)
 * // >
 * ```
 */
export function inspect(tensor: Operand | SymbolicTemplate): string {
  if (tensor instanceof SymbolicTemplate) return String(tensor);
  const t = tensor instanceof Tensor ? tensor : asTensor(tensor, "Nx.inspect");
  const header = `${t.type}${t.shape.length === 0 ? "" : formatShape(t.shape, t.names)}`;
  const body = bodyOf(t);
  const lines = [header, ...body.split("\n")].map((line) => `  ${line}`);
  return `#Nx.Tensor<\n${lines.join("\n")}\n>`;
}

/** The elements as text; printing never fails, whatever became of them. */
export function bodyOf(t: Tensor, elements: (t: Tensor) => string = elementsText): string {
  try {
    return t.backend.describe?.(t) ?? elements(t);
  } catch (error) {
    if (!(error instanceof NxError)) throw error;
    if (!isReadable(t))
      return `(elements on ${show(t.backend.name)}, which reads asynchronously: print await Nx.read(t))`;
    const isReleased = error instanceof BackendError && error.message.includes("was deallocated");
    return isReleased ? "(deallocated)" : `(${error.message})`;
  }
}

/** The elements of a tensor as nested lists. */
function elementsText(tensor: Tensor): string {
  const { type, shape } = tensor;
  const limit = Math.min(configured("inspectLimit"), sizeOf(shape));
  const read = elementReader(type, readNow(tensor, limit));
  let next = 0;
  const element = () => formatElement(read(next++), type);
  const level = (axis: number): string[] => {
    const entries: string[][] = [];
    for (let i = 0; i < shape[axis]!; i++) {
      if (next >= limit) {
        entries.push(["..."]);
        break;
      }
      entries.push(axis === shape.length - 1 ? [element()] : level(axis + 1));
    }
    return axis === shape.length - 1 ? [`[${entries.join(", ")}]`] : bracketed(entries);
  };
  return shape.length === 0 ? element() : level(0).join("\n");
}

/** Entries on lines of their own between brackets, two spaces in. */
function bracketed(entries: readonly (readonly string[])[]): string[] {
  const last = entries.length - 1;
  const inner = entries.flatMap((lines, i) =>
    lines.map((line, j) => `  ${line}${i < last && j === lines.length - 1 ? "," : ""}`),
  );
  return ["[", ...inner, "]"];
}
