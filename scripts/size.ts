/**
 * Prints what the built entries weigh in the bundle of a program that uses little, the core, or all of them, and fails when a
 * budget is passed or the figures in docs/bundlers.md are no longer true; `--write` puts them there. Needs `npm run build` first.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { format } from "prettier";

const PAGE = "docs/bundlers.md";
const MARKS = /(<!-- sizes -->\n)[\s\S]*?(<!-- \/sizes -->)/;
/** Part by which a figure of the page may be off. */
const TOLERANCE = 0.04;

const entry = "./dist/index.js";
const reference = "./dist/reference.js";
const { default: _default, ...face } = (await import(`../${entry}`)) as Record<string, unknown>;

/** Groups that a bundler leaves out where they are not used: namespaces, special functions, Fourier transforms, windows, vectorization, files. */
const OPTIONAL =
  /^(Batch|Serving|Constants|LinAlg|Quantized|Random|Signal|Type|bessel\w+|(di|l|poly)gamma|(betainc|gammaincc?)|lbeta|logit|normal\w+|sinc|xlogy|bessel\w+|conv|i?r?fft2?|r?fftfreq|i?fftshift|window\w+|random\w+|shuffle|(re|de)?vectorize|(de)?serialize|\w*(Numpy|Safetensors|NumpyArchive)|safetensorsInfo)$/;
const core = Object.keys(face).filter((name) => !OPTIONAL.test(name) && name !== "Defn");

/** What a program needs that computes with elements, reduces and changes shapes. */
const few = "tensor, add, multiply, exp, sum, mean, reshape, transpose, toList";

const PROGRAMS = [
  { name: "`nx-numerics/reference`: few functions", code: `export { ${few} } from "${reference}"`, budget: 72 },
  { name: "`nx-numerics/reference`: all of it", code: `export * from "${reference}"`, budget: 140 },
  // The generator and the emitter of WebAssembly are in every program, since the default backend is made of them.
  { name: "`nx-numerics`: tensors and their methods", code: `export { tensor } from "${entry}"`, budget: 236 },
  { name: "the same with defn", code: `export { tensor, defn } from "${entry}"`, budget: 264 },
  { name: "core, with gradients", code: `export { ${core.join(", ")} } from "${entry}"`, budget: 335 },
  { name: "everything", code: `export * from "${entry}"`, budget: 412 },
];

/** Figures in kB, by the headings they have in the page. */
interface Weights {
  readonly minified: number;
  readonly gzip: number;
}

async function bundle(code: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  return outputFiles[0]!.contents;
}

const zipped = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length / 1000;

async function weigh(code: string): Promise<Weights> {
  const all = await bundle(code);
  return { minified: all.length / 1000, gzip: zipped(all) };
}

const inKilobytes = (figure: number): string => `${figure.toFixed(0)} kB`;

const table = (rows: ReadonlyMap<string, Weights>): Promise<string> => {
  const lines = [...rows].map(
    ([name, { minified, gzip }]) => `| ${[name, ...[minified, gzip].map(inKilobytes)].join(" | ")} |`,
  );
  const head = "| program | minified | gzip |\n| --- | --: | --: |\n";
  return format(head + lines.join("\n"), { parser: "markdown" });
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
for (const { name, code, budget } of PROGRAMS) {
  const weights = await weigh(code);
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
