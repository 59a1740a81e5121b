import "../lib/index";
import { tune } from "../lib/backends/tuning";
/**
 * Before each file of tests: the whole library is there, whatever part a test imports, and kernels are compiled at once, so that small
 * tensors test them, too. Faults of programs are raised.
 */

tune({ compiledFrom: 0, faults: true });
