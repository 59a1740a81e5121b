/**
 * Composites: functions made of several passes over their operands. A call on large tensors runs as one compiled function where the
 * program has the compiler, which stands a floor above and says so itself (`defn/eager.ts`); results are the same bit for bit. Else it
 * runs as its passes, and what these make on the way is given back at once.
 */
import { tracingBackend } from "../backends/registry";
import { Tensor } from "../tensor";
import { keepingResult } from "./tidy";

/** What a composite is made of, as a function of any arguments. */
export type Passes = (...args: unknown[]) => unknown;

/** A composite as a compiled function: undefined where the call had better run as its passes. */
export type Program = (args: readonly unknown[]) => unknown;

/** The compiler of passes, for calls on small tensors once they have come so often. */
type Compiler = (passes: Passes, from: number) => Program;

const compiler: { of: Compiler | null } = { of: null };

/** From now on composites are compiled. */
export function compileComposites(of: Compiler): void {
  compiler.of = of;
}

/**
 * A composite as users call it.
 *
 * @param fn - the passes
 * @param only - the argument without which the function is a single pass, by its position
 */
export function composite<F extends (...args: never[]) => unknown>(fn: F, only?: 1 | 2): F {
  return made(fn, isWorth, only);
}

/** A composite of so many passes that a call of the compiled function costs less on tensors of any size. */
export const compositeOfAnySize = <F extends (...args: never[]) => unknown>(fn: F): F => made(fn, isCompiled);

/**
 * Calls on small tensors after which a composite is compiled for them: compiling takes 3 to 10 ms, and 20 more for the first, as long as so many calls
 * of ten to fifty passes that the engine has not optimized.
 */
const OFTEN = 40;

/** The same once a call has come often: of fewer passes, which small tensors take as long as a compiled function takes to be made. */
export const compositeOfOftenCalled = <F extends (...args: never[]) => unknown>(fn: F, options?: 1 | 2): F =>
  made(fn, isCompiled, undefined, options, OFTEN);

/** Calls on small tensors after which a composite of three to ten passes is compiled for them: ten passes take as long as compiling. */
const MORE_OFTEN = 400;

/** The same of a composite of three to ten passes. */
export const compositeOfFewPasses = <F extends (...args: never[]) => unknown>(fn: F, options?: 1 | 2): F =>
  made(fn, isCompiled, undefined, options, MORE_OFTEN);

/** The same of any number of arguments. */
export function compositeOfArguments<F extends (...args: never[]) => unknown>(fn: F): F {
  const whole = compositeOfList(fn as unknown as Passes, isCompiled, MORE_OFTEN);
  return Object.defineProperty((...args: unknown[]) => whole(args), "name", { value: fn.name }) as unknown as F;
}

function made<F extends (...args: never[]) => unknown>(
  fn: F,
  isLarge: (arg: unknown) => boolean,
  only?: 1 | 2,
  options?: 1 | 2,
  from?: number,
): F {
  const passes = fn as unknown as Passes;
  const whole = compositeOfList(passes, isLarge, from);
  // arguments are passed on one by one: a list of them would cost small calls
  const called = (a: unknown, b: unknown, c: unknown, d: unknown): unknown => {
    const isOne = (only === 1 && b === undefined) || (only === 2 && c === undefined);
    const isWhole = !isOne && (isLarge(a) || isLarge(b) || isLarge(c));
    if (!isWhole || tracingBackend() !== null) return passes(a, b, c, d);
    const args = [a, b, c, d].slice(0, fn.length);
    if (options !== undefined && typeof args[options] === "number") args[options] = [args[options]];
    return whole(args);
  };
  Object.defineProperty(called, "length", { value: fn.length });
  return Object.defineProperty(called, "name", { value: fn.name }) as unknown as F;
}

/** A composite of any number of arguments, as a function of their list. */
export function compositeOfList(passes: Passes, isLarge = isWorth, from = 2): (args: readonly unknown[]) => unknown {
  let program: Program | null = null;
  return (args) => {
    if (tracingBackend() !== null || !args.some(isLarge)) return passes(...args);
    if (compiler.of !== null) program ??= compiler.of(passes, from);
    return program?.(args) ?? keepingResult(() => passes(...args));
  };
}

/** Whether an argument has as many elements as make compiling worth it on its backend. */
export const isWorth = (arg: unknown): boolean =>
  arg instanceof Tensor && arg.size >= (arg.backend.compositesFrom ?? Infinity);

/** Whether an argument lies on a backend on which composites are compiled. */
const isCompiled = (arg: unknown): boolean => arg instanceof Tensor && arg.backend.compositesFrom !== undefined;
