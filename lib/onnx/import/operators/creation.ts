/**
 * Operators that make tensors: constants, ranges, random numbers.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Tensor } from "nx-numerics";
import { bounded, cast, full, isFloat, operator, product, type Call, type Operators } from "../operator";
import { outside } from "../outside";
import { Empty, integers, numbersOf, type Value } from "../values";
import { typeAttribute } from "./elementwise";

/** The value of a constant: one attribute has it. */
function constant({ attributes }: Call): Value {
  const floats = attributes.floats("value_floats");
  const ints = attributes.ints("value_ints");
  const [float, int] = [attributes.float("value_float"), attributes.int("value_int")];
  const tensor = attributes.tensor("value");
  if (tensor !== undefined) return tensor;
  if (floats) return floats.length === 0 ? new Empty("f32", [0]) : Nx.tensor([...floats], { type: "f32" });
  if (ints) return integers(ints);
  if (float !== undefined) return Nx.tensor(float, { type: "f32" });
  if (int !== undefined) return Nx.tensor(int, { type: "s64" });
  throw new ArgumentError("it has none of the attributes value, value_float, value_floats, value_int and value_ints");
}

function constantOfShape(call: Call, input: Tensor | Empty): Value {
  const shape = bounded(call, numbersOf(input, "shape"));
  const value = call.attributes.tensor("value");
  if (value instanceof Empty) throw new ArgumentError("the attribute value must be a tensor of one element");
  const element = value === undefined ? Nx.tensor(0, { type: "f32" }) : (Nx.reshape(value, []) as Tensor);
  return product(shape) === 0 ? new Empty(element.type, shape) : full(shape, element, element.type);
}

function ranged(call: Call, start: Tensor, limit: Tensor, delta: Tensor): Value {
  const [first, last, step] = [start, limit, delta].map(
    (t, i) => numbersOf(t, ["start", "limit", "delta"][i]!)[0]!,
  ) as [number, number, number];
  const count = Math.max(0, Math.ceil((last - first) / step));
  bounded(call, [count]);
  const { type } = start;
  if (count === 0) return new Empty(type, [0]);
  const counted = Nx.multiply(Nx.iota([count], { type }), Nx.reshape(delta, []));
  return cast(Nx.add(counted, Nx.reshape(start, [])) as Tensor, type);
}

function eyeLike(call: Call, x: Tensor): Tensor {
  const [rows, columns] = x.shape as readonly [number, number];
  const k = call.attributes.int("k", 0);
  const own = Nx.iota([rows, columns], { axis: 0, type: "s64" });
  const isOn = Nx.equal(Nx.iota([rows, columns], { axis: 1, type: "s64" }), Nx.add(own, k));
  return cast(isOn as Tensor, typeAttribute(call, "dtype", x.type));
}

/** The key of random numbers: a function gives the same for the same seed, and has one where the model has none. */
function key(call: Call): Tensor {
  const seed = call.attributes.number("seed", 0);
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, seed);
  return outside(() => Nx.Random.key(bits.getUint32(0)));
}

type Draw = (key: Tensor, call: Call, shape: readonly number[], type: DType) => Tensor;

const uniform: Draw = (at, { attributes }, shape, type) =>
  Nx.Random.uniformSplit(at, attributes.float("low", 0), attributes.float("high", 1), { shape, type }) as Tensor;

const normal: Draw = (at, { attributes }, shape, type) =>
  Nx.Random.normalSplit(at, attributes.float("mean", 0), attributes.float("scale", 1), { shape, type }) as Tensor;

const RANDOM_NOTE = "the same numbers for the same seed, not those of other engines";

const random = (draw: Draw) =>
  operator(
    0,
    (call: Call) =>
      draw(key(call), call, bounded(call, call.attributes.ints("shape") ?? []), typeAttribute(call, "dtype", "f32")),
    { note: RANDOM_NOTE },
  );

const randomLike = (draw: Draw) =>
  operator(1, (call: Call, x: Tensor) => draw(key(call), call, x.shape, typeAttribute(call, "dtype", x.type)), {
    note: RANDOM_NOTE,
  });

/** 1 with the probability that each element says. */
function bernoulli(call: Call, x: Tensor): Tensor {
  const type: DType = isFloat(x.type) ? x.type : "f32";
  const drawn = Nx.Random.uniformSplit(key(call), { shape: x.shape, type });
  return cast(Nx.less(drawn, x) as Tensor, typeAttribute(call, "dtype", x.type));
}

function multinomial(call: Call, x: Tensor): Tensor {
  const [batch] = x.shape as readonly [number, number];
  const count = call.attributes.int("sample_size", 1);
  bounded(call, [batch, count, x.shape[1]!]);
  const noise = Nx.Random.gumbelSplit(key(call), { shape: [batch, count, x.shape[1]!], type: x.type });
  const chosen = Nx.argmax(Nx.add(Nx.newAxis(x, 1), noise), { axis: 2 });
  return cast(chosen as Tensor, typeAttribute(call, "dtype", "s32"));
}

/** Leaves elements out where a model says that it is being trained; else they go through. */
function dropout(call: Call, x: Tensor, ratioInput?: Tensor, training?: Tensor) {
  const isTraining =
    call.opset >= 12
      ? training !== undefined && numbersOf(training, "training_mode")[0] !== 0
      : call.opset < 7 && !call.attributes.flag("is_test");
  const ratio = ratioInput === undefined ? call.attributes.float("ratio", 0.5) : numbersOf(ratioInput, "ratio")[0]!;
  if (!isTraining || ratio === 0) return { results: [x, call.wants(1) ? full(x.shape, 1, "u8") : undefined] };
  const drawn = Nx.Random.uniformSplit(key(call), { shape: x.shape, type: x.type });
  const kept = Nx.greaterEqual(drawn, ratio) as Tensor;
  return { results: [Nx.where(kept, Nx.divide(x, 1 - ratio), Nx.zerosLike(x)) as Tensor, kept] };
}

export const CREATION: Operators = {
  Bernoulli: operator(1, bernoulli, { note: RANDOM_NOTE }),
  Constant: operator(0, constant, { note: "no strings, no sparse tensors" }),
  ConstantOfShape: operator(1, constantOfShape, { known: [0] }),
  Dropout: operator([1, 3], dropout, { known: [1, 2], note: "in training, the same numbers for the same seed" }),
  EyeLike: operator(1, eyeLike),
  Multinomial: operator(1, multinomial, { note: RANDOM_NOTE }),
  RandomNormal: random(normal),
  RandomNormalLike: randomLike(normal),
  RandomUniform: random(uniform),
  RandomUniformLike: randomLike(uniform),
  Range: operator(3, ranged, { known: [0, 1, 2] }),
};
