/** Every instruction of the assembler: the engine takes it, and it computes what plain TypeScript does. */
import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import * as asm from "../../../lib/backends/wasm/asm";
import { sampled } from "../../effort";
import { CASES, DATA, Trap, type Case, type Kind, type Lane, type Operands } from "./asm-cases";

const { assemble, f32x4, func, v128, f32, f64, i32, i64 } = asm;

const FUSED = func({ in: [], out: [] }, () => {
  for (let i = 0; i < 3; i++) v128.const("f32x4", [1, 2, 3, 4]);
  f32x4.relaxed_madd();
  asm.drop("v128");
});
// Node 20 has relaxed SIMD behind a flag.
const bytesOfFused = assemble({ exports: { FUSED } }) as Uint8Array<ArrayBuffer>;
if (!WebAssembly.validate(bytesOfFused)) setFlagsFromString("--experimental-wasm-relaxed-simd");

type Instruction = (...immediates: readonly unknown[]) => void;
type Table<T> = { readonly [name: string]: T | Table<T> };

/** An instruction by its name with its case. */
type Row = readonly [name: string, instruction: Instruction, of: Case];

const isCase = (of: Case | Table<Case>): of is Case => "calls" in of;
const rowsOf = (prefix: string, instructions: Table<Instruction>, cases: Table<Case>): Row[] =>
  Object.keys({ ...instructions, ...cases }).flatMap((name): Row[] => {
    const [instruction, of] = [instructions[name], cases[name]];
    expect(instruction, `${prefix}.${name}: instruction`).toBeDefined();
    expect(of, `${prefix}.${name}: case`).toBeDefined();
    return isCase(of!)
      ? [[`${prefix}.${name}`, instruction as Instruction, of]]
      : rowsOf(`${prefix}.${name}`, instruction as Table<Instruction>, of!);
  });

const GROUPS = Object.keys(CASES) as (keyof typeof CASES)[];
const LOAD = { i32: i32.load, i64: i64.load, f32: f32.load, f64: f64.load, v128: v128.load };
const STORE = { i32: i32.store, i64: i64.store, f32: f32.store, f64: f64.store, v128: v128.store };
const RESULT = 128;

const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
const view = new DataView(memory.buffer);
const expected = new DataView(new ArrayBuffer(DATA.at + DATA.bytes));
const imported = { module: "env", name: "memory", minimum: 1, maximum: 4, shared: true };

const countOf = ({ type, lanes }: Kind): number => (type === "v128" ? 16 / lanes.bytes : 1);

/** A function for each way to write an instruction, with operands from the beginning of memory. */
const functionsOf = (instruction: Instruction, { ins, out, calls }: Case): Readonly<Record<string, asm.Func>> =>
  Object.fromEntries(
    calls.map(({ immediates }, call) => {
      const body = (): void => {
        if (out) i32.const(RESULT);
        ins.forEach(({ type }, i) => void LOAD[type]({ offset: 16 * i }, 0));
        instruction(...immediates);
        if (out) STORE[out.type]({});
      };
      return [`f${call}`, func({ in: [], out: [] }, body)];
    }),
  );

/** Operands for one run: those of `base` with others `step` further on, in lanes that are not in step. */
const operandsOf = (ins: readonly Kind[], lanes: number, base: number, step: number): Lane[][] =>
  ins.map((kind, i) => {
    const from = base * lanes + i * step;
    return Array.from(
      { length: countOf(kind) },
      (_, lane) => kind.samples[(from + (i + 1) * lane) % kind.samples.length]!,
    );
  });

function fill(operands: readonly (readonly Lane[])[], ins: readonly Kind[]): void {
  for (let at = 0; at < expected.byteLength; at++) view.setUint8(at, (at * 37 + 11) & 255);
  operands.forEach((lanes, i) =>
    lanes.forEach((lane, k) => ins[i]!.lanes.set(view, 16 * i + k * ins[i]!.lanes.bytes, lane)),
  );
  for (let at = 0; at < expected.byteLength; at++) expected.setUint8(at, view.getUint8(at));
}

const lanesAt = ({ lanes, type }: Kind, at: number, of: DataView): Lane[] =>
  Array.from({ length: countOf({ lanes, type, samples: [] }) }, (_, i) => lanes.get(of, at + i * lanes.bytes));

function check({ ins, out, calls }: Case, run: (call: number) => void): void {
  const lanes = Math.max(1, ...ins.map(countOf));
  const tried = Math.max(1, ...ins.map(({ samples }) => samples.length));
  calls.forEach(({ compute }, call) => {
    for (let step = 0; step < (ins.length > 1 ? tried : 1); step++) {
      for (let base = 0; base < Math.ceil(tried / lanes); base++) {
        fill(operandsOf(ins, lanes, base, step), ins);
        const operands = ins.map((kind, i) => lanesAt(kind, 16 * i, view));
        let result: readonly Lane[];
        try {
          result = compute(operands as unknown as Operands, expected);
        } catch (error) {
          if (!(error instanceof Trap)) throw error;
          expect(() => run(call), `of ${operands.join("; ")}`).toThrow(WebAssembly.RuntimeError);
          continue;
        }
        run(call);
        if (out) {
          result.forEach((lane, i) => out.lanes.set(expected, RESULT + i * out.lanes.bytes, lane));
          const [got, wanted] = [lanesAt(out, RESULT, view), lanesAt(out, RESULT, expected)];
          if (!got.every((lane, i) => Object.is(lane, wanted[i]))) expect(got, `of ${operands.join("; ")}`).toEqual(wanted); // prettier-ignore
        }
        for (let at = DATA.at; at < expected.byteLength; at++) {
          if (view.getUint8(at) !== expected.getUint8(at))
            expect.fail(`byte ${at} of memory, of ${operands.join("; ")}`);
        }
      }
    }
  });
}

/** Runs a case with an instruction; throws where it computes something else. */
function checkWith(instruction: Instruction, of: Case): void {
  const bytes = assemble({ memory: imported, exports: functionsOf(instruction, of) }) as Uint8Array<ArrayBuffer>;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  check(of, (call) => (exports[`f${call}`] as () => void)());
}

describe.each(GROUPS)("instructions of %s", (group) => {
  const rows = rowsOf(group, asm[group] as unknown as Table<Instruction>, CASES[group] as unknown as Table<Case>);

  it.each(rows)("%s", (_, instruction, of) => checkWith(instruction, of));
});

const ALL = GROUPS.flatMap((group) => rowsOf(group, asm[group] as unknown as Table<Instruction>, CASES[group] as unknown as Table<Case>)); // prettier-ignore

/** What machines are free to do as another instruction. */
const isTwin = (name: string): boolean => name.includes("relaxed");

/** Their opcodes, which the proposals give: prefix and number. */
const TWINS: Readonly<Record<string, readonly [number, number]>> = {
  "f32x4.relaxed_madd": [0xfd, 0x105],
  "f64x2.relaxed_madd": [0xfd, 0x107],
};

it("instructions that compute what others do have opcodes of their own", () => {
  const twins = ALL.filter(([name]) => isTwin(name));
  expect(twins.map(([name]) => name).sort()).toEqual(Object.keys(TWINS).sort());
  for (const [name, instruction, of] of twins) {
    const [prefix, number] = TWINS[name]!;
    const code = [prefix, ...(number > 127 ? [(number & 127) | 128, number >> 7] : [number])];
    const text = assemble({ memory: imported, exports: functionsOf(instruction, of) }).join();
    expect(text, name).toContain(`,${code.join()},`);
  }
});

it("no instruction passes for another one", () => {
  const form = ({ ins, out, calls: [first] }: Case): string => {
    const immediates = first!.immediates.map((one) => (Array.isArray(one) ? "list" : typeof one));
    return [...ins, out].map((kind) => kind?.type).join() + immediates.join();
  };
  for (const [name, , of] of sampled(ALL, 80)) {
    for (const [other, instruction, like] of ALL) {
      if (other === name || form(of) !== form(like) || isTwin(name) || isTwin(other)) continue;
      expect(() => checkWith(instruction, of), `${name} by ${other}`).toThrow();
    }
  }
});
