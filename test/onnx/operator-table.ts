/**
 * The list of operators of docs/onnx.md, of the operators that there are.
 */
import { fileURLToPath } from "node:url";
import { formatted } from "../../scripts/formatted";
import type { Operator } from "../../lib/onnx/import/operator";
import { OPERATORS, TOPICS } from "../../lib/onnx/import/operators/table";

export const PAGE = fileURLToPath(new URL("../../docs/onnx.md", import.meta.url));

const [BEGIN, END] = ["<!-- operators: npm run onnx-operators -->", "<!-- end of operators -->"];

/** An operator, with the numbers of inputs that have to be known while tracing, and what it does not do. */
function described([name, { known, note }]: readonly [string, Operator]): string {
  const inputs = known.length === 0 ? null : `known: ${known.join(", ")}`;
  const notes = [inputs, note].filter((text) => text !== null).join("; ");
  return notes === "" ? `\`${name}\`` : `\`${name}\` (${notes})`;
}

const listed = (operators: Readonly<Record<string, Operator>>): string =>
  Object.entries(operators)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(described)
    .join(", ");

/** The page with the table as it should be. */
export async function withTable(page: string): Promise<string> {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the list of operators`);
  const { "": own, ...others } = OPERATORS;
  const all = [...Object.entries(TOPICS), ...Object.entries(others).map(([domain, each]) => [domain, each] as const)];
  const head = `${Object.keys(own!).length} operators of ONNX itself, and ${Object.values(others).flatMap(Object.keys).length} for training:`;
  const list = all.map(([topic, operators]) => `- **${topic}**: ${listed(operators)}`).join("\n");
  const whole = `${page.slice(0, start)}${BEGIN}\n\n${head}\n\n${list}\n\n${page.slice(end)}`;
  return formatted(PAGE, whole);
}
