/** The suite for backends, and what is known of results, where all eager work that can wait does, however small. */
import { afterAll, beforeAll, describe } from "vitest";
import { conformance } from "nx-numerics/testing";
import { tune } from "../../../lib/backends/tuning";
import { wasmBackend } from "../../../lib/backends/wasm";
import { sampled } from "../../effort";
import { register } from "../../testing/register";

describe("wasm backend, deferred", () => {
  beforeAll(() => tune({ deferredFrom: 1, largeFrom: 1 }));
  afterAll(() => tune({ deferredFrom: null, largeFrom: null }));

  register(sampled(conformance(wasmBackend), 1100, "deferred"));
});
