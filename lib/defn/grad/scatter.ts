/** Adding elements up at places along an axis: the transpose of taking along it. */
import { allAxes, type Shape } from "../../core/shape";
import { INDEXED } from "../../backends/primitives";
import { cast, run } from "../../nx/dispatch";
import { positionsAlong } from "../../nx/aggregates/core";
import { unnamed } from "../../core/names";
import type { Tensor } from "../../tensor";
import { reshapeTo, zeros } from "./core";

/**
 * Zeros of `shape` with each element of `g` added at the position along `axis` that `given`, of g's shape, gives. Other axes may be longer
 * than a narrow type of places can count.
 */
export function scatterAlong(g: Tensor, given: Tensor, axis: number, shape: Shape): Tensor {
  const rank = shape.length;
  const places = cast(given, "s64");
  const columns = allAxes(rank).map((i) => {
    const column = i === axis ? places : positionsAlong(places.type, g.shape, i);
    return reshapeTo(column, [...g.shape, 1]);
  });
  const indices =
    rank === 1
      ? columns[0]!
      : run(
          "concatenate",
          { type: places.type, shape: Object.freeze([...g.shape, rank]), names: unnamed(rank + 1) },
          columns,
          { axis: rank },
        );
  const base = zeros(g.type, shape);
  return run(INDEXED, base, [base, indices, g], { op: "add", axes: allAxes(rank) });
}
