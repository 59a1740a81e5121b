/**
 * Functions with their bodies, and modules of them. A body runs when its module is assembled, so a function may call any other,
 * itself too, and comes into the module with whatever calls it.
 */
import { getOrMake } from "../../../core/get-or-make";
import { Bytes } from "./bytes";
import { CODE_OF, type Func, type Local, type Types } from "./types";
import { FunctionWriter, within, type Numbering } from "./writer";

type Locals<T extends Types> = { readonly [K in keyof T]: Local<T[K]> };

interface Signature<I extends Types, L extends Types, O extends Types> {
  readonly in: I;
  readonly locals?: L;
  readonly out: O;
}

interface Written extends Func {
  readonly locals: Types;
  write(): void;
}

/** A function whose body writes instructions; it is handed the arguments and the further locals, which begin as 0. */
export function func<const I extends Types, const O extends Types, const L extends Types = []>(
  { in: ins, locals, out }: Signature<I, L, O>,
  body: (args: Locals<I>, locals: Locals<L>) => void,
): Func<I, O> {
  const own: Types = locals ?? [];
  const numbered = (types: Types, first: number) => types.map((type, i): Local => ({ type, index: first + i }));
  const [args, rest] = [numbered(ins, 0), numbered(own, ins.length)] as unknown as [Locals<I>, Locals<L>];
  const made: Written & Func<I, O> = { in: ins, out, locals: own, write: () => body(args, rest) };
  return made;
}

/** The imported memory of a module; sizes in pages. */
interface ImportedMemory {
  readonly module: string;
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly shared: boolean;
}

export interface ModuleParts {
  readonly memory?: ImportedMemory;
  readonly exports: Readonly<Record<string, Func>>;
}

/** The bytes of a module with the exported functions and all functions that they call. */
export const assemble = (parts: ModuleParts): Uint8Array => new ModuleWriter(parts).write();

const SECTION = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const;
const FUNCTION = 0;
const MEMORY = 2;

class ModuleWriter implements Numbering {
  private readonly types: { readonly ins: Types; readonly outs: Types }[] = [];
  private readonly typeIndices = new Map<string, number>();
  private readonly indices = new Map<Func, number>();
  /** Functions with a body: exported functions, then called functions in the order of discovery. */
  private readonly functions: Written[] = [];

  constructor(private readonly parts: ModuleParts) {}

  functionIndex(target: Func): number {
    return getOrMake(this.indices, target, () => this.functions.push(target as Written) - 1);
  }

  private typeIndex({ in: ins, out: outs }: Func): number {
    const key = `${ins.join()}:${outs.join()}`;
    return getOrMake(this.typeIndices, key, () => this.types.push({ ins, outs }) - 1);
  }

  write(): Uint8Array {
    const exported = Object.entries(this.parts.exports).map(([name, of]) => [name, this.functionIndex(of)] as const);
    const bodies = this.code();
    const functionTypes = this.functions.map((of) => this.typeIndex(of));
    const out = new Bytes();
    for (const byte of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) out.byte(byte);
    section(out, SECTION.types, this.types, ({ ins, outs }) => {
      out.byte(0x60);
      valueTypes(out, ins);
      valueTypes(out, outs);
    });
    const { memory } = this.parts;
    section(out, SECTION.imports, memory ? [memory] : [], ({ module, name, minimum, maximum, shared }) => {
      out.name(module);
      out.name(name);
      out.byte(MEMORY);
      out.byte(shared ? 3 : 1);
      out.u32(minimum);
      out.u32(maximum);
    });
    section(out, SECTION.functions, functionTypes, (type) => out.u32(type));
    section(out, SECTION.exports, exported, ([name, index]) => {
      out.name(name);
      out.byte(FUNCTION);
      out.u32(index);
    });
    out.byte(SECTION.code);
    out.sized(() => {
      out.u32(this.functions.length);
      out.append(bodies);
    });
    return out.toArray();
  }

  /** The code of all functions; while one is written others are found to be called. */
  private code(): Bytes {
    const bodies = new Bytes();
    for (let i = 0; i < this.functions.length; i++) {
      const { in: ins, out, locals, write } = this.functions[i]!;
      bodies.sized(() => {
        const [start, all] = [bodies.length, [...locals]];
        within(new FunctionWriter(bodies, this, out, ins.length, all), write);
        const end = bodies.length;
        writeLocals(bodies, all);
        bodies.moveEnd(end, start);
      });
    }
    return bodies;
  }
}

/** Locals as WebAssembly has them: types, and how many of each follow each other. */
function writeLocals(code: Bytes, locals: Types): void {
  const begins = locals.flatMap((type, i) => (type === locals[i - 1] ? [] : [i]));
  code.u32(begins.length);
  begins.forEach((begin, i) => {
    code.u32((begins[i + 1] ?? locals.length) - begin);
    code.byte(CODE_OF[locals[begin]!]);
  });
}

function valueTypes(out: Bytes, types: Types): void {
  out.u32(types.length);
  for (const type of types) out.byte(CODE_OF[type]);
}

function section<T>(out: Bytes, number: number, items: readonly T[], write: (item: T) => void): void {
  out.byte(number);
  out.sized(() => {
    out.u32(items.length);
    for (const item of items) write(item);
  });
}
