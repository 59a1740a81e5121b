/**
 * Programs: steps of a graph as one piece of data, control flow included, that a backend may run as a whole. Types only.
 */
import type { Attrs, MultiResultAttrs, MultiResultPrimitive, Nest, Primitive, Template, View } from "./backend";
import type { DType } from "./core/types";
import type { Tensor } from "./tensor";

/** A tensor inside of a program: elements in row-major order. Its shape is the business of the steps that read it. */
export interface ProgramValue {
  readonly type: DType;
  readonly size: number;
}

/** A step names values by their places in the list of values; it reads `inputs` and makes `outputs`, and no value is made twice. */
export interface StepValues {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** A nest of the kind `map`. */
export interface MapStep extends StepValues {
  readonly kind: "map";
  readonly nest: Nest;
  /** The elements of an input that the op refuses: the program cannot do its work where the input has one. */
  readonly refuses?: Refused;
}

export interface Refused {
  /** The place of the input among the inputs of the step. */
  readonly input: number;
  readonly what: "zero" | "negative";
}

/** A nest of the kind `joined`. */
export interface JoinedStep extends StepValues {
  readonly kind: "joined";
  readonly nest: Nest;
}

/** The elements of the input as they are seen through a view, one after the other. */
export interface CopyStep extends StepValues {
  readonly kind: "copy";
  readonly view: View;
}

/** One primitive. */
export interface PrimitiveStep extends StepValues {
  readonly kind: "primitive";
  readonly primitive: Primitive | MultiResultPrimitive;
  readonly attrs: (Attrs & MultiResultAttrs)[Primitive | MultiResultPrimitive];
  readonly outs: readonly Template[];
  readonly operands: readonly Template[];
}

/** Inputs: so many predicates, then what all branches are given. The last branch is taken where no predicate holds. */
export interface CondStep extends StepValues {
  readonly kind: "cond";
  readonly branches: readonly Program[];
}

/** Inputs: the state, then what condition and body are given besides. Outputs: the state in the end. */
export interface WhileStep extends StepValues {
  readonly kind: "while";
  readonly condition: Program;
  readonly body: Program;
}

/**
 * Inputs: the carried state, sequences, then what the body is given besides. The body is given the state and an entry of each
 * sequence; it gives the next state and an entry of each result. Outputs: the state in the end, then the results.
 */
export interface ScanStep extends StepValues {
  readonly kind: "scan";
  readonly body: Program;
  readonly carried: number;
  readonly sequences: number;
  readonly length: number;
  readonly reverse: boolean;
  /** Whether the scan may end after a turn whose first carried value is 0, since later entries of results are not read. */
  readonly settles: boolean;
}

export type ProgramStep = MapStep | JoinedStep | CopyStep | PrimitiveStep | CondStep | WhileStep | ScanStep;

/** Steps in an order in which results come before their readers. */
export interface Program {
  readonly values: readonly ProgramValue[];
  readonly inputs: readonly number[];
  readonly steps: readonly ProgramStep[];
  /** May have inputs among them, and a value more than once. */
  readonly outputs: readonly number[];
  /** The key: equal for programs that compute the same on the same sizes. */
  readonly key: string;
}

/**
 * Which results a program may compute: small ones; in a loop, which keeps its states where they lie, those of
 * little work, too; or any, where the loop is asked about as a whole.
 */
export type ResultSizes = "small" | "light" | "any";

/** The members of a backend that runs programs. */
export interface ProgramMembers {
  /** Whether a step may be part of a program, and is not better run by itself. Not asked about control flow. */
  takes(
    step: MapStep | JoinedStep | CopyStep | PrimitiveStep,
    values: readonly ProgramValue[],
    sizes: ResultSizes,
  ): boolean;
  /** Whether a loop is better done as a whole although steps of it have results that would be better made by themselves. */
  takesLoop(step: WhileStep): boolean;
  /**
   * Runs a program: the data of each of `outs`, bit for bit what its steps would give one by one. Null where they had better run
   * so, as they have to where a step would raise an error; nothing that is given has changed then.
   */
  run(outs: readonly Template[], inputs: readonly Tensor[], program: Program): readonly unknown[] | null;
}
