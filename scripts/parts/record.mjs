/**
 * Makes the typical calls with the library in the given file, which assembles all modules itself; from the last call to the first where
 * a second argument says `backwards`. Prints keys and bytes of the modules, in the order of the calls.
 */
import { fileURLToPath } from "node:url";
import { libraryWith } from "./imports.mjs";
import { recorded } from "./recording.mjs";
import { typicalCalls } from "./typical-calls.mjs";

const [file, order] = process.argv.slice(2);
const nx = await libraryWith(file, fileURLToPath(new URL("recording.mjs", import.meta.url)));
const calls = typicalCalls(nx);
for (const call of order === "backwards" ? calls.reverse() : calls) nx.evaluate(call());
const texts = [...recorded].map(([key, bytes]) => [key, Buffer.from(bytes).toString("base64")]);
process.stdout.write(JSON.stringify(texts), () => process.exit(0));
