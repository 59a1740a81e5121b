// The floors of the house as one table, and the lint rule that keeps them: a file imports only from its own floor or
// from one below. The rule reads paths only (it never touches the disk), so it also works on files that do not exist yet.
import path from "node:path";

/** From the ground up. A trailing slash names a folder, anything else a file; both relative to lib/, without extension. */
export const FLOORS = [
  { name: "core", parts: ["core/"] },
  {
    name: "tensor",
    parts: ["tensor", "methods", "container", "backend", "backend-types", "ops", "program", "kernel/"],
  },
  { name: "backends", parts: ["backends/"] },
  { name: "nx", parts: ["nx/", "generated/", "tensor-methods"] },
  { name: "defn", parts: ["defn/"] },
  {
    name: "composites",
    parts: [
      "formula/",
      "linalg/",
      "random/",
      "quantized/",
      "serving/",
      "signal/",
      "special/",
      "io/",
      "batch",
      "constants",
      "type",
    ],
  },
  {
    name: "face",
    parts: [
      "api",
      "main-api",
      "core-api",
      "core-functions",
      "functions",
      "reference-api",
      "reference",
      "face/",
      "index",
      "doctest/",
      "testing/",
      "backend-kit/",
      "node/",
      "files/",
      "display/",
      "optim/",
      "onnx/",
      "plot/",
      "triton/",
      "onnxruntime/",
      "zarr/",
      "columns/",
      "eslint/",
    ],
  },
];

/** Built on their own, with the library as an outside package: a relative import would bundle a second copy of it. */
const SUB_PATH =
  /^(doctest|testing|backend-kit|node|files|display|optim|onnx|plot|triton|onnxruntime|zarr|columns|eslint)\//;
/** Tables and types that the entry for backends passes on; a second copy of them makes no difference. */
const PASSED_ON = ["backend", "backend-types", "ops", "kernel/value"];
const PACKAGE = /^nx-numerics(\/|$)/;
const EXTENSION = /\.[cm]?[jt]s$/;

/** The floor (0 is the ground) of a path relative to lib/, or -1 where it stands on none. */
function floorOf(libPath) {
  const bare = libPath.replace(EXTENSION, "");
  return FLOORS.findIndex(({ parts }) =>
    parts.some((part) => (part.endsWith("/") ? `${bare}/`.startsWith(part) : bare === part)),
  );
}

/** The path below lib/ of an absolute file name, or undefined outside lib/. */
function underLib(root, file) {
  const relative = path.relative(path.join(root, "lib"), file).split(path.sep).join("/");
  return relative === "" || relative.startsWith("..") || path.isAbsolute(relative) ? undefined : relative;
}

/** Where an import goes, relative to lib/; undefined for other packages. Importing by package name is importing the face. */
function targetOf(root, file, specifier) {
  if (PACKAGE.test(specifier)) return "index";
  if (!specifier.startsWith(".")) return undefined;
  const absolute = path.resolve(path.dirname(file), specifier);
  return underLib(root, absolute) ?? (absolute === path.join(root, "lib") ? "index" : `../${path.basename(absolute)}`);
}

const isPassedOn = (home, to) => home === "backend-kit/" && PASSED_ON.includes(to);

export const order = {
  meta: {
    type: "problem",
    docs: { description: "a file imports only from its own floor or from one below" },
    schema: [],
    messages: {
      up: "lib/{{from}} (floor {{low}}, {{lowName}}) imports lib/{{to}} (floor {{high}}, {{highName}}), which stands above it",
      homeless: "lib/{{from}} stands on no floor: give it one in scripts/lint/floors.js",
      byName: "lib/{{from}} is an entry of its own: import the library as 'nx-numerics', not as '{{specifier}}'",
      outside: "lib/{{from}} imports '{{specifier}}', which lies on no floor of lib/",
    },
  },
  create(context) {
    const root = context.cwd;
    const file = context.physicalFilename;
    const from = underLib(root, file);
    if (from === undefined) return {};
    const low = floorOf(from);
    if (low < 0) return { Program: (node) => context.report({ node, messageId: "homeless", data: { from } }) };

    const check = (source) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const to = targetOf(root, file, source.value);
      if (to === undefined) return;
      const high = floorOf(to);
      const specifier = source.value;
      const home = SUB_PATH.exec(from)?.[0];
      if (home !== undefined && specifier.startsWith(".") && !to.startsWith(home) && !isPassedOn(home, to)) {
        return context.report({ node: source, messageId: "byName", data: { from, specifier } });
      }
      const names = { from, to, low, high, lowName: FLOORS[low].name, highName: FLOORS[high]?.name };
      if (high < 0) context.report({ node: source, messageId: "outside", data: { from, specifier } });
      else if (high > low) context.report({ node: source, messageId: "up", data: names });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
    };
  },
};
