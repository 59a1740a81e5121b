/**
 * The backend of vectorized tensors: every primitive runs on the inner tensors, wherever they live, with the vectorized
 * axes in front. Functions of the API need not know.
 */
import {
  MULTI_RESULT_PRIMITIVES,
  PRIMITIVES,
  shownByName,
  type Attrs,
  type Backend,
  type DataMembers,
  type MultiResultAttrs,
  type MultiResultPrimitive,
  type MultiResultTable,
  type Primitive,
  type PrimitiveTable,
  type Template,
} from "../../backend";
import { currentBackend } from "../../backends/registry";
import { BackendError } from "../../core/errors";
import { unnamed } from "../../core/names";
import { formatShape } from "../../core/shape";
import { bodyOf } from "../../nx/inspect";
import { alias, apart, constant, rerun, rerunMultiResult, run, template } from "../../nx/dispatch";
import { refusing } from "../../kernel/lower/refused";
import { select } from "../../nx/elementwise";
import { named } from "../../nx/elementwise/core";
import { Tensor } from "../../tensor";
import {
  alignTo,
  formatAxes,
  nameless,
  sizesOf,
  spreadTo,
  unionOf,
  type Vectorized,
  type VectorizedAxes,
} from "./axes";
import { takenEntries } from "../control/taken";
import { VECTOR_RULES } from "./rules";

/** Whether a tensor is vectorized. */
const isVectorized = (t: Tensor): boolean => t.backend === vectorizedBackend;

/** A tensor as one with vectorized axes, of which an ordinary tensor has none. */
export function vectorizedOf(t: Tensor): Vectorized {
  return isVectorized(t) ? (t.data as Vectorized) : { inner: nameless(t), axes: [] };
}

/** A tensor of the template's shape and names, with the given axes in front of the inner one. */
export function vectorized(inner: Tensor, axes: VectorizedAxes, { type, shape, names }: Template): Tensor {
  return new Tensor(vectorizedBackend, { inner: nameless(inner), axes } satisfies Vectorized, type, shape, names);
}

const union = (inputs: readonly Vectorized[]): VectorizedAxes => unionOf(inputs.map(({ axes }) => axes));

function runVectorized(primitive: Primitive, out: Template, tensors: readonly Tensor[], attrs: object): Vectorized {
  if (primitive === "block") return runBlock(out, tensors, attrs as Attrs["block"]);
  const inputs = acceptable(primitive, out, tensors, attrs).map(vectorizedOf);
  const axes = union(inputs);
  if (primitive === "constant" || primitive === "iota" || primitive === "eye") {
    return { inner: rerun(primitive, nothing(out), [], attrs as never), axes: [] };
  }
  const rule = VECTOR_RULES[primitive] as (given: object) => Tensor;
  return { inner: apartFrom(inputs, rule({ out, inputs, attrs, axes })), axes };
}

/** Primitives that refuse some indices, which are their second operands. */
const INDEXING: ReadonlySet<Primitive> = new Set(["take", "takeAlong", "gather", "indexed"]);

/** The operands, with numbers that no primitive refuses for entries that do not take the branch or the turn that is computed. */
function acceptable(primitive: Primitive, out: Template, tensors: readonly Tensor[], attrs: object) {
  const taken = takenEntries();
  const [first, second, ...others] = tensors;
  if (taken === null || second === undefined || !isVectorized(second)) return tensors;
  const what = primitive === "binary" ? refusing((attrs as Attrs["binary"]).op, out.type) : null;
  if (what === null && !INDEXING.has(primitive)) return tensors;
  return [first!, select(taken, second, constant(what === "divisor" ? 1 : 0, second.type)), ...others];
}

/** Rules and composites that have nothing to do give an operand back. */
const apartFrom = (inputs: readonly Vectorized[], result: Tensor): Tensor =>
  apart(result, ...inputs.map(({ inner }) => inner));

const nothing = ({ type, shape }: Template): Template => template(type, shape, unnamed(shape.length));

/**
 * A block runs as the functions that it means; where those do not read an operand its axes are still there. One that has a
 * gradient of its own stays a block, of all entries at once.
 */
function runBlock(out: Template, tensors: readonly Tensor[], attrs: Attrs["block"]): Vectorized {
  const inputs = tensors.map(vectorizedOf);
  const axes = union(inputs);
  const whole = nothing(template(out.type, Object.freeze([...sizesOf(axes), ...out.shape]), []));
  switch (attrs.name) {
    case "clip": {
      const aligned = inputs.map((input) => alignTo(axes, input, out.shape.length));
      return { inner: run("block", whole, aligned, attrs), axes };
    }
    case "formula": {
      // element-wise work on entries is element-wise work on the inner tensors
      const spread = inputs.map((input) => spreadTo(axes, input));
      return { inner: run("block", whole, spread, attrs), axes };
    }
    case "customGrad":
    case "determinant":
    case "pinv":
    case "stopGrad": {
      const spread = inputs.map((input) => spreadTo(axes, input));
      return { inner: run("block", whole, spread, ofEntries(attrs, axes, out, tensors)), axes };
    }
  }
  return { inner: apartFrom(inputs, spreadTo(axes, vectorizedOf(attrs.fn(...tensors)))), axes };
}

/** The block over all entries; its functions see a single entry. */
function ofEntries(
  { name, options, fn }: Attrs["block"],
  axes: VectorizedAxes,
  out: Template,
  like: readonly Template[],
): Attrs["block"] {
  const entries = (inner: Tensor) => spreadTo(axes, vectorizedOf(inner));
  const whole = {
    name,
    options,
    fn: (...inner: Tensor[]) => entries(fn(...like.map((t, i) => vectorized(inner[i]!, axes, t)))),
  };
  if (!("backward" in options)) return whole;
  const back = options.backward as (g: Tensor) => readonly Tensor[];
  const backward = named(back.name, (g: Tensor) => back(vectorized(g, axes, { ...out, type: g.type })).map(entries));
  return { ...whole, options: { ...options, backward } };
}

function runMultiResultVectorized<P extends MultiResultPrimitive>(
  primitive: P,
  outs: readonly Template[],
  tensors: readonly Tensor[],
  attrs: MultiResultAttrs[P],
): readonly Vectorized[] {
  const inputs = tensors.map(vectorizedOf);
  const axes = union(inputs);
  const batched = outs.map(({ type, shape }) =>
    nothing(template(type, Object.freeze([...sizesOf(axes), ...shape]), [])),
  );
  const results = rerunMultiResult(
    primitive,
    batched,
    inputs.map((input) => spreadTo(axes, input)),
    attrs,
  );
  return results.map((inner) => ({ inner, axes }));
}

function unreadable(what: string, t: Tensor): never {
  const axes = (t.data as Vectorized).axes.filter(({ entries }) => entries === undefined);
  if (axes.length === 0) {
    throw new BackendError(
      `${what} of a tensor that has other elements in each entry of Nx.Defn.vmap is not possible (shape ` +
        `${formatShape(t.shape, t.names)} is that of one entry); return it and read what vmap gives, or read it in a hook with Nx.devectorize. Functions given to ` +
        `Nx.map, Nx.reduce and Nx.windowReduce cannot use it, those given to Nx.Defn.map and Nx.Defn.scan can`,
    );
  }
  throw new BackendError(
    `${what} of a tensor that is vectorized over ${formatAxes(axes)} is not possible (shape ` +
      `${formatShape(t.shape, t.names)} is that of one entry); give it its axes back with Nx.devectorize first`,
  );
}

const primitives = Object.fromEntries(
  PRIMITIVES.map((primitive) => [
    primitive,
    (out: Template, inputs: readonly Tensor[], attrs: object) => runVectorized(primitive, out, inputs, attrs),
  ]),
) as unknown as PrimitiveTable;

const manyPrimitives = Object.fromEntries(
  MULTI_RESULT_PRIMITIVES.map((primitive) => [
    primitive,
    (outs: readonly Template[], inputs: readonly Tensor[], attrs: MultiResultAttrs[MultiResultPrimitive]) =>
      runMultiResultVectorized(primitive, outs, inputs, attrs),
  ]),
) as unknown as MultiResultTable;

const dataMembers: DataMembers = {
  name: "vectorized",
  options: Object.freeze({}),
  absorbs: 2,
  upload(out, bytes) {
    const backend = currentBackend();
    const { type, shape, names } = out;
    return vectorizedOf(new Tensor(backend, backend.upload(out, bytes), type, shape, names));
  },
  download: (t) => unreadable("reading elements", t),
  alias(t): Vectorized {
    const { inner, axes } = t.data as Vectorized;
    return { inner: alias(inner), axes };
  },
  deallocate(t) {
    const { inner } = t.data as Vectorized;
    return inner.backend.deallocate(inner);
  },
  describe(t) {
    const { inner, axes } = t.data as Vectorized;
    return `vectorized${formatAxes(axes)}\n${bodyOf(inner)}`;
  },
  unwrap(t) {
    const { inner, axes } = t.data as Vectorized;
    return {
      inner,
      key: `vectorized${JSON.stringify(axes.map(({ name, size }) => [name, size]))}`,
      wrap: (other) => rewrapped(other, axes, t),
    };
  },
  checkUse(t, fn) {
    const { inner } = t.data as Vectorized;
    inner.backend.checkUse?.(inner, fn);
  },
  alike(t, others) {
    const axes = union(others.map(vectorizedOf));
    return vectorized(spreadTo(axes, vectorizedOf(t)), axes, t);
  },
};

/** A vectorized tensor with a new inner tensor of the same axes; the type may differ. */
function rewrapped(inner: Tensor, axes: VectorizedAxes, like: Template): Tensor {
  const shape = inner.shape.slice(axes.length);
  return vectorized(inner, axes, {
    type: inner.type,
    shape,
    names: shape.length === like.shape.length ? like.names : unnamed(shape.length),
  });
}

/** The backend of vectorized tensors. */
const vectorizedBackend: Backend = shownByName({ ...dataMembers, ...primitives, ...manyPrimitives });
