/** As resident.test.ts, in a file of its own so that both run at the same time (reductions; random programs of test/fuzz run so, too). */
import { setLargeFrom } from "../../../lib/backends/arrays/memory";
import { wasmBackend } from "../../../lib/backends/wasm";
import { makeOn } from "../binary/support";

setLargeFrom(1);
makeOn(wasmBackend);

await import("./reduce.test");
