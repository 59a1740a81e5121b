/**
 * What holds for every function that users can call: unknown options, options that are no options and arguments after the last
 * are errors, whatever goes wrong is an error of the library that names the function, and what somebody put on the
 * prototypes of the language changes nothing.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { CALLED, UNLISTED, type Called } from "./table";
import { sampled } from "../effort";
import { callsOthers, faultOf, isEndless, released, thrownBy, WRONG } from "./wrong";

beforeAll(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));
afterAll(() => {
  vi.restoreAllMocks();
  Nx.globalDefaultBackend("auto");
  Nx.configureFromFile({}, "the end of a test");
});

/** Arguments of a call that is right. */
const whole = ({ args, options, isBound }: Called): readonly unknown[] => (isBound ? [...args, options] : args);

const faultsOf = (rows: readonly Called[], lists: (row: Called) => readonly (readonly unknown[])[]): string[] =>
  rows.flatMap((row) =>
    lists(row).flatMap((list) => {
      const wrong = faultOf(
        row.name,
        thrownBy(() => row.call(...list)),
      );
      return wrong === undefined ? [] : [`${row.name}(${list.length} arguments): ${wrong}`];
    }),
  );

describe("the table", () => {
  it("has every namespace", () => expect(UNLISTED).toEqual([]));

  it("has calls that are right, with options and without", () => {
    const failed = CALLED.flatMap((row) => {
      const lists = row.options ? [whole(row), [...row.args, row.options]] : [row.args];
      return lists.map((list) => thrownBy(() => row.call(...list))).filter((error) => error !== undefined);
    });
    expect(failed).toEqual([]);
  });

  it("says which functions take options", () => {
    const wrong = CALLED.filter(({ call, args, options }) => {
      const isTaken = thrownBy(() => call(...args, {})) === undefined;
      const isKnown = options === undefined || thrownBy(() => call(...args, options)) === undefined;
      return isTaken && options === undefined ? true : !isKnown;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

/** Functions of any number of arguments: what follows is an argument, too. */
const isOpen = ({ name }: Called): boolean =>
  /^Nx\.(align|at|einsum|formula|Defn\.Composite\.map|Defn\.switch)$/.test(name);
const BOUNDED = CALLED.filter((row) => !isOpen(row));

/** Functions with an option for axes, in whose place an axis or a list of them may stand. */
const isOfAxes = ({ call, args }: Called): boolean =>
  /\b(axis|axes)\b/.test(String(thrownBy(() => call(...args, { noSuchOption: 1 }))).split("one of: ")[1] ?? "");

describe("options", () => {
  it("that are unknown are errors", () => {
    expect(faultsOf(BOUNDED, ({ args, options }) => [[...args, { ...options, noSuchOption: 1 }]])).toEqual([]);
  });

  it("are a plain object, nothing else", () => {
    class Options {}
    const wrong: readonly unknown[] = [
      new Map(),
      new Date(0),
      /x/,
      Promise.resolve(),
      new DataView(new ArrayBuffer(1)),
      new Options(),
      Object.create({}),
      [],
      [1],
      "options",
      7,
      0,
      "",
      false,
      null,
    ];
    const isAxes = (value: unknown): boolean => value === 0 || Array.isArray(value);
    const wrongOf = (row: Called): readonly unknown[] =>
      isOfAxes(row) ? wrong.filter((value) => !isAxes(value)) : wrong;
    expect(faultsOf(BOUNDED, (row) => wrongOf(row).map((options) => [...row.args, options]))).toEqual([]);
  });

  it("may have no prototype, or that of another realm", async () => {
    const { runInNewContext } = await import("node:vm");
    const foreign = runInNewContext("({ axes: [0] })") as object;
    for (const options of [foreign, Object.assign(Object.create(null) as object, { axes: [0] })]) {
      expect(Nx.sum(Nx.iota([2, 2]), options).shape).toEqual([2]);
    }
  });

  it("that are undefined are left out", () => {
    expect(BOUNDED.filter(({ isBound }) => !isBound).filter(({ call, args }) => thrownBy(() => call(...args, undefined)) !== undefined)).toEqual([]); // prettier-ignore
  });
});

describe("arguments after the last", () => {
  it("are errors", () => {
    const further: readonly unknown[] = [1, {}, { axes: [0] }, [1], "x", null, Nx.iota([2])];
    const lists = (row: Called) => further.map((value) => [...row.args, ...(row.options ? [row.options] : []), value]);
    expect(faultsOf(BOUNDED, lists)).toEqual([]);
  });

  it("that methods of arrays add are not the user's", () => {
    expect([1, 4].map(Nx.sqrt).map((t) => t.toNumber())).toEqual([1, 2]);
    expect([Nx.tensor(1), Nx.tensor(2)].reduce<Nx.Tensor>(Nx.add, Nx.tensor(0)).toNumber()).toBe(3);
    expect([Nx.iota([3])].map(Nx.sum as (t: Nx.Tensor) => Nx.Tensor)[0]!.toNumber()).toBe(3);
    expect(() => [1, 4].map(Nx.add as unknown as (x: number) => Nx.Tensor)).toThrow(/Nx\.add expects a tensor/);
    expect(() => Array.from([1, 4], Nx.sqrt as (x: number) => Nx.Tensor)).toThrow(/Nx\.sqrt takes one argument, got 2/);
  });

  it("are explained", () => {
    const t = Nx.iota([2]);
    const call =
      (fn: unknown, ...args: unknown[]) =>
      () =>
        (fn as (...given: unknown[]) => unknown)(...args);
    expect(call(Nx.sum, t, { axes: [0] }, { keepAxes: true })).toThrow(
      "Nx.sum takes at most 2 arguments, got 3, { keepAxes: true } after the last; give all options in one object",
    );
    expect(call(Nx.Signal.stft, t, t, { hop: 128 })).toThrow(
      "Nx.Signal.stft takes at most 2 arguments, got 3, { hop: 128 } after the last; give all options in one object",
    );
    expect(call(Nx.exp, t, { type: "f32" })).toThrow('unknown option "type" for Nx.exp, it takes none');
    expect(call(Nx.exp, t, 5)).toThrow("Nx.exp takes one argument, got 2, 5 after the last; to pass only those on write (a) => Nx.exp(a)"); // prettier-ignore
  });
});

/** Lists of arguments with one wrong value, or too short, or with a wrong value for an option. */
function wrongLists(row: Called): readonly (readonly unknown[])[] {
  const full = row.options ? [...row.args, row.options] : row.args;
  const replaced = full.flatMap((_, i) => WRONG.map((wrong) => full.map((arg, j) => (j === i ? wrong : arg))));
  const short = row.args.map((_, i) => row.args.slice(0, i));
  const options = Object.keys(row.options ?? {}).flatMap((key) =>
    WRONG.map((wrong) => [...row.args, { ...row.options, [key]: wrong }]),
  );
  return [...replaced, ...short, ...options].filter((list) => !isEndless(row, list));
}

describe("wrong arguments", () => {
  it("raise errors that name the function that was called", { timeout: 120_000 }, () => {
    const faults = CALLED.flatMap((row) =>
      sampled(wrongLists(row), 12).flatMap((list) => {
        const error = thrownBy(() => row.call(...list));
        const wrong = error === undefined ? undefined : faultOf(row.name, error);
        const isOthers = error instanceof Nx.NxError && /^Nx\.\w/.test(error.message) && callsOthers(list);
        return wrong === undefined || isOthers ? [] : [`${row.name}: ${wrong}`];
      }),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it.each([
    [() => Nx.sum(Nx.iota([2]), { axes: [9] }), "Nx.sum: given axis (9) invalid for shape [2]"],
    [() => Nx.iota([2]).sum({ axes: [9] }), "Nx.sum: given axis (9) invalid for shape [2]"],
    [
      () => Nx.clamp(Nx.template([2], "f32"), { min: 0 }),
      "Nx.clamp: cannot perform operations on a Nx.TemplateBackend",
    ],
    [() => Nx.exp(released), "Nx.exp: the tensor f32[2] was deallocated"],
    [() => Nx.argmax(Nx.c64([1])), "Nx.argmax is not defined for complex tensors"],
    [() => Nx.idiv(Nx.f32([1]), 2), "Nx.idiv expects integer tensors"],
    [() => Nx.allClose(Nx.iota([2]), Nx.iota([3])), "Nx.allClose cannot broadcast tensors of shapes [2] and [3]"],
    [() => Nx.LinAlg.norm(Nx.iota([2]), { axes: [4] }), "Nx.LinAlg.norm: given axis (4)"],
  ])("%s", (call, message) => {
    const error = thrownBy(call) as Error;
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error.stack).toContain(message);
  });

  it("keep the name of what a function of the user called", () => {
    const wrong = (x: Nx.Tensor) => Nx.add(x, Nx.iota([5]));
    expect(() => Nx.Defn.jitApply(wrong, [Nx.iota([3])])).toThrow(/^Nx\.add cannot broadcast/);
    expect(() => Nx.withDefaultBackend("binary", () => Nx.sum(1, { axes: [1] }))).toThrow(/^Nx\.sum: given axis/);
  });
});

describe("axes that are falsy", () => {
  const withAxes = CALLED.filter(({ options }) => options !== undefined && ("axes" in options || "axis" in options));

  it("are axes that are wrong, not axes left out", () => {
    const faults = faultsOf(withAxes, ({ args, options }) => {
      const axes = "axes" in options! ? "axes" : "axis";
      const wrong = axes === "axes" ? ["", NaN, false, null] : ["", NaN, false];
      return wrong.map((value) => [...args, { ...options, [axes]: value }]);
    });
    expect(withAxes.length).toBeGreaterThan(60);
    expect(faults).toEqual([]);
  });
});

describe("polluted prototypes", () => {
  const added: [object, string][] = [];
  const pollute = (target: object, key: string, value: unknown, enumerable = true): void => {
    Object.defineProperty(target, key, { value, enumerable, configurable: true, writable: true });
    added.push([target, key]);
  };
  afterEach(() => {
    for (const [target, key] of added.splice(0)) Reflect.deleteProperty(target, key);
  });

  /** What a call gives, as text; random numbers without a key and counts of the process differ from call to call. */
  const outcome = ({ call, args, options, isBound }: Called, without: boolean): string => {
    let result: unknown;
    const error = thrownBy(() => (result = call(...args, ...(without && !isBound ? [] : options ? [options] : []))));
    if (error !== undefined) return `error: ${String(error)}`;
    return result instanceof Nx.Tensor ? `${result.type} ${result.shape} ${result.names}` : typeof result;
  };

  const outcomes = () => CALLED.map((row) => [outcome(row, false), outcome(row, true)]);
  let before: string[][];
  beforeAll(() => void (before = outcomes()));

  /** A property nobody knows, and some that are like options. */
  const PROPERTIES: readonly (readonly [string, unknown])[] = [
    ["polluted", 1],
    ["axes", [0]],
    ["axis", 0],
    ["type", "f64"],
    ["names", ["polluted"]],
    ["backend", "nowhere"],
    ["keepAxes", true],
  ];

  it.each(sampled(PROPERTIES, 3))("%s", (key, value) => {
    pollute(Object.prototype, key, value);
    pollute(Array.prototype, `${key}OfArrays`, value);
    const after = outcomes();
    for (const [target, name] of added.splice(0)) Reflect.deleteProperty(target, name);
    const changed = CALLED.flatMap(({ name }, i) =>
      String(before[i]) === String(after[i]) ? [] : [`${name}: ${String(before[i])} became ${String(after[i])}`],
    );
    expect(changed).toEqual([]);
  });
});
