/**
 * Attention and what belongs to it, as newer models have them in one node.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  along,
  bounded,
  cast,
  full,
  operator,
  reshape,
  several,
  transpose,
  type Call,
  type Operators,
  type Result,
} from "../operator";
import { softmax } from "./activations";
import { typeAttribute } from "./elementwise";
import { matmul } from "./linear";
import { padded } from "./padding";

/** `[batch, steps, heads * width]` or `[batch, heads, steps, width]` as the latter. */
function headsOf(x: Tensor, heads: number | undefined, name: string): Tensor {
  if (x.shape.length === 4) return x;
  const [batch, steps, width] = x.shape as readonly [number, number, number];
  if (x.shape.length !== 3 || heads === undefined)
    throw new ArgumentError(`it needs ${name} for an input of shape [${x.shape.join(", ")}]`);
  return transpose(reshape(x, [batch, steps, heads, width / heads]), [0, 2, 1, 3]);
}

/** Heads of keys and values, each for as many heads of queries as share it. */
function shared(call: Call, x: Tensor, heads: number): Tensor {
  const [batch, own, steps, width] = x.shape as readonly [number, number, number, number];
  if (own === heads) return x;
  bounded(call, [batch, heads, steps, width]);
  const wide = Nx.broadcast(Nx.newAxis(x, 2), [batch, own, heads / own, steps, width]) as Tensor;
  return reshape(wide, [batch, heads, steps, width]);
}

/** Scaled products of queries and keys, masked, as shares of the values. */
function attention(
  call: Call,
  q: Tensor,
  k: Tensor,
  v: Tensor,
  mask?: Tensor,
  pastKey?: Tensor,
  pastValue?: Tensor,
  lengths?: Tensor,
): Result {
  const { attributes } = call;
  const kvHeads = attributes.int("kv_num_heads");
  const query = headsOf(q, attributes.int("q_num_heads"), "q_num_heads");
  const joined = (past: Tensor | undefined, now: Tensor): Tensor =>
    past === undefined ? now : (Nx.concatenate([past, now], { axis: 2 }) as Tensor);
  const key = joined(pastKey, headsOf(k, kvHeads, "kv_num_heads"));
  const value = joined(pastValue, headsOf(v, kvHeads, "kv_num_heads"));
  const [batch, heads, steps, width] = query.shape as readonly [number, number, number, number];
  const root = Math.sqrt(attributes.float("scale", 1 / Math.sqrt(width)));
  const scores = matmul(
    call,
    Nx.multiply(query, root) as Tensor,
    Nx.multiply(transpose(shared(call, key, heads), [0, 1, 3, 2]), root) as Tensor,
  );
  const cap = attributes.float("softcap", 0);
  // the cap comes first: it would make finite what a mask leaves out
  const capped = cap === 0 ? scores : (Nx.multiply(Nx.tanh(Nx.divide(scores, cap)), cap) as Tensor);
  const masked = withMask(call, capped, mask, { past: pastKey?.shape[2] ?? 0, lengths });
  const precise = cast(masked, typeAttribute(call, "softmax_precision", masked.type));
  const shares = cast(sharesOf(precise), value.type);
  const y = matmul(call, shares, shared(call, value, heads));
  const whole = q.shape.length === 3 ? reshape(transpose(y, [0, 2, 1, 3]), [batch, steps, heads * y.shape[3]!]) : y;
  if (!call.wants(3)) return several(whole, key, value);
  const stage = [scores, capped, masked, shares][attributes.int("qk_matmul_output_mode", 0)];
  if (!stage) throw new ArgumentError("the attribute qk_matmul_output_mode must be an integer from 0 to 3");
  return several(whole, key, value, cast(stage, q.type));
}

/** The softmax over the last axis; where a mask leaves nothing to be seen, nothing is taken. */
function sharesOf(scores: Tensor): Tensor {
  const isBlind = Nx.equal(Nx.reduceMax(scores, { axes: [3], keepAxes: true }), -Infinity) as Tensor;
  const seen = softmax(Nx.where(isBlind, Nx.zerosLike(scores), scores) as Tensor, 3);
  return Nx.where(isBlind, Nx.zerosLike(seen), seen) as Tensor;
}

/** What is known of the keys: how many come before those of the first query, or how many of each entry of the batch are filled. */
interface Keys {
  readonly past: number;
  readonly lengths: Tensor | undefined;
}

/**
 * Scores of keys that are seen; all others are -Infinity. Truth values let scores through, numbers are added; a causal mask lets each step see
 * those before it, and all that are past; windows keep what is near.
 */
function withMask(call: Call, scores: Tensor, mask: Tensor | undefined, { past, lengths }: Keys): Tensor {
  const [left, right] = [call.attributes.int("left_window_size", -1), call.attributes.int("right_window_size", -1)];
  const isCausal = call.attributes.flag("is_causal");
  const least = full([], -Infinity, scores.type);
  const seen = mask === undefined ? scores : throughMask(scores, mask, least);
  const shape = scores.shape.slice(-2);
  const [row, column] = [0, 1].map((axis) => Nx.iota(shape, { axis, type: "s64" }) as Tensor) as [Tensor, Tensor];
  const count = lengths && reshape(cast(lengths, "s64"), [lengths.size, 1, 1, 1]);
  const at = Nx.add(row, count ? Nx.subtract(count, shape[0]!) : past) as Tensor; // the place of each query among the keys
  const conditions = [
    ...(isCausal ? [Nx.lessEqual(column, at)] : []),
    ...(left >= 0 ? [Nx.lessEqual(Nx.subtract(at, column), left)] : []),
    ...(right >= 0 ? [Nx.lessEqual(Nx.subtract(column, at), right)] : []),
    ...(count ? [Nx.less(column, count)] : []),
  ] as Tensor[];
  if (conditions.length === 0) return seen;
  return Nx.where(
    conditions.reduce((a, b) => Nx.logicalAnd(a, b) as Tensor),
    seen,
    least,
  ) as Tensor;
}

/** A mask may have fewer keys than there are: nothing of the others is seen. */
function throughMask(scores: Tensor, mask: Tensor, least: Tensor): Tensor {
  const more = scores.shape[3]! - (mask.shape.at(-1) ?? 1);
  const sides = mask.shape.map((_, i): [number, number] => [0, i === mask.shape.length - 1 ? more : 0]);
  const isTruth = mask.type === "u8";
  const wide =
    more > 0 && mask.shape.length > 0 ? padded(mask, sides, "constant", isTruth ? full([], 0, "u8") : least) : mask;
  return (isTruth ? Nx.where(wide, scores, least) : Nx.add(scores, wide)) as Tensor;
}

/** Turns pairs of features by angles that depend on the position. */
function rotary(call: Call, given: Tensor, cos: Tensor, sin: Tensor, positions?: Tensor): Tensor {
  const { attributes } = call;
  const x = given.shape.length === 4 ? transpose(given, [0, 2, 1, 3]) : byHeads(given, attributes.int("num_heads"));
  const width = x.shape[3]!;
  const turned = attributes.int("rotary_embedding_dim", 0) || width;
  const own = (t: Tensor): Tensor =>
    Nx.newAxis(positions === undefined ? t : Nx.take(t, positions, { axis: 0 }), 2) as Tensor;
  const [c, s] = [own(cos), own(sin)];
  const part = along(x, 3, 0, turned);
  const isInterleaved = attributes.flag("interleaved");
  const half = turned / 2;
  const paired = isInterleaved
    ? reshape(part, [...part.shape.slice(0, 3), half, 2])
    : reshape(part, [...part.shape.slice(0, 3), 2, half]);
  const axis = isInterleaved ? 4 : 3;
  const [a, b] = [0, 1].map((i) => Nx.squeeze(along(paired, axis, i, 1), { axes: [axis] }) as Tensor) as [
    Tensor,
    Tensor,
  ];
  const first = Nx.subtract(Nx.multiply(c, a), Nx.multiply(s, b)) as Tensor;
  const second = Nx.add(Nx.multiply(s, a), Nx.multiply(c, b)) as Tensor;
  const rotated = reshape(Nx.stack([first, second], { axis }) as Tensor, part.shape);
  const y =
    turned === width
      ? rotated
      : (Nx.concatenate([rotated, along(x, 3, turned, width - turned)], { axis: 3 }) as Tensor);
  return given.shape.length === 4 ? transpose(y, [0, 2, 1, 3]) : reshape(y, given.shape);
}

function byHeads(x: Tensor, heads: number | undefined): Tensor {
  if (x.shape.length !== 3 || !heads)
    throw new ArgumentError(`it needs num_heads for an input of shape [${x.shape.join(", ")}]`);
  const [batch, steps, width] = x.shape as readonly [number, number, number];
  return reshape(x, [batch, steps, heads, width / heads]);
}

export const ATTENTION: Operators = {
  Attention: operator([3, 7], attention),
  RotaryEmbedding: operator([3, 4], rotary),
};
