/**
 * The reductions of groups of entries along the first axis: what the methods of `Nx.groupBy` compute.
 */
import { TAKE, TAKE_ALONG } from "../../backends/primitives";
import { sizeOf } from "../../core/shape";
import { isComplex, isFloat, isInteger, toAggregate, toFloating, toReal, type DType } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Tensor } from "../../tensor";
import { filled, missingIn } from "../aggregates/missing";
import { betweenPlaces } from "../aggregates/order";
import { positionsAlong, reshapeTo, untraced, workingType } from "../aggregates/core";
import { cumulativeSum } from "../cumulative";
import { cast, constant, run, template } from "../dispatch";
import {
  add,
  conjugate,
  divide,
  equal,
  exp,
  greater,
  isFinite,
  isNan,
  less,
  log,
  logicalAnd,
  logicalNot,
  max,
  multiply,
  notEqual,
  quotient,
  real,
  sqrt,
  subtract,
  where,
} from "../elementwise";
import { kurtosisOf, skewnessOf } from "../moments";
import {
  elementsOf,
  extremesOf,
  flattened,
  inOrder,
  isOfGroup,
  numbersOf,
  orderOf,
  placesOf,
  productsOf,
  sizesOf,
  sumsOf,
  type Entries,
} from "./core";
import type { GroupOp, GroupSettings } from "./reductions";
import { beginnings } from "./unique";

/** The reductions of groups along the first axis. */
export class Groups {
  readonly #entries: Entries;
  readonly #settings: GroupSettings;
  readonly #missing: Tensor | null;

  constructor(entries: Entries, settings: GroupSettings) {
    this.#entries = entries;
    this.#settings = settings;
    this.#missing = missingIn(entries.t, settings.skips);
  }

  reduce(op: GroupOp): Tensor {
    const { t } = this.#entries;
    switch (op) {
      case "count":
        return cast(this.#counts("f64", true), "s64");
      case "sum":
        return this.#sums(cast(this.#known(0), toAggregate(t.type)));
      case "product":
        return productsOf({ ...this.#entries, t: this.#known(1) });
      case "mean":
        return cast(this.#means(), toFloating(t.type));
      case "max":
      case "min":
        return this.#extremes(op);
      case "all":
        return equal(this.#sums(cast(equal(this.#known(1), 0), "u32")), 0);
      case "any":
        return notEqual(this.#sums(cast(notEqual(this.#known(0), 0), "u32")), 0);
      case "variance":
        return cast(this.#variances(), toReal(toFloating(t.type)));
      case "standardDeviation":
        return cast(sqrt(this.#variances()), toReal(toFloating(t.type)));
      case "logSumExp":
        return this.#logSumExp(toFloating(refuseComplex(op, t.type)));
      case "skewness":
      case "kurtosis":
        return this.#shapeOf(op, toFloating(refuseComplex(op, t.type)));
      case "first":
      case "last":
        return this.#ends(op);
      default:
        return this.#chosen(op, refuseComplex(op, t.type));
    }
  }

  /** Reductions that choose among sorted elements, or say where they are. */
  #chosen(op: "argmax" | "argmin" | "median" | "mode" | "quantile", type: DType): Tensor {
    switch (op) {
      case "median":
      case "quantile":
        return this.#quantiles(type);
      case "mode":
        return this.#modes();
      default:
        return this.#placesOfExtremes(op === "argmax" ? "max" : "min");
    }
  }

  /** The entries with a number in place of what is missing. */
  #known(value: number): Tensor {
    return filled(this.#entries.t, this.#missing, value);
  }

  #sums(t: Tensor): Tensor {
    return sumsOf({ ...this.#entries, t });
  }

  /** Results of flat entries in the shape of those of rows. */
  #unflattened(t: Tensor): Tensor {
    return reshapeTo(t, [this.#entries.groups, ...this.#entries.t.shape.slice(1)]);
  }

  /** Which of the flat elements are there; null where all are. */
  #present(): Tensor | null {
    if (this.#missing === null) return null;
    return reshapeTo(logicalNot(this.#missing), [sizeOf(this.#missing.shape)]);
  }

  /** How many elements each result is made of: of the shape of results where some are missing or it is asked for, else a column. */
  #counts(type: DType, isWhole = false): Tensor {
    const { t, labels, groups } = this.#entries;
    if (this.#missing !== null) return cast(this.#sums(cast(logicalNot(this.#missing), "u32")), type);
    const column = reshapeTo(
      sizesOf(labels, groups, type),
      t.shape.map((_, i) => (i === 0 ? groups : 1)),
    );
    return isWhole ? add(column, constant(0, type, [groups, ...t.shape.slice(1)])) : column;
  }

  #means(): Tensor {
    const wide = workingType(this.#entries.t.type);
    return divide(this.#sums(cast(this.#known(0), wide)), this.#counts(toReal(wide)));
  }

  #extremes(op: "max" | "min"): Tensor {
    const { t } = this.#entries;
    refuseComplex(op, t.type);
    const value = extremesOf(op, { ...this.#entries, t: this.#known(op === "max" ? -Infinity : Infinity) });
    return isInteger(t.type) ? value : where(equal(this.#counts("f64"), 0), NaN, value);
  }

  /** Places along the axis of entries, -1 in a group without. */
  #placesOfExtremes(op: "max" | "min"): Tensor {
    const entries = { ...this.#entries, t: this.#known(op === "max" ? -Infinity : Infinity) };
    const flat = flattened(entries);
    const isBest = isOfGroup(flat, reshapeTo(extremesOf(op, entries), [flat.groups]));
    const present = this.#present();
    const which = this.#settings.tieBreak === "low" ? "first" : "last";
    const places = placesOf(which, flat, present === null ? isBest : logicalAnd(isBest, present));
    const rows = cast(quotient(places, sizeOf(entries.t.shape.slice(1))), "s64");
    return this.#unflattened(where(less(places, flat.t.shape[0]!), rows, -1));
  }

  /** The first or the last elements. */
  #ends(which: "first" | "last"): Tensor {
    const flat = flattened(this.#entries);
    const places = placesOf(which, flat, this.#present());
    return this.#unflattened(elementsOf(flat.t, places, isInteger(flat.t.type) ? 0 : NaN));
  }

  /** Elements that occur most often: of sorted entries the first of those whose number is that of no other. */
  #modes(): Tensor {
    const flat = flattened(this.#entries);
    const { t, labels, groups } = flat;
    const n = t.shape[0]!;
    const bySize = orderOf(t);
    const order = inOrder(bySize, orderOf(inOrder(labels, bySize)));
    const [sorted, own] = [inOrder(t, order), inOrder(labels, order)];
    const begins = notEqual(add(beginnings(sorted), beginnings(own)), 0);
    const runs = cast(subtract(cumulativeSum(cast(begins, "s64")), 1), "u32");
    const often = inOrder(sizesOf(runs, n, "u32"), runs);
    const counted = this.#missing === null ? often : where(isNan(sorted), 0, often);
    const byCount = { t: counted, labels: own, groups };
    const isMost = isOfGroup(byCount, extremesOf("max", byCount)); // where all are missing, which are NaN
    const places = placesOf("first", { t: sorted, labels: own, groups }, isMost);
    return this.#unflattened(elementsOf(sorted, places, isInteger(t.type) ? 0 : NaN));
  }

  /** Distances from the means, in double precision. */
  #distances(): Tensor {
    const { t, labels } = this.#entries;
    const wide = cast(this.#known(0), isComplex(t.type) ? "c128" : "f64");
    const means = divide(this.#sums(wide), this.#counts("f64"));
    return filled(subtract(wide, inOrder(means, labels)), this.#missing, 0);
  }

  /** Means of squared distances from the means, in double precision. */
  #variances(): Tensor {
    const distances = this.#distances();
    const squares = isComplex(distances.type)
      ? real(multiply(distances, conjugate(distances)))
      : multiply(distances, distances);
    const left = subtract(this.#counts("f64"), this.#settings.ddof);
    return divide(where(greater(left, 0), this.#sums(squares), NaN), left); // the gradient ends in front of the NaN
  }

  /** Skewness or kurtosis, of moments in double precision. */
  #shapeOf(op: "kurtosis" | "skewness", type: DType): Tensor {
    const distances = this.#distances();
    const counts = this.#counts("f64");
    const squares = multiply(distances, distances);
    const moment = (powers: Tensor): Tensor => divide(this.#sums(powers), counts);
    const { bias, fisher } = this.#settings;
    const value =
      op === "skewness"
        ? skewnessOf(moment(squares), moment(multiply(squares, distances)), counts, bias)
        : kurtosisOf(moment(squares), moment(multiply(multiply(squares, distances), distances)), counts, bias, fisher);
    return cast(value, type);
  }

  /** Logarithms of sums of powers of e, of distances from the largest elements: these cannot overflow. */
  #logSumExp(type: DType): Tensor {
    const t = cast(this.#known(-Infinity), workingType(type));
    const most = untraced(extremesOf("max", { ...this.#entries, t }));
    const shift = where(isFinite(most), most, 0);
    const powers = exp(subtract(t, inOrder(shift, this.#entries.labels)));
    return cast(add(log(this.#sums(powers)), shift), type);
  }

  /** Elements in the order of their groups, those of a group in ascending order with NaN last, and from there the value of a share. */
  #quantiles(type: DType): Tensor {
    const { t, groups } = this.#entries;
    const width = sizeOf(t.shape.slice(1));
    const rows = reshapeTo(t, [t.shape[0]!, width]);
    const along = (x: Tensor, places: Tensor): Tensor =>
      run(TAKE_ALONG, template(x.type, places.shape, places.names), [x, places], { axis: 0 });
    const labels = numbersOf(this.#entries.labels, groups);
    const bySize = orderOf(rows);
    const ofRows = run(TAKE, template(labels.type, bySize.shape, bySize.names), [labels, bySize], { axis: 0 });
    const sorted = along(rows, along(bySize, orderOf(ofRows)));
    const sizes = sizesOf(labels, groups);
    const starts = reshapeTo(subtract(cumulativeSum(sizes), sizes), [groups, 1]);
    const all = add(reshapeTo(sizes, [groups, 1]), positionsAlong("s64", [1, width], 0));
    const there = isFloat(t.type) ? sumsOf({ t: cast(logicalNot(isNan(rows)), "s64"), labels, groups }) : all;
    const last = cast(max(subtract(there, 1), 0), "f64");
    const at = (place: Tensor): Tensor => {
      const places = add(starts, cast(place, "s64"));
      return cast(along(sorted, where(less(places, t.shape[0]!), places, 0)), "f64");
    };
    const { share, whole } = this.#settings;
    const value = betweenPlaces(at, last, share, whole);
    const isNone = this.#settings.skips ? equal(there, 0) : less(there, max(all, 1));
    const result = cast(where(isNone, NaN, value), toFloating(type));
    return reshapeTo(result, [groups, ...t.shape.slice(1)]);
  }
}
