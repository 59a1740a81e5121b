/**
 * Puts kept results between the markers of docs/benchmarks.md and draws docs/benchmarks.svg: no figure there is typed by hand.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { chart } from "../report/chart";
import { callsMarkdown, cliffsMarkdown, memoryMarkdown, peersMarkdown, scalingMarkdown } from "../report/markdown";
import { programsMarkdown } from "../report/programs";
import { load, type Heading, type TableResults } from "../report/results";

const PAGE = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url));
const CHART = fileURLToPath(new URL("../../docs/benchmarks.svg", import.meta.url));

/** Replaces what stands between two markers; throws where they are missing. */
export function between(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: made by \`npm run bench -- docs\` -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the markers of "${name}" are missing in docs/benchmarks.md`);
  return `${page.slice(0, from + start.length)}\n\n${content}\n\n${page.slice(to)}`;
}

function filled<T extends Heading>(page: string, name: string, markdown: (results: T) => string): string {
  const results = load<T>(name);
  if (results) return between(page, name, markdown(results));
  console.log(`no results of ${name}: the section stays as it is; \`npm run bench -- ${name}\` measures anew`);
  return page;
}

export async function writeDocs(): Promise<void> {
  let page = readFileSync(PAGE, "utf8");
  page = filled(page, "peers", peersMarkdown);
  page = filled(page, "calls", callsMarkdown);
  page = filled(page, "scaling", scalingMarkdown);
  page = filled(page, "cliffs", cliffsMarkdown);
  page = filled(page, "programs", programsMarkdown);
  page = filled(page, "memory", memoryMarkdown);
  writeFileSync(PAGE, await format(page, { parser: "markdown", printWidth: 120 }));
  const table = load<TableResults>("peers");
  if (table) writeFileSync(CHART, chart(table));
}
