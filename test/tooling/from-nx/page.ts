/** The part of docs/from-nx.md that lists the functions of Nx, made of the table and of what the library exports. */
import { readFileSync } from "node:fs";
import * as Nx from "nx-numerics";
import * as elsewhere from "../../../lib/nx/elsewhere/functions";
import { LEFT_OUT, NX_FUNCTIONS, UNDER_OTHER_NAMES } from "./functions";

export const PAGE = new URL("../../../docs/from-nx.md", import.meta.url);
const [BEGIN, END] = ["<!-- functions of Nx: begin -->", "<!-- functions of Nx: end -->"];

/** The name that follows from one of Nx: `is_nan` is `isNan`, `compatible?` is `isCompatible`, `load_numpy!` is `loadNumpy`. */
const camel = (name: string): string => {
  const words = (name.endsWith("?") ? `is_${name}` : name).replace(/[?!]$/, "");
  return words.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
};

/** Whether the library has something under that name that computes, not one that only says what to write. */
export function isThere(name: string): boolean {
  let value: unknown = { Nx };
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !(part in value)) return false;
    value = (value as Record<string, unknown>)[part];
  }
  return !Object.values<unknown>(elsewhere).includes(value);
}

export interface Place {
  /** The name in Nx. */
  readonly nx: string;
  readonly here: string | null;
  readonly why: string | null;
}

/** Where each function of Nx is; neither name nor reason where nobody has said. */
export const places = (): readonly Place[] =>
  Object.entries(NX_FUNCTIONS).flatMap(([module, names]) =>
    names.map((name) => {
      const nx = `${module}.${name}`;
      const follows = `${module}.${camel(name)}`;
      const here = UNDER_OTHER_NAMES[nx] ?? (LEFT_OUT[nx] === undefined && isThere(follows) ? follows : null);
      return { nx, here, why: LEFT_OUT[nx] ?? null };
    }),
  );

const code = (text: string): string => `\`${text}\``;

function section(): string {
  const all = places();
  const renamed = all.filter(({ nx, here }) => here !== null && here === UNDER_OTHER_NAMES[nx]);
  const missing = all.filter(({ here }) => here === null);
  const counts = Object.entries(NX_FUNCTIONS).map(([module, names]) => {
    const found = all.filter(({ nx, here }) => here !== null && names.some((name) => nx === `${module}.${name}`));
    return `| ${code(module)} | ${names.length} | ${found.length} |`;
  });
  const reasons = [...new Set(missing.map(({ why }) => why))].map((why) => {
    const names = missing.filter((place) => place.why === why).map(({ nx }) => code(nx));
    return `| ${names.join(", ")} | ${why} |`;
  });
  return [
    "<!-- prettier-ignore-start -->",
    "| module of Nx | functions | here |",
    "| --- | --: | --: |",
    ...counts,
    "",
    "Under names that do not follow from Nx's:",
    "",
    "| Nx | here |",
    "| --- | --- |",
    ...renamed.map(({ nx, here }) => `| ${code(nx)} | ${code(here!)} |`),
    "",
    "Not here:",
    "",
    "| Nx | why, and what to write |",
    "| --- | --- |",
    ...reasons,
    "<!-- prettier-ignore-end -->",
  ].join("\n");
}

/** The page as it should be. */
export function fresh(page = readFileSync(PAGE, "utf8")): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/from-nx.md has no marks ${BEGIN} and ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${section()}\n\n${page.slice(end)}`;
}
