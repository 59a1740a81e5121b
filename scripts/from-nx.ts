/** Writes the functions of Nx into docs/from-nx.md, of the table that the tests check. `npm run from-nx`. */
import { writeFileSync } from "node:fs";
import { fresh, PAGE } from "../test/tooling/from-nx/page";

writeFileSync(PAGE, fresh());
