/** Defects of places: offsets, steps, order, axes, and of the members that run kernels. */
import type { Backend, Primitive } from "nx-numerics";
import type { Mutant } from "../mutant";
import { f32, replaced, sizeOf, spoil, type Base, type Call } from "./spoil";

const mutant = (of: Mutant["of"], name: string, aim: RegExp, members: Mutant["members"]): Mutant => ({
  name,
  aim,
  of,
  members,
});

const attrsOf =
  (names: readonly Primitive[], attrs: (given: Call["attrs"], call: Call) => object) =>
  (base: Base): Partial<Backend> =>
    replaced(base, names, (call, run) => run({ ...call, attrs: { ...call.attrs, ...attrs(call.attrs, call) } }));

const last = <T>(list: readonly T[], value: T): T[] => [...list.slice(0, -1), value];
const zerosLike = (list: readonly unknown[]): number[] => list.map(() => 0);

type Pads = readonly (readonly [number, number, number])[];
type View = Parameters<Base["fused"]>[2]["operands"][number]["view"];

/** Kernels that read operands wrongly. */
const seeing =
  (change: (view: View, i: number) => View) =>
  (base: Base): Partial<Backend> => ({
    fused(outs, inputs, nest, reuses) {
      const operands = nest.operands.map((operand, i) => ({ ...operand, view: change(operand.view, i) }));
      return base.fused(outs, inputs, { ...nest, operands }, reuses);
    },
  });

const PLACED: readonly Mutant[] = [
  mutant("binary", "slices forget where they begin", /movement: slice at/, attrsOf(["slice"], ({ starts }) => ({ starts: (starts as (number | null)[]).map((s) => (s === null ? s : 0)) }))),
  mutant("binary", "slices by steps of three go by two", /movement: slice by/, attrsOf(["slice"], ({ strides }) => ({ strides: (strides as number[]).map((s) => (s === 3 ? 2 : s)) }))),
  mutant("wasm", "reversals of several axes leave the last one", /movement: reverse of both/, attrsOf(["reverse"], ({ axes }) => ({ axes: (axes as number[]).length > 1 ? (axes as number[]).slice(0, -1) : axes }))),
  mutant("wasm", "two elements of a large transpose are exchanged", /movement: transpose f32\[67,129\]/, (base) => spoil(base, ["transpose"], ({ out }) => sizeOf(out) > 8000 && out.type === "f32", (bytes) => {
    const list = f32(bytes);
    [list[5], list[6]] = [list[6]!, list[5]!];
  })),
  mutant("binary", "padding between elements is left out", /movement: pad between/, (base) => replaced(base, ["pad"], (call, run) => run({ ...call, attrs: { config: (call.attrs["config"] as Pads).map(([low, high, interior]) => (interior === 2 ? [low + 1, high + 1, interior] : [low, high, interior])) } }))),
  mutant("binary", "joins along the last axis end with the first operand again", /movement: concatenate columns/, (base) => spoil(base, ["concatenate"], ({ attrs, out }) => attrs["axis"] === 1 && out.shape.length === 2)),
  mutant("wasm", "take reads one place further from the 60th on", /movement: take rows/, (base) => spoil(base, ["take"], ({ inputs: [x] }) => x!.shape[0]! > 60)),
  mutant("binary", "writes at places keep the first of several", /movement: indexedPut|known: indexedPut/, (base) => spoil(base, ["indexed"], ({ attrs }) => attrs["op"] === "put")),
  mutant("binary", "starts of writes are not moved to fit", /known: putSlice|movement: putSlice/, (base) => spoil(base, ["putSlice"], () => true)),
  mutant("binary", "numbers along an axis go along the last one", /known: iota/, attrsOf(["iota"], ({ axis }, { out }) => ({ axis: axis === null ? axis : out.shape.length - 1 }))),
  mutant("wasm", "broadcasts of a column repeat the first element", /as binary: add .*\[67,1\]|movement: elements again/, (base) => spoil(base, ["broadcast"], ({ inputs: [x], out }) => sizeOf(x!) > 1 && out.shape.at(-1)! === 3 && out.shape.length === 3, (bytes) => bytes.copyWithin(bytes.length >> 1, 0, 64))),
  mutant("wasm", "an operand at a row's end is read one too far", /layouts: sum of rows of a slice at/, (base) => spoil(base, ["reduceOp"], ({ inputs: [x] }) => x!.shape[1] === 19 && x!.shape[0] === 20)),
  mutant("binary", "products of 255 terms miss the last", /products: dot .*63x255x65/, (base) => spoil(base, ["dot"], ({ inputs: [x] }) => x!.shape.includes(255))),
  mutant("wasm", "products of one column are wrong", /products: dot .*129x257x1$/, (base) => spoil(base, ["dot"], ({ out }) => out.shape.at(-1) === 1 && sizeOf(out) > 100)),
  mutant("binary", "the second product of a batch is the first", /products: dot of 3/, (base) => spoil(base, ["dot"], ({ attrs }) => (attrs["batch"] as number[][])[0]!.length > 0, (bytes, { out }) => bytes.copyWithin(bytes.length / out.shape[0]!, 0, bytes.length / out.shape[0]!))),
  mutant("wasm", "a batch of one product is empty", /products: dot of 1 /, (base) => spoil(base, ["dot"], ({ attrs, out }) => (attrs["batch"] as number[][])[0]!.length > 0 && out.shape[0] === 1, (bytes) => bytes.fill(0))),
  mutant("binary", "convolutions forget dilation", /products: conv .*3,2,16,40/, (base) => spoil(base, ["conv"], ({ attrs }) => (attrs["kernelDilation"] as number[]).some((d) => d > 1))),
  mutant("wasm", "convolutions of many channels are wrong at the edge", /products: conv .*1,16,34,33/, (base) => spoil(base, ["conv"], ({ inputs: [x] }) => x!.shape[1]! >= 16)),
  mutant("binary", "windows are filled up with zeros", /known: windowMax/, (base) => spoil(base, ["windowOp"], ({ attrs }) => attrs["op"] === "windowMax", (bytes, { out }) => { if (out.type === "f32") f32(bytes).forEach((x, i, list) => x === -Infinity && (list[i] = 0)); })),
]; // prettier-ignore

const KERNELS: readonly Mutant[] = [
  mutant("wasm", "fused gives 42", /programs: map: 2x/, (base) => ({ fused: (outs) => outs.map((out) => base.constant(out, [], { value: 42 })) })),
  mutant("wasm", "the second result of a kernel is the first", /programs: map: sum and/, (base) => ({
    fused(outs, inputs, nest, reuses) {
      const results = base.fused(outs, inputs, nest, reuses);
      return results && outs.length > 1 && outs[0]!.type === outs[1]!.type ? [results[0]!, results[0]!] : results;
    },
  })),
  mutant("wasm", "kernels forget where operands begin", /programs: map: parts/, seeing((view) => ({ ...view, offset: 0 }))),
  mutant("wasm", "kernels read backwards operands forwards", /programs: map: an operand/, seeing((view) => (view.strides.some((s) => s < 0) ? { ...view, offset: 0, strides: view.strides.map(Math.abs) } : view))),
  mutant("wasm", "kernels take steps along the last axis for one", /programs: map: a (transposed|column)|programs: map: parts/, seeing((view) => ({ ...view, strides: last(view.strides, Math.min(1, view.strides.at(-1) ?? 1)) }))),
  mutant("wasm", "kernels repeat one element of operands from the twelfth on", /programs: map: twelve/, seeing((view, i) => (i < 11 ? view : { ...view, strides: zerosLike(view.strides) }))),
  mutant("wasm", "kernels write over operands that others hold", /programs: (donated|map)/, (base) => ({
    fused(outs, inputs, nest, reuses) {
      const results = base.fused(outs, inputs, nest);
      (reuses ?? []).forEach((at, i) => {
        if (at === null || !results) return;
        const made = (results[i] as { elements: Float32Array }).elements;
        (inputs[at]!.data as { elements: Float32Array }).elements.set(made);
      });
      return results;
    },
  })),
  mutant("wasm", "nests of folds are wrong in their last line", /programs: fold/, (base) => ({
    fused(outs, inputs, nest, reuses) {
      const results = base.fused(outs, inputs, nest, reuses);
      if (nest.kind === "fold") results?.forEach((one) => (one as { elements: Float32Array }).elements.fill(0, -1));
      return results;
    },
  })),
  mutant("wasm", "reductions of what a kernel makes are wrong in their last column", /programs: reduction/, (base) => ({
    fused(outs, inputs, nest, reuses) {
      const results = base.fused(outs, inputs, nest, reuses);
      if (nest.kind === "reduction") results?.forEach((one) => (one as { elements: Float32Array }).elements.fill(0, -1));
      return results;
    },
  })),
  mutant("wasm", "contractions leave out what follows them, for many columns", /programs: contraction/, (base) => ({
    fused(outs, inputs, nest, reuses) {
      const results = base.fused(outs, inputs, nest, reuses);
      if (results && nest.kind === "contraction" && outs[0]!.shape.at(-1)! > 100) (results[0] as { elements: Float32Array }).elements[0]! += 1;
      return results;
    },
  })),
  mutant("wasm", "kernels are wrong in their 4,097th element", /programs: map: 2x/, (base) => ({
    fused(outs, inputs, nest, reuses) {
      const results = base.fused(outs, inputs, nest, reuses);
      if (!results) return results;
      const { elements } = results[0] as { elements: Float32Array };
      if (elements.length > 4096) elements[4096]! += 1;
      return results;
    },
  })),
]; // prettier-ignore

export const LAYOUTS: readonly Mutant[] = [...PLACED, ...KERNELS];
