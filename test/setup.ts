import * as Nx from "../lib/index";
import { tune } from "../lib/backends/tuning";
/**
 * Before each file of tests: the whole library is there, whatever part a test imports, with the backend that it chooses by itself, and
 * kernels are compiled at once, so that small tensors test them, too. Faults of programs are raised.
 */

Nx.globalDefaultBackend("auto");
tune({ compiledFrom: 0, faults: true });
