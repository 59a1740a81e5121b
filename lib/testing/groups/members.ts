/** The promises of a backend besides computing: ownership of bytes, and the independence of tensors that share them. */
import * as Nx from "nx-numerics";
import type { Reserved, Tensor } from "nx-numerics";
import { ConformanceError, type Claim } from "../judge";
import { anything } from "../plain";
import { downloaded, expecting, unnamed, type Check, type Data, type Subject } from "../subject";
import { bytesOf, sizeOf } from "../values";

/** Few elements, many, and those around which memory is taken and kept in other ways. */
const COUNTS = [1, 5, 64, 4095, 4096, 4097, 20_001, 70_001];

const differ = (message: string): ConformanceError => new ConformanceError(message);

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

type Body = (subject: Subject, input: Data) => Iterable<Claim>;

/** A check for each of several sizes of an f32 operand. */
function forSizes(name: string, run: Body, limits: Pick<Check, "needs" | "reads"> = {}): Check[] {
  return COUNTS.map((count) => ({
    ...limits,
    name: `${name}, ${count} elements`,
    run: (subject) => run(subject, anything("f32", [count], count)),
  }));
}

const changed = (bytes: Uint8Array): void => {
  bytes.forEach((byte, i) => (bytes[i] = byte ^ 0xff));
};

function* uploads(subject: Subject, input: Data): Iterable<Claim> {
  const bytes = input.bytes.slice();
  const tensor = subject.tensor({ ...input, bytes });
  changed(bytes);
  yield { what: "a tensor whose bytes the caller changed after upload", tensor, expected: input };
  const part = new Uint8Array(input.bytes.length + 7);
  part.set(input.bytes, 3);
  const odd = subject.tensor({ ...input, bytes: part.subarray(3, 3 + input.bytes.length) });
  yield { what: "a tensor of bytes that lie at an odd address", tensor: odd, expected: input };
}

function* adopts(subject: Subject, input: Data): Iterable<Claim> {
  const { backend } = subject;
  if (!backend.adopt) return;
  const adopted = subject.made(input, backend.adopt(unnamed(input.type, input.shape), input.bytes.slice()));
  yield { what: "a tensor of adopted bytes", tensor: adopted, expected: input };
}

/** Memory is a tensor's alone as soon as it is reserved, and is written once. */
function* reserves(subject: Subject, input: Data): Iterable<Claim> {
  const { backend } = subject;
  const [first, second] = [0, 1].map(() => backend.reserve!(unnamed(input.type, input.shape))) as [Reserved, Reserved];
  for (const { bytes } of [first, second]) {
    if (bytes.byteLength !== input.bytes.byteLength)
      throw differ(`reserve gives ${bytes.byteLength} bytes in place of ${input.bytes.byteLength}`);
  }
  const noise = subject.scribble([input.bytes.byteLength]);
  first.bytes.set(input.bytes);
  second.bytes.fill(0xff);
  const tensor = subject.made(input, first.data);
  yield { what: "a tensor whose reserved bytes were written", tensor, expected: input };
  subject.release([subject.made(input, second.data), ...noise]);
  yield { what: "a tensor of reserved memory, after another one was released", tensor, expected: input };
}

function* downloads(subject: Subject, input: Data): Iterable<Claim> {
  const tensor = subject.tensor(input);
  const first = downloaded(tensor);
  changed(first);
  yield { what: "a tensor whose downloaded bytes were changed", tensor, expected: input };
  const count = sizeOf(input.shape);
  for (const limit of [0, 1, count - 1, count, count + 3]) {
    const wanted = input.bytes.subarray(0, Math.max(0, Math.min(limit, count)) * bytesOf(input.type));
    if (!sameBytes(downloaded(tensor, limit), wanted)) {
      throw differ(`download with the limit ${limit} does not give the first ${limit} of ${count} elements`);
    }
  }
}

/** `read` gives what `download` would. */
function* reads(subject: Subject, input: Data): Iterable<Claim> {
  yield { what: "a tensor that is read", tensor: subject.tensor(input), expected: input };
}

/** Refuses a released tensor that can still be used. */
function refuseUse(subject: Subject, tensor: Tensor): void {
  const uses: readonly (readonly [string, () => unknown])[] = [
    ["download", () => downloaded(tensor)],
    ["an operation", () => subject.within(() => Nx.negate(tensor))],
  ];
  for (const [what, use] of uses) {
    try {
      use();
    } catch (error) {
      if (error instanceof Nx.NxError) continue;
      throw error;
    }
    throw differ(`${what} of a tensor that was deallocated does not throw a BackendError`);
  }
}

function* deallocates(subject: Subject, input: Data): Iterable<Claim> {
  const [tensor, other] = [subject.tensor(input), subject.tensor(input)];
  if (subject.backend.deallocate(tensor) !== true) throw differ("deallocate of a tensor does not return true");
  if (subject.backend.deallocate(tensor) !== false) throw differ("deallocate a second time does not return false");
  refuseUse(subject, tensor);
  const noise = subject.scribble([input.bytes.byteLength]);
  yield { what: "a tensor of the same bytes as one deallocated", tensor: other, expected: input };
  subject.release(noise);
}

type Share = (subject: Subject, tensor: Tensor) => Tensor;

/** Calls that have nothing to do; result and operand are released separately. */
const IDLE: Readonly<Record<string, Share>> = {
  alias: (subject, t) => (subject.backend.alias ? subject.made(t, subject.backend.alias(t)) : t),
  reshape: (subject, t) => subject.call("reshape", t.type, t.shape, [t], {}),
  "reshape to a row": (subject, t) => subject.call("reshape", t.type, [1, ...t.shape], [t], {}),
  transpose: (subject, t) => subject.call("transpose", t.type, t.shape, [t], { axes: [0] }),
  broadcast: (subject, t) => subject.call("broadcast", t.type, t.shape, [t], { axes: [0] }),
  slice: (subject, t) => subject.call("slice", t.type, t.shape, [t], { starts: [0], lengths: t.shape, strides: [1] }),
  reverse: (subject, t) => subject.call("reverse", t.type, t.shape, [t], { axes: [] }),
  asType: (subject, t) => subject.call("asType", t.type, t.shape, [t], { overflow: "saturate" }),
  bitcast: (subject, t) => subject.call("bitcast", t.type, t.shape, [t], {}),
  concatenate: (subject, t) => subject.call("concatenate", t.type, t.shape, [t], { axis: 0 }),
  "reduction over nothing": (subject, t) =>
    subject.call("reduceOp", t.type, t.shape, [t], { op: "reduceMax", axes: [], keepAxes: false }),
  "a library function": (subject, t) => subject.within(() => Nx.flatten(t)),
};

/** Either of a tensor and what shares its elements may go first. */
const sharing = (share: Share): Body =>
  function* (subject, input) {
    const expected = { ...input };
    const kept = subject.tensor(input);
    const gone = share(subject, kept);
    if (gone === kept) return;
    yield { what: "the result", tensor: gone, expected: { ...expected, shape: gone.shape } };
    subject.release([gone]);
    const noise = subject.scribble([input.bytes.byteLength, input.bytes.byteLength]);
    yield { what: "the operand, after its result was released", tensor: kept, expected };
    const last = share(subject, kept);
    subject.release([kept]);
    const more = subject.scribble([input.bytes.byteLength, input.bytes.byteLength]);
    yield {
      what: "the result, after its operand was released",
      tensor: last,
      expected: { ...expected, shape: last.shape },
    };
    subject.release([last, ...noise, ...more]);
  };

function* takesOver(subject: Subject, input: Data): Iterable<Claim> {
  const { backend } = subject;
  const { type, shape, bytes } = input;
  const out = unnamed(type, shape);
  const give = (): readonly [Tensor, Tensor | null] => {
    const other = new Nx.Tensor(Nx.binaryBackend, Nx.binaryBackend.upload(out, bytes), type, shape, out.names);
    const taken = backend.takeOver!(other);
    return [other, taken === undefined ? null : subject.made(input, taken)];
  };
  const [other, taken] = give();
  if (!taken) return;
  yield { what: "a tensor taken over", tensor: taken, expected: input };
  Nx.binaryBackend.deallocate(other);
  const noise = subject.scribble([bytes.byteLength]);
  yield { what: "a tensor taken over, after the other was released", tensor: taken, expected: input };
  const [kept, gone] = give();
  subject.release([gone!]);
  const more = subject.scribble([bytes.byteLength]);
  if (!sameBytes(downloaded(kept), bytes)) throw differ("releasing a tensor taken over destroys the other");
  subject.release([taken, ...noise, ...more]);
}

/** Memory that comes back holds anything: what is written into it is written as a whole. */
function* reused(subject: Subject, input: Data): Iterable<Claim> {
  const [count] = input.shape as [number];
  const dirty = (): void => {
    const tensors = subject.scribble(Array<number>(3).fill(4 * count));
    for (const tensor of tensors) {
      if (subject.backend.recycle) subject.backend.recycle(tensor);
      else subject.release([tensor]);
    }
  };
  const zeros = expecting("f32", [count], new Float32Array(count));
  const first = expecting(
    "f32",
    [count],
    Float32Array.from({ length: count }, (_, i) => Number(i === 0)),
  );
  const made: Readonly<Record<string, readonly [() => Tensor, typeof zeros]>> = {
    constant: [() => subject.call("constant", "f32", [count], [], { value: 0 }), zeros],
    eye: [() => Nx.reshape(subject.call("eye", "f32", [1, count], [], {}), [count]), first],
    pad: [() => Nx.pad(Nx.f32([1]), 0, [[0, count - 1, 0]]), first],
    indexedAdd: [
      () => Nx.indexedAdd(Nx.broadcast(Nx.f32(0), [count]), Nx.s64([[0]]), Nx.f32([1])),
      first,
    ],
    windowScatterMax: [
      () => Nx.windowScatterMax(Nx.negate(Nx.iota([count], { type: "f32" })), Nx.f32([1]), 0, [count]),
      first,
    ],
    cumulativeSum: [() => Nx.cumulativeSum(Nx.pad(Nx.f32([0]), 0, [[0, count - 1, 0]])), zeros],
  }; // prettier-ignore
  for (const [name, [make, expected]] of Object.entries(made)) {
    dirty();
    const tensor = subject.within(make);
    yield { what: `${name} in memory used before`, tensor, expected };
    subject.release([tensor]);
  }
}

function* recycles(subject: Subject, input: Data): Iterable<Claim> {
  const kept = subject.tensor(input);
  const shared = subject.within(() => Nx.reshape(kept, kept.shape));
  subject.backend.recycle!(shared);
  const noise = subject.scribble([input.bytes.byteLength, input.bytes.byteLength]);
  yield { what: "a tensor that shared its elements with one recycled", tensor: kept, expected: input };
  subject.release([kept, ...noise]);
}

const blocks: Check = {
  name: "block of an unknown name runs the function it is given",
  *run(subject) {
    const input = expecting("s32", [3], [1, 2, 3]);
    if (subject.backend.isNative?.("no such composite")) throw differ("isNative is true of a name that does not exist");
    const operand = subject.tensor(input);
    const attrs = { name: "no such composite", options: {}, fn: (t: Tensor) => Nx.multiply(t, 10) };
    const result = subject.within(() => subject.call("block", "s32", [3], [operand], attrs));
    yield { what: "the result", tensor: result, expected: expecting("s32", [3], [10, 20, 30]) };
  },
};

const introduces: Check = {
  name: "a name and options",
  // oxlint-disable-next-line require-yield -- nothing has to be read for it
  *run({ backend: { name, options } }) {
    if (typeof name !== "string" || name === "") throw differ(`the name must be a word, got: ${String(name)}`);
    if (typeof options !== "object" || options === null)
      throw differ(`options must be an object, got: ${String(options)}`);
  },
};

/** All checks of members. */
export function memberChecks(): Check[] {
  const atOnce = { reads: "synchronous" } as const;
  return [
    introduces,
    blocks,
    ...forSizes("upload copies", uploads),
    ...forSizes("adopt", adopts, { needs: ["adopt"] }),
    ...forSizes("reserve", reserves, { needs: ["reserve"] }),
    ...forSizes("download copies, as far as asked", downloads, atOnce),
    ...forSizes("read", reads, { needs: ["read"], reads: "asynchronous" }),
    ...forSizes("deallocate releases", deallocates, atOnce),
    ...Object.entries(IDLE).flatMap(([name, share]) => forSizes(`apart: ${name}`, sharing(share))),
    ...forSizes("takeOver", takesOver, { needs: ["takeOver"] }),
    ...forSizes("recycle leaves others alone", recycles, { needs: ["recycle"] }),
    ...forSizes("memory used again is written as a whole", reused),
  ];
}
