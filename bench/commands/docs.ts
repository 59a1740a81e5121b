/**
 * Puts kept results between the markers of docs/benchmarks.md and the README, and draws docs/benchmarks.svg: no figure there is typed by hand.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatted } from "../../scripts/formatted";
import { chart } from "../report/chart";
import {
  besideMarkdown,
  callsMarkdown,
  cliffsMarkdown,
  memoryMarkdown,
  peersMarkdown,
  scalingMarkdown,
} from "../report/markdown";
import { programsMarkdown } from "../report/programs";
import { load, type Heading, type TableResults } from "../report/results";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Replaces what stands between two markers; throws where they are missing. */
export function between(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: made by \`npm run bench -- docs\` -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the markers of "${name}" are missing`);
  return `${page.slice(0, from + start.length)}\n\n${content}\n\n${page.slice(to)}`;
}

function filled<T extends Heading>(page: string, name: string, markdown: (results: T) => string): string {
  const results = load<T>(name);
  if (results) return between(page, name, markdown(results));
  console.log(`no results of ${name}: the section stays as it is; \`npm run bench -- ${name}\` measures anew`);
  return page;
}

/** Changes a page of Markdown, in the form that it has in the repository. */
async function rewrite(path: string, change: (page: string) => string): Promise<void> {
  const page = change(readFileSync(at(path), "utf8"));
  writeFileSync(at(path), await formatted(path, page));
}

export async function writeDocs(): Promise<void> {
  await rewrite("docs/benchmarks.md", (page) => {
    let made = filled(page, "peers", peersMarkdown);
    made = filled(made, "calls", callsMarkdown);
    made = filled(made, "scaling", scalingMarkdown);
    made = filled(made, "cliffs", cliffsMarkdown);
    made = filled(made, "programs", programsMarkdown);
    return filled(made, "memory", memoryMarkdown);
  });
  await rewrite("README.md", (page) => filled(page, "peers", besideMarkdown));
  const table = load<TableResults>("peers");
  if (table) writeFileSync(at("docs/benchmarks.svg"), chart(table));
}
