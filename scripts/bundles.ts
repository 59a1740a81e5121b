/**
 * What programs weigh that are bundled with the built entries: the one list that `npm run size` checks and the benchmarks report.
 */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const entry = at("../dist/index.js");
const coreEntry = at("../dist/core.js");
const reference = at("../dist/reference.js");

/** Groups that a bundler leaves out where they are not used: namespaces, special functions, Fourier transforms, windows, vectorization, files. */
const OPTIONAL =
  /^(Batch|Serving|Constants|LinAlg|Quantized|Random|Signal|Type|bessel\w+|(di|l|poly)gamma|(betainc|gammaincc?)|lbeta|logit|normal\w+|sinc|xlogy|bessel\w+|conv|i?r?fft2?|r?fftfreq|i?fftshift|window\w+|random\w+|shuffle|(re|de)?vectorize|(de)?serialize|\w*(Numpy|Safetensors|NumpyArchive)|safetensorsInfo)$/;

/** What a program needs that computes with elements, reduces and changes shapes. */
const few = "tensor, add, multiply, exp, sum, mean, reshape, transpose, toList";

export interface Program {
  readonly name: string;
  readonly code: string;
  /** Kilobytes after gzip that it may weigh now. */
  readonly budget: number;
  /** Kilobytes after gzip that it should weigh at most. */
  readonly aim?: number;
}

/** The programs, of the library as it is built. */
export async function bundledPrograms(): Promise<readonly Program[]> {
  const { default: _default, ...face } = (await import(entry)) as Record<string, unknown>;
  const core = Object.keys(face).filter((name) => !OPTIONAL.test(name) && name !== "Defn");
  const of = (names: string, file: string): string => `export ${names} from ${JSON.stringify(file)}`;
  return [
    { name: "`nx-numerics/reference`: few functions", code: of(`{ ${few} }`, reference), budget: 53, aim: 60 },
    { name: "`nx-numerics/reference`: all of it", code: of("*", reference), budget: 154 },
    // The generator and the emitter of WebAssembly are in every program of the other entries, since the default backend is made of them.
    { name: "`nx-numerics/core`: few functions", code: of(`{ ${few} }`, coreEntry), budget: 107 },
    { name: "`nx-numerics/core`: few functions, defn", code: of(`{ ${few}, defn }`, coreEntry), budget: 134, aim: 110 },
    { name: "`nx-numerics`: tensors and their methods", code: of("{ tensor }", entry), budget: 219 },
    { name: "the same with defn", code: of("{ tensor, defn }", entry), budget: 272 },
    { name: "most functions, with gradients", code: of(`{ ${core.join(", ")} }`, entry), budget: 367 },
    { name: "everything", code: of("*", entry), budget: 445, aim: 200 },
  ];
}

/** Kilobytes. */
export interface Weights {
  readonly minified: number;
  readonly gzip: number;
}

export async function weigh({ code }: Program): Promise<Weights> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: at("..") },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  const bytes = outputFiles[0]!.contents;
  return { minified: bytes.length / 1000, gzip: gzipSync(bytes, { level: 9 }).length / 1000 };
}
