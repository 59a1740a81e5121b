// Prints what the built main entry weighs, minified and gzipped, in the bundle of a program that uses little, the core, or
// all of it, and fails when a budget is passed.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const entry = "./dist/index.js";
const { default: _default, ...face } = (await import(`../${entry}`)) as Record<string, unknown>;

/** Groups that a bundler leaves out where they are not used: namespaces, Fourier transforms, windows, vectorization, files. */
const OPTIONAL =
  /^(Batch|Serving|Constants|LinAlg|Quantized|Random|Type|conv|i?r?fft2?|window\w+|random\w+|shuffle|(re|de)?vectorize|(de)?serialize|\w*(Numpy|Safetensors|NumpyArchive)|safetensorsInfo)$/;
const core = Object.keys(face).filter((name) => !OPTIONAL.test(name) && name !== "Defn");

const PROGRAMS = [
  { name: "tensors and their methods", code: `export { tensor } from "${entry}"`, budget: Infinity },
  // The generator and the emitter of WebAssembly are in every program, since the default backend is made of them.
  { name: "the same with defn", code: `export { tensor, defn } from "${entry}"`, budget: 192 },
  { name: "core, with gradients", code: `export { ${core.join(", ")} } from "${entry}"`, budget: 214 },
  { name: "everything", code: `export * from "${entry}"`, budget: 268 },
];

for (const { name, code, budget } of PROGRAMS) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    external: ["immutable", "fflate"],
    logLevel: "error",
  });
  const minified = outputFiles[0]!.contents;
  const kb = gzipSync(minified, { level: 9 }).length / 1000;
  const limit = budget === Infinity ? "" : ` (budget ${budget})`;
  console.log(
    `${name.padEnd(26)}${(minified.length / 1000).toFixed(1).padStart(7)} kB, gzip ${kb.toFixed(1)} kB${limit}`,
  );
  if (kb > budget) process.exitCode = 1;
}
