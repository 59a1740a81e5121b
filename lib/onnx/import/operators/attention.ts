/**
 * Attention and what belongs to it, as newer models have them in one node.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  along,
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
import { matmul } from "./linear";

/** `[batch, steps, heads * width]` or `[batch, heads, steps, width]` as the latter. */
function headsOf(x: Tensor, heads: number | undefined, name: string): Tensor {
  if (x.shape.length === 4) return x;
  const [batch, steps, width] = x.shape as readonly [number, number, number];
  if (x.shape.length !== 3 || heads === undefined)
    throw new ArgumentError(`it needs ${name} for an input of shape [${x.shape.join(", ")}]`);
  return transpose(reshape(x, [batch, steps, heads, width / heads]), [0, 2, 1, 3]);
}

/** Heads of keys and values, each for as many heads of queries as share it. */
function shared(x: Tensor, heads: number): Tensor {
  const [batch, own, steps, width] = x.shape as readonly [number, number, number, number];
  if (own === heads) return x;
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
): Result {
  const { attributes } = call;
  if (call.wants(3)) throw new ArgumentError("its output qk_matmul_output is not supported");
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
    Nx.multiply(transpose(shared(key, heads), [0, 1, 3, 2]), root) as Tensor,
  );
  const cap = attributes.float("softcap", 0);
  // the cap comes first: it would make finite what a mask leaves out
  const capped = cap === 0 ? scores : (Nx.multiply(Nx.tanh(Nx.divide(scores, cap)), cap) as Tensor);
  const masked = withMask(call, capped, mask, pastKey === undefined ? 0 : pastKey.shape[2]!);
  const shares = mask === undefined ? softmax(masked, 3) : sharesOf(masked);
  const y = matmul(call, cast(shares, value.type), shared(value, heads));
  const whole = q.shape.length === 3 ? reshape(transpose(y, [0, 2, 1, 3]), [batch, steps, heads * y.shape[3]!]) : y;
  return several(whole, key, value);
}

/** The softmax over the last axis; where a mask leaves nothing to be seen, nothing is taken. */
function sharesOf(scores: Tensor): Tensor {
  const isBlind = Nx.equal(Nx.reduceMax(scores, { axes: [3], keepAxes: true }), -Infinity) as Tensor;
  const seen = softmax(Nx.where(isBlind, Nx.zerosLike(scores), scores) as Tensor, 3);
  return Nx.where(isBlind, Nx.zerosLike(seen), seen) as Tensor;
}

/** Truth values let scores through, numbers are added; a causal one lets each step see those before it, and all that are past. */
function withMask(call: Call, scores: Tensor, mask: Tensor | undefined, past: number): Tensor {
  const least = full([], -Infinity, scores.type);
  const seen =
    mask === undefined
      ? scores
      : mask.type === "u8"
        ? (Nx.where(mask, scores, least) as Tensor)
        : (Nx.add(scores, mask) as Tensor);
  if (!call.attributes.flag("is_causal")) return seen;
  const shape = scores.shape.slice(-2);
  const row = Nx.iota(shape, { axis: 0, type: "s64" });
  const isSeen = Nx.lessEqual(Nx.iota(shape, { axis: 1, type: "s64" }), Nx.add(row, past));
  return Nx.where(isSeen, seen, least) as Tensor;
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
  Attention: operator([3, 6], attention, { note: "not its output qk_matmul_output" }),
  RotaryEmbedding: operator([3, 4], rotary),
};
