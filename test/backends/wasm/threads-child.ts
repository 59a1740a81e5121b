/** What the child processes of the tests of threads run, bundled: the threads at work, and then some way to end. */
import { inScratch, isShared, scratch } from "../../../lib/backends/wasm/memory/linear";
import { readyWorkers, runCalls, threadCount } from "../../../lib/backends/wasm/threads/index";
import * as pools from "../../../lib/backends/wasm/threads/pool";
import { tune } from "../../../lib/backends/tuning";
import { doze, expected, handOut, setWord, testKernels, until, wordAt } from "./threads-kernels";

const [, , ending = "nothing", threads = "3"] = process.argv;
const kernels = testKernels();

function round(): boolean {
  return inScratch(() => {
    const start = scratch(400);
    const calls = Array.from({ length: 100 }, (_, i) => [start + 4 * i, 1 + i, i]);
    runCalls(kernels, "work", calls);
    return calls.every(([at, rounds, seed]) => wordAt(at!) === expected(rounds!, seed!));
  });
}

/** Runs rounds until the workers take part, if there are to be any. */
function work(): void {
  tune({ threads: Number(threads) });
  let right = round();
  const wanted = threadCount() - 1;
  for (let i = 0; readyWorkers() < wanted && i < 5000; i++) {
    right &&= round();
    doze(1);
  }
  right &&= round();
  console.log(JSON.stringify({ right, ready: readyWorkers(), threads: threadCount(), shared: isShared() }));
}

/** Leaves a worker in the middle of a call. */
function leaveRunning(): void {
  const [at, begun, gate] = [scratch(4), scratch(4), scratch(4)];
  setWord(begun, 0);
  setWord(gate, 0);
  const pool = pools.createPool(1, true)!;
  pools.growPool(pool);
  until(() => pools.readyWorkers(pool) === 1);
  handOut(pool, kernels, "gated", [at, 1, begun, gate]);
  until(() => wordAt(begun) === 1);
}

function main(): void {
  work();
  if (ending === "exit") process.exit(3);
  if (ending === "throw") throw new Error("on purpose");
  if (ending === "running") leaveRunning();
  if (ending === "running exit") {
    leaveRunning();
    process.exit(3);
  }
}

const { Worker, isMainThread } = process.getBuiltinModule("node:worker_threads");
if (ending === "nested" && isMainThread) new Worker(process.argv[1]!, { argv: ["nested", threads] });
else main();
