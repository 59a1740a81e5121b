import fc from "fast-check";
import * as Nx from "../lib/index";
import { tune } from "../lib/backends/tuning";
/**
 * Before each file of tests: the whole library is there, whatever part a test imports, with the backend that it chooses by itself, and
 * kernels are compiled at once, so that small tensors test them, too. Faults of programs are raised. The seed that the closing
 * lines name decides about random cases, too, so that a run can be had again.
 */

Nx.globalDefaultBackend("auto");
tune({ compiledFrom: 0, faults: true });
fc.configureGlobal({ seed: Number(process.env.NX_TEST_SEED) });
