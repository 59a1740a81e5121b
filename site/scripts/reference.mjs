/**
 * Writes the reference: a page for each function and type, made by typedoc, and `functions.json`, which the sidebar and the index are made of.
 */
import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Application, ReflectionKind } from "typedoc";
import { topicOf } from "./topics.mjs";

const root = new URL("../..", import.meta.url).pathname;

async function projectOf(out) {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [`${root}lib/api.ts`],
    tsconfig: `${root}tsconfig.build.json`,
    exclude: [`${root}lib/nx/elsewhere/functions.ts`],
    plugin: ["typedoc-plugin-markdown"],
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    skipErrorChecking: true,
    disableSources: true,
    readme: "none",
    router: "kind",
    logLevel: "Error",
    out,
    cleanOutputDir: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    expandParameters: false,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    propertiesFormat: "table",
    hidePageTitle: false,
    pageTitleTemplates: { member: ({ name }) => name, module: ({ name }) => name, index: "Reference" },
  });
  const project = await app.convert();
  if (!project) throw new Error("typedoc gave nothing");
  return { app, project };
}

const summaryOf = (comment) =>
  (comment?.summary ?? [])
    .map(({ text }) => text)
    .join("")
    .split(/\n\s*\n/)[0]
    .replaceAll(/\s+/g, " ");

/** The libraries whose names the guides translate, by the guide's file, and how their names are told. */
const GUIDES = {
  "from-numpy": "np",
  "from-jax": "jax",
  "from-xarray": "xarray",
  "from-tensorflow": "tf",
};

/** Names of code in a cell of a table, such as `np.cumsum` of `np.cumsum(a, axis=0)`. */
const namesIn = (cell) =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code]) =>
    [...code.matchAll(/([A-Za-z_][\w.]*)\(?/g)].slice(0, 1).map(([, name]) => name),
  );

/** What others call our functions: of the tables of the guides, and of the names that raise an error which says what to write. */
function namesOfOthers() {
  const others = new Map();
  const add = (ours, name) => {
    if (!others.has(ours)) others.set(ours, new Set());
    if (name !== ours && name.length > 1) others.get(ours).add(name);
  };
  /** The first of our functions that a text calls: what else it calls only helps that one. */
  const oursIn = (text) => /\b(?:Nx|t)\.([A-Za-z][\w.]*)/.exec(text)?.slice(1) ?? [];
  for (const [guide, label] of Object.entries(GUIDES)) {
    const file = `${root}docs/${guide}.md`;
    if (!existsSync(file)) continue;
    for (const row of readFileSync(file, "utf8").match(/^\|.*\|$/gm) ?? []) {
      const [first, ...rest] = row.split("|").slice(1, -1);
      for (const ours of oursIn(rest.join("|")))
        for (const name of namesIn(first)) add(ours, name.includes(".") ? name : `${label}.${name}`);
    }
  }
  const elsewhere = readFileSync(`${root}lib/nx/elsewhere/functions.ts`, "utf8");
  for (const [, name, instead] of elsewhere.matchAll(/elsewhere\("(\w+)", (["'].*["'])\)/g))
    for (const ours of oursIn(instead)) add(ours, name);
  return others;
}

/** What people call: functions of the top level and of namespaces, whose values are at hand in `face`. */
function functionsOf(project, face) {
  const entries = [];
  const others = namesOfOthers();
  const visit = (parent, prefix, values) => {
    for (const child of parent.children ?? []) {
      const value = values[child.name];
      if (child.kindOf(ReflectionKind.Namespace | ReflectionKind.Module)) {
        if (value) visit(child, `${prefix}${child.name}.`, value);
        continue;
      }
      if (typeof value !== "function" || !child.kindOf(ReflectionKind.Function | ReflectionKind.Variable)) continue;
      const name = `${prefix}${child.name}`;
      const file = /\/lib\/(.*)\.ts$/.exec(project.getSymbolIdFromReflection(child)?.fileName ?? "")?.[1];
      if (file === undefined) throw new Error(`${name}: typedoc does not say where it is declared`);
      entries.push({
        name,
        topic: topicOf(name, file),
        others: [...(others.get(name) ?? [])],
        summary: summaryOf(child.comment ?? child.signatures?.[0]?.comment),
        link: `/api/${child.kindOf(ReflectionKind.Function) ? "functions" : "variables"}/${name}`,
      });
    }
  };
  visit(project, "", face);
  return entries.toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Pages without what repeats the code block above it, and with headings one below another. */
function tidyPage(file) {
  const text = readFileSync(file, "utf8");
  const tidied = text
    .replace(/^## Type Parameters\n[\s\S]*?(?=^## |(?![\s\S]))/m, "")
    .replaceAll(/^Defined in: .*$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n");
  writeFileSync(file, tidied);
}

/** What else a page's reader may look for: the other functions of its topic. */
function addNeighbours(out, functions) {
  for (const { name, topic, link } of functions) {
    const others = functions.filter((one) => one.topic === topic && one.name !== name);
    const links = others.map((one) => `[${one.name}](${one.link.replace("/api/", "../")}.md)`).join(", ");
    appendFileSync(`${out}/${link.slice("/api/".length)}.md`, `\n## ${topic}\n\n${links}\n`);
  }
}

export async function writeReference(out, face) {
  const { app, project } = await projectOf(out);
  await app.generateOutputs(project);
  const functions = functionsOf(project, face);
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith(".md")) tidyPage(path.join(entry.parentPath, entry.name));
  }
  addNeighbours(out, functions);
  return functions;
}
