/**
 * Configuration from code, with what only the floor of the backends knows: which of them there are.
 */
import type { BackendSpec } from "../backend";
import { checkConfiguredBackend } from "../backends/registry";
import { checkConfig, setConfig, type Config as Settings, type ConfigValues } from "../core/config";

/** What can be configured. */
export interface Config extends Settings {
  /**
   * Backend of new tensors: a name, `[name, options]` or the object. `"auto"` is `"wasm"` where WebAssembly has SIMD, else
   * `"binary"`; others are registered by {@link registerBackend}.
   */
  readonly defaultBackend: BackendSpec;
}

/**
 * Sets configuration from code; it wins over the environment and configuration files.
 *
 * @param values - any of the keys of {@link Config}
 * @returns what the keys given were set to in code before (`undefined` where they were not)
 * @throws ConfigError for an unknown key, a value that is not allowed, or a backend that nobody has registered
 * @example
 * ```ts
 * const before = Nx.configure({ inspectLimit: 3 });
 * Nx.iota([5]);
 * // => #Nx.Tensor<
 * //   s64[5]
 * //   [0, 1, 2, ...]
 * // >
 * Nx.configure({ inspectLimit: before.inspectLimit });
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.configure({ inspectLimt: 3 });
 * // throws ConfigError: unknown configuration key "inspectLimt" in Nx.configure; did you mean "inspectLimit"?
 * ```
 */
export function configure(values: ConfigValues<Config>): Partial<Config> {
  const { defaultBackend } = checkConfig(values, "Nx.configure");
  if (defaultBackend !== undefined) checkConfiguredBackend(defaultBackend, "Nx.configure");
  return setConfig(values) as Partial<Config>;
}
