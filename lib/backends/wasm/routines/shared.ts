/**
 * Functions that routines call with numbers of their own, one for each op and types: a program that needs one several times has it
 * once, and finds it made.
 */
import type { Code } from "../asm";

const made = new Map<string, Code>();

/** The function of a name, of which there are as many as ops and types can be combined. */
export function shared(name: string, make: () => Code): Code {
  const cached = made.get(name);
  if (cached) return cached;
  const fresh = make();
  made.set(name, fresh);
  return fresh;
}
