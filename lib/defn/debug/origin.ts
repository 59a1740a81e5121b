/**
 * Where in the program a node was made. Stacks are costly next to a node, so they are recorded only while a function is
 * traced once more to explain an error.
 */

interface StackHost {
  stackTraceLimit?: number;
}

/** Frames kept while origins are recorded: composites call each other before they are reached from the program. */
const DEPTH = 100;

let isRecording = false;

/** Whether nodes made now keep where they were made. */
export function isRecordingOrigins(): boolean {
  return isRecording;
}

/** Runs `fn` while nodes keep where they were made. */
export function recordingOrigins<R>(fn: () => R): R {
  const host = Error as StackHost;
  const before = { isRecording, limit: host.stackTraceLimit };
  isRecording = true;
  if (before.limit !== undefined) host.stackTraceLimit = DEPTH;
  try {
    return fn();
  } finally {
    isRecording = before.isRecording;
    if (before.limit !== undefined) host.stackTraceLimit = before.limit;
  }
}

/** The stack at this point, while origins are recorded. */
export function originHere(): { readonly origin: Error } | null {
  return isRecording ? { origin: new Error("made here") } : null;
}

/** The frames of a stack, one text each, without the header. */
function framesOf(stack: string): string[] {
  return stack.split("\n").filter((line) => FRAME.test(line));
}

const FRAME = /:\d+:\d+\)?$/;

/** The file of a frame, in any of the forms that engines write. */
function fileOf(frame: string): string {
  const place = /(?:\(|@|^\s*at (?:async )?)([^()]*?):\d+:\d+\)?$/.exec(frame);
  return (place?.[1] ?? "").replace(/^file:\/\//, "");
}

const HERE = "lib/defn/debug/origin.";

/** Whether a file belongs to the library: its folder of sources, or the one file that it was bundled into. */
function ownFiles(): (file: string) => boolean {
  const own = fileOf(framesOf(new Error("where am I").stack ?? "")[0] ?? "");
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
