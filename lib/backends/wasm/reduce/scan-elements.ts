/** The common code of scans: arguments, and steps element by element. Emits code. */
import { local, v128, type Int, type Vector } from "../asm";
import type { DType } from "../../../core/types";
import { bodyOf, elementIn, finishing, type Scan } from "../../../kernel/recurrence";
import { emitSplat, emitStoreFew } from "../codegen/access";
import type { Loader, Placed, Run } from "../codegen/body";
import { inSingle, lanesOf, loader } from "./steps";

export const LINE_ARGS = ["x", "to", "lines", "n", "step", "toStep", "line", "toLine", "before", "after"] as const;
export const COLUMN_ARGS = ["x", "to", "n", "columns", "pitch", "toPitch", "before", "after"] as const;

/** The code of a scan element by element, with an element in all lanes of a vector, or the parts of a complex one in a lane each. */
export interface OneByOne {
  readonly bodies: readonly Placed[];
  load(run: Run, out: Vector, at: Int): void;
  /** Stores the state as a result. */
  store(run: Run, held: Vector, at: Int, temp: Vector): void;
}

export function oneByOne(scan: Scan, out: DType, parts: 1 | 2): OneByOne {
  const { type } = scan;
  const lanes = lanesOf(scan);
  const element = parts === 2 ? lanes.element : inSingle(bodyOf([], (k) => [elementIn(k, scan, scan, type)]));
  const finish = inSingle(finishing(scan, out));
  const loaderAt = (at: Int): Loader =>
    parts === 2 ? loader(lanes, at, 0) : ({ part }, vectors) => emitSplat(type, part, vectors, at);
  return {
    bodies: [element, finish],
    load: (run, to, at) => run(element, [], [[to]], loaderAt(at)),
    store(run, held, at, temp) {
      run(finish, [[held], []], [[temp]]);
      emitStoreFew(out, parts, [temp], at, 0);
    },
  };
}

/** Loads an entry of a state to all lanes, or both parts of a complex entry. */
export function loadHeld(bytes: 4 | 8 | 16, to: Vector, at: Int, offset: number): void {
  if (bytes === 16) return local.set(to, v128.load({ offset }, at));
  local.set(to, bytes === 8 ? v128.load64_splat({ offset }, at) : v128.load32_splat({ offset }, at));
}
