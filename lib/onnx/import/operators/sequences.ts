/**
 * Sequences and optional values: what they hold is known while tracing, though not the elements of their tensors.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  along,
  axisOf,
  bounded,
  boundedJoin,
  operator,
  range,
  reshape,
  several,
  type Call,
  type Operators,
  type Result,
} from "../operator";
import { outside } from "../outside";
import { type Empty, isSequence, numberOf, numbersOf, type Sequence, type Value } from "../values";

function sequenceOf(value: Value): Sequence {
  if (isSequence(value)) return value;
  throw new ArgumentError("it takes a sequence");
}

function position(sequence: Sequence, input: Tensor | undefined, otherwise: number, most: number): number {
  const given = input === undefined ? otherwise : numberOf(input, "position");
  const at = given < 0 ? given + sequence.length : given;
  if (Number.isInteger(at) && at >= 0 && at <= most) return at;
  throw new ArgumentError(`position ${given} is not in a sequence of ${sequence.length} entries`);
}

function at(_: Call, value: Value, input: Tensor): Value {
  const sequence = sequenceOf(value);
  return sequence[position(sequence, input, 0, sequence.length - 1)]!;
}

function insert(call: Call, value: Value, entry: Value, input?: Tensor): Value {
  const sequence = sequenceOf(value);
  if (sequence.length >= call.limits.steps)
    throw new ArgumentError(`a sequence has more than ${call.limits.steps} entries, the limit`);
  return sequence.toSpliced(position(sequence, input, sequence.length, sequence.length), 0, entry);
}

function erase(_: Call, value: Value, input?: Tensor): Value {
  const sequence = sequenceOf(value);
  return sequence.toSpliced(position(sequence, input, sequence.length - 1, sequence.length - 1), 1);
}

function joined(call: Call, value: Value): Value {
  const tensors = sequenceOf(value).filter((entry) => entry instanceof Nx.Tensor);
  if (tensors.length === 0) throw new ArgumentError("it takes a sequence with a tensor at least");
  const isNew = call.attributes.flag("new_axis");
  const axis = axisOf(call.attributes.int("axis", 0), tensors[0]!.shape.length + (isNew ? 1 : 0));
  const shapes = tensors.map(({ shape }) => shape);
  if (isNew) bounded(call, [tensors.length, ...shapes[0]!]);
  else boundedJoin(call, shapes, axis);
  return (isNew ? Nx.stack(tensors, { axis }) : Nx.concatenate(tensors, { axis })) as Tensor;
}

/** A tensor in parts of a length, or of the lengths given; parts of one entry lose the axis where nothing is given and it is not kept. */
function parted(call: Call, x: Tensor, input?: Tensor | Empty): Value {
  const axis = axisOf(call.attributes.int("axis", 0), x.shape.length);
  const size = x.shape[axis]!;
  const given = input === undefined ? [1] : numbersOf(input, "split");
  const isLength = input === undefined || (input instanceof Nx.Tensor && input.shape.length === 0);
  const length = given[0] ?? 1;
  if (isLength && !(length >= 1)) throw new ArgumentError(`cannot make parts of ${length} entries`);
  const lengths = isLength ? range(Math.ceil(size / length)).map((i) => Math.min(length, size - i * length)) : given;
  const isKept = input !== undefined || call.attributes.flag("keepdims", true);
  let start = 0;
  return lengths.map((count) => {
    const part = along(x, axis, (start += count) - count, count);
    return isKept
      ? part
      : reshape(
          part,
          part.shape.filter((_, i) => i !== axis),
        );
  });
}

/** The body for each entry of sequences; tensors are the same for all. */
function mapped(call: Call, ...inputs: Value[]): Result {
  const body = call.attributes.graph("body");
  const length = sequenceOf(inputs[0]!).length;
  const results = range(length).map((i) =>
    call.run(
      body,
      inputs.map((input) => (isSequence(input) ? (input[i] ?? missing(i)) : input)),
    ),
  );
  return several(...range(call.outputs).map((k) => results.map((values) => values[k]!)));
}

const missing = (i: number): never => {
  throw new ArgumentError(`a sequence has no entry ${i}, where the first has one`);
};

const truth = (is: boolean): Tensor => outside(() => Nx.tensor(is ? 1 : 0, { type: "u8" }));

function element(_: Call, value: Value): Value {
  if (value !== null) return value;
  throw new ArgumentError("the optional has no element");
}

const ANY = { takes: "any" } as const;

export const SEQUENCES: Operators = {
  ConcatFromSequence: operator(1, joined, ANY),
  Optional: operator([0, 1], (_: Call, value?: Value) => value ?? null, ANY),
  OptionalGetElement: operator(1, element, ANY),
  OptionalHasElement: operator([0, 1], (_: Call, value?: Value) => truth(value !== undefined && value !== null), ANY),
  SequenceAt: operator(2, at, ANY),
  SequenceConstruct: operator([1, Infinity], (_: Call, ...values: Value[]) => values, ANY),
  SequenceEmpty: operator(0, () => [], ANY),
  SequenceErase: operator([1, 2], erase, ANY),
  SequenceInsert: operator([2, 3], insert, ANY),
  SequenceLength: operator(
    1,
    (_: Call, value: Value) => outside(() => Nx.tensor(sequenceOf(value).length, { type: "s64" })),
    ANY,
  ),
  SequenceMap: operator([1, Infinity], mapped, ANY),
  SplitToSequence: operator([1, 2], parted, { known: [1] }),
};
