/** A bundle divided into what runs at the start of most programs and parts that are required at the first call of one of their functions. */
import type ts from "typescript";
import type { Bundle, Declared } from "./analysis";

export interface Divided {
  readonly main: string;
  /** The texts of the parts, in the order of their numbers. */
  readonly parts: readonly string[];
}

/** Characters of functions in a part, which is read in some milliseconds, and in one that is not made smaller for what is used together. */
const PART = 100_000;
const SMALL_PART = 15_000;
/** Characters of a function that is not worth a stub. */
const SMALL = 100;
/** The longest line of a list of names. */
const LINE = 150;

/**
 * Functions of group 0, values that these mention and what is assigned later stay in the main file. The others are in parts, those of a group
 * together, and so are values that one part alone mentions: whatever such a value is computed by has run when the library was loaded whole, so it is early.
 * In the main file, and for other parts, a stub stands for a function of a part.
 *
 * @param bundle - the statements
 * @param groupOf - the number of the first group of calls that a function has run in, of which 0 is the start of most programs
 * @param foreign - names that other files of the library assign
 * @param file - the name of the bundle, without its extension
 */
export function divided(
  bundle: Bundle,
  groupOf: (statement: Declared) => number,
  foreign: ReadonlySet<string>,
  file: string,
): Divided {
  const late = placed(bundle, groupOf, new Set([...bundle.assigned, ...foreign]));
  const parts: Declared[][] = Array.from({ length: Math.max(-1, ...late.values()) + 1 }, () => []);
  for (const one of bundle.statements) parts[late.get(one.name) ?? -1]?.push(one);
  const [elsewhere, inMain] = [new Set(bundle.exported), new Set(bundle.exported)];
  for (const { name, mentions, values } of bundle.statements) {
    for (const other of mentions) {
      if (late.get(other) === late.get(name)) continue;
      elsewhere.add(other);
      if (!late.has(name) || values.has(other)) inMain.add(other);
    }
  }
  const lateOf = new Map(bundle.statements.filter(({ name }) => late.has(name)).map((one) => [one.name, one]));
  const isStubbed = ({ name }: Declared): boolean => late.has(name) && inMain.has(name);
  const stubsFor = (names: readonly string[]): { readonly text: string; readonly part: number }[] =>
    names
      .filter((name) => late.has(name) && !inMain.has(name))
      .map((name) => ({ text: stubOf(lateOf.get(name)!, late.get(name)!), part: late.get(name)! }));
  const isOffered = ({ name }: Declared): boolean => elsewhere.has(name);
  const taken = new Set<string>();
  const texts = parts.map((members) => partText(members, { isStubbed, isOffered, stubsFor }, taken));
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
  groupOf: (statement: Declared) => number,
  assigned: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const users = new Map<string, Declared[]>();
  for (const one of statements) {
    for (const other of one.mentions) if (other !== one.name) users.set(other, [...(users.get(other) ?? []), one]);
  }
  const isPlaced = (one: Declared): boolean => {
    const stays = one.fn ? groupOf(one) === 0 : one.name === "" || exported.has(one.name);
    return !stays && !assigned.has(one.name) && ![...one.mentions].some((other) => assigned.has(other));
  };
  const late = new Map<string, number>();
  let [part, size, group] = [0, 0, 0];
  const inGroups = statements.map((one) => ({ one, of: groupOf(one) })).sort((a, b) => a.of - b.of);
  for (const { one, of } of inGroups.filter((each) => isPlaced(each.one))) {
    if (size >= PART || (size >= SMALL_PART && of !== group)) [part, size] = [part + 1, 0];
    group = of;
    late.set(one.name, part);
    if (one.fn) size += one.text.length;
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

/** How the functions of parts are reached. */
interface Reach {
  /** Whether a function has a stub in the main file: one that is there, or that is more than called elsewhere. */
  readonly isStubbed: (one: Declared) => boolean;
  /** Whether others than the part itself mention a function. */
  readonly isOffered: (one: Declared) => boolean;
  /** Stubs of those of some functions that have none in the main file, and the numbers of their parts. */
  readonly stubsFor: (names: readonly string[]) => readonly { readonly text: string; readonly part: number }[];
}

/**
 * A part: a function of what it takes from elsewhere, the names of which join `taken`. A function with a stub that is more than called within
 * the part is that stub there, too, so that it is one value wherever it is compared.
 */
function partText(members: readonly Declared[], reach: Reach, taken: Set<string>): string {
  const own = new Set(members.map(({ name }) => name));
  const values = new Set(members.flatMap((one) => [...one.values]));
  const isRenamed = (one: Declared): boolean => reach.isStubbed(one) && values.has(one.name);
  const mentioned = [...new Set(members.flatMap(({ mentions }) => [...mentions]).filter((name) => !own.has(name)))];
  const stubs = reach.stubsFor(mentioned);
  const given = mentioned.filter((name) => reach.stubsFor([name]).length === 0);
  const outer = [...new Set([...given, ...stubs.map(({ part }) => `part${part}`)])];
  for (const { name } of members.filter(isRenamed)) outer.push(name);
  for (const name of outer) taken.add(name);
  const texts = members.map((one) =>
    isRenamed(one) ? `${one.text.slice(0, one.nameEnd)}$${one.text.slice(one.nameEnd)}` : one.text,
  );
  const all = [...texts, ...stubs.map(({ text }) => text)].join("\n");
  const offered = members
    .filter((one) => one.fn && reach.isOffered(one))
    .map((one) => (isRenamed(one) ? `${one.name}:${one.name}$` : one.name));
  return `"use strict";module.exports=(function(${inLines(outer)}){\n${all}\nreturn ${inLines(offered)}})\n`;
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
