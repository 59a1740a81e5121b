/** The suite on the wasm backend, in a process of its own: prints what killed it, as JSON. */
import { conformance } from "nx-numerics/testing";
import { wasmBackend } from "../../lib/backends/wasm";
import { tune } from "../../lib/backends/tuning";
import { killer } from "./mutant";

tune({ compiledFrom: 0 });
const aim = new RegExp(process.env["NX_AIM"] ?? ".");
process.stdout.write(JSON.stringify({ killer: await killer(conformance(wasmBackend), aim) }));
process.exit(0);
