/** Which functions of the library have run. */
import { Session } from "node:inspector";
import { basename } from "node:path";
import { libraryWith } from "./imports.mjs";

/** Loads the library and its dependencies in two files, and gives it with a function that prints where each function begins that has run at least so many times, by file of the library. */
export async function covered(file, dependencies) {
  const session = new Session();
  session.connect();
  const post = (method, options) =>
    new Promise((resolve, reject) =>
      session.post(method, options, (error, result) => (error ? reject(error) : resolve(result))),
    );
  await post("Profiler.enable");
  await post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const nx = await libraryWith(file, dependencies);
  return {
    nx,
    printed: (times = 1) =>
      post("Profiler.takePreciseCoverage").then(({ result }) => console.log(JSON.stringify(run(result, times)))),
  };
}

/** Runs one of some functions of the library, by its name behind the library and its dependencies in the arguments of the process, and prints which functions of the library have run; the names of all where there is none. */
export async function printRunOf(functions) {
  const [file, dependencies, name] = process.argv.slice(2);
  const { nx, printed } = await covered(file, dependencies);
  if (name === undefined) console.log(JSON.stringify(Object.keys(functions)));
  else {
    functions[name](nx);
    await printed();
  }
  process.exit(0);
}

const run = (scripts, times) =>
  Object.fromEntries(
    scripts
      .filter(({ url }) => /\/library-\w+\.js$/.test(url))
      .map(({ url, functions }) => [
        basename(url),
        functions
          .filter(({ ranges }) => ranges[0].count >= times && ranges[0].startOffset > 0)
          .map(({ ranges }) => ranges[0].startOffset),
      ]),
  );
