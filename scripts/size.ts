/**
 * Prints what the built entries weigh in the bundle of a program that uses little, the core, or all of them, and fails when a
 * budget is passed or the figures in docs/bundlers.md are no longer true; `--write` puts them there. Needs `npm run build` first.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { bundledPrograms, weigh, type Weights } from "./bundles";
import { formatted } from "./formatted";

const PAGE = "docs/bundlers.md";
const MARKS = /(<!-- sizes -->\n)[\s\S]*?(<!-- \/sizes -->)/;
/** Part by which a figure of the page may be off. */
const TOLERANCE = 0.04;

const inKilobytes = (figure: number): string => `${figure.toFixed(0)} kB`;

const table = (rows: ReadonlyMap<string, Weights>): Promise<string> => {
  const lines = [...rows].map(
    ([name, { minified, gzip }]) => `| ${[name, ...[minified, gzip].map(inKilobytes)].join(" | ")} |`,
  );
  const head = "| program | minified | gzip |\n| --- | --: | --: |\n";
  return formatted(PAGE, head + lines.join("\n"));
};

/** Figures of the page that are off by more than a few percent, and rows that are not there. */
function stale(page: string, rows: ReadonlyMap<string, Weights>): string[] {
  const [told = ""] = MARKS.exec(page) ?? [];
  return [...rows].flatMap(([name, { minified, gzip }]) => {
    const line = told.split("\n").find((one) => one.startsWith(`| ${name} `)) ?? "";
    const figures = [...line.matchAll(/([\d.]+) kB/g)].map(([, figure]) => Number(figure));
    const isTrue = [minified, gzip].every((now, i) => Math.abs((figures[i] ?? 0) / now - 1) <= TOLERANCE);
    return isTrue ? [] : [name];
  });
}

const rows = new Map<string, Weights>();
for (const program of await bundledPrograms()) {
  const { name, budget } = program;
  const weights = await weigh(program);
  rows.set(name, weights);
  const [minified, gzip] = [weights.minified, weights.gzip].map((figure) => figure.toFixed(1));
  console.log(`${name.padEnd(42)} ${minified} kB, gzip ${gzip} kB (budget ${budget})`);
  if (weights.gzip > budget) process.exitCode = 1;
}
const page = readFileSync(PAGE, "utf8");
if (process.argv.includes("--write")) {
  const text = await table(rows);
  writeFileSync(
    PAGE,
    page.replace(MARKS, (_, before: string, after: string) => `${before}\n${text}\n${after}`),
  );
} else {
  const old = stale(page, rows);
  if (old.length > 0) {
    console.error(`${PAGE} has stale figures of: ${old.join(", ")}; npm run size -- --write puts in those of now`);
    process.exitCode = 1;
  }
}
