/** Writes docs/names.md from the table of names that the tests check. `npm run names`. */
import { writeFileSync } from "node:fs";
import { namesPage, PAGE } from "../test/names/page";

writeFileSync(PAGE, await namesPage());
