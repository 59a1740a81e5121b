/**
 * The built site as a reader meets it, in Debian's chromium: every example is run and what it shows compared with what the page
 * says, one is edited, every demonstration steered, pages weighed, and all checked for errors, at the width of a phone, and by axe. `npm test`;
 * without chromium the tests are skipped with a message.
 */
import { existsSync } from "node:fs";
import { after, before, describe } from "node:test";
import { demos } from "./demos.mjs";
import { examples } from "./examples.mjs";
import { measure } from "./measure.mjs";
import { pages } from "./pages.mjs";
import { play } from "./play.mjs";
import { CHROMIUM, Reader } from "./reader.mjs";

describe("the site", { skip: existsSync(CHROMIUM) ? false : "no chromium here: apt-get install chromium" }, () => {
  const reader = new Reader();
  before(() => reader.open());
  after(() => reader.close());
  examples(reader);
  play(reader);
  pages(reader);
  demos(reader);
  measure(reader);
});
