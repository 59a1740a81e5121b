/**
 * Modules of functions that are made when first needed and kept at hand, each under a key of its own. Who holds one can go on using it
 * after it is forgotten; asked for again, it is made anew.
 */
import { Recent } from "../../../kernel/generational-cache";
import { makeModule, weightOf, type Functions, type KernelModule } from "./module";

export type Exports = KernelModule["exports"];

/** Bytes of modules kept at hand. */
const KEPT_BYTES = 16 * 2 ** 20;
const modules = new Recent<KernelModule>(KEPT_BYTES, weightOf);

/** Whether the module of a key is at hand. */
export const isLoaded = (key: string): boolean => modules.get(key) !== undefined;

/** The module of a key; its functions are written at the first call. */
export const moduleFor = (key: string, make: () => Functions): KernelModule =>
  modules.getOrMake(key, () => makeModule(key, make));

/** What it exports. */
export const exportsOf = (key: string, make: () => Functions): Exports => moduleFor(key, make).exports;
