/** A bundle divided into what runs at the start of most programs and parts that are required at the first call of one of their functions. */
import type ts from "typescript";
import type { Bundle, Declared } from "./analysis";

export interface Divided {
  readonly main: string;
  /** The texts of the parts, in the order of their numbers. */
  readonly parts: readonly string[];
}

/** Characters of functions in a part, which is read in a few milliseconds. */
const PART = 100_000;
/** Characters of a function that is not worth a stub. */
const SMALL = 100;
/** The longest line of a list of names. */
const LINE = 150;

/**
 * Functions that are `isEarly`, values that these mention and what is assigned later stay in the main file. The others are in parts, and so
 * are values that one part alone mentions: whatever such a value is computed by has run when the library was loaded whole, so it is early.
 * In the main file, and for other parts, a stub stands for a function of a part.
 *
 * @param bundle - the statements
 * @param isEarly - whether a function has run at the start of the programs that were tried
 * @param foreign - names that other files of the library assign
 * @param file - the name of the bundle, without its extension
 */
export function divided(
  bundle: Bundle,
  isEarly: (statement: Declared) => boolean,
  foreign: ReadonlySet<string>,
  file: string,
): Divided {
  const late = placed(bundle, isEarly, new Set([...bundle.assigned, ...foreign]));
  const parts: Declared[][] = Array.from({ length: Math.max(-1, ...late.values()) + 1 }, () => []);
  for (const one of bundle.statements) parts[late.get(one.name) ?? -1]?.push(one);
  const elsewhere = new Set(bundle.exported);
  for (const { name, mentions } of bundle.statements) {
    for (const other of mentions) if (late.get(other) !== late.get(name)) elsewhere.add(other);
  }
  const isStubbed = ({ name }: Declared): boolean => late.has(name) && elsewhere.has(name);
  const taken = new Set<string>();
  const texts = parts.map((members) => partText(members, isStubbed, taken));
  const main = [
    bundle.imports,
    'import { createRequire } from "node:module";',
    ...bundle.statements.filter(({ name }) => !late.has(name)).map(({ text }) => text),
    ...bundle.statements.filter(isStubbed).map((one) => stubOf(one, late.get(one.name)!)),
    "var requirePart;",
    `function loadedPart(number){return(requirePart??=createRequire(import.meta.url))("./${file}."+number+".cjs")(`,
    `${inLines([...taken])})}`,
    ...parts.map((_, n) => `var loaded${n};function part${n}(){return loaded${n}??=loadedPart(${n})}`),
    bundle.exports,
  ];
  return { main: `${main.join("\n")}\n`, parts: texts };
}

/** The number of the part that each late statement goes to. */
function placed(
  { statements, exported }: Bundle,
  isEarly: (statement: Declared) => boolean,
  assigned: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const users = new Map<string, Declared[]>();
  for (const one of statements) {
    for (const other of one.mentions) if (other !== one.name) users.set(other, [...(users.get(other) ?? []), one]);
  }
  const late = new Map<string, number>();
  let [part, size] = [0, 0];
  for (const one of statements) {
    const stays = one.fn ? isEarly(one) : one.name === "" || exported.has(one.name);
    if (stays || assigned.has(one.name) || [...one.mentions].some((other) => assigned.has(other))) continue;
    late.set(one.name, part);
    if (one.fn) size += one.text.length;
    if (size >= PART) [part, size] = [part + 1, 0];
  }
  const isBound = ({ fn, text }: Declared): boolean => !fn || text.length < SMALL;
  const placeOf = ({ name }: Declared): number | undefined => {
    const [place, ...more] = new Set((users.get(name) ?? []).map((user) => late.get(user.name)));
    return more.length === 0 && !exported.has(name) ? place : undefined;
  };
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const one of statements) {
      if (!late.has(one.name) || !isBound(one)) continue;
      const place = placeOf(one);
      if (place === late.get(one.name)) continue;
      isSettled = false;
      if (place === undefined) late.delete(one.name);
      else late.set(one.name, place);
    }
  }
  return late;
}

/**
 * A part: a function of what it takes from elsewhere, the names of which join `taken`. A function with a stub that is more than called within
 * the part is that stub there, too, so that it is one value wherever it is compared.
 */
function partText(members: readonly Declared[], isStubbed: (one: Declared) => boolean, taken: Set<string>): string {
  const own = new Set(members.map(({ name }) => name));
  const values = new Set(members.flatMap((one) => [...one.values]));
  const isRenamed = (one: Declared): boolean => isStubbed(one) && values.has(one.name);
  const mentioned = members.flatMap(({ mentions }) => [...mentions]).filter((name) => !own.has(name));
  const outer = [...new Set([...mentioned, ...members.filter(isRenamed).map(({ name }) => name)])];
  for (const name of outer) taken.add(name);
  const texts = members.map((one) =>
    isRenamed(one) ? `${one.text.slice(0, one.nameEnd)}$${one.text.slice(one.nameEnd)}` : one.text,
  );
  const offered = members.filter(isStubbed).map((one) => (isRenamed(one) ? `${one.name}:${one.name}$` : one.name));
  return `"use strict";module.exports=(function(${inLines(outer)}){\n${texts.join("\n")}\nreturn ${inLines(offered)}})\n`;
}

/** Braces around names, in lines that are not long, since hosts print the line that an error comes from. */
function inLines(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    if (lines.at(-1)!.length + name.length > LINE) lines.push("");
    lines.push(`${lines.pop()!}${name},`);
  }
  return `{${lines.join("\n")}}`;
}

/** A function of the same name and length that calls the one in the part. */
function stubOf({ name, fn }: Declared, part: number): string {
  const { parameters } = fn!;
  const isPlain = (one: ts.ParameterDeclaration): boolean => !one.initializer && !one.dotDotDotToken;
  const firstOther = parameters.findIndex((one) => !isPlain(one));
  const names = Array.from({ length: firstOther < 0 ? parameters.length : firstOther }, (_, i) => `a${i}`);
  if (firstOther >= 0) names.push("...more");
  return `function ${name}(${names.join(",")}){return part${part}().${name}(${names.join(",")})}`;
}
