/** As resident.test.ts, in a file of its own so that both run at the same time (reductions; random programs of test/fuzz run so, too). */
import { wasmBackend } from "../../../lib/backends/wasm";
import { tune } from "../../../lib/backends/tuning";
import { makeOn } from "../binary/support";

tune({ largeFrom: 1 });
makeOn(wasmBackend);

await import("./reduce.test");
