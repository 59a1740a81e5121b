/**
 * Where in the program a node was made. Stacks are costly next to a node, so they are recorded only while a function is
 * traced once more to explain an error.
 */
import { withDeepStacks } from "../../core/frames";

let isRecording = false;

/** Whether nodes made now keep where they were made. */
export function isRecordingOrigins(): boolean {
  return isRecording;
}

/** Runs `fn` while nodes keep where they were made. */
export function recordingOrigins<R>(fn: () => R): R {
  const before = isRecording;
  isRecording = true;
  try {
    return withDeepStacks(fn);
  } finally {
    isRecording = before;
  }
}

/** The stack at this point, while origins are recorded. */
export function originHere(): { readonly origin: Error } | null {
  return isRecording ? { origin: new Error("made here") } : null;
}
