/** How exact a function is, told from the operations that it is traced into. */
import { BINARY_OPS, UNARY_OPS } from "nx-numerics/backend";
import { rowsOf, type Rows } from "../accuracy/table";

/** What an operation does to the digits of its operands. */
type Digits = "moved" | "rounded" | "summed" | "multiplied" | "decomposed" | "transformed" | "given" | "special";

const each = <const K extends string>(names: readonly K[], digits: Digits): Readonly<Record<string, Digits>> =>
  Object.fromEntries(names.map((name) => [name, digits]));

const ROUNDED = ["add", "subtract", "multiply", "divide", "sqrt", "remainder"];

const [F32, F64]: readonly [Rows, Rows] = [rowsOf("f32"), rowsOf("f64")];

/** Every operation of the backends: an unknown one is an error. */
const DIGITS: Readonly<Record<string, Digits>> = {
  ...each([...Object.keys(UNARY_OPS), ...Object.keys(BINARY_OPS)], "moved"),
  ...each(ROUNDED, "rounded"),
  ...each(Object.keys(F32), "special"),
  ...each(
    ["transpose", "constant", "asType", "bitcast", "broadcast", "concatenate", "reverse", "slice", "take"],
    "moved",
  ),
  ...each(
    ["takeAlong", "gather", "put", "putSlice", "pad", "sort", "argsort", "select", "reshape", "iota", "eye"],
    "moved",
  ),
  ...each(["all", "any", "argmax", "argmin", "reduceMax", "reduceMin", "windowMax", "windowMin"], "moved"),
  ...each(["cumulativeMax", "cumulativeMin", "element", "block", "cond", "while", "scan", "map"], "moved"),
  ...each(["sum", "cumulativeSum", "windowSum", "putAdd", "windowScatterMax", "windowScatterMin"], "summed"),
  ...each(["dot", "conv"], "multiplied"),
  ...each(["product", "cumulativeProduct", "windowProduct"], "summed"),
  ...each(
    ["lu", "qr", "svd", "eigh", "eig", "cholesky", "triangularSolve", "solve", "pivots", "expm", "sqrtm"],
    "decomposed",
  ),
  ...each(["fft", "ifft", "rfft", "irfft"], "transformed"),
  ...each(["reduce", "windowReduce", "runtimeCall", "hook", "customGrad"], "given"),
};

const ulp = (value: number | undefined): string => `${(value ?? 0).toFixed(3)} ulp`;

const measured = (op: string): string => {
  const [narrow, wide] = [F32, F64].map((rows) => (rows as Readonly<Record<string, { worst: number }>>)[op]?.worst);
  return `\`f32\` within ${ulp(narrow)} of the exact value at all arguments that were tried, \`f64\` within ${ulp(wide)}`;
};

/** How exact what these operations compute is, in words. */
export function accuracyOf(ops: ReadonlySet<string>): string {
  const unknown = [...ops].filter((op) => !Object.hasOwn(DIGITS, op));
  if (unknown.length > 0) throw new Error(`scripts/facts/accuracy.ts does not know ${unknown.join(", ")}`);
  const of = (digits: Digits): string[] => [...ops].filter((op) => DIGITS[op] === digits).toSorted();
  const special = of("special");
  const computing = [...ops].filter((op) => DIGITS[op] !== "moved");
  if (computing.length === 0) return "exact";
  if (computing.length === 1 && special.length === 1) return measured(special[0]!);
  const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  return [
    of("rounded").length > 0 ? (computing.length === 1 ? "correctly rounded" : "each step correctly rounded") : "",
    of("summed").length > 0 ? `${named(of("summed"))} accumulated in 64 bits, rounded once` : "",
    of("multiplied").length > 0
      ? `${named(of("multiplied"))} accumulated in the type of the result, of half floats in \`f32\``
      : "",
    special.length > 0 ? `${named(special)} within their own bounds` : "",
    of("decomposed").length > 0 ? `${named(of("decomposed"))} in double precision, rounded once` : "",
    of("transformed").length > 0 ? `${named(of("transformed"))} in double precision, rounded once` : "",
    of("given").length > 0 ? "as the function that is given" : "",
  ]
    .filter(Boolean)
    .join("; ");
}
