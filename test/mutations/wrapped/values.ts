/** Defects in what is computed: of values, types, counts. */
import type { Backend, Primitive, ReduceOp } from "nx-numerics";
import type { Mutant } from "../mutant";
import { ELEMENTWISE, f32, f64, lastWrong, replaced, sizeOf, spoil, u16, type Base, type Call } from "./spoil";

type Change = (bytes: Uint8Array, call: Call) => void;
type When = (call: Call) => boolean;

/** A mutant of whose results those of some calls are changed. */
const wrong = (
  of: Mutant["of"],
  name: string,
  aim: RegExp,
  names: readonly Primitive[],
  when: When,
  change: Change = lastWrong,
): Mutant => ({ name, aim, of, members: (base) => spoil(base, names, when, change) });

const op =
  (name: string, and: When = () => true): When =>
  (call) =>
    call.attrs["op"] === name && and(call);
const typed = (type: string) => (call: Call) => call.out.type === type;
const attrsOf =
  (names: readonly Primitive[], attrs: (given: Call["attrs"]) => object) =>
  (base: Base): Partial<Backend> =>
    replaced(base, names, (call, run) => run({ ...call, attrs: { ...call.attrs, ...attrs(call.attrs) } }));

/** Every f32 of the result through a function. */
const each =
  (change: (value: number, i: number) => number): Change =>
  (bytes) => {
    f32(bytes).forEach((value, i, list) => (list[i] = change(value, i)));
  };

const mutant = (of: Mutant["of"], name: string, aim: RegExp, members: Mutant["members"]): Mutant => ({
  name,
  aim,
  of,
  members,
});

/** Wrong from a count of elements on, or at some counts only. */
const COUNTED: readonly Mutant[] = [
  wrong("wasm", "wrong above 200 elements", /sizes: .* of 255$/, ELEMENTWISE, ({ out }) => sizeOf(out) > 200),
  wrong(
    "wasm",
    "wrong at 16,385 elements",
    /sizes: add f32 of 16385$/,
    ["binary"],
    ({ out }) => sizeOf(out) === 16_385,
  ),
  wrong(
    "wasm",
    "wrong above 200,000 elements",
    /sizes: add f32 of 262149$/,
    ["binary"],
    ({ out }) => sizeOf(out) > 200_000,
  ),
  wrong("binary", "wrong above 1,024 elements", /sizes: .* of 1025$/, ["binary"], ({ out }) => sizeOf(out) > 1024),
  wrong(
    "wasm",
    "wrong at odd lengths from 500 on",
    /sizes: .* of 511$/,
    ["unary"],
    ({ out }) => sizeOf(out) % 2 === 1 && sizeOf(out) > 500,
  ),
  wrong(
    "wasm",
    "the last vector of four is not computed",
    /sizes: add f32 of 513$/,
    ["binary"],
    (call) => typed("f32")(call) && sizeOf(call.out) % 4 > 0 && sizeOf(call.out) > 500,
    (bytes) => bytes.fill(0, bytes.length - 4 * ((bytes.length / 4) % 4)),
  ),
  wrong(
    "binary",
    "the last vector of four is not computed",
    /sizes: add f32 of 13$/,
    ["binary"],
    (call) => typed("f32")(call) && sizeOf(call.out) % 4 > 0,
    (bytes) => bytes.fill(0, bytes.length - 4 * ((bytes.length / 4) % 4)),
  ),
  mutant("wasm", "now and then the last block is not done when the call returns", /sizes: .*six times/, (base) => {
    let calls = 0;
    return spoil(
      base,
      ["binary"],
      ({ out }) => sizeOf(out) > 90_000 && ++calls % 7 === 6,
      (bytes) => bytes.fill(0, bytes.length - 65_536),
    );
  }),
  wrong(
    "binary",
    "one type is wrong: s64",
    /sizes: multiply s64 of 5$/,
    ["binary"],
    (call) => typed("s64")(call) && sizeOf(call.out) > 3,
  ),
  wrong("wasm", "one type is wrong: bf16", /as binary: .*bf16/, ELEMENTWISE, typed("bf16")),
  wrong(
    "wasm",
    "one op of one type is wrong in many elements",
    /as binary: cbrt f16/,
    ["unary"],
    op("cbrt", (call) => typed("f16")(call) && sizeOf(call.out) > 1000),
  ),
  wrong(
    "wasm",
    "tensors of one column are wrong",
    /folds: .* of 1 /,
    ["reduceOp"],
    ({ inputs: [x] }) => x!.shape.length === 2 && x!.shape[1] === 1 && sizeOf(x!) > 100,
  ),
];

/** Wrong for some values. */
const VALUED: readonly Mutant[] = [
  wrong("binary", "max loses NaN", /known: max$/, ["binary"], op("max", typed("f32")), each((x) => (Number.isNaN(x) ? 0 : x))),
  wrong("binary", "-0 becomes 0", /sizes: add f32 of|known/, ["binary", "unary"], typed("f32"), each((x) => x + 0)),
  wrong("wasm", "subnormal numbers become zeros", /as binary: multiply f32/, ["binary", "unary"], typed("f32"), each((x) => (Math.abs(x) < 2 ** -126 ? x * 0 : x))),
  wrong("wasm", "NaN of f64 becomes infinity", /as binary: .* f64/, ["unary"], typed("f64"), (bytes) => void f64(bytes).forEach((x, i, list) => Number.isNaN(x) && (list[i] = Infinity))),
  wrong("binary", "ties round away from zero", /known: roundEven/, ["unary"], op("roundEven"), (bytes, { inputs: [x], out }) => {
    if (out.type !== "f32") return;
    const given = (x!.data as { elements: Float32Array }).elements;
    given.forEach((value, i) => Math.abs(value % 1) === 0.5 && (f32(bytes)[i] = Math.sign(value) * Math.ceil(Math.abs(value))));
  }),
  wrong("binary", "halves are cut off, not rounded", /programs: compiled: halves|folds|products/, ["binary", "reduceOp", "dot"], typed("f16"), (bytes) => void u16(bytes).forEach((x, i, list) => (list[i] = x & 0xfffe))),
  wrong("wasm", "logAddExp is an ulp off", /as binary: logAddExp f32/, ["binary"], op("logAddExp", typed("f32")), (bytes) => void (bytes[0]! ^= 1)),
  mutant("binary", "casts wrap where they saturate", /known: float to integer/, attrsOf(["asType"], () => ({ overflow: "wrap" }))),
  mutant("wasm", "max and min are exchanged for u64", /as binary: max u64/, (base) =>
    replaced(base, ["binary"], (call, run) => {
      const { op: name } = call.attrs;
      const other = name === "max" ? "min" : name;
      return run({ ...call, attrs: { ...call.attrs, op: typed("u64")(call) ? other : name } });
    }),
  ),
  mutant("binary", "extremes of ties are the first ones", /folds: argmin of the last|known: argmax/, attrsOf(["argReduce"], () => ({ tieBreak: "low" }))),
  mutant("binary", "running reductions go forwards always", /cumulative/, attrsOf(["cumulative"], () => ({ reverse: false }))),
  mutant("binary", "sorts go upwards always", /argsort downwards/, attrsOf(["sort", "argsort"], () => ({ direction: "asc" }))),
  wrong("binary", "sums of rows of 127 are wrong", /folds: sum of .*127/, ["reduceOp"], op("sum", ({ inputs: [x], out }) => sizeOf(x!) === 127 * sizeOf(out))),
  wrong("wasm", "sums of columns of 4,097 lose the last row", /folds: sum of .* columns of 4097/, ["reduceOp"], op("sum", ({ inputs: [x], out }) => sizeOf(x!) === 4097 * sizeOf(out))),
  wrong("binary", "any of many is that of the first", /folds: any/, ["reduceOp"], op("any" satisfies ReduceOp, ({ inputs: [x], out }) => sizeOf(x!) > 500 * sizeOf(out)), (bytes) => bytes.fill(0)),
  wrong("wasm", "equal elements of a sort change places", /folds: argsort/, ["argsort"], ({ out }) => sizeOf(out) > 1000, (bytes) => {
    const list = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    [list[0], list[2]] = [list[2]!, list[0]!];
  }),
  wrong("binary", "inverse transforms are not scaled", /products: ifft/, ["fft"], (call) => call.attrs["inverse"] === true && typed("c64")(call), each((x) => 2 * x)),
  wrong("wasm", "transforms of 1,000 are a part in a thousand off", /products: fft of 1000/, ["fft"], ({ out }) => out.shape.at(-1) === 1000 && out.type === "c64", each((x) => x * 1.001)),
  wrong("binary", "running sums wrap late", /known: cumulative/, ["cumulative"], typed("u8"), (bytes) => void bytes.forEach((x, i) => (bytes[i] = x === 224 ? 255 : x))),
  wrong("binary", "elements that windows give back are wrong", /known: window/, ["windowScatter", "windowReduce"], () => true),
  wrong("binary", "select takes 1 alone for true", /sizes: select/, ["select"], ({ inputs: [p, , y], out }) => p!.type === "u8" && sizeOf(p!) === sizeOf(out) && sizeOf(y!) === sizeOf(out) && out.type === "f64", (bytes, { inputs: [p, , y] }) => {
    const [test, other] = [p!, y!].map((t) => (t.data as { elements: Float64Array }).elements);
    f64(bytes).forEach((_, i, list) => test![i] !== 1 && (list[i] = other![i]!));
  }),
  wrong("binary", "bytes of a cast between widths are exchanged", /movement: bitcast/, ["bitcast"], ({ out }) => sizeOf(out) > 4000),
]; // prettier-ignore

export const VALUES: readonly Mutant[] = [...COUNTED, ...VALUED];
