/**
 * The bench program: `npm run bench` for the works of this library, `npm run bench -- help` for what else there is.
 */
import { parseOptions, USAGE, type Options } from "./commands/options";
import { UsageError } from "./peers/usage-error";

const commands: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  peers: async (options) => (await import("./commands/peers")).runPeers(options),
  cliffs: async (options) => (await import("./commands/cliffs")).runCliffs(options),
  scaling: async (options) => (await import("./commands/scaling")).runScaling(options),
  calls: async (options) => (await import("./commands/calls")).runCalls(options),
  thresholds: async (options) => (await import("./commands/thresholds")).runThresholds(options),
  functions: async (options) => (await import("./commands/functions")).runFunctions(options),
  search: async (options) => (await import("./commands/search")).runSearch(options),
  memory: async (options) => (await import("./commands/memory")).runMemory(options),
  programs: async (options) => (await import("./commands/programs")).runPrograms(options),
  soak: async (options) => (await import("./commands/soak")).runSoak(options),
  docs: async () => (await import("./commands/docs")).writeDocs(),
  help: async () => console.log(USAGE),
};

/** Whether it is a mistake in what was typed, found here or by the parser of options. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && String(Object(error).code).startsWith("ERR_PARSE_ARGS"));

const [first = "", ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
try {
  if (command) await command(parseOptions(rest));
  else (await import("./own")).runOwn(process.argv.slice(2));
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 1;
}
