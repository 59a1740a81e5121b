/** Hosts that are test runners, installed from `tools/`. */
import { join } from "node:path";
import { execute, type Host } from "./local";
import { foundIn } from "./project";

const TEST = `
test("the probe", async () => {
  const refusals = [];
  const found = await probe(Nx, { load, folder: FOLDER, refusals });
  process.stdout.write("\\nprobe: " + JSON.stringify({ ...found, refusals }) + "\\n");
}, 60000);
`;

const HEADS = {
  "probe.test.cjs": `const Nx = require("nx-numerics");\nconst probe = require("./probe.cjs");\nconst load = async (name) => require(name);`,
  "probe.test.mjs": `import * as Nx from "nx-numerics";\nimport probe from "./probe.cjs";\nconst load = (name) => import(name);`,
};

const jest =
  (file: keyof typeof HEADS, environment: string, options = ""): Host =>
  async ({ folder, write }) => {
    write(file, HEADS[file] + TEST.replace("FOLDER", JSON.stringify(folder)));
    const cli = join(folder, "node_modules/jest/bin/jest.js");
    const args = [cli, `--env=${environment}`, "--runInBand", "--testMatch", `**/${file}`];
    return foundIn(await execute(process.execPath, args, folder, { NODE_OPTIONS: options }));
  };

/** By the name that each has in the table. */
export const TOOLS: Readonly<Record<string, Host>> = {
  "jest, CommonJS": jest("probe.test.cjs", "node"),
  "jest, CommonJS, environment jsdom": jest("probe.test.cjs", "jsdom"),
  "jest, ES modules": jest("probe.test.mjs", "node", "--experimental-vm-modules"),
};
