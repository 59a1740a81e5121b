/**
 * The works whose cases are measured. What does not depend on how an operand lies is called eagerly; an operand that lies
 * otherwise is read inside one compiled function, beside the same function on an operand that lies in order.
 */
import * as Nx from "nx-numerics";
import {
  LARGE,
  layouts,
  lengths,
  matrices,
  shapes,
  sizeOf,
  type Case,
  type Layout,
  type Side,
  type Sizes,
} from "./cases";
import { boundOf, mask, operand, REAL_TYPES, TYPES } from "./operands";
import { matmulCases } from "./matmul";

type Tensor = Nx.Tensor;
type Shape = readonly number[];
type Call = (...operands: Tensor[]) => Tensor;

interface Work {
  readonly name: string;
  readonly call: Call;
  readonly operands: (shape: Shape, type: Nx.DType) => readonly Tensor[];
  /** Types it has results for. */
  readonly types: readonly Nx.DType[];
  /** Whether it is compiled even where nothing lies otherwise. */
  readonly compiled?: true;
  /** Whether its operands may be of different shapes. */
  readonly broadcasts?: true;
  /** Whether there is nothing to do for operands with one axis. */
  readonly needsAxes?: true;
}

const one = (shape: Shape, type: Nx.DType): Tensor[] => [operand(shape, type)];
const two = (shape: Shape, type: Nx.DType): Tensor[] => [operand(shape, type), operand(shape, type)];
const chosen = (shape: Shape, type: Nx.DType): Tensor[] => [mask(shape), ...two(shape, type)];

/** Ten operations; the factors keep results between -10 and 10. */
const chain: Call = (x, y) =>
  x!.multiply(0.5).add(y!).multiply(0.25).subtract(1).max(-3).multiply(y!).add(0.75).min(3).multiply(x!).subtract(y!);

const last = (x: Tensor): number => x.rank - 1;

const works: readonly Work[] = [
  { name: "abs", call: (x) => x!.abs(), operands: one, types: TYPES },
  { name: "exp", call: (x) => x!.exp(), operands: one, types: TYPES },
  { name: "add", call: (x, y) => x!.add(y!), operands: two, types: TYPES, broadcasts: true },
  { name: "compare", call: (x, y) => x!.less(y!), operands: two, types: REAL_TYPES, broadcasts: true },
  { name: "select", call: (p, x, y) => p!.select(x!, y!), operands: chosen, types: TYPES },
  { name: "chain of ten", call: chain, operands: two, types: REAL_TYPES, compiled: true, broadcasts: true },
  { name: "sum, all", call: (x) => x!.sum(), operands: one, types: TYPES },
  { name: "sum, first axis", call: (x) => x!.sum({ axes: [0] }), operands: one, types: TYPES },
  { name: "sum, last axis", call: (x) => x!.sum({ axes: [last(x!)] }), operands: one, types: TYPES },
  { name: "softmax", call: (x) => x!.softmax({ axis: last(x!) }), operands: one, types: REAL_TYPES, compiled: true },
  { name: "argmax, last axis", call: (x) => x!.argmax({ axis: last(x!) }), operands: one, types: REAL_TYPES },
  { name: "argmax, first axis", call: (x) => x!.argmax({ axis: 0 }), operands: one, types: REAL_TYPES },
  { name: "cumulative sum, last axis", call: (x) => x!.cumulativeSum({ axis: last(x!) }), operands: one, types: TYPES },
  { name: "cumulative sum, first axis", call: (x) => x!.cumulativeSum({ axis: 0 }), operands: one, types: TYPES },
  { name: "sort, last axis", call: (x) => x!.sort({ axis: last(x!) }), operands: one, types: REAL_TYPES },
  { name: "sort, first axis", call: (x) => x!.sort({ axis: 0 }), operands: one, types: REAL_TYPES },
  { name: "transpose", call: (x) => x!.transpose(), operands: one, types: TYPES, needsAxes: true },
  { name: "reverse", call: (x) => x!.reverse(), operands: one, types: TYPES },
  { name: "concatenate, first axis", call: (x, y) => Nx.concatenate([x!, y!]), operands: two, types: TYPES },
  {
    name: "concatenate, last axis",
    call: (x, y) => Nx.concatenate([x!, y!], { axis: last(x!) }),
    operands: two,
    types: TYPES,
  },
];

function plain({ call, operands, compiled }: Work, shape: Shape, type: Nx.DType = "f32"): Side {
  return { operands: operands(shape, type), call: compiled ? Nx.defn(call) : call, amount: sizeOf(shape) };
}

function ofSizes(work: Work, { where, group, shape, friendly }: Sizes): Case {
  const [other, usual] = [() => plain(work, shape), () => plain(work, friendly)];
  return { work: work.name, group, where, bound: 2, other, friendly: usual };
}

function ofType(work: Work, type: Nx.DType): Case {
  const [other, friendly] = [() => plain(work, LARGE, type), () => plain(work, LARGE)];
  return { work: work.name, group: "type", where: type, bound: boundOf(type), other, friendly };
}

/** The last operand lies otherwise; the rest lie in order. */
function ofLayout(work: Work, { where, shape, stored, view }: Layout): Case {
  const friendly = (): Side => ({ ...plain(work, shape), call: Nx.defn(work.call) });
  const other = (): Side => {
    const call: Call = (...all) => work.call(...all.slice(0, -1), view(all.at(-1)!));
    const operands = [...work.operands(shape, "f32").slice(0, -1), operand(stored, "f32")];
    return { operands, call: Nx.defn(call), amount: sizeOf(shape) };
  };
  return { work: work.name, group: "layout", where, bound: 2, other, friendly };
}

const PAIRS: readonly (readonly [string, Shape, Shape, Shape])[] = [
  ["with a row, eager", LARGE, [1, 1024], LARGE],
  ["with a column, eager", LARGE, [1024, 1], LARGE],
  ["with a number, eager", LARGE, [], LARGE],
  ["column with row, eager", [1024, 1], [1, 1024], LARGE],
  ["999x1001 with a row, eager", [999, 1001], [1, 1001], [999, 1001]],
  ["999x1001 with a column, eager", [999, 1001], [999, 1], [999, 1001]],
  ["64x128x128 with 128x1, eager", [64, 128, 128], [128, 1], [64, 128, 128]],
  ["64x128x128 with 64x1x128, eager", [64, 128, 128], [64, 1, 128], [64, 128, 128]],
];

function ofPairs(work: Work): Case[] {
  if (!work.broadcasts) return [];
  return PAIRS.map(([where, left, right, shape]) => {
    const call = work.compiled ? Nx.defn(work.call) : work.call;
    const other = (): Side => ({
      operands: [operand(left, "f32"), operand(right, "f32")],
      call,
      amount: sizeOf(shape),
    });
    const name = work.compiled ? where.replace(", eager", "") : where;
    return { work: work.name, group: "layout", where: name, bound: 2, other, friendly: () => plain(work, shape) };
  });
}

function casesOf(work: Work): Case[] {
  const fits = ({ shape }: { readonly shape: Shape }): boolean => !work.needsAxes || shape.length > 1;
  return [
    ...[...lengths, ...matrices, ...shapes].filter(fits).map((sizes) => ofSizes(work, sizes)),
    ...layouts.filter(fits).map((layout) => ofLayout(work, layout)),
    ...ofPairs(work),
    ...work.types.filter((type) => type !== "f32").map((type) => ofType(work, type)),
  ];
}

/** Conversions from f32 to each type and back, beside those of s32. */
function castCases(): Case[] {
  const side = (from: Nx.DType, to: Nx.DType, shape: Shape): Side => ({
    operands: [operand(shape, from)],
    call: (x) => x!.asType(to),
    amount: sizeOf(shape),
  });
  const work = "cast";
  const types = TYPES.filter((type) => type !== "f32").flatMap((type): Case[] => {
    const common = { work, group: "type", bound: boundOf(type) } as const;
    const to = { other: () => side("f32", type, LARGE), friendly: () => side("f32", "s32", LARGE) };
    const from = { other: () => side(type, "f32", LARGE), friendly: () => side("s32", "f32", LARGE) };
    return [
      { ...common, where: `f32 to ${type}`, ...to },
      { ...common, where: `${type} to f32`, ...from },
    ];
  });
  const call: Call = (x) => x!.asType("s32");
  const rest = casesOf({ name: work, call, operands: one, types: [] });
  return [...rest, ...types.filter(({ where }) => !where.includes("s32"))];
}

export const cases = (): Case[] => [...works.flatMap(casesOf), ...castCases(), ...matmulCases()];
