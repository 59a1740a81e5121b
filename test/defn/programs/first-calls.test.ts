/** When programs begin: loops that turn out long, arguments on other backends in turns, programs that cannot be compiled. */
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune } from "../../../lib/backends/tuning";
import { programs } from "../../../lib/backends/wasm/program";
import { differenceOf } from "../../fuzz/compare";
import { errorOf } from "../../nx/aggregates/view";
import { programsRunBy, withPrograms } from "./support";

const { whileLoop } = Nx.Defn;

afterEach(() => tune({ compiledFrom: 0, faults: true }));

/** The results of a function on its first call, as programs and step by step, and how many programs ran. */
function firstCall(fn: (...args: Tensor[]) => readonly Tensor[], args: readonly Tensor[]): number {
  const call = (): readonly Tensor[] => Nx.defn(fn)(...args);
  const expected = withPrograms(false, call);
  let results: readonly Tensor[] = [];
  const ran = programsRunBy(() => (results = call()));
  expect(results.map((result, i) => differenceOf(result, expected[i]!))).toEqual(results.map(() => null));
  return ran;
}

const repeated = (turns: number, x: Tensor, step: (a: Tensor, b: Tensor, i: Tensor) => [Tensor, Tensor]): Tensor[] => {
  const { a, b } = whileLoop(
    { i: Nx.s32(0), a: x, b: x },
    ({ i }) => i.less(turns),
    ({ i, a, b }) => {
      const [c, d] = step(a, b, i);
      return { i: i.add(1), a: c, b: d };
    },
  );
  return [a, b];
};

describe("a loop in its first call", () => {
  it("goes on as a program where it turns out long, from the state that it has come to", () => {
    tune({ compiledFrom: null });
    for (const [i, shape] of [[], [3], [40]].entries()) {
      const gain = Nx.f32(0.75 + i / 100);
      const fn = (x: Tensor): Tensor[] => repeated(3000, x, (a, b) => [b.multiply(gain), a.add(1)]);
      const args = [Nx.iota(shape, { type: "f32" })];
      // those that are turns by themselves are programs of the body, the last one is the rest of the loop
      expect(firstCall(fn, args)).toBeLessThan(1024);
    }
  });

  it("runs step by step where it is short", () => {
    tune({ compiledFrom: null });
    const fn = (x: Tensor): Tensor[] => repeated(100, x, (a, b) => [b.subtract(7), a.add(3)]);
    expect(firstCall(fn, [Nx.iota([5], { type: "f32" })])).toBe(0);
  });

  it("raises what a late turn raises", () => {
    tune({ compiledFrom: null });
    const fn = Nx.defn((x: Tensor) => repeated(3000, x, (a, b, i) => [a.add(b), Nx.quotient(a, i.subtract(2500))])[1]!);
    const message = (): string => errorOf(() => fn(Nx.s32([1, 2])));
    const expected = withPrograms(false, message);
    expect(expected).toContain("by zero");
    expect(message()).toBe(expected);
  });
});

it("what runs together is decided once for each backend of the arguments", () => {
  const members = programs as { takes: typeof programs.takes };
  const { takes } = members;
  const fn = Nx.defn((x: Tensor, y: Tensor) => x.reverse().multiply(y.sum()).sort().reverse());
  const [here, there] = ["wasm", "binary"].map((name) => Nx.backendCopy(Nx.iota([6], { type: "f32" }), name));
  const pairs = [here, there].flatMap((x) => [here, there].map((y) => [x!, y!] as const));
  const all = (): void =>
    pairs.forEach(([x, y]) => expect(fn(x, y).toList()).toEqual([0, 15, 30, 45, 60, 75].reverse()));
  all();
  let asked = 0;
  members.takes = (...args) => {
    asked++;
    return takes(...args);
  };
  try {
    all();
    all();
  } finally {
    members.takes = takes;
  }
  expect(asked).toBe(0);
});

it("faults in the compiling of a program reach nobody: its steps run one by one", () => {
  const members = programs as { takes: typeof programs.takes };
  const { takes } = members;
  // a step for which there is no code
  members.takes = () => true;
  try {
    const call = (): unknown =>
      Nx.defn((x: Tensor) => Nx.real(Nx.fft(x)).reverse().add(1))(Nx.iota([4], { type: "f32" })).toList();
    expect(call).toThrow(TypeError);
    tune({ faults: false });
    expect(call()).toEqual([-1, -1, -1, 7]);
  } finally {
    members.takes = takes;
  }
});

it("bits of NaN go through programs as they are, signalling or not", () => {
  const bits = [0x7fc12345, 0xffc00001, 0x7f800001, 0xff8abcde];
  const words = Nx.u32(Array.from({ length: 40 }, (_, i) => bits[i % 4]!));
  const moved = (x: Tensor): Tensor =>
    x
      .reverse()
      .reshape([2, x.size / 2])
      .transpose();
  for (const fn of [Nx.defn(moved), Nx.defn((x: Tensor) => Nx.bitcast(moved(x), "u32").flatten())]) {
    for (const length of [4, 16, 40]) {
      const x = Nx.bitcast(words.slice([0], [length]), "f32");
      const call = (): unknown => Nx.bitcast(fn(x), "u32").toList();
      const expected = withPrograms(false, call);
      expect(programsRunBy(() => expect(call()).toEqual(expected))).toBe(1);
    }
  }
});

it("a tensor that was given back is refused by the step that reads it", () => {
  const fn = Nx.defn((x: Tensor, y: Tensor) => Nx.sort(x.reverse()).multiply(y).reverse());
  const [x, y] = [Nx.f32([1, 2]), Nx.f32([3, 4])];
  expect(programsRunBy(() => fn(x, y))).toBe(1);
  Nx.backendDeallocate(y);
  const message = (): string => {
    try {
      fn(x, y);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  const expected = withPrograms(false, message);
  expect(expected).toMatch(/deallocated.*raised by/);
  expect(message()).toBe(expected);
});
