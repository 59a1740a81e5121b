/** Making tensors, types, conversion, files, and what gives no tensors. */
import * as Nx from "nx-numerics";
import { row, untyped, type Row, type Fitting, type Rows } from "../row";
import { ab, x, xy, y } from "./operands";

const DATA = "what was stored is known when it is read";

type Maker = (data: number[], options: { readonly names: readonly ["x"] }) => Nx.Tensor<readonly ["x"]>;

const typed = <const K extends readonly (keyof typeof Nx)[]>(names: K & Fitting<typeof Nx, K, Maker>): Rows =>
  Object.fromEntries(
    names.map((name): [string, Row] => {
      const call = Nx[name] as Maker;
      const text = `Nx.${name}([1, 2], { names: ["x"] })`;
      return [name, { rule: "given", call: () => call([1, 2], { names: ["x"] }), text, names: ["x"] }];
    }),
  );

export const CREATION: Rows = {
  ...typed([
    "bf16",
    "c128",
    "c64",
    "f16",
    "f32",
    "f64",
    "s16",
    "s32",
    "s64",
    "s8",
    "u16",
    "u32",
    "u64",
    "u8",
    "tensor",
  ]),
  arange: row("given", () => Nx.arange(0, 4, { name: "x" }), ["x"]),
  asType: row("same", () => Nx.asType(xy, "f64"), ["x", "y"]),
  bitcast: row("same", () => Nx.bitcast(xy, "f64"), ["x", "y"]),
  fftfreq: row("given", () => Nx.fftfreq(4, { name: "x" }), ["x"]),
  rfftfreq: row("given", () => Nx.rfftfreq(4, { name: "x" }), ["x"]),
  eye: row("given", () => Nx.eye(2, { names: ["a", "b"] }), ["a", "b"]),
  fill: row("given", () => Nx.fill([2], 1, { names: ["x"] }), ["x"]),
  fromBinary: row("given", () => Nx.fromBinary(Uint8Array.of(1, 2), "u8", { names: ["x"] }), ["x"]),
  full: row("given", () => Nx.full([2], 1, { names: ["x"] }), ["x"]),
  fullLike: row("same", () => Nx.fullLike(xy, 1), ["x", "y"]),
  iota: row("given", () => Nx.iota([2], { names: ["x"] }), ["x"]),
  linspace: row("given", () => Nx.linspace(0, 1, { n: 3, name: "x" }), ["x"]),
  ones: row("given", () => Nx.ones([2], { names: ["x"] }), ["x"]),
  onesLike: row("same", () => Nx.onesLike(xy), ["x", "y"]),
  randomNormal: row("given", () => Nx.randomNormal([2], 0, 1, { names: ["x"] }), ["x"]),
  randomUniform: row("given", () => Nx.randomUniform([2], 0, 1, { names: ["x"] }), ["x"]),
  template: row("given", () => Nx.template([2], "f32", { names: ["x"] }), ["x"]),
  toTemplate: row("container", () => Nx.toTemplate([x, y] as const), [["x"], ["y"]]),
  toTensor: row("same", () => Nx.toTensor(xy), ["x", "y"]),
  tri: row("given", () => Nx.tri(2, 3, { names: ["x", "y"] }), ["x", "y"]),
  zeros: row("given", () => Nx.zeros([2], { names: ["x"] }), ["x"]),
  zerosLike: row("same", () => Nx.zerosLike(xy), ["x", "y"]),
  toBatched: row("same", () => [...Nx.toBatched(xy, 1)][0]!, ["x", "y"]),
  backendCopy: row("container", () => Nx.backendCopy([x, y] as const, "binary"), [["x"], ["y"]]),
  backendTransfer: row("container", () => Nx.backendTransfer([x.add(1), y.add(1)] as const, "binary"), [["x"], ["y"]]),
  evaluate: row("container", () => Nx.evaluate([x.exp(), y.exp()] as const), [["x"], ["y"]]),
  tidy: row("container", () => Nx.tidy(() => [x.exp(), y.exp()] as const), [["x"], ["y"]]),
  profile: row("container", () => Nx.profile(() => [x.exp(), y.exp()] as const).result, [["x"], ["y"]]),
  withDefaultBackend: row("container", () => Nx.withDefaultBackend("binary", () => x.exp()), ["x"]),
  withFloatType: row("container", () => Nx.withFloatType("f64", () => x.exp()), ["x"]),
  withPromotion: row("container", () => Nx.withPromotion("nx", () => x.exp()), ["x"]),
  deserialize: row("stored", () => Nx.deserialize<typeof ab>(Nx.serialize(ab)), ["a", "b"]),
  fromMessage: row("stored", () => Nx.fromMessage<typeof ab>(Nx.toMessage(ab)[0]), ["a", "b"]),
  loadNumpy: untyped("none", () => Nx.loadNumpy(Nx.toNumpy(ab)), [null, null], DATA),
  loadNumpyArchive: untyped("none", () => Nx.loadNumpyArchive(Nx.toNumpyArchive({ ab }))[0]![1], [null, null], DATA),
  loadSafetensors: untyped("stored", () => Nx.loadSafetensors(Nx.toSafetensors({ ab }))["ab"]!, ["a", "b"], DATA),
};

/** Functions whose results hold no tensors, or promise them. */
export const NO_TENSORS: readonly string[] = [
  ...[
    "axes",
    "axisIndex",
    "axisSize",
    "bitSize",
    "byteSize",
    "names",
    "rank",
    "shape",
    "size",
    "type",
    "isCompatible",
    "Signal.butter",
  ],
  ...[
    "toBinary",
    "toFlatList",
    "toList",
    "toNumber",
    "item",
    "toNumbers",
    "toFloat64Array",
    "print",
    "toTypedArray",
    "inspect",
    "toHeatmap",
    "isTensor",
    "range",
  ],
  ...["serialize", "toMessage", "toNumpy", "toNumpyArchive", "toSafetensors", "safetensorsInfo", "host", "configure"],
  ...["configureFromFile", "defaultBackend", "globalDefaultBackend", "registerBackend", "backendDeallocate", "read"],
  ...["Batch.concatenate", "Batch.merge", "Batch.new", "Batch.pad", "Batch.split", "Batch.stack", "Serving.create"],
  ...[
    "Defn.checkPure",
    "explain",
    "Defn.lazy",
    "Defn.debugExpr",
    "Defn.toGraph",
    "Defn.defaultOptions",
    "Defn.explain",
    "Defn.Composite.count",
  ],
  ...["Quantized.calibrate", "Quantized.formatForRange", "Quantized.inspect"],
  ...["castNumber", "epsilon", "infer", "isComplex", "isFloat", "isInteger", "isSigned", "isUnsigned", "max"].map(
    (name) => `Type.${name}`,
  ),
  ...["maxFinite", "merge", "mergeNumber", "min", "minFinite", "normalize", "smallestPositiveNormal"].map(
    (name) => `Type.${name}`,
  ),
  ...["toAggregate", "toComplex", "toFloating", "toReal", "toString"].map((name) => `Type.${name}`),
];
