/** Butterworth filters, filters in sections and filters forth and back against SciPy (test/oracles/make_filters.py), and their laws. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";
import { close, tensorOf, wave, type Coded, type Filtered } from "./coded";

interface Oracle {
  readonly butterworth: readonly (Filtered & {
    readonly order: number;
    readonly edges: number | [number, number];
    readonly band: Nx.Signal.Band;
    readonly sos: readonly number[][];
  })[];
  readonly bothWays: readonly { readonly x: Coded; readonly options: object; readonly y: Coded }[];
}

const ORACLE = readOracle<Oracle>("filters.json");
const { butter, sosfilt, lfilter } = Nx.Signal;
const filtfilt = Nx.Signal.filtfilt as (t: Nx.Tensor, options: object) => Nx.Tensor;
const continued = sosfilt as unknown as (t: Nx.Tensor, options: object) => readonly [Nx.Tensor, Nx.Tensor];

describe("Butterworth filters", () => {
  it("are those of SciPy, in polynomials and in sections", () => {
    for (const { order, edges, band, b, a, sos } of ORACLE.butterworth) {
      const found = butter(order, edges, { band });
      close(Nx.f64(found.b), Nx.f64([...b]));
      close(Nx.f64(found.a), Nx.f64([...a]));
      close(Nx.f64(butter(order, edges, { band, output: "sos" }).sos), Nx.f64([...sos]));
    }
  });

  it("let half of the power pass at their edges, for any sampling rate", () => {
    const { b, a } = butter(5, [30, 80], { samplingRate: 1000 });
    const responseAt = (frequency: number): number => {
      const turns = Nx.iota([b.length], { type: "f64" }).multiply((-2 * Math.PI * frequency) / 1000);
      const z = Nx.complex(turns.cos(), turns.sin());
      return Nx.dot(z, Nx.f64(b))
        .divide(Nx.dot(z, Nx.f64(a)))
        .abs()
        .item();
    };
    for (const edge of [30, 80]) expect(responseAt(edge)).toBeCloseTo(Math.SQRT1_2, 7);
    expect(responseAt(Math.sqrt(30 * 80))).toBeCloseTo(1, 3);
    expect(butter(2, [0.2, 0.4])).toEqual(butter(2, [0.2, 0.4], { band: "bandpass" }));
    expect(butter(3, 50, { samplingRate: 400 })).toEqual(butter(3, 0.25));
  });
});

describe("filters in sections", () => {
  it("are those of SciPy, with and without what they held before", () => {
    for (const { sos, x, axis, initial, ...want } of ORACLE.butterworth) {
      const signal = tensorOf(x);
      close(sosfilt(signal, { sos }), tensorOf(want.y));
      const [y, final] = continued(signal, { sos: Nx.f64([...sos]), axis, initial: tensorOf(initial) });
      close(y, tensorOf(want.continued));
      close(final, tensorOf(want.final));
    }
  });

  it("are the filter of one polynomial, of the type of the signal, with its names", () => {
    const x = Nx.f32(wave(40).toNumbers(), { names: ["time"] });
    const y = sosfilt(x, butter(3, 0.3, { output: "sos" }));
    expect([y.type, y.names]).toEqual(["f32", ["time"]]);
    expect(Nx.allClose(y, lfilter(x, butter(3, 0.3)), { rtol: 1e-4 }).item()).toBe(1);
    expect(sosfilt(x, { sos: Nx.f64([[1, 0, 0, 1, 0, 0]]) }).type).toBe("f64");
  });

  it("go on where a stretch ended", () => {
    const [x, { sos }] = [wave(20).reshape([2, 10]), butter(3, [0.2, 0.5], { output: "sos" })];
    const [first, held] = continued(x.sliceAlongAxis(0, 6, { axis: 1 }), { sos, initial: 0 });
    const [second] = continued(x.sliceAlongAxis(6, 4, { axis: 1 }), { sos, initial: held });
    expect(Nx.concatenate([first, second], { axis: 1 }).toBinary()).toEqual(sosfilt(x, { sos }).toBinary());
  });
});

describe("filters forth and back", () => {
  it("are those of SciPy, along any axis, however the signal goes on", () => {
    for (const { x, options, y } of ORACLE.bothWays) close(filtfilt(tensorOf(x), options), tensorOf(y));
  });

  it("keep what does not change, and names and types of the signal", () => {
    const x = Nx.full([40], 3.5, { names: ["time"], type: "f32" });
    const y = Nx.Signal.filtfilt(x, { ...butter(2, 0.2), axis: "time" });
    expect([y.type, y.names]).toEqual(["f32", ["time"]]);
    expect(Nx.allClose(y, x, { atol: 1e-4 }).item()).toBe(1);
    expect(filtfilt(Nx.f64([1, 3]), { b: [0.5], padLength: 1 }).toList()).toEqual([0.25, 0.75]);
  });

  it("are the same traced, vectorized and on binary, and have gradients", () => {
    const [x, filter] = [wave(60).reshape([3, 20]), butter(2, 0.3)];
    const call = (t: Nx.Tensor): Nx.Tensor => filtfilt(t, filter);
    const bytes = call(x).toBinary();
    expect(Nx.defn(call)(x).toBinary()).toEqual(bytes);
    expect(Nx.Defn.vmap(call)(x).toBinary()).toEqual(bytes);
    expect(call(Nx.backendCopy(x, "binary")).toBinary()).toEqual(bytes);
    // a linear function: its gradient by one element of the result is what each element adds to that
    const at = (t: Nx.Tensor): Nx.Tensor => call(t).at(1, 7);
    const shares = Nx.grad(at)(x);
    close(shares.multiply(x).sum().newAxis(0), at(x).newAxis(0));
    const byTensor = Nx.grad((b: Nx.Tensor) => filtfilt(x, { b, a: filter.a }).sum())(Nx.f64(filter.b));
    expect(byTensor.isFinite().all().item()).toBe(1);
  });
});

it.each<[string, () => unknown]>([
  ["Nx.Signal.butter expects an order that is an integer from 1 to 500, got: 0", () => butter(0, 0.5)],
  ["Nx.Signal.butter expects an order that is an integer from 1 to 500, got: 1e+308", () => butter(1e308, 0.5)],
  ["half the sampling rate, got: 1", () => butter(2, 1)],
  ["between 0 and 50, half the sampling rate, got: [20, 10]", () => butter(2, [20, 10], { samplingRate: 100 })],
  [
    "Nx.Signal.butter of a lowpass filter expects one edge, got: [0.1, 0.2]",
    () => butter(2, [0.1, 0.2], { band: "lowpass" }),
  ],
  [
    "Nx.Signal.butter of a bandstop filter expects two edges, [low, high], got: 0.5",
    () => butter(2, 0.5, { band: "bandstop" }),
  ],
  [
    "option samplingRate of Nx.Signal.butter must be a positive number, got: 0",
    () => butter(2, 0.5, { samplingRate: 0 }),
  ],
  ["option band of Nx.Signal.butter must be one of", () => butter(2, 0.5, { band: "low" as never })],
  ["Nx.Signal.sosfilt needs sections of second order as options", () => sosfilt(wave(4), undefined as never)],
  [
    "option sos of Nx.Signal.sosfilt expects rows of 6 coefficients, got shape [1][2]",
    () => sosfilt(wave(4), { sos: [[1, 2]] }),
  ],
  [
    "expects the shape [1][2], 2 elements of each of 1 sections, or what broadcasts to it, got shape [3]",
    () => sosfilt(wave(4), { sos: [[1, 0, 0, 1, 0, 0]], initial: Nx.f64([1, 2, 3]) }),
  ],
  ["divides by a[0], which is 0", () => sosfilt(wave(4), { sos: [[1, 0, 0, 0, 0, 0]] })],
  ["Nx.Signal.filtfilt needs its coefficients as options", () => filtfilt(wave(4), {})],
  [
    "goes on by 6 elements at each end of axis 0, which must have more, got 4: give a shorter padLength",
    () => filtfilt(wave(4), { b: [1, 2] }),
  ],
  [
    'option padType of Nx.Signal.filtfilt must be one of "odd", "even", "constant", "none"',
    () => filtfilt(wave(4), { b: [1], padType: null }),
  ],
  [
    "option padLength of Nx.Signal.filtfilt must be an integer of at least 0",
    () => filtfilt(wave(4), { b: [1], padLength: -1 }),
  ],
])("refuse: %s", (message, call) => {
  expect(call).toThrow(message);
});
