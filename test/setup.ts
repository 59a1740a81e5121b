import { tune } from "../lib/backends/tuning";
/** Before each file of tests: kernels are compiled at once, so that small tensors test them, too. */

tune({ compiledFrom: 0 });
