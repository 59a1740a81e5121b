/**
 * `nx-numerics/zarr`: arrays larger than memory, with axis names, read and computed block by block. Needs the peer `zarrita`.
 */
export { ZarrArray } from "./array";
export type { ZarrIndex } from "./checks";
export type { ZarrCodec, ZarrCodecs } from "./create";
export type { FolderPlace } from "./folder";
export type { ZarrMapOptions } from "./map";
export { createZarr, openZarr, serveBlocks, type CreateZarrOptions, type OpenZarrOptions, type ZarrLike } from "./open";
export type { RunOptions } from "./options";
export type { ZarrBlock, ZarrIsPosition, ZarrOnlyAxes, ZarrPart, ZarrPlace, ZarrRead } from "./parts";
export type { ZarrAxes, ZarrReduced, ZarrReductions } from "./reduced";
export type { ZarrDdofOptions, ZarrHistogramOptions, ZarrReductionOptions } from "./reductions";
export type { UnfinishedRun } from "./runs";
export type { WritableZarrStore, ZarrStore, ZarrType } from "./types";
export type { BlockWorker } from "./workers";
