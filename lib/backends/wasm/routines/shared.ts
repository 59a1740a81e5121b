/**
 * Functions that routines call with numbers of their own, one for each op and types: a program that needs one several times has it
 * once, and finds it made.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Code } from "../asm";

const made = new Map<string, Code>();

/** The function of a name, of which there are as many as ops and types can be combined. */
export const shared = (name: string, make: () => Code): Code => getOrMake(made, name, make);
