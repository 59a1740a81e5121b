/** Before each file of tests: kernels are compiled at once, so that small tensors test them, too. */
import { setCompiledFrom } from "../lib/backends/wasm/tiering";

setCompiledFrom(0);
