/** As resident.test.ts, in a file of its own so that both run at the same time: reductions and fused kernels. */
import { setLargeFrom } from "../../../lib/backends/binary/pool";
import { openWasm } from "../../../lib/backends/wasm";

setLargeFrom(1);
openWasm();

await import("./reduce.test");
await import("../../defn/fuse/equality.test");
