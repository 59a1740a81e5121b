/**
 * A runner seen from the bench program: a child process that answers one request at a time.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Command } from "./candidates";
import { PREFIX, type CallCosts, type Hello, type InputSpecs, type Memory, type Request } from "./protocol";
import type { Sample, Timed } from "./protocol";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const PATIENCE_MS = 120_000;

export class RunnerProcess {
  #waiting: Waiting | null = null;
  #noise: string[] = [];
  #dead: string | null = null;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  private constructor({ file, args, environment }: Command) {
    this.#child = spawn(file, [...args], {
      env: { ...process.env, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(line));
    createInterface({ input: this.#child.stderr }).on("line", (line) => this.#noise.push(line));
    this.#child.stdin.on("error", () => {}); // the end of the process says more
    this.#child.on("error", (error) => this.#end(error.message));
    this.#child.on("close", (code, signal) => this.#end(`ended with ${signal ?? code}: ${this.#lastNoise()}`));
  }

  get isAlive(): boolean {
    return this.#dead === null;
  }

  /** Starts a runner and waits for its first line. */
  static async start(command: Command): Promise<{ runner: RunnerProcess; hello: Hello }> {
    const runner = new RunnerProcess(command);
    return { runner, hello: (await runner.#reply()) as Hello };
  }

  async prepare(run: string, inputs: InputSpecs): Promise<void> {
    await this.#ask({ do: "prepare", run, inputs });
  }

  async warm(milliseconds: number): Promise<number> {
    return ((await this.#ask({ do: "warm", milliseconds })) as Timed).microseconds;
  }

  async time(repeats: number): Promise<Timed> {
    return (await this.#ask({ do: "time", repeats })) as Timed;
  }

  async sample(): Promise<Sample> {
    return (await this.#ask({ do: "sample" })) as Sample;
  }

  async memory(): Promise<Memory> {
    return (await this.#ask({ do: "memory" })) as Memory;
  }

  async calls(): Promise<CallCosts> {
    return (await this.#ask({ do: "calls" })) as CallCosts;
  }

  async drop(): Promise<void> {
    await this.#ask({ do: "drop" });
  }

  /** Ends the process and waits for that. */
  async close(): Promise<void> {
    if (this.#dead !== null) return;
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.end(`${JSON.stringify({ do: "exit" } satisfies Request)}\n`);
    const killer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await closed;
    clearTimeout(killer);
  }

  #ask(request: Request): Promise<unknown> {
    if (this.#dead !== null) return Promise.reject(new Error(this.#dead));
    const reply = this.#reply();
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    return reply as Promise<unknown>;
  }

  #reply(): Promise<unknown> {
    const late = setTimeout(() => this.#child.kill("SIGKILL"), PATIENCE_MS);
    const reply = new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
    return reply.finally(() => clearTimeout(late));
  }

  #take(line: string): void {
    if (!line.startsWith(PREFIX)) return void this.#noise.push(line);
    const reply = JSON.parse(line.slice(PREFIX.length)) as Hello | { value: unknown } | { error: string };
    const waiting = this.#waiting;
    this.#waiting = null;
    if ("error" in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve("value" in reply ? reply.value : reply);
  }

  #end(why: string): void {
    this.#dead ??= why;
    this.#waiting?.reject(new Error(why));
    this.#waiting = null;
  }

  /** The error among what a dying process printed, else its last line. */
  #lastNoise(): string {
    const lines = this.#noise.map((line) => line.trim()).filter((line) => line !== "");
    return lines.findLast((line) => /Error/.test(line)) ?? lines.at(-1) ?? "no message";
  }
}
