/** Functions that run programs of many steps: where one of them is in a program, compiled functions run steps together. */
import { withCode } from "../backends/wasm/backend";
import { PROGRAMS } from "../backends/wasm/groups";
import { runProgramsBy } from "../defn/programs/runner";
import { RUNNER } from "../defn/programs/runs";

/** The function or namespace, in a program that has what lowers steps to programs and their vector code from then on. */
export function withPrograms<T>(of: T): T {
  runProgramsBy(RUNNER);
  return withCode(of, PROGRAMS);
}
