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

/** What requires files; an import of `node:module` would load it with the library, at a thirtieth of the time. */
export const CREATE_REQUIRE = 'process.getBuiltinModule("node:module").createRequire(import.meta.url)';

/** The group of functions that run when the library is loaded whole, for values that are made later where it is in parts. */
export const OF_VALUES = -1;

/** The function that gives what a part has. Names of the library, such as `part2` of a second function `part`, have no dollar in front. */
const reading = (part: number): string => `$part${part}`;

/** The groups of calls that functions are together by. */
interface Groups {
  /** The number of the first group that a function has run in, of which 0 is the start of most programs; or `OF_VALUES`. */
  groupOf(statement: Declared): number;
  /** The last group of those that are small programs. */
  readonly programs: number;
}

/**
 * Functions of group 0, values that these mention and what is assigned later stay in the main file. The others are in parts, those of a group
 * together, and so is what one part alone mentions of values, and of functions that these are made by; what several parts mention, and nothing in the main
 * file, is in two further parts, which parts read before they begin: in the first what small programs need, in the second what others do.
 * Whatever makes a value has run when the library was loaded whole, so it is in the main file, or its users are those of the value: no part needs
 * another one, while it is read, that needs it.
 * In the main file, and for other parts, a stub stands for a function of a part.
 *
 * @param bundle - the statements
 * @param groups - the groups of calls
 * @param foreign - names that other files of the library assign
 * @param file - the name of the bundle, without its extension
 */
export function divided(bundle: Bundle, groups: Groups, foreign: ReadonlySet<string>, file: string): Divided {
  const clash = bundle.statements.find(({ name }) => /^\$(part|loaded|require)/.test(name));
  if (clash) throw new Error(`${clash.name} is a name of the parts, and of something in ${file}`);
  const late = placed(bundle, groups, new Set([...bundle.assigned, ...foreign]));
  const lateOf = new Map(bundle.statements.filter(({ name }) => late.has(name)).map((one) => [one.name, one]));
  const parts: Declared[][] = Array.from({ length: Math.max(-1, ...late.values()) + 1 }, () => []);
  for (const one of bundle.statements) parts[late.get(one.name) ?? -1]?.push(one);
  const [elsewhere, inMain] = [new Set(bundle.exported), new Set(bundle.exported)];
  for (const { name, mentions, values } of bundle.statements) {
    for (const other of mentions) {
      if (late.get(other) === late.get(name)) continue;
      elsewhere.add(other);
      if (lateOf.has(other) && isBound(lateOf.get(other)!)) continue;
      if (!late.has(name) || values.has(other)) inMain.add(other);
    }
  }
  const isStubbed = ({ name }: Declared): boolean => late.has(name) && inMain.has(name);
  const elsewhereIn = (names: readonly string[]): Elsewhere[] =>
    names
      .filter((name) => late.has(name) && !inMain.has(name))
      .map((name) => ({ one: lateOf.get(name)!, part: late.get(name)! }));
  const isOffered = ({ name }: Declared): boolean => elsewhere.has(name);
  const made = parts.map((members) => partOf(members, { isStubbed, isOffered, elsewhereIn }));
  const main = [
    bundle.imports,
    ...bundle.statements.filter(({ name }) => !late.has(name)).map(({ text }) => text),
    ...bundle.statements.filter(isStubbed).map((one) => stubOf(one, late.get(one.name)!)),
    "var $require;",
    `function $requiredPart(number){return($require??=${CREATE_REQUIRE})("./${file}."+number+".cjs")}`,
    ...made.map(
      ({ taken }, n) =>
        `var $loaded${n};function ${reading(n)}(){return $loaded${n}??=$requiredPart(${n})(${inLines(taken)})}`,
    ),
    bundle.exports,
  ];
  return { main: `${main.join("\n")}\n`, parts: made.map(({ text }) => text) };
}

/** The number of the part that each late statement goes to: functions by their groups, values and what makes them by what mentions them. */
function placed(
  { statements, exported }: Bundle,
  { groupOf, programs }: Groups,
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
  let [part, size, group, ofPrograms] = [0, 0, 0, 0];
  const candidates = statements.filter(isPlaced);
  const isByUsers = (one: Declared): boolean => isBound(one) || groupOf(one) === OF_VALUES;
  const inGroups = candidates.filter((one) => !isByUsers(one)).map((one) => ({ one, of: groupOf(one) }));
  for (const { one, of } of inGroups.sort((a, b) => a.of - b.of)) {
    if (size >= PART || (size >= SMALL_PART && of !== group)) [part, size] = [part + 1, 0];
    group = of;
    late.set(one.name, part);
    size += one.text.length;
    if (of <= programs) ofPrograms = part;
  }
  const byUsers = candidates.filter(isByUsers);
  const [shared, sharedLate] = [part + 1, part + 2];
  const isLate = (place: number | undefined): boolean => place !== shared && place! > ofPrograms;
  for (const { name } of byUsers) late.set(name, UNKNOWN);
  const placeOf = ({ name }: Declared): number | undefined => {
    const places = new Set((users.get(name) ?? []).map((user) => late.get(user.name)));
    if (places.size === 0 || places.has(undefined) || exported.has(name)) return undefined;
    places.delete(UNKNOWN);
    const [place = UNKNOWN, ...more] = places;
    return more.length === 0 ? place : [...places].every(isLate) ? sharedLate : shared;
  };
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const one of byUsers) {
      const [before, place] = [late.get(one.name), placeOf(one)];
      if (before === undefined || place === before) continue;
      isSettled = false;
      if (place === undefined) late.delete(one.name);
      else late.set(one.name, place);
    }
  }
  for (const [name, place] of late) if (place === UNKNOWN) late.set(name, shared);
  return late;
}

/** The place of what nothing that has a place mentions. */
const UNKNOWN = Infinity;

/** Whether something is found as it is, by no stub: a value, or a function that is hardly longer than its stub. */
const isBound = ({ fn, text }: Declared): boolean => !fn || text.length < SMALL;

/** Something of another part. */
interface Elsewhere {
  readonly one: Declared;
  readonly part: number;
}

/** How the functions of parts are reached. */
interface Reach {
  /** Whether a function has a stub in the main file: one that is there, or that is more than called elsewhere. */
  readonly isStubbed: (one: Declared) => boolean;
  /** Whether others than the part itself mention a function. */
  readonly isOffered: (one: Declared) => boolean;
  /** Those of some names that stand for something in a part and for nothing in the main file. */
  readonly elsewhereIn: (names: readonly string[]) => readonly Elsewhere[];
}

/**
 * The text of a part, a function of what it takes from elsewhere, and the names of that. A function with a stub that is more than called within
 * the part is that stub there, too, so that it is one value wherever it is compared.
 */
function partOf(
  members: readonly Declared[],
  reach: Reach,
): { readonly text: string; readonly taken: readonly string[] } {
  const own = new Set(members.map(({ name }) => name));
  const values = new Set(members.flatMap((one) => [...one.values]));
  const isRenamed = (one: Declared): boolean => reach.isStubbed(one) && values.has(one.name);
  const mentioned = [...new Set(members.flatMap(({ mentions }) => [...mentions]).filter((name) => !own.has(name)))];
  const others = reach.elsewhereIn(mentioned);
  const given = mentioned.filter((name) => reach.elsewhereIn([name]).length === 0);
  const stubs = others.filter(({ one }) => !isBound(one)).map(({ one, part }) => stubOf(one, part));
  const bound = others.filter(({ one }) => isBound(one));
  const heads = [...new Set(bound.map(({ part }) => part))].map((from) => {
    const names = bound.filter(({ part }) => part === from).map(({ one }) => one.name);
    return `const {${inLines(names)}}=${reading(from)}();`;
  });
  const taken = [...new Set([...given, ...others.map(({ part }) => reading(part))])];
  for (const { name } of members.filter(isRenamed)) taken.push(name);
  const texts = members.map((one) =>
    isRenamed(one) ? `${one.text.slice(0, one.nameEnd)}$${one.text.slice(one.nameEnd)}` : one.text,
  );
  const all = [...heads, ...texts, ...stubs].join("\n");
  const offered = members
    .filter(reach.isOffered)
    .map((one) => (isRenamed(one) ? `${one.name}:${one.name}$` : one.name));
  const text = `"use strict";module.exports=(function(${inLines(taken)}){\n${all}\nreturn {${inLines(offered)}}})\n`;
  return { text, taken };
}

/** Names between commas, in lines that are not long, since hosts print the line that an error comes from. */
function inLines(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    if (lines.at(-1)!.length + name.length > LINE) lines.push("");
    lines.push(`${lines.pop()!}${name},`);
  }
  return lines.join("\n");
}

/** A function of the same name and length that calls the one in the part. */
function stubOf({ name, fn }: Declared, part: number): string {
  const { parameters } = fn!;
  const isPlain = (one: ts.ParameterDeclaration): boolean => !one.initializer && !one.dotDotDotToken;
  const firstOther = parameters.findIndex((one) => !isPlain(one));
  const names = Array.from({ length: firstOther < 0 ? parameters.length : firstOther }, (_, i) => `a${i}`);
  if (firstOther >= 0) names.push("...more");
  return `function ${name}(${names.join(",")}){return ${reading(part)}().${name}(${names.join(",")})}`;
}
