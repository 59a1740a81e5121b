/**
 * Frames of stacks, in any of the forms that engines write, and which of them are the program's.
 */

/** The frames of a stack, one text each, without the header. */
function framesOf(stack: string): string[] {
  return stack.split("\n").filter((line) => FRAME.test(line));
}

const FRAME = /:\d+:\d+\)?$/;
const PLACE = /(?:\(|@|^\s*at (?:async )?)([^()]*?):(\d+):\d+\)?$/;

/** The file of a frame. */
function fileOf(frame: string): string {
  return (PLACE.exec(frame)?.[1] ?? "").replace(/^file:\/\//, "");
}

const HERE = "lib/core/frames.";

/** The files that the published entries share, and the parts of them that Node requires. */
const PUBLISHED = /(?:^|\/)library-[A-Z0-9]+(?:\.\d+)?\.c?js$/;

/** Whether a file belongs to the library: its folder of sources, its published files, or the one file that it was bundled into. */
function ownFiles(): (file: string) => boolean {
  const own = fileOf(framesOf(new Error("where am I").stack ?? "")[0] ?? "");
  if (PUBLISHED.test(own)) return (file) => PUBLISHED.test(file);
  const at = own.lastIndexOf(HERE);
  if (at < 0) return (file) => file === own;
  const root = own.slice(0, at + "lib/".length);
  return (file) => file.startsWith(root);
}

/** The frames that are not the library's, from the innermost on. */
export function userFrames(error: Error): readonly string[] {
  const isOwn = ownFiles();
  return framesOf(error.stack ?? "").filter((frame) => !isOwn(fileOf(frame)));
}

interface Host {
  readonly process?: { cwd?(): string };
}

/** File and line of a frame; the file as seen from the folder that the program was started in. */
export function lineOfFrame(frame: string): string {
  const file = fileOf(frame);
  const line = PLACE.exec(frame)?.[2] ?? "0";
  const folder = (globalThis as Host).process?.cwd?.();
  const isInside = folder !== undefined && file.startsWith(`${folder}/`);
  return `${isInside ? file.slice(folder.length + 1) : file}:${line}`;
}

interface StackHost {
  stackTraceLimit?: number;
}

/** Frames kept: composites call each other before they are reached from the program. */
const DEPTH = 100;

/** Runs `fn` while stacks are kept deep enough to reach the program. */
export function withDeepStacks<R>(fn: () => R): R {
  const host = Error as StackHost;
  const before = host.stackTraceLimit;
  if (before !== undefined) host.stackTraceLimit = DEPTH;
  try {
    return fn();
  } finally {
    if (before !== undefined) host.stackTraceLimit = before;
  }
}
