/** For pages of browsers: the comparison of hashes as a function of the page. Bundled by `hashed.ts`. */
import { differencesFrom } from "./hashes";

Object.assign(globalThis, { differencesFrom });
