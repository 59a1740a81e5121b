/**
 * The measured accuracy of the special functions: the rows that f32.ts and f64.ts find are kept as JSON beside this file, and
 * docs/accuracy.md is made of them.
 *
 *     npx tsx scripts/accuracy/table.ts
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SPECIAL_OF_ONE, SPECIAL_OF_TWO } from "../../lib/kernel/special/names";
import { SPECIAL_UNARY, UNARY, type SpecialBinary, type SpecialUnary } from "../../lib/ops";

export type Name = SpecialUnary | SpecialBinary;
export type Precision = "f32" | "f64";

/** In the order of the kernels, which is by family. */
export const NAMES = Object.keys({ ...SPECIAL_OF_ONE, ...SPECIAL_OF_TWO }) as readonly Name[];

/** Units in the last place that no result may be away from the exact value. */
export const BOUNDS: { readonly [P in Precision]: number } = { f32: 1, f64: 2 };

/** Functions of which every so many arguments were tried, not all of them: sums, products and quotients in f64, rounded once. */
export const STRIDED: ReadonlySet<Name> = new Set<Name>([
  "softplus",
  "quickGelu",
  "geluTanh",
  "mish",
  "selu",
  "softsign",
  "hardSigmoid",
  "hardSwish",
]);
export const STRIDE = 17;

/** What was measured of a function. */
export interface Row {
  /** Largest distance in units in the last place. */
  readonly worst: number;
  /** The arguments it was found at. */
  readonly at: readonly number[];
  /** The share of correctly rounded results, where that was counted. */
  readonly rounded?: number;
  /** How many arguments were tried. */
  readonly count: number;
}

export type Rows = { readonly [K in Name]?: Row };

const fileOf = (precision: Precision): URL => new URL(`${precision}.json`, import.meta.url);
const DOCUMENT = new URL("../../docs/accuracy.md", import.meta.url);

export function rowsOf(precision: Precision): Rows {
  const file = fileOf(precision);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Rows) : {};
}

/** Puts a row into its table and makes the document anew. Tables are read again, since other processes write them too. */
export function record(precision: Precision, name: Name, row: Row): void {
  const rows: { [K in Name]?: Row } = { ...rowsOf(precision), [name]: row };
  const ordered = Object.fromEntries(NAMES.flatMap((key) => (rows[key] ? [[key, rows[key]]] : [])));
  // Arrays on one line, as they are formatted everywhere here.
  const text = JSON.stringify(ordered, null, 2).replace(/\[\s+([^\]]*?)\s+\]/g, (_, inside: string) => {
    return `[${inside.replace(/\s+/g, " ")}]`;
  });
  writeFileSync(fileOf(precision), `${text}\n`);
  writeFileSync(DOCUMENT, accuracyDocument());
}

/** Functions of lib/special, which are made of the kernels above in double precision. */
export const FUNCTIONS = [
  ...["lgamma", "digamma", "trigamma", "lbeta", "normalCdf", "normalQuantile", "logit", "xlogy", "sinc"],
  ...["besselJ0", "besselJ1", "besselY0", "besselY1", "besselI0", "besselI1", "besselI0e", "besselI1e"],
  ...["gammainc", "gammaincc", "betainc"],
] as readonly string[];

/** What was measured of such a function in a type. */
export type SpecialRow = Pick<Row, "at" | "count" | "worst">;
export type SpecialRows = Readonly<Record<string, { readonly [P in Precision]: SpecialRow }>>;

/** Units in the last place that no result of theirs may be away: of the value in f32, of what errors are small beside in f64. */
export const SPECIAL_BOUNDS: { readonly [P in Precision]: number } = { f32: 1, f64: 32 };

export const SPECIAL_FILE = new URL("special.json", import.meta.url);
export const specialRows = (): SpecialRows => JSON.parse(readFileSync(SPECIAL_FILE, "utf8")) as SpecialRows;

/** Makes the document anew. */
export const recordSpecial = (): void => writeFileSync(DOCUMENT, accuracyDocument());

const SPECIAL_HEAD = `
## Special functions

The functions of statistics and physics are made of those above, in double precision, and rounded once; \`f16\` and \`bf16\` from \`f64\`, too. The
points are spread over the domains, over exponents and close to zeros and poles, the exact values those of mpmath at 60 digits
(\`scripts/accuracy/functions.py\`). In \`f32\` distances are in units in the last place of the exact value. In \`f64\` they are in units of what an error
is small beside: the value itself; for \`lbeta\`, and \`lgamma\` and \`digamma\` left of zero, at least 1; for Bessel functions behind their
first zeros the height of the wave; for tails of \`gammainc\`, \`gammaincc\` and \`betainc\` as much more as their exponent is large.
`;

/** Functions of complex numbers. */
export const COMPLEX_NAMES: readonly string[] = [
  ...SPECIAL_UNARY.filter((name) => UNARY[name].rule === "floating"),
  "sqrt",
];

type Worst = readonly [ulp: number, re: number, im: number];

/** The worst distances from exact values: by the last place of the larger part, and each part by its own. */
export interface ComplexRow {
  readonly whole: Worst;
  readonly part: Worst;
  readonly count: number;
}
export type ComplexRows = Readonly<Record<string, ComplexRow>>;

/** Units in the last place of the larger part that no result of c128 may be away. */
export const COMPLEX_BOUND = 4;

export const COMPLEX_FILE = new URL("complex.json", import.meta.url);
export const complexRows = (): ComplexRows => JSON.parse(readFileSync(COMPLEX_FILE, "utf8")) as ComplexRows;

const COMPLEX_HEAD = `
## Complex numbers

Functions of \`c128\` are programs in double precision, made of those above, so that they too give the same bits everywhere; \`c64\` is computed in
the same way and rounded once. Distances are in units in the last place of the larger part of the exact value (the bound is ${COMPLEX_BOUND}), and of each part
by itself: one part of \`expm1\`, \`sigmoid\` and the like may be next to nothing beside the other. The points are spread over small and large parts,
near |z| = 1 and near the branch points, the exact values those of mpmath (\`scripts/accuracy/complex.py\`). Powers of complex numbers still use the
engine's \`Math\`.
`;

const strided = (): string => [...STRIDED].map((name) => `\`${name}\``).join(", ");

const HEAD = `# Accuracy

How far the special functions are from the exact values, in units in the last place (ulp) of the result: half a unit is what
correct rounding leaves, and one unit means that the result is one of the two neighbours of the exact value. The bounds are
${BOUNDS.f32} ulp for \`f32\` and ${BOUNDS.f64} ulp for \`f64\`; \`f16\` and \`bf16\` are computed in \`f32\` and rounded. Each function has one definition,
so that these figures hold on every backend, machine and engine.

- **f32**: functions of one number were tried at all 2^32 arguments (${strided()} at every ${STRIDE}th), those of two
  at 10^8 pairs, against the functions in \`f64\`.
- **f64**: points spread over the domain, over all exponents and close to where functions are hard to compute, against
  arbitrary precision. A \`logAddExp\` within 2^-40 or so of 0 has fewer digits in \`f64\`.

The table is made by \`scripts/accuracy\` from what was measured; a test fails when a bound does not hold.
`;

/** The text of docs/accuracy.md. */
export function accuracyDocument(): string {
  const [f32, f64] = [rowsOf("f32"), rowsOf("f64")];
  const head = [
    "function",
    "f32: worst (ulp)",
    "found at",
    "correctly rounded",
    "f64: worst (ulp)",
    "found at",
    "points",
  ];
  const lines = NAMES.map((name) => {
    const [single, double] = [f32[name], f64[name]];
    const share = single?.rounded === undefined ? "" : `${(100 * single.rounded).toFixed(2)} %`;
    return [
      `\`${name}\``,
      single?.worst.toFixed(3) ?? "",
      single ? argumentsOf(single) : "",
      share,
      double?.worst.toFixed(3) ?? "",
      double ? argumentsOf(double) : "",
      double ? `${double.count}` : "",
    ];
  });
  return `${HEAD}\n${table([head, ...lines])}\n${COMPLEX_HEAD}\n${complexTable()}\n${SPECIAL_HEAD}\n${specialTable()}\n`;
}

function complexTable(): string {
  const rows = complexRows();
  const cells = ([ulp, re, im]: Worst): string[] => [
    ulp.toFixed(3),
    argumentsOf({ worst: ulp, at: [re, im], count: 0 }),
  ];
  const head = ["function", "c128: worst (ulp)", "found at", "each part: worst (ulp)", "found at", "points"];
  const lines = COMPLEX_NAMES.map((name) => {
    const { whole, part, count } = rows[name]!;
    return [`\`${name}\``, ...cells(whole), ...cells(part), `${count}`];
  });
  return table([head, ...lines]);
}

function specialTable(): string {
  const rows = specialRows();
  const head = ["function", "f32: worst (ulp)", "found at", "points", "f64: worst (ulp)", "found at", "points"];
  const cells = ({ worst, at, count }: SpecialRow): string[] => [
    worst.toFixed(3),
    argumentsOf({ worst, at, count }),
    `${count}`,
  ];
  return table([
    head,
    ...FUNCTIONS.map((name) => [`\`${name}\``, ...cells(rows[name]!.f32), ...cells(rows[name]!.f64)]),
  ]);
}

const argumentsOf = ({ at }: Row): string => at.map((x) => Number(x.toPrecision(6))).join(", ");

/** Columns as wide as what is in them; figures to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const isLeft = (column: number): boolean => column === 0;
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => (isLeft(i) ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`;
  const rule = widths.map((width, i) => (isLeft(i) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(rows[0]!), line(rule), ...rows.slice(1).map(line)].join("\n");
}

/** Written only when this file itself is run, not when others take something from it. */
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(DOCUMENT, accuracyDocument());
