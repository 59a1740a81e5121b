/** How the compiler of the playground reads programs. */
import ts from "typescript";
import { OF_NODE } from "./modules";

export const OPTIONS: ts.CompilerOptions = {
  allowUmdGlobalAccess: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.webworker.d.ts", "lib.webworker.asynciterable.d.ts"],
  paths: Object.fromEntries(Object.entries(OF_NODE).map(([name, file]) => [name, [`/node/${file}.ts`]])),
  strict: true,
  skipLibCheck: true,
  types: [],
};

/** What programs see beside what they import: the library as `Nx`, and packages whose declarations would be larger than the library's. */
export const AMBIENT: Readonly<Record<string, string>> = {
  "/global.d.ts": `export * from "nx-numerics"; export as namespace Nx;`,
  "/untyped.d.ts": `declare module "apache-arrow";`,
};
