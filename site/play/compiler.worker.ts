/** The compiler of the playground: what the editor asks about types, and programs as JavaScript. */
import { createSystem, createVirtualTypeScriptEnvironment } from "@typescript/vfs";
import { createWorker } from "@valtown/codemirror-ts/worker";
import * as Comlink from "comlink";
import ts from "typescript";
import { instrument } from "./instrument";

/** What a program sees beyond the language. */
const AMBIENT = `
declare const console: { log(...values: unknown[]): void; table(value: unknown): void };
declare const performance: { now(): number };
declare function setTimeout(callback: () => void, milliseconds?: number): number;
`;

/** The library by the name that a program finds it under where it does not import it. */
const BOUND = `export * from "nx-numerics"; export as namespace Nx;`;

const environment = createWorker(async () => {
  const response = await fetch(new URL("./declarations.json", import.meta.url));
  const files = (await response.json()) as Record<string, string>;
  const map = new Map(Object.entries(files));
  map.set("/ambient.d.ts", AMBIENT);
  map.set("/bound.d.ts", BOUND);
  map.set("/node_modules/nx-numerics/package.json", JSON.stringify({ name: "nx-numerics", types: "./api.d.ts" }));
  map.set("/program.ts", "export {};");
  return createVirtualTypeScriptEnvironment(createSystem(map), ["/ambient.d.ts", "/bound.d.ts", "/program.ts"], ts, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    strict: true,
    skipLibCheck: true,
    allowUmdGlobalAccess: true,
    types: [],
  });
});

Comlink.expose({ ...environment, instrument });
