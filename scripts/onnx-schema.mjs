// Makes `lib/onnx/schema/onnx_pb.ts`, the messages of ONNX files, of ONNX's own schema: `node scripts/onnx-schema.mjs onnx-ml.proto`.
// The schema comes with ONNX (`onnx/onnx-ml.proto` of its source, of the Python package `onnx`, and of Debian's `python3-onnx`); that of
// ONNX 1.23 was taken. It says nothing of operators. The compiler is fetched by npx: it is needed for this alone.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [schema] = process.argv.slice(2);
if (schema === undefined) throw new Error("give the path of onnx-ml.proto");
const target = fileURLToPath(new URL("../lib/onnx/schema/", import.meta.url));
const temp = mkdtempSync(path.join(tmpdir(), "nx-numerics-onnx-"));
const run = (command, ...args) => execFileSync(command, args, { cwd: temp, stdio: "inherit" });

const RECIPE = `version: v2
inputs:
  - directory: proto
plugins:
  - local: node_modules/.bin/protoc-gen-es
    out: made
    opt: target=ts,import_extension=none
`;

try {
  mkdirSync(path.join(temp, "proto"));
  copyFileSync(schema, path.join(temp, "proto/onnx.proto"));
  writeFileSync(path.join(temp, "buf.gen.yaml"), RECIPE);
  writeFileSync(path.join(temp, "package.json"), "{}");
  const packages = ["@bufbuild/buf", "@bufbuild/protoc-gen-es@^2.17", "@bufbuild/protobuf@^2.17"];
  run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts=false", ...packages);
  run("npx", "buf", "generate");
  copyFileSync(path.join(temp, "made/onnx_pb.ts"), path.join(target, "onnx_pb.ts"));
} finally {
  rmSync(temp, { recursive: true });
}
