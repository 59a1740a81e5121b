/**
 * What the function of a program takes: locals, constants, room in memory, and functions that it calls. All is taken while the
 * function is planned; its code is written afterwards, when it is known how much there is.
 */
import { roundUp } from "../../../core/round-up";
import { keyOf } from "../../../kernel/key";
import type { ConstValue, Kernel } from "../../../kernel/value";
import type { Func, Int, Long, ValueType, Vector } from "../asm";
import { emitConstant } from "../codegen/access";
import { constantText } from "../codegen/body";
import { kernelFunction } from "../codegen/function";
import { boxFunction, type Box } from "../routines/boxes";

/** Writes some code of the function; called once, in the order of the code. */
export type Emission = () => void;

/** Rooms begin at cache lines. */
const ALIGNMENT = 64;

interface Room {
  readonly at: number;
  readonly bytes: number;
}

/** Scratch memory of a program: rooms that are taken at the same time do not overlap. */
class Frame {
  /** Rooms in use, by their places. */
  private readonly rooms: Room[] = [];
  /** Bytes of the frame: the most that was in use at a time, with gaps. */
  bytes = 0;

  take(bytes: number): number {
    const room = roundUp(bytes, ALIGNMENT);
    let at = 0;
    let i = 0;
    for (; i < this.rooms.length && this.rooms[i]!.at < at + room; i++) at = this.rooms[i]!.at + this.rooms[i]!.bytes;
    this.rooms.splice(i, 0, { at, bytes: room });
    this.bytes = Math.max(this.bytes, at + room);
    return at;
  }

  give(at: number): void {
    const index = this.rooms.findIndex((room) => room.at === at);
    this.rooms.splice(index, 1);
  }
}

export class Resources {
  readonly frame = new Frame();
  /** Where the frame begins. */
  readonly base: Int = { type: "i32", index: 0 };
  private readonly types: ValueType[] = [];
  private readonly constants = new Map<string, readonly [ConstValue, Vector]>();
  private readonly temporaries: Vector[] = [];
  private readonly functions = new Map<string, Func>();

  /** For a function of so many integers, the first of which is where the frame begins. */
  constructor(private readonly args: number) {}

  /** The types of the locals, those of the arguments not counted. */
  get locals(): readonly ValueType[] {
    return this.types;
  }

  int(): Int {
    return { type: "i32", index: this.args + this.types.push("i32") - 1 };
  }

  long(): Long {
    return { type: "i64", index: this.args + this.types.push("i64") - 1 };
  }

  vector(): Vector {
    return { type: "v128", index: this.args + this.types.push("v128") - 1 };
  }

  /** Vectors that hold something only within a step. */
  spare(count: number): readonly Vector[] {
    while (this.temporaries.length < count) this.temporaries.push(this.vector());
    return this.temporaries;
  }

  /** The vector of a constant. */
  constant(value: ConstValue): Vector {
    const text = constantText(value);
    const known = this.constants.get(text);
    if (known) return known[1];
    const vector = this.vector();
    this.constants.set(text, [value, vector]);
    return vector;
  }

  /** Puts the constants where they belong. */
  emitConstants(): void {
    for (const [value, vector] of this.constants.values()) {
      emitConstant(value.kind as "f32", [vector], value.value, value.high);
    }
  }

  /** The function of a kernel over so many elements. */
  kernel(kernel: Kernel, elements: number): Func<readonly "i32"[], readonly []> {
    const most = elements <= 4 ? 1 : elements <= 8 ? 2 : 4;
    return this.function(`${most} ${keyOf(kernel)}`, () => kernelFunction(kernel, { most }));
  }

  /** `(from, to)`: copies a box. */
  copy(box: Box): Func<readonly ["i32", "i32"], readonly []> {
    const axes = box.axes.map(({ size, from, to }) => `${size}:${from}:${to}`);
    return this.function(`copy ${box.bytes} ${axes.join()}`, () => boxFunction(box));
  }

  private function<F extends Func>(name: string, make: () => F): F {
    const known = this.functions.get(name) as F | undefined;
    if (known) return known;
    const fresh = make();
    this.functions.set(name, fresh);
    return fresh;
  }
}
