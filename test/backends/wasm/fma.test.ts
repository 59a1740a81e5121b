/** Products added unrounded: within the bounds of exact ones, where the host has relaxed SIMD; the default stays what it is. */
import { setFlagsFromString } from "node:v8";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { binaryBackend } from "../../../lib/backends/binary";
import { convolutionFrom } from "../../../lib/backends/wasm/contractions/conv";
import { dotFrom } from "../../../lib/backends/wasm/contractions/dot";
import { hasRelaxedSimd } from "../../../lib/backends/wasm/memory/host";
import * as Nx from "../../../lib/index";
import * as s from "../binary/support";
import { EPSILON, expectWithin, randomTensor, referenceOf, resultOf } from "./contraction-support";

// Node 20 has it behind a flag; later ones do not know the flag any more, or need none.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--experimental-wasm-relaxed-simd");

const dot = dotFrom(0, 2 ** 28);
const conv = convolutionFrom(0, 2 ** 28);
const matrices = { contract: [[1], [0]], batch: [[], []] } as const;

const relaxed = <T>(fn: () => T): T => {
  const before = Nx.configure({ fma: "relaxed" });
  try {
    return fn();
  } finally {
    Nx.configure({ fma: before.fma });
  }
};

describe("relaxed sums of products", () => {
  it("are had here", () => expect(hasRelaxedSimd()).toBe(true));

  it.each([
    [8, 20, 12],
    [13, 30, 37],
    [70, 300, 65],
    [5, 700, 130],
  ])("of %i x %i x %i are within the bounds of exact ones, and others in some bits", (m, k, n) => {
    for (const type of ["f32", "f64"] as const) {
      const inputs = [randomTensor(type, [m, k], 1), randomTensor(type, [k, n], 2)];
      const reference = referenceOf("dot", [m, n], inputs, matrices);
      const product = () => resultOf(dot, type, [m, n], inputs, matrices);
      const exact = product();
      const found = relaxed(product);
      expectWithin(found, reference, k, EPSILON[type]);
      expect(found).not.toEqual(exact);
      expect(product()).toEqual(exact);
    }
  });

  it("of convolutions, packed or not, are within the bounds, too", () => {
    for (const [filters, stride] of [
      [4, 1],
      [40, 2],
    ] as const) {
      const [input, kernel, out] = [
        [2, 5, 21, 21],
        [filters, 5, 3, 3],
        [2, filters, Math.ceil(19 / stride), Math.ceil(19 / stride)],
      ];
      const none = [1, 1] as const;
      const attrs = {
        strides: [stride, stride],
        padding: [
          [0, 0],
          [0, 0],
        ] as const,
        ...{ inputDilation: none, kernelDilation: none, featureGroups: 1, batchGroups: 1 },
      };
      const inputs = [randomTensor("f32", input!, 1), randomTensor("f32", kernel!, 2)];
      const found = () => resultOf(conv, "f32", out!, inputs, attrs);
      expectWithin(relaxed(found), referenceOf("conv", out!, inputs, attrs), 45, EPSILON.f32);
      expect(relaxed(found)).not.toEqual(found());
    }
  });

  it("of integers are the same bits", () => {
    const ones = (shape: readonly number[]) => s.fromNumbers("s32", shape, new Array<number>(s.sizeOf(shape)).fill(3));
    const inputs = [ones([20, 20]), ones([20, 20])];
    const out = { type: "s32", shape: [20, 20], names: [null, null] } as const;
    const bits = (data: unknown) => s.bitsOf(new Nx.Tensor(binaryBackend, data, "s32", out.shape, out.names));
    expect(bits(relaxed(() => dot(out, inputs, matrices)))).toEqual(bits(binaryBackend.dot(out, inputs, matrices)));
  });
});

describe("compiled functions", () => {
  const x = Nx.sin(Nx.iota([40, 40], { type: "f32", backend: "wasm" }));
  let product: (x: Nx.Tensor) => Nx.Tensor;
  beforeAll(() => (product = Nx.defn(() => Nx.dot(x, x)) as unknown as typeof product));
  afterAll(() => Nx.configure({ fma: undefined }));

  it("keep what they computed beforehand for each setting", () => {
    const exact = Nx.toFlatList(product(x));
    expect(relaxed(() => Nx.toFlatList(product(x)))).not.toEqual(exact);
    expect(Nx.toFlatList(product(x))).toEqual(exact);
  });
});

describe("Nx.host().fma", () => {
  it("tells what is in force", () => {
    const on = (backend: "binary" | "wasm") => Nx.withDefaultBackend(backend, () => Nx.host().fma);
    expect(on("wasm")).toEqual({
      isRelaxed: false,
      why: "the default, exact: results have the same bits on every machine",
    });
    expect(relaxed(() => on("wasm"))).toEqual({ isRelaxed: true, why: "set by Nx.configure" });
    expect(relaxed(() => on("binary"))).toEqual({ isRelaxed: false, why: "the backend binary rounds each product" });
  });
});
