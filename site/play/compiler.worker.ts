/** The compiler of the playground: what the editor asks about types, and programs as JavaScript. */
import { createSystem, createVirtualTypeScriptEnvironment } from "@typescript/vfs";
import { createWorker } from "@valtown/codemirror-ts/worker";
import * as Comlink from "comlink";
import ts from "typescript";
import { instrument } from "./instrument";
import { AMBIENT, OPTIONS } from "./options";

const environment = createWorker(async () => {
  const response = await fetch(new URL("./declarations.json", import.meta.url));
  const files = (await response.json()) as Record<string, string>;
  const system = createSystem(new Map(Object.entries({ ...files, ...AMBIENT, "/program.ts": "export {};" })));
  return createVirtualTypeScriptEnvironment(system, [...Object.keys(AMBIENT), "/program.ts"], ts, OPTIONS);
});

Comlink.expose({ ...environment, instrument });
