/** The compiler of the playground: what the editor asks about types, and programs as JavaScript. */
import { createSystem, createVirtualTypeScriptEnvironment } from "@typescript/vfs";
import { createWorker } from "@valtown/codemirror-ts/worker";
import * as Comlink from "comlink";
import ts from "typescript";
import { instrument } from "./instrument";
import { SUB_PATHS } from "./sub-paths";

/** The library as `Nx`, for programs that do not import it. */
const GLOBAL = `export * from "nx-numerics"; export as namespace Nx;`;

/** What a program sees beyond the language. */
const AMBIENT = `
declare const console: { log(...values: unknown[]): void; table(value: unknown): void };
declare const performance: { now(): number };
declare function setTimeout(callback: () => void, milliseconds?: number): number;
`;

const environment = createWorker(async () => {
  const response = await fetch(new URL("./declarations.json", import.meta.url));
  const files = (await response.json()) as Record<string, string>;
  const map = new Map(Object.entries(files));
  map.set("/ambient.d.ts", AMBIENT);
  map.set("/global.d.ts", GLOBAL);
  const entries = SUB_PATHS.map((path) => [`./${path}`, `./${path}/index.d.ts`]);
  const exports = Object.fromEntries([[".", "./api.d.ts"], ...entries].map(([path, types]) => [path, { types }]));
  map.set("/node_modules/nx-numerics/package.json", JSON.stringify({ name: "nx-numerics", exports }));
  map.set("/program.ts", "export {};");
  return createVirtualTypeScriptEnvironment(createSystem(map), ["/ambient.d.ts", "/global.d.ts", "/program.ts"], ts, {
    allowUmdGlobalAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    strict: true,
    skipLibCheck: true,
    types: [],
  });
});

Comlink.expose({ ...environment, instrument });
