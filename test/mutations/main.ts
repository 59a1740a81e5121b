/**
 * `npm run mutations`: every deliberate defect, and whether the conformance suite notices it. A word after it takes those whose names
 * have it. Ends with an error where one lives.
 */
import * as Nx from "nx-numerics";
import { killerOf } from "./mutant";
import { checkTexts, killerOfPatch } from "./patch";
import { PATCHES } from "./patched";
import { MUTANTS } from "./wrapped";

const wanted = process.argv[2] ?? "";
const has = ({ name }: { readonly name: string }): boolean => name.includes(wanted);
const wasm = Nx.iota([2], { backend: "wasm" }).backend;

let living = 0;
let all = 0;
const tell = (kind: string, name: string, killer: string | null): void => {
  all++;
  if (killer === null) living++;
  console.log(`${killer === null ? "LIVES " : "killed"} ${kind}: ${name}${killer === null ? "" : `, by ${killer}`}`);
};

await checkTexts(PATCHES);
for (const mutant of MUTANTS.filter(has)) {
  tell(mutant.of, mutant.name, await killerOf(mutant, mutant.of === "wasm" ? wasm : Nx.binaryBackend));
}
for (const patch of PATCHES.filter(has)) tell(patch.file, patch.name, await killerOfPatch(patch));
console.log(`${all - living} of ${all} defects killed`);
process.exitCode = living === 0 ? 0 : 1;
