/** The namespace `Defn` as users call it. */
import { entry, makerEntry } from "../core/entry";
import * as defns from "../defn";
import { compilerEntry } from "../defn/eager";

export type * from "../defn";
export * as Composite from "./composite";

export const assertShape = entry("Nx.Defn.assertShape", defns.assertShape);
export const checkPure = entry("Nx.Defn.checkPure", defns.checkPure);
export const compile = compilerEntry("Nx.Defn.compile", defns.compile);
export const cond = entry("Nx.Defn.cond", defns.cond);
export const customGrad = entry("Nx.Defn.customGrad", defns.customGrad);
export const debugExpr = makerEntry("Nx.Defn.debugExpr", defns.debugExpr);
export const defaultOptions = entry("Nx.Defn.defaultOptions", defns.defaultOptions);
export const defn = compilerEntry("Nx.Defn.defn", defns.defn);
export const explain = makerEntry("Nx.Defn.explain", defns.explain);
export const foriLoop = entry("Nx.Defn.foriLoop", defns.foriLoop);
export const grad = compilerEntry("Nx.Defn.grad", defns.grad);
export const hessian = makerEntry("Nx.Defn.hessian", defns.hessian);
export const hook = entry("Nx.Defn.hook", defns.hook);
export const jacobian = makerEntry("Nx.Defn.jacobian", defns.jacobian);
export const jit = compilerEntry("Nx.Defn.jit", defns.jit);
export const jitApply = entry("Nx.Defn.jitApply", defns.jitApply);
export const jvp = entry("Nx.Defn.jvp", defns.jvp);
export const lazy = entry("Nx.Defn.lazy", defns.lazy);
export const map = entry("Nx.Defn.map", defns.map);
export const printExpr = entry("Nx.Defn.printExpr", defns.printExpr);
export const printValue = entry("Nx.Defn.printValue", defns.printValue);
export const scan = entry("Nx.Defn.scan", defns.scan);
export const stopGrad = entry("Nx.Defn.stopGrad", defns.stopGrad);
const switchCase = entry("Nx.Defn.switch", defns.switch, Infinity);
export { switchCase as switch };
export const untraced = entry("Nx.Defn.untraced", defns.untraced);
export const toGraph = entry("Nx.Defn.toGraph", defns.toGraph);
export const valueAndGrad = compilerEntry("Nx.Defn.valueAndGrad", defns.valueAndGrad);
export const vjp = makerEntry("Nx.Defn.vjp", defns.vjp);
export const vmap = makerEntry("Nx.Defn.vmap", defns.vmap, 2);
export const whileLoop = entry("Nx.Defn.whileLoop", defns.whileLoop);
