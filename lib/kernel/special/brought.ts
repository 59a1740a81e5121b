/**
 * Programs of special functions that a program of the user has only where one of its functions computes them. Such a function names
 * the op by a value that brought the programs (`names.ts`), so that a bundler leaves both out or neither.
 */
import { BackendError, show } from "../../core/errors";
import type { ComplexFunctionOfTwo } from "../../core/complex-math";
import type { BinaryOp, BinaryOpOf, SpecialBinary, SpecialUnary, UnaryOp, UnaryOpOf } from "../../ops";
import type { Builder } from "../builder";
import type { FloatKind, Value } from "../value";
import type { ComplexProgram } from "./complex/parts";

type Unary<K extends FloatKind> = (k: Builder, x: Value<K>) => Value<K>;
type Binary<K extends FloatKind> = (k: Builder, x: Value<K>, y: Value<K>) => Value<K>;

/** A program for each precision, and one in f64 for complex numbers; powers of these are what loops call. */
type UnaryPrograms = { readonly [K in FloatKind]: Unary<K> } & { readonly complex: ComplexProgram | undefined };
type BinaryPrograms = { readonly [K in FloatKind]: Binary<K> } & { readonly complex: ComplexFunctionOfTwo | undefined };

/** That of complex numbers, of ops that take them. */
type OfComplex<N extends SpecialUnary> = N extends UnaryOpOf<"floating"> ? [complex: ComplexProgram] : [];
type OfTwoComplex<N extends SpecialBinary> = N extends BinaryOpOf<"arithmetic"> ? [complex: ComplexFunctionOfTwo] : [];

declare const programs: unique symbol;

/** The name of an op whose programs are there. */
export type Brought<N extends UnaryOp | BinaryOp> = N & { readonly [programs]: true };

const ofOne = new Map<string, UnaryPrograms>();
const ofTwo = new Map<string, BinaryPrograms>();

export function brings<N extends SpecialUnary>(
  name: N,
  f32: Unary<"f32">,
  f64: Unary<"f64">,
  ...[complex]: OfComplex<N>
): Brought<N> {
  ofOne.set(name, { f32, f64, complex });
  return name as Brought<N>;
}

export function bringsOfTwo<N extends SpecialBinary>(
  name: N,
  f32: Binary<"f32">,
  f64: Binary<"f64">,
  ...[complex]: OfTwoComplex<N>
): Brought<N> {
  ofTwo.set(name, { f32, f64, complex });
  return name as Brought<N>;
}

export const unaryPrograms = (name: SpecialUnary): UnaryPrograms => ofOne.get(name) ?? missing(name);
export const binaryPrograms = (name: SpecialBinary): BinaryPrograms => ofTwo.get(name) ?? missing(name);

function missing(name: string): never {
  throw new BackendError(
    `the programs of ${show(name)} are not in this bundle, since no function of the library that is in it computes it; import Nx.${name}`,
  );
}
