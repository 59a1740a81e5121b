/**
 * Compiled functions, and the nests that parts of them are: what a backend is given is taken down from a compiled function and
 * handed to it directly, with operands that it may write over and without.
 */
import * as Nx from "nx-numerics";
import type { Backend, Nest, Template, Tensor } from "nx-numerics";
import { downloaded, each, lawful, untouched, type Check, type Data, type Subject } from "../subject";
import type { Claim, Expected } from "../judge";
import { programs, type Program } from "./programs";

/** The arguments of a fused call. */
interface Call {
  readonly outs: readonly Template[];
  readonly inputs: readonly Data[];
  readonly nest: Nest;
}

/** What a compiled function asks of a backend that runs nests of all kinds. */
function takenDown({ fn, inputs }: Program): readonly Call[] {
  const calls: Call[] = [];
  const backend: Backend = {
    ...Nx.binaryBackend,
    name: "takes down",
    fused(outs, tensors, nest) {
      const operands = tensors.map((one) => ({ type: one.type, shape: one.shape, bytes: downloaded(one) }));
      calls.push({ outs, inputs: operands, nest });
      return Nx.binaryBackend.fused!(outs, tensors, nest);
    },
  };
  const operands = inputs.map(({ type, shape, bytes }) => Nx.fromBinary(bytes, type, { backend }).reshape(shape));
  Nx.withDefaultBackend(backend, () => Nx.defn((...tensors: Tensor[]) => [...fn(...tensors)])(...operands));
  return calls;
}

/** The one call that does all of a program; undefined where it was divided. */
function whole(program: Program): Call | undefined {
  const calls = takenDown(program).filter(({ nest }) => nest.kind === program.kind);
  const [call] = calls;
  return calls.length === 1 && call!.outs.length === program.expected().length ? call : undefined;
}

const run = (
  { backend }: Subject,
  { outs, nest }: Call,
  operands: readonly Tensor[],
  reuses?: readonly (number | null)[],
): readonly unknown[] | null => backend.fused!(outs, operands, nest, reuses);

/** The nest by itself, twice, then with its first fitting operand to be written over while another tensor holds it too. */
function* direct(subject: Subject, program: Program): Iterable<Claim> {
  const call = whole(program);
  if (!call) throw new Error(`${program.name} is not one nest of the kind ${program.kind}`);
  const expected = program.expected();
  const operands = call.inputs.map((input) => subject.tensor(input));
  const results = run(subject, call, operands);
  if (results === null) return;
  const made = results.map((one, i) => subject.made(expected[i]!, one));
  const again = run(subject, call, operands)!.map((one, i) => subject.made(expected[i]!, one));
  yield* each("the result", made, expected);
  subject.release(made);
  const noise = subject.scribble(expected.map(({ bytes }) => bytes.byteLength));
  yield* each("the result of a second call", again, expected);
  yield* untouched(operands, call.inputs);
  subject.release([...again, ...noise]);
  if (program.kind === "map") yield* overOperands(subject, call, operands, expected);
}

/** Programs whose results may overwrite operands: tensors that share the operands must not change. */
function* overOperands(
  subject: Subject,
  call: Call,
  operands: readonly Tensor[],
  expected: readonly Expected[],
): Iterable<Claim> {
  const { operands: seen } = call.nest;
  const isWhole = (i: number): boolean => {
    const { offset, strides, shape } = seen[i]!.view;
    const { length } = shape.filter((dim, axis) => dim === 1 || strides[axis] === rowMajor(shape)[axis]);
    return offset === 0 && length === shape.length && String(shape) === String(call.inputs[i]!.shape);
  };
  const free = expected.map(({ type, shape }, out) =>
    call.inputs.findIndex((input, i) => out === 0 && input.type === type && String(input.shape) === String(shape) && isWhole(i)),
  ); // prettier-ignore
  const reuses = free.map((at) => (at < 0 ? null : at));
  const at = reuses[0];
  if (at === null || at === undefined) return;
  const shared = subject.within(() => Nx.reshape(operands[at]!, operands[at]!.shape));
  const first = run(subject, call, operands, reuses)!.map((one, i) => subject.made(expected[i]!, one));
  yield* each("the result over an operand that another tensor holds", first, expected);
  yield { what: "a tensor that shares an operand written over", tensor: shared, expected: call.inputs[at]! };
  const alone = call.inputs.map((input) => subject.tensor(input));
  const second = run(subject, call, alone, reuses)!.map((one, i) => subject.made(expected[i]!, one));
  yield* each("the result over its operand", second, expected);
  const others = [...alone.keys()].filter((i) => i !== at);
  yield* untouched(others.map((i) => alone[i]!), others.map((i) => call.inputs[i]!)); // prettier-ignore
}

function rowMajor(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  return strides;
}

/** The compiled function on the backend, node by node too. */
function* compiled(subject: Subject, { fn, inputs, expected }: Program): Iterable<Claim> {
  const compute = Nx.defn((...operands: Tensor[]) => [...fn(...operands)]);
  yield* lawful(subject, { inputs, compute: (...operands) => compute(...operands), expected });
}

/** The compiled function with donated arguments: tensors that share an argument must not change. */
function* donated(subject: Subject, { fn, inputs, expected }: Program): Iterable<Claim> {
  const compute = Nx.defn((...operands: Tensor[]) => [...fn(...operands)], { donate: true });
  const held = inputs.map((input) => subject.tensor(input));
  const given = inputs.map((input) => subject.tensor(input));
  const shared = subject.within(() => held.map((one) => Nx.reshape(one, one.shape)));
  yield* each(
    "the result of donated operands",
    subject.within(() => compute(...given)),
    expected(),
  );
  yield* each(
    "the result of donated operands that others share",
    subject.within(() => compute(...held)),
    expected(),
  );
  yield* each("a tensor that shares a donated operand", shared, inputs);
}

/** All checks of compiled functions. */
export function fusedChecks(): Check[] {
  return programs().flatMap((program): Check[] => [
    { name: `compiled: ${program.name}`, run: (subject) => compiled(subject, program) },
    {
      name: `${program.kind}: ${program.name}`,
      needs: ["fused"],
      nest: program.kind,
      run: (subject) => direct(subject, program),
    },
    ...(program.kind === "map"
      ? [{ name: `donated: ${program.name}`, run: (subject: Subject) => donated(subject, program) }]
      : []),
  ]);
}
