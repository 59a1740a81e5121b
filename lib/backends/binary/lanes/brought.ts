/**
 * Loops of ops that are no special functions, each op's brought by its name (`backends/ops.ts`), so that a bundler leaves both out or neither.
 */
import type { ComplexFunction, ComplexFunctionOfTwo } from "../../../core/complex-math";
import { BackendError, show } from "../../../core/errors";
import type { Brought } from "../../../kernel/special/brought";
import { isSpecialBinary, type BinaryOp, type SpecialBinary, type SpecialUnary, type UnaryOp } from "../../../ops";
import type {
  ComplexBinary,
  ComplexPart,
  ComplexPartFunction,
  ComplexTest,
  ComplexTestFunction,
  ComplexUnary,
} from "./complex";
import type { F64Binary, F64BinaryLoop, F64Unary, F64UnaryLoop } from "./f64";
import type { I32Binary, I32BinaryLoop, I32Unary, I32UnaryLoop } from "./i32";
import type { I64Binary, I64BinaryLoop, I64Test, I64TestOfOrder, I64Unary, I64UnaryLoop } from "./i64";

/** The loops of an op by lane. */
interface UnaryLoops {
  readonly f64?: F64UnaryLoop;
  readonly i32?: I32UnaryLoop;
  readonly i64?: I64UnaryLoop;
  readonly complex?: ComplexFunction;
  /** Of a complex number, with a real result. */
  readonly part?: ComplexPartFunction;
}

interface BinaryLoops {
  readonly f64?: F64BinaryLoop;
  readonly i32?: I32BinaryLoop;
  readonly i64?: I64BinaryLoop;
  readonly complex?: ComplexFunctionOfTwo;
  /** Tests of 64-bit integers and of complex numbers. */
  readonly order?: I64TestOfOrder;
  readonly test?: ComplexTestFunction;
}

/** The lanes that an op has a loop in, all of which its name must bring. */
type UnaryLanes<N> =
  | (N extends F64Unary ? "f64" : never)
  | (N extends I32Unary ? "i32" : never)
  | (N extends I64Unary ? "i64" : never)
  | (N extends ComplexUnary ? "complex" : never)
  | (N extends ComplexPart ? "part" : never);
type BinaryLanes<N> =
  | (N extends F64Binary ? "f64" : never)
  | (N extends I32Binary ? "i32" : never)
  | (N extends I64Binary ? "i64" : never)
  | (N extends ComplexBinary ? "complex" : never)
  | (N extends I64Test ? "order" : never)
  | (N extends ComplexTest ? "test" : never);

declare const loops: unique symbol;

/** Ops that have loops of their own; powers of integers have, too. */
export type LoopedUnary = Exclude<UnaryOp, SpecialUnary>;
export type LoopedBinary = Exclude<BinaryOp, SpecialBinary> | "pow";

/** The name of an op whose loops and programs are there. */
export type Looped<N extends LoopedUnary | LoopedBinary> = Brought<N> & { readonly [loops]: true };

const ofOne = new Map<string, UnaryLoops>();
const ofTwo = new Map<string, BinaryLoops>();

export function bringsLoops<N extends LoopedUnary>(
  name: Brought<N>,
  own: Required<Pick<UnaryLoops, UnaryLanes<N>>>,
): Looped<N> {
  ofOne.set(name, own);
  return name as Looped<N>;
}

export function bringsLoopsOfTwo<N extends LoopedBinary>(
  name: Brought<N>,
  own: Required<Pick<BinaryLoops, BinaryLanes<N>>>,
): Looped<N> {
  ofTwo.set(name, own);
  return name as Looped<N>;
}

export const unaryLoops = (op: LoopedUnary): UnaryLoops => ofOne.get(op) ?? absent(op);

const NONE: BinaryLoops = {};

/** Special functions but powers have none: they run as kernels. */
export const binaryLoops = (op: BinaryOp): BinaryLoops =>
  ofTwo.get(op) ?? (isSpecialBinary(op) && op !== "pow" ? NONE : absent(op));

function absent(op: string): never {
  throw new BackendError(
    `the loops of ${show(op)} are not in this bundle, since no function of the library that is in it computes it; import Nx.${op}`,
  );
}
