/**
 * Random programs, typed: each step is made for values that are there, whose types and shapes are known because every step runs
 * on the binary backend as soon as it is made. Steps that the library refuses are left out.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { binaryBackend } from "../../lib/backends/binary";
import { DTYPES } from "../../lib/core/types";
import { plainNumber, randomInput, randomSpace, type Space } from "./inputs";
import { evaluate, ref, sizeOf, tensorOf, type Expr, type Input, type Program, type Step } from "./program";
import { Random } from "./random";

/** A value that a program may use: what to write for it, and what it was when the program was made. */
export interface Value {
  readonly id: number;
  readonly t: Tensor;
}

/** One way to make a step. Gives null where the values at hand do not suit it. */
export type Make = (g: Generator) => Expr | null;
export type Rows = Readonly<Record<string, Make>>;

export const LARGEST = 70_000;

/** Whether an error is one of the library. Anything else that a valid looking call ends in is a fault. */
export const isRefusal = (error: unknown): boolean => error instanceof Nx.NxError;

/** An error other than the library's, met while a program was made. */
export class InternalError extends Error {
  constructor(
    readonly program: Program,
    override readonly cause: unknown,
  ) {
    super(`an error from inside: ${String(cause)}`);
  }
}

export class Generator {
  readonly values: Value[] = [];
  readonly scope = new Map<number, Tensor>();
  readonly steps: Step[] = [];
  /** Inputs of the whole program, which functions inside functions share. */
  readonly inputs: Input[];
  refused = 0;

  constructor(
    readonly r: Random,
    readonly rows: readonly Make[],
    private readonly ids: { next: number },
    /** Elements that a value may have. */
    readonly most = LARGEST,
    /** The function that a function is inside of. */
    private readonly outer: Generator | null = null,
  ) {
    this.inputs = outer ? outer.inputs : [];
  }

  /** How deep functions inside functions are. */
  get depth(): number {
    return this.outer ? this.outer.depth + 1 : 0;
  }

  /** A further input of the program. */
  input(input: Input): Value {
    const t = tensorOf(input);
    this.inputs.push(input);
    for (let g = this.outer; g; g = g.outer) g.scope.set(input.id, t);
    this.add(input.id, t);
    return { id: input.id, t };
  }

  fresh(): number {
    return this.ids.next++;
  }

  add(id: number, t: Tensor): void {
    this.values.push({ id, t });
    this.scope.set(id, t);
  }

  /** A value for which `ok` holds, one of the last with a better chance. */
  pick(ok: (t: Tensor) => boolean = () => true): Value | null {
    const fitting = this.values.filter(({ t }) => ok(t));
    if (fitting.length === 0) return null;
    return this.r.chance(0.6) ? fitting[Math.max(0, fitting.length - 1 - this.r.below(3))]! : this.r.pick(fitting);
  }

  /** Something to stand beside a value in an operation: a tensor that broadcasts with it, or a number. */
  beside({ t }: Value, ok: (t: Tensor) => boolean = () => true): Expr {
    if (this.r.chance(0.25)) return plainNumber(this.r);
    const partner = this.pick((other) => ok(other) && isCompatible(t, other, this.most));
    return partner ? ref(partner.id) : plainNumber(this.r);
  }

  /** An axis of a tensor, by position from either end or by its name. */
  axis(t: Tensor): number | string {
    const axis = this.r.below(t.shape.length);
    const name = t.names[axis]!;
    if (name !== null && this.r.chance(0.5)) return name;
    return this.r.chance(0.3) ? axis - t.shape.length : axis;
  }

  axes(t: Tensor): (number | string)[] {
    const chosen = this.r.some([...t.shape.keys()]);
    return (chosen.length > 0 ? chosen : [this.r.below(t.shape.length)]).map((axis) => {
      const name = t.names[axis]!;
      return name !== null && this.r.chance(0.5) ? name : axis;
    });
  }

  /** Makes one step and keeps it, if the library takes it. */
  step(): void {
    const expr = this.r.pick(this.rows)(this);
    if (expr === null) return;
    const id = this.fresh();
    const value = this.tried(expr, id);
    if (!(value instanceof Nx.Tensor) || sizeOf(value.shape) > this.most) return;
    const wrong = broken(value);
    if (wrong !== null) throw this.internal(expr, id, new Error(wrong));
    this.steps.push({ id, value: expr });
    this.add(id, value);
  }

  /** What an expression gives now; undefined where the library refuses it. */
  tried(expr: Expr, id: number): unknown {
    try {
      return evaluate(expr, this.scope);
    } catch (error) {
      this.refused++;
      if (isRefusal(error)) return undefined;
      throw this.internal(expr, id, error);
    }
  }

  private internal(expr: Expr, id: number, error: unknown): InternalError {
    return new InternalError({ inputs: [], steps: [...this.steps, { id, value: expr }], outputs: [id] }, error);
  }

  /**
   * A function of given examples, written in place, that may read what is outside of it: `seen`, and now and then something else.
   * `finish` makes its result from what there is inside.
   */
  body(
    params: readonly (Tensor | readonly Tensor[])[],
    finish: (inner: Generator) => Expr,
    steps = this.r.below(4),
    seen: readonly Value[] = [],
  ): Expr {
    const inner = new Generator(this.r, this.rows, this.ids, Math.min(this.most, 2000), this);
    const outside = this.values.filter(({ t }) => sizeOf(t.shape) <= 300);
    const further = this.r.chance(0.4) && outside.length > 0 ? [this.r.pick(outside)] : [];
    for (const [id, value] of this.scope) inner.scope.set(id, value);
    for (const { id, t } of [...further, ...seen]) inner.add(id, t);
    const patterns = params.map((param) => {
      const tensors = param instanceof Nx.Tensor ? [param] : param;
      const ids = tensors.map((t) => {
        const id = this.fresh();
        inner.add(id, t);
        return id;
      });
      return param instanceof Nx.Tensor ? ids[0]! : ids;
    });
    for (let i = 0; i < steps; i++) inner.step();
    const result = finish(inner);
    this.refused += inner.refused;
    return { $: "body", params: patterns, steps: inner.steps, result };
  }

  /** The last value inside of the type, shape and names of another, for what goes round a loop; there is always one. */
  like(t: Tensor): Expr {
    const same = this.values.filter(
      ({ t: u }) => String(u.shape) === String(t.shape) && String(u.names) === String(t.names),
    );
    const { id, t: last } = same[same.length - 1]!;
    return last.type === t.type ? ref(id) : { $: "call", fn: "Nx.asType", args: [ref(id), t.type] };
  }

  last(): Expr {
    return ref(this.values[this.values.length - 1]!.id);
  }
}

/** What is wrong with a tensor, whatever was computed: each axis has a size and a name or none, and no name stands twice. */
export function broken({ shape, names }: Tensor): string | null {
  const given = names.filter((name) => name !== null);
  if (names.length !== shape.length) return `${names.length} names for ${shape.length} axes`;
  if (new Set(given).size < given.length) return `a name stands twice: ${names}`;
  return shape.every((dim) => Number.isInteger(dim) && dim > 0) ? null : `sizes that are none: ${shape}`;
}

/** Whether two tensors broadcast, names included, and to no more than so many elements. */
export function isCompatible(a: Tensor, b: Tensor, most: number): boolean {
  const rank = Math.max(a.shape.length, b.shape.length);
  let size = 1;
  for (let i = 1; i <= rank; i++) {
    const [m, n] = [a.shape[a.shape.length - i] ?? 1, b.shape[b.shape.length - i] ?? 1];
    if (m !== n && m !== 1 && n !== 1) return false;
    size *= Math.max(m, n);
  }
  return size <= most;
}

export interface Made {
  readonly program: Program;
  /** Every value of the program on the binary backend, by its number; of what is inside of functions the inputs alone. */
  readonly reference: ReadonlyMap<number, Tensor>;
  readonly refused: number;
}

/** How a program is to be. */
export interface Wish {
  readonly steps: number;
  readonly most: number;
  /** Makes the inputs; without it they have to do with a random space. */
  readonly begin?: (g: Generator) => void;
}

/** Inputs whose shapes have to do with each other, many of one type. */
function beginAnyhow(g: Generator, space: Space): void {
  const { r } = g;
  const theme = r.chance(0.4) ? r.pick(DTYPES) : null;
  const inputs = Array.from({ length: r.between(1, 3) }, () => randomInput(r, g.fresh(), space, theme));
  for (const input of inputs) g.input(input);
}

export function randomWish(r: Random): Wish {
  return { steps: r.between(1, 12), most: r.pick([60, 60, 600, 600, 5000, 20_000, LARGEST]) };
}

/** The program of a seed. */
export function randomProgram(seed: number, rows: readonly Make[], wish?: Wish): Made {
  return Nx.withDefaultBackend(binaryBackend, () => {
    const r = new Random(seed);
    const { steps, most, begin } = wish ?? randomWish(r);
    const space = randomSpace(r, most);
    const g = new Generator(r, rows, { next: 0 }, Math.max(most, sizeOf(space.shape)));
    const { inputs } = g;
    if (begin) begin(g);
    else beginAnyhow(g, space);
    try {
      for (let tries = 0; tries < 4 * steps && g.steps.length < steps; tries++) g.step();
    } catch (error) {
      if (error instanceof InternalError) throw new InternalError({ ...error.program, inputs }, error.cause);
      throw error;
    }
    const ids = g.steps.map(({ id }) => id);
    const outputs = ids.length === 0 ? [inputs[0]!.id] : [...r.some(ids.slice(0, -1), 0.2), ids[ids.length - 1]!];
    return {
      program: { inputs, steps: g.steps, outputs },
      reference: g.scope,
      refused: g.refused,
    };
  });
}
