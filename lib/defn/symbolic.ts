/**
 * Functions compiled for templates some of whose sizes are names: the flattened templates, sizes made up to trace with
 * before there are any, calls checked against the templates. How a function is traced, kept and run is known to `defn`.
 */
import { templateTensor } from "../backends/template";
import { formatPath, mapContainer, type Collection, type CustomContainer } from "../container";
import { bind, substituted, SymbolicTemplate, type Bindings, type DimPattern, type Dims } from "../core/dims";
import { ArgumentError } from "../core/errors";
import { formatShape } from "../core/shape";
import type { Scalar } from "../core/types";
import type { Tensor } from "../tensor";
import { NumberTemplate } from "./numbers";
import {
  isParameter,
  sameStructure,
  signatureOf,
  flattenCall,
  type Call,
  type Roles,
  type Signature,
} from "./signature";

/** What a function may be compiled for: its arguments, with symbolic templates in place of tensors where sizes are names. */
export type Templates<T> =
  T extends Tensor<infer N>
    ? T | SymbolicTemplate<N>
    : T extends Scalar | string | null | undefined | ((...args: never[]) => unknown)
      ? T
      : T extends Collection<infer V>
        ? T | Collection<Templates<V>>
        : T extends CustomContainer | { toJS(): unknown }
          ? T
          : { [K in keyof T]: Templates<T[K]> };

/** The flattened templates of a function. */
interface SymbolicPattern {
  /** The arguments with sizes in place of names. */
  readonly withSizes: (sizes: ReadonlyMap<string, number>) => unknown[];
  /** Structure and statics of every call; the sizes are placeholders. */
  readonly signature: Signature;
  /** What each parameter is compared with, and where it stands. */
  readonly parameters: readonly { readonly pattern: DimPattern; readonly where: string }[];
  /** Names of dimensions in the order they occur. */
  readonly dims: readonly string[];
  /** The parameters as text, for messages. */
  readonly text: string;
}

/** Takes templates apart; null where all sizes are numbers. */
export function symbolicPattern(templates: readonly unknown[], roles: Roles): SymbolicPattern | null {
  const found: { template: SymbolicTemplate | null; where: string }[] = [];
  templates.forEach((template, i) => {
    if (roles.staticArgs.has(i)) return;
    mapContainer(template, (leaf, path) => {
      const where = `argument ${i}${formatPath(path) && ` at ${formatPath(path)}`}`;
      if (leaf instanceof SymbolicTemplate) found.push({ template: leaf, where });
      else if (isParameter(leaf)) found.push({ template: null, where });
    });
  });
  if (found.every(({ template }) => template === null)) return null;
  const withSizes = (sizes: ReadonlyMap<string, number>) =>
    templates.map((template, i) => (roles.staticArgs.has(i) ? template : sized(template, sizes)));
  const signature = signatureOf(flattenCall(withSizes(new Map()), roles));
  // what is no symbolic template is compared with what the call of the templates has in its place
  const parameters = found.map(({ template, where }, i) => ({ pattern: template ?? signature.templates[i]!, where }));
  const isName = (dim: unknown): dim is string => typeof dim === "string";
  const dims = new Set(parameters.flatMap(({ pattern }) => (pattern.shape as Dims).filter(isName)));
  const text = parameters
    .map(({ pattern: { type, shape, names } }) => `${type}${formatShape(shape, names)}`)
    .join(", ");
  return { withSizes, signature, parameters, dims: [...dims], text };
}

function sized(argument: unknown, sizes: ReadonlyMap<string, number>): unknown {
  return mapContainer(argument, (leaf) =>
    leaf instanceof SymbolicTemplate ? templateTensor(leaf.type, substituted(leaf.shape, sizes), leaf.names) : leaf,
  );
}

/** Binds the names to the sizes of a call; null where it differs in structure or statics. */
export function checkPattern({ signature, parameters }: SymbolicPattern, call: Call): Bindings | null {
  if (!sameStructure(signature, call)) return null;
  const bindings: Bindings = new Map();
  parameters.forEach(({ pattern, where }, i) => {
    const met = call.templates[i]!;
    // any number may stand where one was given
    if (pattern instanceof NumberTemplate && met instanceof NumberTemplate) return;
    bind(pattern, met, bindings, where);
  });
  return bindings;
}

/**
 * Sizes to trace with before there are any, one for each name: different ones that no axis has otherwise, so that two names are
 * never the same by chance. Primes first; then multiples of 12, for functions that halve axes or lay windows on them.
 */
function* probes({ dims, parameters }: SymbolicPattern): Generator<ReadonlyMap<string, number>> {
  const taken = new Set(parameters.flatMap(({ pattern }) => pattern.shape));
  const firstFree = (isCandidate: (size: number) => boolean) => {
    const sizes = new Map<string, number>();
    let size = 5;
    for (const dim of dims) {
      while (taken.has(size) || !isCandidate(size)) size++;
      sizes.set(dim, size++);
    }
    return sizes;
  };
  yield firstFree(isPrime);
  yield firstFree((size) => size % 12 === 0 && size > 12);
}

function isPrime(size: number): boolean {
  for (let i = 2; i * i <= size; i++) if (size % i === 0) return false;
  return true;
}

/** Traces with made-up sizes; an error at all sizes is an error of the function, whose message lists the sizes. */
export function probed(
  pattern: SymbolicPattern,
  traceWith: (args: unknown[], sizes: ReadonlyMap<string, number>) => unknown,
): void {
  const failures: { error: ArgumentError; sizes: string }[] = [];
  for (const sizes of probes(pattern)) {
    try {
      traceWith(pattern.withSizes(sizes), sizes);
      return;
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      failures.push({ error, sizes: sizesText(sizes) });
    }
  }
  const [{ error, sizes }, second] = failures as [(typeof failures)[0], (typeof failures)[0]];
  throw new ArgumentError(
    `${error.message}; raised while compiling for ${pattern.text} with ${sizes}, and likewise with ${second.sizes}. Axes that ` +
      `must have the same size need the same name, and a size that must be a certain number is to be given as that; for other ` +
      `sizes than these use Nx.defn, which traces when it is called`,
    { cause: error },
  );
}

function sizesText(sizes: ReadonlyMap<string, number>): string {
  return [...sizes].map(([dim, size]) => `${JSON.stringify(dim)} = ${size}`).join(", ");
}

/** Runs what traces the function at the sizes of a call; errors say which names have which. */
export function namingSizes<R>({ text }: SymbolicPattern, bindings: Bindings, fn: () => R): R {
  try {
    return fn();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    const sizes = sizesText(new Map([...bindings].map(([dim, { size }]) => [dim, size])));
    throw new ArgumentError(`${error.message}; raised by a function compiled for ${text} with ${sizes}`, {
      cause: error,
    });
  }
}
