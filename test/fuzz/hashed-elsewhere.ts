/** Compares the recorded hashes, and prints what differs: bundled by `hashed.ts` for other versions of Node. */
import { readFileSync } from "node:fs";
import { differencesFrom } from "./hashes";

const recorded = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as string[];
console.log(JSON.stringify(differencesFrom(recorded, [1, 2, 4])));
process.exit(0);
