/**
 * The functions that contractions call, one module for each type of elements, made when first needed.
 */
import {
  advance,
  call,
  define,
  F32,
  F64,
  i32,
  range,
  relaxed,
  when,
  type Code,
  type Lanes,
  type SumType,
} from "../asm";
import { bitsOf, isFloat, isUnsigned, type DType } from "../../../core/types";
import { isFmaRelaxed } from "../../../core/default-types";
import { moduleBytes } from "../emit";
import { hasRelaxedSimd } from "../host";
import { loadModule, type KernelModule } from "../module";
import { S16, S32, S64 } from "./integer-lanes";
import { products } from "./direct";
import { pack } from "./pack";
import { convolve, placeLines } from "./im2col";
import { REGION, region, TILE_ROWS, tileColumns } from "./tile";
import { dots, multiples } from "./vector";

export type { LaneType, SumType } from "../asm";

const LANES: { readonly [T in SumType]: Lanes } = { f32: F32, f64: F64, s16: S16, s32: S32, s64: S64 };

/** Whether elements of a type are stored as sums are. */
export function isSame(sums: SumType, type: DType): boolean {
  return sums === type || (isUnsigned(type) && sums === `s${bitsOf(type)}`);
}

/** A module with what the host must know of its functions. */
export interface ContractionModule {
  readonly module: KernelModule;
  readonly lanes: Lanes;
}

type Loaded = { -readonly [T in SumType]?: ContractionModule };

/** Modules whose sums are exact, and those whose products are added unrounded. */
const loaded: { readonly exact: Loaded; readonly relaxed: Loaded } = { exact: {}, relaxed: {} };

/** The module for a type of elements, as configured. */
export function contractionModule(type: SumType): ContractionModule {
  const isRelaxed = isFloat(type) && isFmaRelaxed() && hasRelaxedSimd();
  return (loaded[isRelaxed ? "relaxed" : "exact"][type] ??= moduleOf(isRelaxed ? relaxed(LANES[type]) : LANES[type]));
}

const moduleOf = (lanes: Lanes): ContractionModule => ({ module: loadModule(moduleBytes(functionsOf(lanes))), lanes });

function functionsOf(lanes: Lanes): Record<string, Code> {
  const whole = region(lanes);
  return {
    pack: packSide(lanes),
    regions: regions(whole),
    ...(lanes.type !== "s64" && { products: products(lanes) }),
    dots: dots(lanes),
    multiples: multiples(lanes),
    ...(isFloat(lanes.type) && { convolve: convolve(lanes, whole), placeLines: placeLines(lanes) }),
  };
}

/**
 * Lines of the left operand (`right` 0) or of the right one (1), of `count` matrices: one function, so that both sides are
 * packed at the same time.
 */
function packSide(lanes: Lanes): Code {
  const [left, right] = [pack(lanes, TILE_ROWS, false), pack(lanes, tileColumns(lanes), true)];
  const args = ["right", "from", "line", "step", "lines", "k", "to", "count", "fromStep", "toStep"] as const;
  return define(args, ["i"], 0, (x) => {
    const rest = [x.from, x.line, x.step, x.lines, x.k, x.to];
    range(x.i, x.count, 1, () => {
      i32.eqz(x.right);
      when(
        () => void call(left, rest),
        () => void call(right, rest),
      );
      advance(x.from, x.fromStep);
      advance(x.to, x.toStep);
    });
  });
}

/** The same region of `count` matrices. */
function regions(region: Code): Code {
  return define([...REGION, "count", "aStep", "bStep", "cStep"], ["i"], 0, (x) => {
    range(x.i, x.count, 1, () => {
      call(
        region,
        REGION.map((name) => x[name]),
      );
      advance(x.a, x.aStep);
      advance(x.b, x.bStep);
      advance(x.c, x.cStep);
    });
  });
}
