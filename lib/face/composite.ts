/** The namespace `Defn.Composite` as users call it. */
import { entry } from "../core/entry";
import * as composite from "../defn/composite";

export type * from "../defn/composite";

export const count = entry("Nx.Defn.Composite.count", composite.count);
export const leaves = entry("Nx.Defn.Composite.leaves", composite.leaves);
export const map = entry("Nx.Defn.Composite.map", composite.map, Infinity);
export const reduce = entry("Nx.Defn.Composite.reduce", composite.reduce);
