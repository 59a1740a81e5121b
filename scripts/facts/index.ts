/**
 * What the reference says of every function beside its text: which names come out, which types, its gradient, accuracy and cost. All
 * of it is derived: names of the table of names, the rest of a call of the table of calls. `npx tsx scripts/facts/index.ts FILE` writes it as JSON.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { UNTRACED } from "../../doctests/through-defn";
import { CALLED, type Called } from "../../test/calls/table";
import { namesText, sources } from "../../test/names/page";
import { RULES } from "../../test/names/row";
import { TABLE } from "../../test/names/table";
import { accuracyOf } from "./accuracy";
import { callOf, gradientOf, tracedOf, typesOf, withNumbers, type Call } from "./derive";

export interface Facts {
  readonly names: string;
  readonly types: string;
  readonly gradient: string;
  readonly accuracy: string;
  readonly cost: string;
}

/** Why functions of a namespace, or one of them, are not traced. */
const NOT_TRACED: Readonly<Record<string, string>> = {
  Batch: "joins requests of a server outside of compiled functions",
  Constants: "is a constant of a compiled function",
  Defn: "takes functions and traces them itself",
  Quantized: "finds a format of data outside of compiled functions",
  Serving: "answers requests outside of compiled functions",
  Type: "answers about types alone",
  registerBackend: "is about the program, not about tensors",
  configureFromFile: "is about the program, not about tensors",
  withPromotion: "is about the program, not about tensors",
};

const bare = (name: string): string => name.replace(/^Nx\./, "");

function reasonOf(name: string): string {
  const reason = UNTRACED[name] ?? NOT_TRACED[name] ?? NOT_TRACED[name.split(".")[0]!];
  if (reason === undefined) throw new Error(`scripts/facts/index.ts: why is ${name} not traced?`);
  return reason;
}

function namesFact(name: string, calls: ReadonlyMap<string, string>): string {
  const row = TABLE[name];
  if (row === undefined) return "gives no tensor";
  const [title, text] = RULES[row.rule];
  const call = row.text ?? calls.get(name);
  const example = call === undefined ? "" : ` \`${call.replaceAll("|", "\\|")}\` has ${namesText(row)}.`;
  return `${title.toLowerCase()}: ${text.charAt(0).toLowerCase()}${text.slice(1)}${example}`;
}

/** What functions compute that are not traced as they are; others only bring elements in or out. */
const UNTRACED_ACCURACY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["groupBy", "resample", "rolling"].map((name) => [name, "as the reduction that is called on it"]),
  ),
  ...Object.fromEntries(["randomNormal", "randomUniform"].map((name) => [name, "as `Random` has it"])),
  Defn: "as the function that is given",
  grad: "as the function that is given",
  valueAndGrad: "as the function that is given",
  defn: "as the function that is given",
  formula: "each step as the function that it stands for",
  Quantized: "as the format says",
};

function untracedFacts(called: Called, name: string): Omit<Facts, "names"> {
  const reason = reasonOf(name);
  const isGroup = reason.startsWith("gives an object whose methods compute");
  const isCalls = name === "formula";
  return {
    types: typesOf(callOf(called)) ?? "gives no tensor, or takes none",
    gradient: isGroup
      ? "yes, of what its methods compute"
      : isCalls
        ? "yes, that of the functions it stands for"
        : `none: it ${reason}`,
    accuracy: UNTRACED_ACCURACY[name] ?? UNTRACED_ACCURACY[name.split(".")[0]!] ?? "exact",
    cost: isGroup
      ? "that of the reduction that is called on it"
      : isCalls
        ? "that of the functions it stands for"
        : `at each call: it ${reason}`,
  };
}

/** Draws are differentiated by their parameters, which the table of calls has as numbers. */
function gradientFact(called: Called, call: Call, name: string): string {
  const fact = gradientOf(call);
  if (!name.startsWith("Random.") || fact === "yes") return fact;
  const byNumbers = gradientOf(callOf(withNumbers(called)));
  return byNumbers === "yes" || byNumbers.includes("has no gradient") ? byNumbers : fact;
}

/** What finds as many elements as there are is traced with the option that says how many. */
function sized(called: Called, name: string): Called | null {
  if (!Object.hasOwn(UNTRACED, name)) return called;
  return UNTRACED[name]!.startsWith("finds ")
    ? { ...called, options: { ...called.options, size: 2 }, isBound: true }
    : null;
}

function factsOf(asListed: Called, calls: ReadonlyMap<string, string>): Facts {
  const name = bare(asListed.name);
  const names = namesFact(name, calls);
  const called = sized(asListed, name);
  const traced = called && tracedOf(called);
  if (!called || !traced) return { names, ...untracedFacts(asListed, name) };
  return {
    names,
    types: typesOf(traced.call) ?? "said by arguments and options",
    gradient: gradientFact(called, traced.call, name),
    accuracy: accuracyOf(traced.ops),
    cost: traced.cost,
  };
}

/** The facts of every function of the main module and its namespaces, by the name after `Nx`. */
export function facts(): Readonly<Record<string, Facts>> {
  const calls = sources();
  const functions = CALLED.filter(({ isMethod }) => !isMethod);
  return Object.fromEntries(functions.map((called) => [bare(called.name), factsOf(called, calls)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(process.argv[2]!, JSON.stringify(facts()));
