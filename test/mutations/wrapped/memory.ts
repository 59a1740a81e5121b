/** Defects of whose memory is whose. */
import type { Backend, Tensor } from "nx-numerics";
import type { Mutant } from "../mutant";
import { ELEMENTWISE, elementsOf, replaced, sizeOf, tensorOf, type Base, type Call } from "./spoil";

const mutant = (name: string, aim: RegExp, members: Mutant["members"]): Mutant => ({ name, aim, of: "wasm", members });

/** A result over an operand of the same type and size. */
const inPlace = (base: Base): Partial<Backend> =>
  replaced(base, ["unary", "binary"], (call, run) => {
    const data = run(call);
    const [x] = call.inputs as [Tensor];
    if (x.type !== call.out.type || sizeOf(x) !== sizeOf(call.out)) return data;
    elementsOf(x).set(elementsOf(tensorOf(base, call.out, data)));
    return base.alias(x);
  });

/** Data that is that of the operand itself, so that both are released at once. */
const sameData = (call: Call, run: (call: Call) => unknown): unknown => {
  const [x] = call.inputs as [Tensor];
  return String(x.shape) === String(call.out.shape) && x.type === call.out.type ? x.data : run(call);
};

export const MEMORY: readonly Mutant[] = [
  mutant("zeroes its operands", /known: sqrt|sizes: sqrt f64 of 5$/, (base) =>
    replaced(base, ["unary"], (call, run) => {
      const data = run(call);
      if (call.inputs[0]!.type !== "u8") elementsOf(call.inputs[0]!).fill(0);
      return data;
    }),
  ),
  mutant("writes results over operands", /sizes: add f32/, inPlace),
  mutant("keeps the caller's bytes on upload", /upload copies/, (base) => ({
    upload: (out, bytes) => base.adopt(out, bytes),
  })),
  mutant("keeps the caller's bytes on upload, when there are many", /upload copies/, (base) => ({
    upload: (out, bytes) => (bytes.length > 50_000 ? base.adopt(out, bytes) : base.upload(out, bytes)),
  })),
  mutant("downloads the memory of the tensor", /download copies/, (base) => ({
    download(tensor, limit) {
      const copy = base.download(tensor, limit);
      const { buffer, byteOffset } = elementsOf(tensor);
      return new Uint8Array(buffer, byteOffset, copy.length);
    },
  })),
  mutant("downloads more than the limit", /download copies/, (base) => ({
    download: (tensor) => base.download(tensor),
  })),
  mutant("downloads one element too few", /download copies/, (base) => ({
    download: (tensor, limit) => base.download(tensor, limit === undefined ? limit : Math.max(0, limit - 1)),
  })),
  mutant("deallocate does nothing", /deallocate/, () => ({ deallocate: () => true })),
  mutant("deallocate releases twice", /deallocate/, (base) => ({
    deallocate: (tensor) => base.deallocate(tensor) || true,
  })),
  mutant("deallocate says nothing of what it did", /deallocate/, (base) => ({
    deallocate: (tensor) => !base.deallocate(tensor),
  })),
  mutant("alias gives the data itself", /apart: alias/, () => ({ alias: (tensor) => tensor.data })),
  mutant("reshape gives the data itself", /apart: reshape/, (base) => replaced(base, ["reshape"], sameData)),
  mutant("a transpose that turns nothing gives the data itself", /apart: transpose/, (base) =>
    replaced(base, ["transpose"], sameData),
  ),
  mutant("a slice of everything gives the data itself", /apart: slice/, (base) => replaced(base, ["slice"], sameData)),
  mutant("a cast to the same type gives the data itself", /apart: asType/, (base) =>
    replaced(base, ["asType"], sameData),
  ),
  mutant("a join of one gives the data itself", /apart: concatenate/, (base) =>
    replaced(base, ["concatenate"], sameData),
  ),
  mutant("recycle clears memory that others hold", /recycle/, (base) => ({
    recycle(tensor) {
      elementsOf(tensor).fill(0);
      base.recycle(tensor);
    },
  })),
  mutant("takes over the data itself", /takeOver/, () => ({ takeOver: (tensor) => tensor.data })),
  mutant("takes over twice the data of the first tensor", /takeOver/, (base) => {
    let first: Tensor | null = null;
    return { takeOver: (tensor) => base.takeOver((first ??= tensor)) };
  }),
  mutant("says that every composite is native", /block/, () => ({ isNative: () => true })),
  mutant("takes a composite for its operand", /block/, (base) =>
    replaced(base, ["block"], (call, run) =>
      call.inputs[0]?.type === call.out.type && sizeOf(call.inputs[0]) === sizeOf(call.out)
        ? base.alias(call.inputs[0])
        : run(call),
    ),
  ),
  mutant("gives the result of the last call of this shape", /sizes: add f32/, (base) => {
    const last = new Map<string, unknown>();
    return replaced(base, ["binary"], (call, run) => {
      const key = JSON.stringify([call.out, call.attrs]);
      const data = run(call);
      const before = last.get(key) ?? data;
      last.set(key, data);
      return base.alias(tensorOf(base, call.out, before));
    });
  }),
  mutant("a second call with the same operands gives zeros", /sizes: add f32/, (base) => {
    const seen = new WeakSet<Tensor>();
    return replaced(base, [...ELEMENTWISE], (call, run) => {
      const [x] = call.inputs as [Tensor];
      const data = run(call);
      if (seen.has(x)) elementsOf(tensorOf(base, call.out, data)).fill(0);
      seen.add(x);
      return data;
    });
  }),
  mutant("all results of a size share scratch memory", /sizes: add f32/, (base) => {
    const scratch = new Map<string, Tensor>();
    return replaced(base, ["binary"], (call, run) => {
      const key = `${call.out.type} ${sizeOf(call.out)}`;
      const made = tensorOf(base, call.out, run(call));
      const held = scratch.get(key) ?? made;
      scratch.set(key, held);
      elementsOf(held).set(elementsOf(made));
      return base.alias(held);
    });
  }),
  mutant("the last element is left from the memory's last use", /memory used again/, (base) =>
    replaced(base, ["pad", "constant", "eye"], (call, run) => {
      const data = run(call);
      const list = elementsOf(tensorOf(base, call.out, data));
      if (list.length > 5000) list[list.length - 1] = 0x25;
      return data;
    }),
  ),
];
