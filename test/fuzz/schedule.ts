/**
 * What programs do with values besides computing them: releasing, donating and reading them, scopes that release what is made inside,
 * and the end of a task. Events that do not fit (a value that is needed later, or is gone) are left out, so that whatever is left of a
 * program is one, too.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { allWaiting } from "../../lib/backends/wasm/deferred/waiting";
import { differenceOf } from "./compare";
import { exprText, inputText } from "./print";
import { evaluate, tensorOf, type Event, type Program, type Step } from "./program";
import type { Random } from "./random";
import { refsOf } from "./shrink";

type Ids = readonly number[];

/** What is done, one after the other. */
type Statement =
  | {
      readonly does: "step";
      readonly step: Step;
      readonly given: Ids;
      readonly later: Ids;
      readonly isDonated: boolean;
    }
  | { readonly does: "release"; readonly id: number; readonly later: Ids }
  | { readonly does: "read" | "evaluate"; readonly id: number }
  | { readonly does: "turn" }
  | { readonly does: "scope"; readonly body: readonly Statement[]; readonly kept: Ids };

type Action = { readonly does: "step"; readonly step: Step } | Event;

const actionsOf = ({ steps, events = [] }: Program): Action[] =>
  steps.flatMap((step): Action[] => [{ does: "step", step }, ...events.filter(({ after }) => after === step.id)]);

/** A program as statements. */
class Plan {
  private readonly actions: readonly Action[];
  private readonly alive: Set<number>;
  private at = 0;
  private donates = false;

  constructor(private readonly program: Program) {
    this.actions = actionsOf(program);
    this.alive = new Set(program.inputs.map(({ id }) => id));
  }

  /** Statements until a scope ends. */
  statements(isScope: boolean): Statement[] {
    const list: Statement[] = [];
    while (this.at < this.actions.length) {
      const action = this.actions[this.at++]!;
      if (action.does === "close" && isScope) break;
      const made = action.does === "step" ? this.step(action.step) : this.event(action);
      if (made !== null) list.push(made);
    }
    return list;
  }

  private step(step: Step): Statement {
    const isDonated = this.donates;
    this.donates = false;
    const later = this.later();
    const given = [...refsOf([step])];
    if (isDonated) for (const id of given) if (!later.includes(id)) this.alive.delete(id);
    this.alive.add(step.id);
    return { does: "step", step, given, later, isDonated };
  }

  private event({ does, id }: Event): Statement | null {
    if (does === "turn") return { does };
    if (does === "donate") this.donates = true;
    if (does === "open") return this.scope();
    if (!this.alive.has(id)) return null;
    if (does === "read" || does === "evaluate") return { does, id };
    const later = this.later();
    if (does !== "release" || later.includes(id)) return null;
    this.alive.delete(id);
    return { does, id, later };
  }

  private scope(): Statement {
    const before = new Set(this.alive);
    const body = this.statements(true);
    const later = this.later();
    const made = [...this.alive].filter((id) => !before.has(id));
    for (const id of made) if (!later.includes(id)) this.alive.delete(id);
    return { does: "scope", body, kept: made.filter((id) => later.includes(id)) };
  }

  /** Values that are needed from now on. */
  private later(): Ids {
    const rest = this.actions.slice(this.at).flatMap((action) => (action.does === "step" ? [action.step] : []));
    return [...new Set([...refsOf(rest), ...this.program.outputs])];
  }
}

const statementsOf = (program: Program): Statement[] => new Plan(program).statements(false);

/** Computes what waits, as the end of a task does. */
export function endTask(): void {
  for (let all = allWaiting(); all.length > 0; all = allWaiting()) {
    for (const value of all) if (value.isListed) value.settle();
  }
}

type Reference = ReadonlyMap<number, Tensor>;

/** Runs a program with its events; the first value read, or result, that differs from the reference is told of. */
export function differenceIn(program: Program, reference: Reference): string | null {
  const scope = new Map<number, Tensor>();
  for (const input of program.inputs)
    scope.set(
      input.id,
      Nx.tidy(() => tensorOf(input)),
    );
  const check = (id: number): string | null => {
    const found = differenceOf(scope.get(id), reference.get(id)!);
    return found && `v${id}: ${found.text}`;
  };
  const isShared = (id: number, later: Ids): boolean =>
    later.some((other) => other !== id && scope.get(other)?.data === scope.get(id)!.data);

  const donated = (step: Step, given: Ids, later: Ids): unknown => {
    const args = given.map((id) => {
      const t = scope.get(id)!;
      return later.includes(id) || isShared(id, [...later, ...given]) ? Nx.backendCopy(t) : t;
    });
    const fn = (...own: Tensor[]): unknown => evaluate(step.value, new Map([...scope, ...given.map((id, i) => [id, own[i]!] as const)])); // prettier-ignore
    return Nx.defn(fn as (...own: Tensor[]) => Tensor, { donate: true })(...args);
  };

  const run = (list: readonly Statement[]): string | null => {
    for (const one of list) {
      const found = ran(one);
      if (found !== null) return found;
    }
    return null;
  };

  const ran = (one: Statement): string | null => {
    switch (one.does) {
      case "step": {
        const { step, given, later, isDonated } = one;
        scope.set(step.id, (isDonated ? donated(step, given, later) : evaluate(step.value, scope)) as Tensor);
        return null;
      }
      case "release":
        if (!isShared(one.id, one.later)) Nx.backendDeallocate(scope.get(one.id)!);
        return null;
      case "read":
        return check(one.id);
      case "evaluate":
        Nx.evaluate(scope.get(one.id)!);
        return null;
      case "turn":
        endTask();
        return null;
      case "scope":
        return Nx.tidy(() => ({ found: run(one.body), kept: one.kept.map((id) => scope.get(id)) })).found;
      default:
        return one satisfies never;
    }
  };

  const found = run(statementsOf(program));
  for (const id of found === null ? program.outputs : []) {
    const wrong = check(id);
    if (wrong !== null) return wrong;
  }
  endTask();
  return found;
}

// -------------------------------------------------------------------------------------------------------- random events

/** Events for a program: after each step a few, most often of the last values. */
export function randomEvents(r: Random, { inputs, steps }: Program): Event[] {
  const ids = inputs.map(({ id }) => id);
  const events: Event[] = [];
  let depth = 0;
  for (const { id: after } of steps) {
    ids.push(after);
    const add = (chance: number, does: Event["does"], id = -1): void => {
      if (r.chance(chance)) events.push({ after, does, id });
    };
    const near = (): number => (r.chance(0.5) ? r.pick(ids.slice(-4)) : r.pick(ids));
    add(0.35, "release", near());
    add(0.25, "release", near());
    add(0.12, "read", near());
    add(0.15, "evaluate", near());
    add(0.04, "turn");
    add(0.06, "donate");
    if (depth > 0 && r.chance(0.3)) {
      events.push({ after, does: "close", id: -1 });
      depth--;
    }
    if (depth < 3 && r.chance(0.2)) {
      events.push({ after, does: "open", id: -1 });
      depth++;
    }
  }
  return events;
}

// -------------------------------------------------------------------------------------------------------- text

function textOf(list: readonly Statement[], indent: string): string {
  return list.map((one) => `${indent}${lineOf(one, indent)};\n`).join("");
}

const names = (ids: Ids): string => `[${ids.map((id) => `v${id}`).join(", ")}]`;

function lineOf(one: Statement, indent: string): string {
  switch (one.does) {
    case "step": {
      const { step, given, later, isDonated } = one;
      const text = exprText(step.value, indent);
      if (!isDonated) return `const v${step.id} = ${text}`;
      const args = given.map((id) => (later.includes(id) ? `Nx.backendCopy(v${id})` : `v${id}`));
      return `const v${step.id} = Nx.defn((${names(given).slice(1, -1)}) => ${text}, { donate: true })(${args.join(", ")})`;
    }
    case "release":
      return `Nx.backendDeallocate(v${one.id})`;
    case "read":
      return `v${one.id}.toBinary()`;
    case "evaluate":
      return `Nx.evaluate(v${one.id})`;
    case "turn":
      return "await null";
    case "scope": {
      const inner = `${indent}  `;
      const body = `${textOf(one.body, inner)}${inner}return ${names(one.kept)};\n`;
      return `const ${names(one.kept)} = Nx.tidy(() => {\n${body}${indent}})`;
    }
    default:
      return one satisfies never;
  }
}

/** A program with its events as code. */
export const scheduleText = (program: Program): string =>
  program.inputs.map((input) => `const v${input.id} = ${inputText(input)};\n`).join("") +
  textOf(statementsOf(program), "") +
  `${names(program.outputs)};\n`;
