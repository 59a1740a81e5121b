/**
 * The namespace `Serving`: functions that answer concurrent requests in batches.
 */
export { create, Serving } from "./serving";
export type {
  CloseOptions,
  Entry,
  Prepared,
  Result,
  RunOptions,
  ServingOptions,
  ServingStats,
  Signal,
  Whole,
} from "./types";
