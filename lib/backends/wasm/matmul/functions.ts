/**
 * The functions that contractions call, one module for each type of elements, made when first needed.
 */
import { LANES, relaxed, type Code, type Lanes, type SumType } from "../asm";
import { bitsOf, isFloat, isUnsigned, type DType } from "../../../core/types";
import { isFmaRelaxed } from "../../../core/default-types";
import { hasRelaxedSimd } from "../memory/host";
import { makeModule, type KernelModule } from "../modules/module";
import { convolve } from "./im2col";
import { pack } from "./pack";
import { regions, tileColumns } from "./tile";
import { dots, multiples } from "./vector";

export type { LaneType, SumType } from "../asm";

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
  const name = isRelaxed ? "relaxed" : "exact";
  return (loaded[name][type] ??= moduleOf(`products ${name} ${type}`, isRelaxed ? relaxed(LANES[type]) : LANES[type]));
}

const moduleOf = (key: string, lanes: Lanes): ContractionModule => ({
  module: makeModule(key, () => functionsOf(lanes)),
  lanes,
});

const functionsOf = (lanes: Lanes): Record<string, Code> => ({
  pack: pack(lanes, tileColumns(lanes)),
  regions: regions(lanes),
  dots: dots(lanes),
  ...(lanes.type === "f64" && { dotsInOrder: dots(lanes, "dotsInOrder") }),
  multiples: multiples(lanes),
  ...(isFloat(lanes.type) && { convolve: convolve(lanes) }),
});
