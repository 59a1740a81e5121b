/**
 * Messages: what comes out on the other side is the same, elements are copied once at most, and shared memory is shared.
 */
import { once } from "node:events";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import fc from "fast-check";
import { is, List, Map as ImmutableMap, Record } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { DTYPES } from "../../lib/core/types";

/** A message as the other side gets it. */
function posted(...[message, transfer]: ReturnType<typeof Nx.toMessage>): Nx.Message {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(message, transfer);
  const received = (receiveMessageOnPort(port2) as { message: Nx.Message }).message;
  port1.close();
  return received;
}

const bufferOf = (message: Nx.Message, i = 0): ArrayBufferLike => message.tensors[i]!.bytes.buffer;

describe("a message", () => {
  it("gives the tensor that was sent, of any type, shape and names, copied or shared", () => {
    const tensors = fc.record({
      type: fc.constantFrom(...DTYPES),
      shape: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
      isNamed: fc.boolean(),
      shared: fc.boolean(),
    });
    fc.assert(
      fc.property(tensors, ({ type, shape, isNamed, shared }) => {
        const names = shape.map((_, i) => (isNamed ? `axis ${i}` : null));
        const t = Nx.iota(shape, { type, names });
        const back = Nx.fromMessage<Nx.Tensor>(posted(...Nx.toMessage(t, { shared })));
        expect(back.equals(t)).toBe(true);
        expect(Nx.toBinary(back)).toEqual(Nx.toBinary(t));
        expect(t.toFlatList()).toEqual(back.toFlatList()); // what was sent can still be read
      }),
    );
  });

  it("gives containers of the same kind, with a tensor that stands in several places once", () => {
    const Layer = Record({ weights: Nx.tensor(0) as Nx.Tensor, kind: "" }, "Layer");
    const t = Nx.f32([1, 2]);
    const value = {
      list: List([t, t]),
      map: ImmutableMap([["a", t]]),
      layer: Layer({ weights: t, kind: "dense" }),
      on: true,
    };
    const [message, transfer] = Nx.toMessage(value);
    expect(transfer).toHaveLength(1);
    const back = Nx.fromMessage<typeof value>(posted(message, transfer), { records: { Layer } });
    for (const key of Object.keys(value) as (keyof typeof value)[]) expect(is(back[key], value[key]), key).toBe(true);
  });

  it("is computed with as any other tensor, on every backend", () => {
    for (const size of [8, 10_000]) {
      for (const backend of ["binary", "wasm"] as const) {
        for (const shared of [false, true]) {
          const t = Nx.iota([size], { type: "f32" });
          const back = Nx.fromMessage<Nx.Tensor>(posted(...Nx.toMessage(t, { shared })), { backend });
          expect(back.backend.name).toBe(backend);
          expect(
            back
              .exp()
              .add(back)
              .sort({ direction: "desc" })
              .equals(t.exp().add(t).sort({ direction: "desc" })),
          ).toBe(true);
          expect(Nx.defn((x: Nx.Tensor) => x.multiply(2).sum())(back).toNumber()).toBe(t.multiply(2).sum().toNumber());
          expect(back.equals(t)).toBe(true); // nothing was written over it
        }
      }
    }
  });
});

describe("elements of a message", () => {
  it("are transferred: the buffers of the sender are empty afterwards", () => {
    const [message, transfer] = Nx.toMessage([Nx.iota([5000]), Nx.f32(1)]);
    posted(message, transfer);
    expect(transfer.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
    expect(() => Nx.fromMessage(message)).toThrow(
      /tensor 0 of the message should have 40000 bytes, got: 0 bytes; they were transferred to another thread/,
    );
  });

  it("are read where they lie by who receives them", () => {
    for (const shared of [false, true]) {
      const received = posted(...Nx.toMessage(Nx.iota([5000], { type: "f32" }), { shared }));
      const t = Nx.fromMessage<Nx.Tensor>(received);
      new Float32Array(bufferOf(received))[0] = 42; // what nobody may do, which shows where the tensor reads
      expect(t.at(0).toNumber()).toBe(42);
    }
  });

  it("that are shared are copied once: not for the next message, nor when the tensor is sent on", () => {
    const t = Nx.iota([5000], { type: "f32" });
    const [first] = Nx.toMessage(t, { shared: true });
    const [second] = Nx.toMessage({ t }, { shared: true });
    expect(bufferOf(second)).toBe(bufferOf(first));
    const received = posted(first, []);
    const [onward] = Nx.toMessage(Nx.fromMessage(received), { shared: true });
    expect(bufferOf(onward)).toBe(bufferOf(received));
  });

  it("are never in the memory of kernels, whose rooms are used again", () => {
    const t = Nx.withDefaultBackend("wasm", () => Nx.iota([50_000], { type: "f32" }).add(1));
    const [message] = Nx.toMessage(t, { shared: true });
    expect(bufferOf(message).byteLength).toBe(200_000);
    Nx.backendDeallocate(t);
    for (let i = 0; i < 5; i++) Nx.iota([50_000], { type: "f32" }).multiply(0);
    expect(Nx.fromMessage<Nx.Tensor>(message).at(9).toNumber()).toBe(10);
  });

  it("that are shared are the same memory in another thread", async () => {
    const worker = new Worker(
      `require("node:worker_threads").parentPort.once("message", ({ tensors: [{ bytes }] }) => {
        new Float32Array(bytes.buffer)[1] = 7;
        require("node:worker_threads").parentPort.postMessage("done");
      });`,
      { eval: true },
    );
    const [message, transfer] = Nx.toMessage(Nx.f32([1, 2]), { shared: true });
    worker.postMessage(message, transfer);
    await once(worker, "message");
    await worker.terminate();
    expect(Nx.fromMessage<Nx.Tensor>(message).toList()).toEqual([1, 7]);
  });
});

describe("what cannot be sent or read", () => {
  it("is said: tensors that are cloned or posted as they are, wherever they stand", () => {
    const advice = /a tensor of nx-numerics: send Nx\.toMessage\(tensor\) instead/;
    const { port1 } = new MessageChannel();
    const released = Nx.tensor([1]);
    Nx.backendDeallocate(released);
    const handles = { ...Nx.binaryBackend, name: "handles" };
    const tensors = [
      Nx.tensor(1),
      Nx.iota([10_000]),
      Nx.template([2], "f32"),
      released,
      Nx.f32(1, { backend: handles }),
    ];
    for (const t of [...tensors, Nx.vectorize(Nx.iota([2], { names: ["x"] }), "x")]) {
      for (const value of [t, [t], { deep: { t } }, new Map([["t", t]]), Nx.Batch.stack([Nx.tensor(1)])]) {
        expect(() => structuredClone(value)).toThrow(advice);
        expect(() => port1.postMessage(value)).toThrow(advice);
      }
    }
    port1.close();
    Nx.defn((x: Nx.Tensor) => {
      expect(() => structuredClone(x)).toThrow(advice);
      return x;
    })(Nx.tensor(1));
  });

  it("is said: what is no message, or one of another version", () => {
    const [message] = Nx.toMessage(Nx.f32([1, 2]));
    const [part] = message.tensors as [Nx.MessageTensor];
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /expects what Nx\.toMessage made, got: undefined; in a listener that is event\.data/],
      [[message, []], /give the message alone/],
      [Nx.tensor(1), /expects what Nx\.toMessage made, got: a tensor s64\[\]/],
      [{ ...message, nx: 2 }, /has version 2 of the form, this library reads version 1/],
      [{ ...message, tensors: [{ ...part, type: "f31" }] }, /tensor 0 of the message has no known type: "f31"/],
      [{ ...message, tensors: [{ ...part, shape: [3] }] }, /should have 12 bytes, got: 8 bytes$/],
      [{ ...message, tensors: [{ ...part, names: ["x", "y"] }] }, /axis names of tensor 0 of the message are damaged/],
      [{ ...message, tensors: [{ ...part, bytes: [1] }] }, /should have 8 bytes, got: \[1\]/],
      [{ ...message, tensors: [] }, /tensor 0 where there are 0/],
      [{ ...message, value: { odd: 1 } }, /structure .* is damaged/],
    ];
    for (const [value, text] of wrong) expect(() => Nx.fromMessage(value)).toThrow(text);
  });

  it("is said: tensors that were released, even if they were sent before", () => {
    for (const shared of [true, false]) {
      const t = Nx.f32([1, 2]);
      Nx.toMessage(t, { shared });
      Nx.backendDeallocate(t);
      expect(() => Nx.toMessage(t, { shared })).toThrow(/f32\[2\] was deallocated/);
    }
  });

  it("is said where the host has no shared memory", () => {
    const host = globalThis as { SharedArrayBuffer?: unknown };
    const { SharedArrayBuffer } = host;
    delete host.SharedArrayBuffer;
    try {
      expect(() => Nx.toMessage(Nx.tensor(1), { shared: true })).toThrow(/this host has no shared memory/);
      expect(Nx.fromMessage<Nx.Tensor>(Nx.toMessage(Nx.tensor(1))[0]).toNumber()).toBe(1);
    } finally {
      host.SharedArrayBuffer = SharedArrayBuffer;
    }
  });

  it("is said inside traced functions", () => {
    const sending = (x: Nx.Tensor): Nx.Tensor => {
      Nx.toMessage(x);
      return x;
    };
    expect(() => Nx.defn(sending)(Nx.tensor(1))).toThrow(/Nx\.toMessage/);
  });
});
