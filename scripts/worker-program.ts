/**
 * The program of workers as it stands in the built package: text that no bundler shortens, so the build makes it, without comments and
 * long names.
 */
import { build, transform, type Plugin } from "esbuild";

export const workerProgram: Plugin = {
  name: "worker-program",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]threads[\\/]program\.ts$/ }, async ({ path }) => ({
      contents: `export const workerProgram = () => ${JSON.stringify(await shortened(path))};`,
    }));
  },
};

async function shortened(path: string): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  const module = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString("base64")}`;
  const { workerProgram: written } = (await import(module)) as { workerProgram: () => string };
  const { code } = await transform(written(), { minify: true, format: "iife", target: "es2020" });
  return code;
}
