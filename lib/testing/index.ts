/**
 * `nx-numerics/testing`: the conformance suite every backend passes, for any test runner, and testers of equality.
 */
export { conformance, summary, type ConformanceCase, type ConformanceOptions } from "./conformance";
export {
  extendExpect,
  tensorEquality,
  tensorMatchers,
  tensorSerializer,
  type ExtensibleExpect,
  type TensorMatch,
  type TensorMatchers,
} from "./equality";
export { ConformanceError } from "./judge";
