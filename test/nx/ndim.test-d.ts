/** What the compiler knows of axis names in products, joins and look-ups. */
import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

type T<N extends Nx.Names> = Nx.Tensor<N>;

declare const sampleFeature: T<readonly ["sample", "feature"]>;
declare const featureUnit: T<readonly ["feature", "unit"]>;
declare const batchRowColumn: T<readonly ["batch", "row", "column"]>;
declare const batchColumnUnit: T<readonly ["batch", "column", "unit"]>;
declare const feature: T<readonly ["feature"]>;
declare const untracked: Nx.Tensor;

describe("names of dot", () => {
  it("are those of the axes that are left", () => {
    expectTypeOf(Nx.dot(sampleFeature, featureUnit)).toEqualTypeOf<T<readonly ["sample", "unit"]>>();
    expectTypeOf(Nx.dot(sampleFeature, feature)).toEqualTypeOf<T<readonly ["sample"]>>();
    expectTypeOf(Nx.dot(feature, feature)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(Nx.dot(feature, 2)).toEqualTypeOf<T<readonly ["feature"]>>();
    expectTypeOf(Nx.dot(2, feature)).toEqualTypeOf<T<readonly ["feature"]>>();
    expectTypeOf(Nx.dot(untracked, feature)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.dot(feature, untracked)).toEqualTypeOf<Nx.Tensor>();
  });

  it("follow pairs, by name and by position", () => {
    expectTypeOf(Nx.dot(sampleFeature, featureUnit, { contract: [["feature"], ["feature"]] })).toEqualTypeOf<
      T<readonly ["sample", "unit"]>
    >();
    expectTypeOf(Nx.dot(sampleFeature, featureUnit, { contract: [[-1], [0]] })).toEqualTypeOf<
      T<readonly ["sample", "unit"]>
    >();
    expectTypeOf(
      Nx.dot(batchRowColumn, batchColumnUnit, { contract: [["column"], ["column"]], batch: [[0], [0]] }),
    ).toEqualTypeOf<T<readonly ["batch", "row", "unit"]>>();
    expectTypeOf(Nx.dot(sampleFeature, ["feature"], featureUnit, [0])).toEqualTypeOf<T<readonly ["sample", "unit"]>>();
    expectTypeOf(Nx.dot(batchRowColumn, [2], [0], batchColumnUnit, [1], [0])).toEqualTypeOf<
      T<readonly ["batch", "row", "unit"]>
    >();
    expectTypeOf(Nx.dot(sampleFeature, featureUnit, { contract: [[1 as number], [0]] })).toEqualTypeOf<Nx.Tensor>();
  });

  it("follow names that both have", () => {
    expectTypeOf(Nx.dot(sampleFeature, featureUnit, { contract: "feature" })).toEqualTypeOf<
      T<readonly ["sample", "unit"]>
    >();
    expectTypeOf(Nx.dot(batchRowColumn, batchColumnUnit, { contract: ["column"], batch: "batch" })).toEqualTypeOf<
      T<readonly ["batch", "row", "unit"]>
    >();
    expectTypeOf(Nx.dot(untracked, feature, { contract: "feature" })).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error no axis is called "features"
    Nx.dot(sampleFeature, featureUnit, { contract: "features" });
    // @ts-expect-error only the left one has an axis "sample"
    Nx.dot(sampleFeature, featureUnit, { contract: "sample" });
    // @ts-expect-error no axis is called "features"
    Nx.dot(sampleFeature, featureUnit, { contract: [["features"], ["feature"]] });
    // @ts-expect-error no axis is called "features"
    Nx.dot(sampleFeature, ["features"], featureUnit, [0]);
  });

  it("let a loop go on with its own type", () => {
    let h: T<readonly ["sample", "feature"]> = sampleFeature;
    const w = Nx.eye(2, { names: ["feature", null] });
    for (let i = 0; i < 2; i++) h = Nx.dot(h, w).rename(["sample", "feature"]);
    expectTypeOf(h).toEqualTypeOf<typeof sampleFeature>();
  });
});

describe("names of matmul", () => {
  it("are those in front, the row and the column", () => {
    expectTypeOf(Nx.matmul(sampleFeature, featureUnit)).toEqualTypeOf<T<readonly ["sample", "unit"]>>();
    expectTypeOf(Nx.matmul(batchRowColumn, featureUnit)).toEqualTypeOf<T<readonly ["batch", "row", "unit"]>>();
    expectTypeOf(featureUnit.matmul(batchColumnUnit)).toEqualTypeOf<T<readonly ["batch", "feature", "unit"]>>();
    expectTypeOf(Nx.matmul(batchRowColumn, feature)).toEqualTypeOf<T<readonly ["batch", "row"]>>();
    expectTypeOf(Nx.matmul(feature, batchRowColumn)).toEqualTypeOf<T<readonly ["batch", "column"]>>();
    expectTypeOf(Nx.matmul(feature, feature)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(Nx.matmul(Nx.ones([3, 1, 2, 2]), batchColumnUnit)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.matmul(untracked, feature)).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error a number is no matrix
    expect(() => Nx.matmul(sampleFeature, 2)).toThrow();
  });
});

describe("names of other products", () => {
  it("are those of vectors in outer", () => {
    expectTypeOf(Nx.outer(feature, Nx.arange(3, { name: "a" }))).toEqualTypeOf<T<readonly ["feature", "a"]>>();
    expectTypeOf(Nx.outer(2, sampleFeature)).toEqualTypeOf<T<readonly [null, null]>>();
    expectTypeOf(Nx.outer(untracked, feature)).toEqualTypeOf<Nx.Tensor>();
  });

  it("are those of the input in conv", () => {
    expectTypeOf(Nx.conv(batchRowColumn, untracked)).toEqualTypeOf<typeof batchRowColumn>();
    expectTypeOf(Nx.conv(batchRowColumn, untracked, { inputPermutation: ["batch", "column", "row"] })).toEqualTypeOf<
      T<readonly ["batch", "column", "row"]>
    >();
    expectTypeOf(
      Nx.conv(batchRowColumn, untracked, { inputPermutation: [0, 2, 1], outputPermutation: [0, 2, 1] }),
    ).toEqualTypeOf<typeof batchRowColumn>();
    // @ts-expect-error no axis is called "rows"
    Nx.conv(batchRowColumn, untracked, { inputPermutation: ["batch", "column", "rows"] });
  });
});

describe("names of joined tensors", () => {
  it("merge", () => {
    const half = Nx.iota([2, 3], { names: [null, "feature"] });
    expectTypeOf(Nx.concatenate([half, sampleFeature])).toEqualTypeOf<typeof sampleFeature>();
    expectTypeOf(Nx.concatenate([sampleFeature], { axis: "feature" })).toEqualTypeOf<typeof sampleFeature>();
    const many = [sampleFeature, sampleFeature].map((t) => t.exp());
    expectTypeOf(Nx.concatenate(many, { axis: "sample" })).toEqualTypeOf<typeof sampleFeature>();
    expectTypeOf(Nx.concatenate([sampleFeature, untracked])).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.concatenate({ a: feature, b: feature })).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error no axis is called "features"
    Nx.concatenate(many, { axis: "features" });
  });

  it("get one more by stack", () => {
    expectTypeOf(Nx.stack([feature, feature], { name: "row" })).toEqualTypeOf<T<readonly ["row", "feature"]>>();
    expectTypeOf(Nx.stack([feature, feature], { axis: -1 })).toEqualTypeOf<T<readonly ["feature", null]>>();
    expectTypeOf(Nx.stack([1, 2, 3], { name: "n" })).toEqualTypeOf<T<readonly ["n"]>>();
    expectTypeOf(
      Nx.stack(
        [1, 2].map((i) => feature.add(i)),
        { name: "row" },
      ),
    ).toEqualTypeOf<T<readonly ["row", "feature"]>>();
    expectTypeOf(Nx.stack([untracked, untracked])).toEqualTypeOf<Nx.Tensor>();
  });
});

describe("names of look-ups and of flat axes", () => {
  it("of gather are those of the indices, then the rest", () => {
    const places = Nx.iota([5, 1], { names: ["pick", null] });
    expectTypeOf(Nx.gather(sampleFeature, places, { axes: ["sample"] })).toEqualTypeOf<
      T<readonly ["pick", "feature"]>
    >();
    expectTypeOf(Nx.gather(sampleFeature, places)).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error no axis is called "samples"
    Nx.gather(sampleFeature, places, { axes: ["samples"] });
  });

  it("of flatten and squeeze", () => {
    expectTypeOf(Nx.flatten(batchRowColumn)).toEqualTypeOf<T<readonly [null]>>();
    expectTypeOf(Nx.flatten(batchRowColumn, { name: "all" })).toEqualTypeOf<T<readonly ["all"]>>();
    expectTypeOf(Nx.flatten(batchRowColumn, { axes: [-2, -1], name: "pixel" })).toEqualTypeOf<
      T<readonly ["batch", "pixel"]>
    >();
    expectTypeOf(Nx.squeeze(batchRowColumn, { axes: ["row"] })).toEqualTypeOf<T<readonly ["batch", "column"]>>();
    expectTypeOf(Nx.squeeze(batchRowColumn)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.flatten(untracked, { axes: ["x"] })).toEqualTypeOf<Nx.Tensor>();
  });
});

describe("names of spectra", () => {
  it("are those that the options give, of the last axis where they name none", () => {
    type Named = T<readonly ["batch", "row", "frequency"]>;
    expectTypeOf(Nx.rfft(batchRowColumn, { name: "frequency" })).toEqualTypeOf<Named>();
    expectTypeOf(Nx.fft(batchRowColumn, { name: "frequency", length: 8 })).toEqualTypeOf<Named>();
    expectTypeOf(Nx.ifft(batchRowColumn, { axis: -1, name: "frequency" })).toEqualTypeOf<Named>();
    expectTypeOf(Nx.irfft(batchRowColumn, { axis: "row", name: "time" })).toEqualTypeOf<
      T<readonly ["batch", "time", "column"]>
    >();
    expectTypeOf(Nx.rfft(batchRowColumn, "row")).toEqualTypeOf<typeof batchRowColumn>();
    expectTypeOf(Nx.rfft(batchRowColumn, { length: 8 })).toEqualTypeOf<typeof batchRowColumn>();
    expectTypeOf(Nx.rfft(untracked, { name: "frequency" })).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error there is no axis "rows"
    Nx.rfft(batchRowColumn, { axis: "rows", name: "frequency" });
  });
});

describe("parts of a split", () => {
  type Part = typeof sampleFeature;

  it("are as many as the cuts say", () => {
    expectTypeOf(Nx.split(sampleFeature, 2)).toEqualTypeOf<[left: Part, right: Part]>();
    expectTypeOf(Nx.split(sampleFeature, [1, 3], "feature")).toEqualTypeOf<[first: Part, Part, Part]>();
    const cuts: readonly number[] = [1, 3];
    expectTypeOf(Nx.split(sampleFeature, cuts)).toEqualTypeOf<Part[]>();
    expectTypeOf(sampleFeature.split([1], { axis: "feature" })).toEqualTypeOf<[first: Part, Part]>();
  });

  it("are not guessed from what a result is assigned to", () => {
    const m = Nx.iota([2, 3], { names: ["x", "y"] });
    type Last = Nx.Tensor<readonly ["x", "y", null]>;
    const lasts: readonly Last[] = [Nx.stack([m, m], -1), Nx.newAxis(m, -1), Nx.oneHot(m, 6)];
    const frames: Nx.Tensor<readonly ["x", "frame", "frequency"]> = Nx.Signal.stft(m);
    expectTypeOf(lasts[0]!).toEqualTypeOf<Last>();
    expectTypeOf(frames.names).toEqualTypeOf<readonly ["x", "frame", "frequency"]>();
  });

  it("are no text where options have a length, as texts have", () => {
    const labels = Nx.iota([2, 3], { names: ["x", "y"] });
    // @ts-expect-error an axis is no option of it
    const counts = (): Nx.Tensor => Nx.bincount(labels, "y");
    // @ts-expect-error one axis is none of two
    const signal = (): Nx.Tensor => Nx.Signal.istft(Nx.Signal.stft(labels), "y");
    expectTypeOf([counts, signal]).not.toBeAny();
    expectTypeOf(Nx.bincount(labels, { length: 6, name: "k" }).names).toEqualTypeOf<readonly ["k"]>();
    expectTypeOf(Nx.Signal.istft(Nx.Signal.stft(labels), ["frame", "frequency"]).names).toEqualTypeOf<
      readonly ["x", "time"]
    >();
  });

  it("of an axis without a name are null beside others, too", () => {
    expectTypeOf(Nx.meshgrid([Nx.arange(3), Nx.fftfreq(4)])[0]!).toEqualTypeOf<Nx.Tensor<readonly [null, null]>>();
    const row = Nx.concatenate([Nx.rfftfreq(4), Nx.bincount(Nx.arange(3)), Nx.Signal.hann(3)]);
    expectTypeOf(row).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
    // @ts-expect-error the axis has no name
    const days: Nx.Tensor<readonly ["day"]> = Nx.arange(3);
    // @ts-expect-error the axis of segments has no name
    const groups: Nx.Tensor<readonly ["group"]> = Nx.segmentSum(Nx.f32([1, 2]), Nx.tensor([0, 1]), 2);
    // @ts-expect-error the axis of places has no name
    const places: Nx.Tensor<readonly ["place", null]> = Nx.argwhere(days);
    // @ts-expect-error the axis of values has no name
    const values: Nx.Tensor<readonly ["value"]> = Nx.unique(groups).values;
    expectTypeOf([places, values]).not.toBeAny();
    const named: Nx.Tensor<readonly ["day"]> = Nx.arange(3, { name: "day" });
    expectTypeOf(named.names).toEqualTypeOf<readonly ["day"]>();
  });
});
