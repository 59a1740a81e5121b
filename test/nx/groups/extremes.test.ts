/** Extremes of groups, natively and as the composite, by the definition: the last of the entries that no other one is above, NaN above all. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { nativeBlock } from "../../../lib/backends/binary/native";

const FLOATS = ["f64", "f32", "f16", "bf16"] as const;
const INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const;
const VALUES = [3, 0, -0, 7, NaN, -Infinity, 2, -0, 0, Infinity, -4, -4, 5, NaN, 1, 0];
const LABELS = [0, 1, 1, 2, 3, 0, 2, 6, 6, 2, 4, 4, 0, 3, 2, 0];
const GROUPS = 8;

const isAbove = (a: number, b: number): boolean => a > b || (Number.isNaN(a) && !Number.isNaN(b));

/** The place of the extreme of each group and column; -1 in a group without entries. */
function placesOf(op: "Max" | "Min", values: readonly number[], labels: readonly number[], width: number): number[] {
  const places = new Array<number>(GROUPS * width).fill(-1);
  values.forEach((value, at) => {
    const to = labels[Math.floor(at / width)]! * width + (at % width);
    const [now, one] = [values[places[to]!]!, op === "Max" || Number.isNaN(value) ? value : -value];
    const held = op === "Max" || Number.isNaN(now) ? now : -now;
    if (places[to] === -1 || !isAbove(held, one)) places[to] = at;
  });
  return places;
}

const bytesOf = (t: Nx.Tensor): number[] => Array.from(Nx.toBinary(t));

describe.each(["Max", "Min"] as const)("segment%s", (op) => {
  const run = (t: Nx.Operand, labels: Nx.Operand): Nx.Tensor => Nx[`segment${op}`](t, labels, GROUPS);

  const worstOf = (type: Nx.DType): Nx.Tensor => {
    if (Nx.Type.isFloat(type)) return Nx.tensor(op === "Max" ? -Infinity : Infinity, { type });
    return op === "Max" ? Nx.Constants.minFinite(type) : Nx.Constants.maxFinite(type);
  };

  function check(type: Nx.DType, values: readonly number[], width: number, labelType: Nx.DType = "s64"): void {
    const shape = width === 1 ? [values.length] : [values.length / width, width];
    const t = Nx.tensor([...values], { type }).reshape(shape);
    const rows = LABELS.slice(0, shape[0]);
    const labels = Nx.tensor(rows, { type: labelType });
    const worst = Nx.toBinary(worstOf(type));
    const elements = Nx.toBinary(t);
    const wanted = placesOf(op, t.flatten().toNumbers(), rows, width).flatMap((at) =>
      Array.from(at < 0 ? worst : elements.slice(at * worst.length, (at + 1) * worst.length)),
    );
    expect(bytesOf(run(t, labels)), `${type} ${width}`).toEqual(wanted);
    expect(bytesOf(Nx.defn(run)(t, labels)), `compiled ${type} ${width}`).toEqual(wanted);
    // of each entry for itself, which no backend does natively
    const entries = Nx.Defn.vmap((entry: Nx.Operand) => run(entry, labels))(Nx.stack([t, t]));
    expect(bytesOf(entries.at(1)), `composite ${type} ${width}`).toEqual(wanted);
  }

  it.each(FLOATS)("of %s", (type) => {
    for (const width of [1, 2, 4]) check(type, VALUES, width);
  });

  it.each(INTEGERS)("of %s, by labels of the same type", (type) => {
    for (const width of [1, 2])
      check(
        type,
        VALUES.map((value) => (Number.isFinite(value) ? Math.abs(value) : 9)),
        width,
        type,
      );
  });

  it("of more entries than are taken at once", () => {
    const values = Array.from({ length: 3000 }, (_, i) => Math.sin(i * 37));
    const labels = values.map((_, i) => (i * 7) % 5);
    const extreme = (of: number): number =>
      Math[op === "Max" ? "max" : "min"](...values.filter((_, i) => labels[i] === of));
    const found = run(Nx.f64(values), Nx.tensor(labels)).toNumbers();
    expect(found.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map(extreme));
    const rows = run(Nx.f64(values).reshape([2, 1500]), Nx.tensor([3, 3]))
      .at(3)
      .toNumbers();
    expect(rows).toEqual(
      values.slice(0, 1500).map((one, i) => Math[op === "Max" ? "max" : "min"](one, values[1500 + i]!)),
    );
  });

  it("of integers that doubles do not hold", () => {
    const t = Nx.s64([2n ** 53n + 1n, 2n ** 53n, 2n ** 53n + 2n]);
    expect(
      run(t, Nx.tensor([0, 0, 0]))
        .at(0)
        .toNumber(),
    ).toBe(op === "Max" ? 2n ** 53n + 2n : 2n ** 53n);
    const out = { type: "s64", shape: [GROUPS], names: [null] } as const;
    const inputs = [Nx.zeros([GROUPS], { type: "s64" }), t, Nx.tensor([0, 0, 0])];
    const options = { op: op === "Max" ? "max" : "min" };
    const released: unknown[] = [];
    const positions = new Uint32Array(3);
    const memory = {
      unset: () => positions,
      hold: (array: unknown) => array,
      release: (array: unknown) => released.push(array),
    };
    expect(nativeBlock("segmentExtremes")!(out, inputs, options, memory as never)).toBe(null);
    expect(released).toEqual([positions]);
  });

  it("refuses labels of no group, whatever the type of labels", () => {
    for (const type of ["s64", "u8", "s32"] as const) {
      const labels = Nx.tensor([0, GROUPS], { type });
      for (const t of [
        Nx.f32([1, 2]),
        Nx.f32([
          [1, 2],
          [3, 4],
        ]),
      ]) {
        // prettier-ignore
        const message = `Nx.segment${op}: index 8 is out of bounds for axis 0 of size 8`;
        expect(() => Nx.evaluate(run(t, labels))).toThrow(message);
      }
    }
    expect(() => Nx.evaluate(run(Nx.f32([1]), Nx.tensor([-1])))).toThrow("index -1 is out of bounds");
  });

  it("has the gradient of the entry that is chosen, the last of equal ones", () => {
    const t = Nx.f64([3, 3, 1, 2, 2, 5]);
    const slopes = Nx.grad((x: Nx.Tensor) =>
      run(x, Nx.tensor([0, 0, 0, 1, 1, 2]))
        .at(Nx.range(0, 3))
        .sum(),
    )(t).toNumbers();
    expect(slopes).toEqual(op === "Max" ? [0, 1, 0, 0, 1, 1] : [0, 0, 1, 0, 1, 1]);
  });
});
