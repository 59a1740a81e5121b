/** Formulas: what they mean, where they are computed, and where their errors point. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { functionTable } from "../../lib/formula/functions";
import { BINARY, UNARY } from "../../lib/ops";
import { tries } from "../effort";

/** A formula from a text without operands, or with `${x}` where an `x` stands alone. */
function of(text: string, x: Nx.Operand): Nx.Tensor {
  const parts = text.split(/\bx\b/);
  const strings = Object.assign([...parts], { raw: parts });
  return (Nx.formula as (source: unknown, ...operands: Nx.Operand[]) => Nx.Tensor)(
    strings,
    ...parts.slice(1).map(() => x),
  );
}

const x = Nx.f64([-2, -0.5, 0, 0.75, 3], { names: ["x"] });

/** An expression with all parentheses, as a formula without them, and what JavaScript makes of it. */
interface Case {
  readonly text: string;
  readonly at: (x: number) => number;
  readonly power: number;
}

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.constant<Case>({ text: "x", at: (v) => v, power: 10 }),
  fc.constantFrom(0.5, 1, 2, 3).map((n): Case => ({ text: String(n), at: () => n, power: 10 })),
);
type Infix = readonly [sign: string, power: number, fn: (a: number, b: number) => number];

const SUMS: readonly Infix[] = [
  ["+", 6, (a, b) => a + b],
  ["-", 6, (a, b) => a - b],
  ["*", 7, (a, b) => a * b],
];
const COMPARISONS: readonly Infix[] = [
  ["==", 4, (a, b) => Number(a === b)],
  ["!=", 4, (a, b) => Number(a !== b)],
  ["<", 5, (a, b) => Number(a < b)],
  [">=", 5, (a, b) => Number(a >= b)],
];
const LOGIC: readonly Infix[] = [
  ["||", 2, (a, b) => Number(a !== 0 || b !== 0)],
  ["&&", 3, (a, b) => Number(a !== 0 && b !== 0)],
];

/** Parentheses only where the formula would mean something else without. */
const within = (part: Case, least: number): string => (part.power < least ? `(${part.text})` : part.text);

/** Comparisons do not go on, so both sides of one bind more strongly. */
const joined = ([sign, power, fn]: Infix, a: Case, b: Case): Case => ({
  text: `${within(a, power === 4 || power === 5 ? power + 1 : power)} ${sign} ${within(b, power + 1)}`,
  at: (v) => fn(a.at(v), b.at(v)),
  power,
});

const expression = fc.letrec<{ tree: Case; condition: Case }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(fc.constantFrom(...SUMS), tie("tree"), tie("tree")).map((parts) => joined(...parts)),
    tie("tree").map((a): Case => ({ text: `-${within(a, 8)}`, at: (v) => -a.at(v), power: 8 })),
    tie("tree").map((a): Case => ({ text: `abs(${a.text})`, at: (v) => Math.abs(a.at(v)), power: 10 })),
    fc.tuple(tie("condition"), tie("tree"), tie("tree")).map(([c, a, b]): Case => ({
      text: `${within(c, 2)} ? ${a.text} : ${b.text}`,
      at: (v) => (c.at(v) !== 0 ? a.at(v) : b.at(v)),
      power: 1,
    })),
  ),
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(fc.constantFrom(...COMPARISONS), tie("tree"), tie("tree")).map((parts) => joined(...parts)),
    fc.tuple(fc.constantFrom(...LOGIC), tie("condition"), tie("condition")).map((parts) => joined(...parts)),
    tie("condition").map((a): Case => ({ text: `!${within(a, 8)}`, at: (v) => Number(a.at(v) === 0), power: 8 })),
  ),
}));

describe("a formula", () => {
  it("means what JavaScript means, with as few parentheses", () => {
    fc.assert(
      fc.property(expression.tree, ({ text, at }) => {
        const values = (x.toFlatList() as number[]).map(at);
        const result = of(`(${text}) + 0 * x`, x).toFlatList() as number[];
        // zeros of either sign are equal here
        expect(result.map((v) => v + 0)).toEqual(values.map((v) => v + 0));
      }),
      { numRuns: tries(500) },
    );
  });

  it("binds powers to the right, and signs less than powers", () => {
    expect(of("2 ** 3 ** 0 + 0 * x", 1).toNumber()).toBe(2);
    expect(of("-x ** 2", 3).toNumber()).toBe(-9);
    expect(of("2 ** -x", 1.5).toNumber()).toBeCloseTo(2 ** -1.5, 6);
    expect(of("7 - 2 - 1 + 0 * x", 1).toNumber()).toBe(4);
    expect(of("-7 % 4 + 0 * x", 1).toNumber()).toBe(-3);
    expect(of("x ? 1 : x ? 2 : 3", 0).toNumber()).toBe(3);
    expect(of("!x == 1", 0).toNumber()).toBe(1);
    expect(of("1e-3 + .5 + 2. + 0 * x", Nx.f64(1)).toNumber()).toBe(1e-3 + 0.5 + 2);
  });

  it("knows every element-wise op by its name", () => {
    const { functions } = functionTable();
    for (const op of [...Object.keys(UNARY), ...Object.keys(BINARY)]) expect(functions[op], op).toBeTypeOf("function");
    for (const [name, fn] of Object.entries(functions)) expect(fn, name).toBeTypeOf("function");
    expect(of("max(x, 1) - clip(x, -1, 1)", x).equals(x.max(1).subtract(x.clip(-1, 1)))).toBe(true);
  });

  it("knows the special functions of little code by their names", () => {
    const x = Nx.f32([0.25, 0.5, 0.875]);
    const y = Nx.f32([0.5, 2, 3]);
    const one = ["digamma", "lgamma", "logit", "normalCdf", "normalQuantile", "sinc"];
    const two = ["lbeta", "xlogy"];
    const of = (name: string): ((...given: Nx.Tensor[]) => Nx.Tensor) => (Nx as never)[name];
    const call = (name: string, given: readonly string[]): TemplateStringsArray => {
      const strings = [`${name}(`, ...given.map((_, i) => (i === given.length - 1 ? ")" : ", "))];
      return Object.assign(strings, { raw: strings });
    };
    for (const name of one) expect(Nx.formula(call(name, ["x"]), x).equals(of(name)(x)), name).toBe(true);
    for (const name of two) expect(Nx.formula(call(name, ["x", "y"]), x, y).equals(of(name)(x, y)), name).toBe(true);
    expect(() => Nx.formula`besselJ0(${x})`).toThrow("besselJ0");
    expect(Nx.grad((t: Nx.Tensor) => Nx.formula`lgamma(${t}) ** 2`.sum())(x).equals(Nx.grad((t: Nx.Tensor) => Nx.lgamma(t).pow(2).sum())(x))).toBe(true); // prettier-ignore
  });

  it("computes written numbers in double precision, and leaves them weak", () => {
    const root = Math.sqrt(2 / Math.PI);
    expect(of("sqrt(2 / pi) * x", Nx.f64(1)).toNumber()).toBe(root);
    expect(of("x * (1 / 3)", Nx.f64(1)).toNumber()).toBe(1 / 3);
    expect(of("x * 3 / 3 + 0.1", Nx.bf16([1])).type).toBe("bf16");
    expect(of("x > 0 ? x : 0.5", Nx.bf16([1])).type).toBe("bf16");
    expect(of("x * 2", Nx.u8([1])).type).toBe("u8");
    expect(of("x ? x : -1", Nx.f32([NaN, 0, 2])).toFlatList()).toEqual([NaN, -1, 2]);
  });

  it("computes numbers that are put in among themselves in double precision, eagerly and in a trace", () => {
    const put = (t: Nx.Tensor, a: number, b: number) =>
      Nx.formula`2 * ${a} * ${t} + sqrt(${a} / ${b}) - (${a} + 0.2 > 0.3 ? ${a} : 1 / ${b}) * ${t}`;
    for (const backend of ["binary", "wasm"]) {
      for (const [a, b] of [
        [0.1, 3],
        [0.7, -0.3],
        [1 / 3, 7],
        [2, 4],
      ] as const) {
        const t = Nx.backendCopy(Nx.f64([1, -2, 1e-3]), backend);
        const mixed = a + 0.2 > 0.3 ? a : 1 / b;
        const expected = [1, -2, 1e-3].map((v) => 2 * a * v + Math.sqrt(a / b) - mixed * v);
        expect(put(t, a, b).toFlatList()).toEqual(expected);
        expect(Nx.defn(put)(t, a, b).toFlatList()).toEqual(expected);
      }
    }
    const slope = Nx.grad((p: { a: number }) => Nx.formula`sin(2 * ${p.a}) * ${Nx.f64([1, 2])}`.sum() as never);
    expect((slope({ a: 0.1 }) as unknown as { a: Nx.Tensor }).a.item()).toBeCloseTo(6 * Math.cos(0.2), 5);
  });

  it("gives types that the values of numbers do not decide", () => {
    const share = (a: number, b: number, t: Nx.Tensor) => Nx.formula`${a} / ${b} * ${t}`;
    expect(share(4, 2, Nx.s64([3])).type).toBe("f32");
    expect(share(5, 2, Nx.s64([3])).type).toBe("f32");
    expect(share(4, 2, Nx.bf16([3])).type).toBe("bf16");
    expect(Nx.defn(share)(4, 2, Nx.s64([3])).equals(share(4, 2, Nx.s64([3])))).toBe(true);
    expect(Nx.formula`${0.1} * ${3} > 0.3`.type).toBe("u8");
  });

  it("is the same in a trace, a gradient and vmap", () => {
    const gelu = (v: Nx.Tensor) => Nx.formula`0.5 * ${v} * (1 + tanh(sqrt(2 / pi) * (${v} + 0.044715 * ${v} ** 3)))`;
    const scaled = (v: Nx.Tensor, a: Nx.Tensor) => Nx.formula`2 * ${a} * ${v} + (${v} > 0 ? ${a} : 1)`;
    const t = Nx.f32([-2, 0, 0.5, 3]);
    expect(Nx.defn(gelu)(t).equals(gelu(t))).toBe(true);
    expect(Nx.defn(scaled)(t, 0.1 as never).equals(scaled(t, 0.1 as never))).toBe(true);
    const slope = Nx.grad((v: Nx.Tensor) => gelu(v).sum())(t.f64());
    const h = 1e-6;
    const measured = gelu(t.f64().add(h))
      .subtract(gelu(t.f64().subtract(h)))
      .divide(2 * h);
    expect(slope.allClose(measured, { rtol: 1e-8, atol: 1e-8 }).toNumber()).toBe(1);
    expect(Nx.Defn.vmap(gelu)(t).equals(gelu(t))).toBe(true);
  });

  it("of large tensors gives the bits of its functions, on every backend", () => {
    const numbers = Float32Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 1000) / 250 - 2);
    for (const backend of ["binary", "wasm"] as const) {
      const t = Nx.tensor(numbers, { backend });
      const call = () => Nx.formula`exp(-${t} ** 2) * ${t} > 0.1 ? sin(${t}) : ${t} / 3`;
      const byFunctions = Nx.where(Nx.exp(t.pow(2).negate()).multiply(t).greater(0.1), t.sin(), t.divide(3));
      for (let i = 0; i < 3; i++) expect(call().equals(byFunctions)).toBe(true);
    }
  });

  it("is parsed once for each place", () => {
    let asked = 0;
    const raw = new Proxy(["", " + 1"], {
      get: (list, key) => (key === "0" && asked++, Reflect.get(list, key) as unknown),
    });
    const strings = Object.assign(["", " + 1"], { raw }) as unknown as TemplateStringsArray;
    Nx.formula(strings, 1);
    const first = asked;
    Nx.formula(strings, 2);
    expect(first).toBeGreaterThan(0);
    expect(asked).toBe(first);
  });
});

describe("errors point into the formula", () => {
  const t = Nx.iota([2]);
  it.each<[string, () => unknown, string, string]>([
    [
      "that ends too early",
      () => Nx.formula`2 * (${t} + 1`,
      "expected a closing parenthesis, got the end",
      "2 * (${1} + 1\n               ^",
    ],
    ["with two operands in a row", () => Nx.formula`${t} ${t}`, "expected an operator", "${1} ${2}\n       ^^^^"],
    ["with a misspelt function", () => Nx.formula`tahn(${t})`, '"tahn" is no function', "tahn(${1})\n  ^^^^"],
    ["with a bare name", () => Nx.formula`x + 1`, "a value is put in as ${x}", "x + 1\n  ^"],
    [
      "with a function that is not called",
      () => Nx.formula`exp + ${t}`,
      "exp is a function; write exp(...)",
      "exp + ${1}\n  ^^^",
    ],
    [
      "with too few operands",
      () => Nx.formula`1 +
 max(${t})`,
      "max takes 2 operands, not 1",
      "line 2:  max(${1})\n              ^",
    ],
    ["with too many operands", () => Nx.formula`exp(${t}, 2)`, "exp takes 1 operand, not 2", "^"],
    ["with a chain of comparisons", () => Nx.formula`0 < ${t} < 2`, "write a < b && b < c", "^"],
    ["with a sign of no meaning", () => Nx.formula`${t} # 2`, '"#" has no meaning', "${1} # 2\n       ^"],
    ["with half a choice", () => Nx.formula`${t} ? 1`, "expected the other choice", "^"],
    ["that is empty", () => Nx.formula``, "expected a number, a function or ${a tensor}", "^"],
    [
      "with shapes that do not fit",
      () => Nx.formula`1 + ${t} * ${Nx.iota([3])}`,
      "Nx.multiply cannot broadcast tensors of shapes [2] and [3]",
      "1 + ${1} * ${2}\n           ^",
    ],
    [
      "with something that is no tensor",
      () => Nx.formula`1 + ${[1] as never}`,
      "expects a tensor or a number, got: [1]",
      "1 + ${1}\n    ^",
    ],
    [
      "with a type that an op is not for",
      () => Nx.formula`bitwiseNot(${Nx.f32(1)})`,
      "expects integer tensors",
      "^^^^^^^^^^",
    ],
  ])("%s", (_, call, why, where) => {
    // prettier-ignore
    let message = "";
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(Nx.ArgumentError);
      message = (error as Error).message;
      expect((error as Error).stack).toContain(why);
    }
    expect(message).toMatch(/^Nx\.formula: /);
    expect(message).toContain(why);
    expect(message.endsWith(where)).toBe(true);
  });

  it("unless it is no template", () => {
    expect(() => Nx.formula("x" as never)).toThrow(
      'Nx.formula is a tag of templates, as in Nx.formula`${x} + 1`, got: "x"',
    );
  });
});
