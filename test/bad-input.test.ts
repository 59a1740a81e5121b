/**
 * What users get wrong, and that the message tells them what was expected and what to do.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { foreignBackend } from "./testing/foreign-backend";

const named = Nx.iota([2, 3], { names: ["height", "width"] });
const loose = named as Nx.Tensor;

/** A call, the class of its error and what the message must contain. */
type Case = readonly [
  what: string,
  call: () => unknown,
  error: abstract new (...args: never[]) => Error,
  ...parts: RegExp[],
];

/** A list of zeros with a hole at its end. */
const holed = (length: number): number[] =>
  Object.assign(new Array<number>(length), new Array<number>(length - 1).fill(0));

const CASES: readonly Case[] = [
  ["ragged lists", () => Nx.tensor([[1, 2], [3]]), Nx.ArgumentError, /\[1\]/],
  ["ragged depth", () => Nx.tensor([[1], 2] as never), Nx.ArgumentError, /\[1\]/],
  ["empty lists", () => Nx.tensor([]), Nx.ArgumentError, /empty/],
  ["strings", () => Nx.tensor(["1"] as never), Nx.ArgumentError, /"1"/],
  ["null", () => Nx.tensor([1, null] as never), Nx.ArgumentError, /null/],
  ["undefined", () => Nx.tensor(undefined as never), Nx.ArgumentError, /undefined/],
  ["tensors in lists", () => Nx.tensor([named] as never), Nx.ArgumentError, /[Tt]ensor/],
  ["fractions in integer types", () => Nx.tensor([1.5], { type: "s32" }), Nx.ArgumentError, /1\.5/, /asType/],
  ["NaN in integer types", () => Nx.s8([NaN]), Nx.ArgumentError, /NaN/],
  ["arrays as operands", () => Nx.add([1, 2] as never, 1), Nx.ArgumentError, /Nx\.tensor/],
  [
    "lists of tensors as operands",
    () => Nx.sum([named] as never),
    Nx.ArgumentError,
    /sum expects a tensor .*Nx\.stack/,
  ],
  ["max of one tensor", () => loose.max(undefined as never), Nx.ArgumentError, /got: undefined.*Nx\.reduceMax\(t\)/],
  ["min with axes", () => Nx.min(loose, { axes: [0] } as never), Nx.ArgumentError, /axes.*Nx\.reduceMin\(t\)/],
  [
    "complex numbers under strict promotion",
    () => Nx.withPromotion("strict", () => Nx.multiply(Nx.f32([1]), new Nx.Complex(1, -2))),
    Nx.ArgumentError,
    /f32 cannot hold the number 1\.0-2\.0i/,
  ],
  [
    "complex numbers in names",
    () => Nx.tensor([1], { names: [new Nx.Complex(0, 1)] as never }),
    Nx.ArgumentError,
    /0\.0\+1\.0i/,
  ],
  ["strings as operands", () => Nx.exp("1" as never), Nx.ArgumentError, /exp expects a tensor or a number, got: "1"/],
  [
    "shapes that do not broadcast",
    () => Nx.add(loose, Nx.iota([2])),
    Nx.ArgumentError,
    /\[height: 2\]\[width: 3\]/,
    /\[2\]/,
  ],
  [
    "clashing names",
    () => Nx.add(loose, Nx.iota([2, 3], { names: ["width", null] })),
    Nx.ArgumentError,
    /"height"/,
    /"width"/,
    /rename/,
  ],
  [
    "names of wrong length",
    () => Nx.tensor([1, 2], { names: ["x", "y"] }),
    Nx.ArgumentError,
    /every dimension/,
    /rank 1/,
  ],
  ["duplicate names", () => Nx.tensor([[1]], { names: ["x", "x"] }), Nx.ArgumentError, /duplicate/, /rename/],
  ["names that are no strings", () => Nx.tensor([1], { names: [3] as never }), Nx.ArgumentError, /string or null/],
  ["axis out of range", () => Nx.sum(loose, { axes: [2] }), Nx.ArgumentError, /given axis \(2\) invalid/, /rank 2/],
  ["axis of a scalar", () => Nx.sum(Nx.tensor(1), { axes: [0] }), Nx.ArgumentError, /a scalar has no axes/],
  ["repeated axes", () => Nx.sum(loose, { axes: [0, -2] }), Nx.ArgumentError, /must not repeat/],
  [
    "unknown axis name",
    () => Nx.sum(loose, { axes: ["widht"] }),
    Nx.ArgumentError,
    /did you mean "width"/,
    /"height", "width"/,
  ],
  ["axis name on an unnamed tensor", () => Nx.sum(Nx.iota([2]), { axes: ["x"] }), Nx.ArgumentError, /no named axes/],
  [
    "unknown options",
    () => Nx.sum(loose, { axs: [0] } as never),
    Nx.ArgumentError,
    /unknown option "axs" for Nx.sum/,
    /"axes"/,
  ],
  ["options that are no objects", () => Nx.sum(loose, true as never), Nx.ArgumentError, /options as an object/],
  ["options of the wrong kind", () => Nx.sum(loose, { keepAxes: 1 } as never), Nx.ArgumentError, /true or false/],
  ["bad types", () => Nx.tensor([1], { type: "f23" as never }), Nx.ArgumentError, /"f23"; did you mean "f32"/, /c128/],
  ["sizes that overflow", () => Nx.iota([2 ** 20, 2 ** 20]), Nx.ArgumentError, /1099511627776 elements/],
  ["sizes that overflow when repeated", () => Nx.tile(Nx.iota([2 ** 16]), [2 ** 16, 2]), Nx.ArgumentError, /elements/],
  ["sizes that are no integers", () => Nx.broadcast(1, [1.5]), Nx.ArgumentError, /positive integers/, /1\.5/],
  ["sizes of zero", () => Nx.iota([0]), Nx.ArgumentError, /empty tensors do not exist/],
  ["bytes of the wrong length", () => Nx.fromBinary(new Uint8Array(7), "f32"), Nx.ArgumentError, /7/, /4/],
  ["no bytes", () => Nx.fromBinary(new Uint8Array(0), "u8"), Nx.ArgumentError, /empty/],
  ["templates as values", () => Nx.add(Nx.template([2], "f32"), 1), Nx.BackendError, /template f32\[2\]/, /no data/],
  ["reading templates", () => Nx.template([2], "f32").toList(), Nx.BackendError, /no data/],
  [
    "two backends in one operation",
    () =>
      Nx.add(Nx.backendCopy(Nx.tensor(1), foreignBackend("one")), Nx.backendCopy(Nx.tensor(2), foreignBackend("two"))),
    Nx.BackendError,
    /"one" and "two"/,
    /backendTransfer/,
  ],
  [
    "holes in padding",
    () => Nx.pad(loose, 0, new Array(2) as never),
    Nx.ArgumentError,
    /Nx\.pad expects \[low, high\]/,
  ],
  [
    "holes in the padding of an axis",
    () => Nx.pad(loose, 0, [[1, 1, 0], holed(3)] as never),
    Nx.ArgumentError,
    /Nx\.pad expects \[low, high\]/,
  ],
  [
    "holes in reflections",
    () => Nx.reflect(loose, { paddingConfig: [[1, 0], holed(2)] as never }),
    Nx.ArgumentError,
    /Nx\.reflect expects/,
  ],
  [
    "holes in place of reflections",
    () => Nx.reflect(loose, { paddingConfig: new Array(2) as never }),
    Nx.ArgumentError,
    /Nx\.reflect expects/,
  ],
  ["holes in entries of a batch", () => Nx.Batch.stack(new Array(2)), Nx.ArgumentError, /Nx\.Batch\.stack.*undefined/],
  ["holes in batches", () => Nx.Batch.merge(new Array(2)), Nx.ArgumentError, /Nx\.Batch\.merge expects a batch/],
  [
    "holes in lengths of transforms",
    () => Nx.fft2(loose, { lengths: Object.assign(new Array<number>(2), [4]) as never }),
    Nx.ArgumentError,
    /option lengths of Nx\.fft2/,
  ],
  [
    "holes in positions of arguments",
    () => Nx.defn((x: Nx.Tensor) => x, { donate: holed(1) as never })(Nx.f32(1)),
    Nx.ArgumentError,
    /option donate/,
  ],
  [
    "reshape to another size",
    () => Nx.reshape(loose, [4]),
    Nx.ArgumentError,
    /6 elements/,
    /\[height: 2\]\[width: 3\]/,
  ],
  ["integers divided by zero", () => Nx.quotient(loose, 0), Nx.ArgumentError, /by zero/, /Nx\.select/],
  [
    "floats where bits are needed",
    () => Nx.bitwiseAnd(Nx.tensor([0.5]), 1),
    Nx.ArgumentError,
    /integer tensors/,
    /f32/,
  ],
  ["complex numbers where order is needed", () => Nx.max(new Nx.Complex(1, 1), 2), Nx.ArgumentError, /complex/],
  ["index out of bounds", () => loose.at(2), Nx.ArgumentError, /index 2 is out of bounds for axis "height" of size 2/],
  ["too many indices", () => loose.at(0, 0, 0), Nx.ArgumentError, /too many indices/],
  ["index by unknown name", () => loose.at({ widht: 0 } as never), Nx.ArgumentError, /did you mean "width"/],
  ["empty ranges", () => loose.at(Nx.range(1, 1)), Nx.ArgumentError, /empty/],
  ["operators of the language", () => (loose as unknown as number) + 1, Nx.ArgumentError, /Nx\.add/],
  [
    "tensors in place of something else",
    () => Nx.dot(loose, loose, named as never),
    Nx.ArgumentError,
    /got: a tensor s64\[height: 2\]\[width: 3\]/,
  ],
  [
    "traced numbers of a list",
    () => Nx.Defn.jvp(Nx.sum as never, [[1, 2]] as never, [[1, 2]] as never),
    Nx.ArgumentError,
    /\[a tensor s64\[\], a tensor s64\[\]\].*pass Nx\.tensor\(/,
  ],
  [
    "null as the axis of softmax",
    () => Nx.softmax(loose, { axis: null } as never),
    Nx.ArgumentError,
    /Nx\.softmax.*null/,
  ],
  [
    "null as the axis of a scan",
    () => Nx.Defn.map(Nx.sum as never, loose, { axis: null } as never),
    Nx.ArgumentError,
    /Nx\.Defn\.map.*null/,
  ],
  [
    "null as the axis of trapezoid",
    () => Nx.trapezoid(loose, { axis: null } as never),
    Nx.ArgumentError,
    /Nx\.trapezoid.*null/,
  ],
  [
    "axis misspelt where the word is axes",
    () => Nx.median(loose, { axsi: 0 } as never),
    Nx.ArgumentError,
    /did you mean "axis"/,
  ],
  [
    "a tensor in place of sizes",
    () => Nx.revectorize(loose, loose as never),
    Nx.ArgumentError,
    /expects names with sizes.*got: a tensor/,
  ],
  [
    "words as sizes of a graph",
    () => Nx.Defn.toGraph((t: Nx.Tensor) => t, [Nx.template(["n"], "f32")], { sizes: "n" } as never),
    Nx.ArgumentError,
    /sizes by name.*got: "n"/,
  ],
  [
    "what stands in front of the first point",
    () => Nx.interp(1, Nx.f32([1, 2]), Nx.f32([1, 2]), { left: "0" } as never),
    Nx.ArgumentError,
    /option left of Nx\.interp must be a number, got: "0"/,
  ],
  [
    "cross products of other shapes",
    () => Nx.cross(loose, Nx.iota([5, 3])),
    Nx.ArgumentError,
    /Nx\.cross cannot broadcast tensors of shapes \[height: 2\]\[width: 3\] and \[5\]\[3\]/,
  ],
  [
    "labels of floats",
    () => Nx.segmentSum(loose, Nx.f32([0, 1]), 2),
    Nx.ArgumentError,
    /got f32\[2\]; convert them with Nx\.asType/,
  ],
  [
    "segments of a scalar",
    () => Nx.segmentSum(1, Nx.tensor([0]), 2),
    Nx.ArgumentError,
    /Nx\.segmentSum expects a tensor of at least one axis, got shape \[\]/,
  ],
  ["lists of scalars", () => Nx.toList(Nx.tensor(1)), Nx.ArgumentError, /scalar/],
  ["numbers of lists", () => Nx.toNumber(loose), Nx.ArgumentError, /\[height: 2\]\[width: 3\]/],
];

describe("bad input", () => {
  it.each(CASES.map(([what, call, error, ...parts]) => ({ what, call, error, parts })))(
    "$what",
    ({ call, error, parts }) => {
      let thrown: unknown;
      try {
        call();
      } catch (caught) {
        thrown = caught;
      }
      expect(thrown).toBeInstanceOf(error);
      expect(thrown).toBeInstanceOf(Nx.NxError);
      for (const part of parts) expect((thrown as Error).message).toMatch(part);
    },
  );
});
