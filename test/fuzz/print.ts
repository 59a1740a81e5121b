/** Programs as the code of a doctest: what a user would write to see the fault. */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { elementsOf, isList, isNode, sizeOf, type Body, type Call, type Expr, type Input, type Pattern, type Program, type Scalar, type Step } from "./program"; // prettier-ignore

/** Elements that are written out one by one. */
const WRITTEN = 24;

const name = (id: number): string => `v${id}`;

function scalarText(value: Scalar): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Nx.Complex) return `new Nx.Complex(${scalarText(value.re)}, ${scalarText(value.im)})`;
  return Object.is(value, -0) ? "-0" : String(value);
}

const patternText = (pattern: Pattern): string =>
  typeof pattern === "number" ? name(pattern) : `[${pattern.map(name).join(", ")}]`;

function bodyText({ params, steps, result }: Body, indent: string): string {
  const head = `(${params.map(patternText).join(", ")}) =>`;
  if (steps.length === 0) return `${head} ${exprText(result, indent)}`;
  const inner = `${indent}  `;
  return `${head} {\n${stepsText(steps, inner)}${inner}return ${exprText(result, inner)};\n${indent}}`;
}

function callText({ fn, args }: Call, indent: string): string {
  const texts = args.map((arg) => exprText(arg, indent));
  if (typeof fn !== "string") return `${exprText(fn, indent)}(${texts.join(", ")})`;
  if (!fn.startsWith(".")) return `${fn}(${texts.join(", ")})`;
  return `${texts[0]!}${fn}(${texts.slice(1).join(", ")})`;
}

const key = (text: string): string => (/^[a-z]\w*$/i.test(text) ? text : JSON.stringify(text));

/** An expression as code. */
export function exprText(expr: Expr, indent = ""): string {
  if (isNode(expr)) {
    switch (expr.$) {
      case "ref":
        return name(expr.id);
      case "call":
        return callText(expr, indent);
      case "item":
        return `${exprText(expr.of, indent)}[${expr.index}]`;
      case "body":
        return bodyText(expr, indent);
      default:
        return expr satisfies never;
    }
  }
  if (isList(expr)) return `[${expr.map((part) => exprText(part, indent)).join(", ")}]`;
  if (expr === null || expr === undefined || typeof expr === "boolean") return String(expr);
  if (typeof expr === "string") return JSON.stringify(expr);
  if (typeof expr !== "object" || expr instanceof Nx.Complex) return scalarText(expr);
  const parts = Object.entries(expr).map(([k, part]) => `${key(k)}: ${exprText(part, indent)}`);
  return parts.length > 0 ? `{ ${parts.join(", ")} }` : "{}";
}

const stepsText = (steps: readonly Step[], indent: string): string =>
  steps.map(({ id, value }) => `${indent}const ${name(id)} = ${exprText(value, indent)};\n`).join("");

function nested(elements: readonly Scalar[], shape: readonly number[]): string {
  if (shape.length === 0) return scalarText(elements[0]!);
  const [first, ...rest] = shape;
  const size = sizeOf(rest);
  const rows = Array.from({ length: first! }, (_, i) => nested(elements.slice(i * size, (i + 1) * size), rest));
  return `[${rows.join(", ")}]`;
}

/** An input as an expression that gives its tensor. */
export function inputText(input: Input): string {
  const { type, shape, names, pool, mix } = input;
  const isNamed = names.some((axis) => axis !== null);
  const named = isNamed ? `, { names: ${JSON.stringify(names)} }` : "";
  if (sizeOf(shape) <= WRITTEN) {
    const options = isNamed ? `{ type: "${type}", names: ${JSON.stringify(names)} }` : `{ type: "${type}" }`;
    return `Nx.tensor(${nested(elementsOf(input), shape)}, ${options})`;
  }
  const list = `[${pool.map(scalarText).join(", ")}]`;
  if (pool.length === 1) return `Nx.reshape(Nx.fill([${sizeOf(shape)}], ${scalarText(pool[0]!)}, { type: "${type}" }), ${JSON.stringify(shape)}${named})`; // prettier-ignore
  const place = `(i * ${mix[0]} + (i >> 4) * ${mix[1]}) % ${pool.length}`;
  const flat = `Nx.tensor(Array.from({ length: ${sizeOf(shape)} }, (_, i) => ${list}[${place}]!), { type: "${type}" })`;
  return `Nx.reshape(${flat}, ${JSON.stringify(shape)}${named})`;
}

const comment = (text: string): string =>
  text
    .split("\n")
    .map((line, i) => (i === 0 ? `// => ${line}` : `// ${line}`))
    .join("\n");

export interface Finding {
  readonly program: Program;
  /** What to write around the program's function, and the inputs, to run it as it was run. */
  readonly text: (program: string, args: readonly string[]) => string;
  /** What the binary backend gives for the first result. */
  readonly expected: Tensor;
  /** The element that differs. */
  readonly index?: number | undefined;
}

/** The program as an example with the right result in its comment: a test of documents fails on it until the fault is gone. */
export function doctestOf({ program, text, expected, index }: Finding): string {
  const { inputs, steps, outputs } = program;
  const params = inputs.map(({ id }) => `${name(id)}: Nx.Tensor`).join(", ");
  const results = outputs.map(name).join(", ");
  const fn = `const program = (${params}): Nx.Tensor[] => {\n${stepsText(steps, "  ")}  return [${results}];\n};\n`;
  const run = text("program", inputs.map(inputText));
  const isShort = sizeOf(expected.shape) <= WRITTEN || index === undefined;
  const last = isShort
    ? `${run}[0]!;\n${comment(String(expected))}`
    : `${run}[0]!.flatten().at(${index});\n${comment(String(expected.flatten().at(index)))}`;
  return `${fn}\n${last}\n`;
}
