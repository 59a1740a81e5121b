/**
 * The text of a tensor, in Nx's form.
 */
import { elementReader } from "../core/bytes";
import { configured } from "../core/config";
import { formatElement } from "../core/format";
import { formatShape, sizeOf } from "../core/shape";
import type { Operand, Tensor } from "../tensor";
import { asTensor } from "./dispatch";

export function inspect(tensor: Operand): string {
  const t = asTensor(tensor, "Nx.inspect");
  const header = `${t.type}${t.shape.length === 0 ? "" : formatShape(t.shape, t.names)}`;
  const body = t.backend.describe?.(t) ?? elementsText(t);
  const lines = [header, ...body.split("\n")].map((line) => `  ${line}`);
  return `#Nx.Tensor<\n${lines.join("\n")}\n>`;
}

function elementsText(tensor: Tensor): string {
  const { type, shape } = tensor;
  const limit = Math.min(configured("inspectLimit"), sizeOf(shape));
  const read = elementReader(type, tensor.backend.download(tensor, limit));
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
