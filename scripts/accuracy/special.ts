/**
 * Measures the functions of lib/special against mpmath (functions.py) and writes special.json and docs/accuracy.md.
 *
 *     npx tsx scripts/accuracy/special.ts [COUNT]        (PYTHON names an interpreter that has mpmath)
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Nx from "../../lib";
import { FUNCTIONS, recordSpecial, SPECIAL_FILE, type SpecialRow, type SpecialRows } from "./table";

interface Points {
  readonly args: readonly (readonly number[])[];
  /** Exact values in decimal digits, more than doubles have. */
  readonly exact: readonly string[];
  /** What an error is small beside. */
  readonly scale: readonly number[];
}

type Fn = (...operands: Nx.Tensor[]) => Nx.Tensor;

const callOf = (name: string): Fn => {
  if (name === "trigamma") return (x) => Nx.polygamma(1, x!);
  return (Nx as unknown as Readonly<Record<string, Fn>>)[name]!;
};

/** A decimal number as an integer times a power of 10. */
function decimal(text: string): [digits: bigint, power: number] {
  const [mantissa, exponent = "0"] = text.split("e");
  const [whole, fraction = ""] = mantissa!.split(".");
  return [BigInt(whole! + fraction), Number(exponent) - fraction.length];
}

/** How far a double is from a decimal number, in f64. */
function distance(x: number, text: string): number {
  const [digits, power] = decimal(text);
  const [own, ownPower] = decimal(exactText(x));
  const least = Math.min(power, ownPower);
  const difference = own * 10n ** BigInt(ownPower - least) - digits * 10n ** BigInt(power - least);
  return Math.abs(Number(`${difference}e${least}`));
}

/** All digits of a double: an integer over a power of 2, which is one over a power of 10, too. */
function exactText(x: number): string {
  let [value, halves] = [x, 0];
  while (!Number.isInteger(value)) {
    value *= 2;
    halves += 1;
  }
  return `${BigInt(value) * 5n ** BigInt(halves)}e-${halves}`;
}

const ulp = (scale: number, digits: number, least: number): number =>
  Math.max(2 ** (Math.floor(Math.log2(Math.abs(scale))) - digits), least);

/** The worst of the points, in units in the last place of what errors are small beside; of the value itself in f32. */
function measured(name: string, type: "f32" | "f64", { args, exact, scale }: Points): SpecialRow {
  const operands = args[0]!.map((_, i) => Nx.tensor(args.map((point) => point[i]!), { type })); // prettier-ignore
  const got = callOf(name)(...operands).toFlatList() as number[];
  const errors = got.map((x, i) => {
    const unit = type === "f64" ? ulp(scale[i]!, 52, 2 ** -1074) : ulp(Number(exact[i]), 23, 2 ** -149);
    return distance(x, exact[i]!) / unit;
  });
  const at = errors.reduce((worst, error, i) => (error > errors[worst]! ? i : worst), 0);
  return { worst: Number(errors[at]!.toFixed(3)), at: args[at]!, count: args.length };
}

const count = process.argv[2] ?? "1500";
const script = fileURLToPath(new URL("functions.py", import.meta.url));
const pointsOf = (type: string): Readonly<Record<string, Points>> =>
  JSON.parse(
    execFileSync(process.env["PYTHON"] ?? "python3", [script, count, type], { encoding: "utf8", maxBuffer: 2 ** 30 }),
  ) as Readonly<Record<string, Points>>;
const [single, double] = [pointsOf("f32"), pointsOf("f64")];
const rows: SpecialRows = Object.fromEntries(
  FUNCTIONS.map((name) => [
    name,
    { f32: measured(name, "f32", single[name]!), f64: measured(name, "f64", double[name]!) },
  ]),
);
writeFileSync(SPECIAL_FILE, `${JSON.stringify(rows, null, 2)}\n`);
recordSpecial();
