/**
 * Groups and counts: places among sorted numbers, how often numbers occur, sums over groups.
 */
export { bincount, histogram, type BincountOptions, type HistogramOptions } from "./counts";
export { digitize, interp, searchsorted, type DigitizeOptions, type InterpOptions, type SearchOptions } from "./search";
export { segmentMax, segmentMean, segmentMin, segmentProduct, segmentSum, type SegmentOptions } from "./segments";
export { argwhere, compress, nonzero, type CompressOptions } from "./masks";
export { unique, type FoundOptions, type Unique, type UniqueOptions } from "./unique";
export { resample, rolling, type Resampled, type ResampleOptions, type Rolling, type RollingOptions } from "./blocks";
export {
  groupBy,
  type GroupByOptions,
  type GroupChoice,
  type GroupedBy,
  type GroupNames,
  type KeyOf,
  type SomeLabels,
} from "./group-by";
export type { GroupKey, GroupLabels } from "./labels";
export type {
  EntryGroups,
  GroupArgOptions,
  GroupDdofOptions,
  GroupKurtosisOptions,
  GroupMomentOptions,
  GroupOptions,
} from "./reductions";
