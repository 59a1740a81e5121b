/** Each line of the table in docs/hosts.md is what a program finds in that host. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM, FIREFOX } from "./browsers";
import { LOCAL } from "./local";
import { createProject, installBuilt, type Found, type Project } from "./project";
import { RUNTIMES } from "./runtimes";
import { lineOf, readTable } from "./table";
import { TOOLS } from "./tools";

const table = readTable();
let project: Project;
const found = new Map<string, Promise<Found>>();

/** What is found in a host, which is asked once. */
function foundIn(host: string): Promise<Found> {
  if (!found.has(host)) found.set(host, LOCAL[host]!(project));
  return found.get(host)!;
}

beforeAll(async () => {
  project = createProject();
  await installBuilt(project);
}, 60_000);
afterAll(() => project.remove());

describe("the table of hosts", () => {
  it("has a line for each host that is tried, and no other", () => {
    const tried = [LOCAL, TOOLS, RUNTIMES, CHROMIUM, FIREFOX].flatMap(Object.keys);
    expect(table.map(({ host }) => host).sort()).toEqual([...new Set(tried)].sort());
  });

  it.each(Object.keys(LOCAL))(
    "says what is so in %s",
    async (host) => {
      const here = await foundIn(host);
      expect(lineOf(host, here)).toEqual(table.find((line) => line.host === host));
      expect(here.bits).toBe((await foundIn("Node")).bits);
    },
    60_000,
  );

  it("names what the host refuses in the errors of what needs it", async () => {
    const { refusals } = await foundIn("Node with `--permission`, only the package's own folder");
    expect(refusals).toEqual([
      expect.stringMatching(/^writeFile cannot write ".*": Access to this API has been restricted/),
      expect.stringMatching(/^no configuration can be looked for from .*: Access to this API has been restricted/),
    ]);
  }, 60_000);
});
