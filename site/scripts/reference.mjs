/**
 * Writes the reference: a page for each function and type, made by typedoc, and `functions.json`, which the sidebar and the index are made of.
 */
import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Application, ReflectionKind } from "typedoc";
import { topicOf } from "./topics.ts";

const root = new URL("../..", import.meta.url).pathname;

async function projectOf(out) {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [`${root}lib/api.ts`],
    tsconfig: `${root}tsconfig.build.json`,
    exclude: [`${root}lib/nx/elsewhere/functions.ts`],
    plugin: ["typedoc-plugin-markdown", `${root}scripts/typedoc-facts.mjs`],
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

/** What others call our functions: of the tables of the guides, and of the names that raise an error which says what to write. */
function namesOfOthers(rows) {
  const others = new Map();
  const add = (ours, name) => {
    if (!others.has(ours)) others.set(ours, new Set());
    if (name !== ours && name.length > 1) others.get(ours).add(name);
  };
  for (const { names, ours } of rows) {
    // as many functions as names stand side by side; else the first is meant, and the others only help it
    if (names.length === ours.length) names.forEach((name, i) => add(ours[i], name));
    else if (ours.length > 0) for (const name of names) add(ours[0], name);
  }
  const elsewhere = readFileSync(`${root}lib/nx/elsewhere/functions.ts`, "utf8");
  for (const [, name, instead] of elsewhere.matchAll(/elsewhere\("(\w+)", (["'].*["'])\)/g)) {
    const [, ours] = /\b(?:Nx|t)\.([A-Za-z][\w.]*)/.exec(instead) ?? [];
    if (ours) add(ours, name);
  }
  return others;
}

/** What people call: functions of the top level and of namespaces, whose values are at hand in `face`. */
function functionsOf(project, face, rows) {
  const entries = [];
  const others = namesOfOthers(rows);
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
    .replaceAll("within their own bounds", "within [their own bounds](../../guide/accuracy.md)")
    .replaceAll(/\n{3,}/g, "\n\n");
  writeFileSync(file, tidied);
}

/** Kinds whose entries are short and many: a page for each first letter holds them. */
const TOGETHER = ["types", "interfaces"];
const letterOf = (name) => name[0].toLowerCase();
const anchorOf = (name) => `entry-${name.toLowerCase().replaceAll(".", "-")}`;

/** Joins the pages of types and interfaces, five hundred of a few lines, to one for each letter; links follow. */
function joinPages(out) {
  const pages = new Map();
  for (const kind of TOGETHER) {
    for (const file of readdirSync(`${out}/${kind}`)) {
      const name = file.replace(/\.md$/, "");
      const lowered = readFileSync(`${out}/${kind}/${file}`, "utf8")
        .replace(/^# .*$/m, `# ${name} {#${anchorOf(name)}}`)
        .replaceAll(/<a id="[^"]*"><\/a> ?/g, "") // properties of one name stand in many types
        .replaceAll(/^(#+ )/gm, "#$1");
      const letter = letterOf(name);
      pages.set(letter, [...(pages.get(letter) ?? []), { name, text: lowered }]);
    }
    rmSync(`${out}/${kind}`, { recursive: true });
  }
  mkdirSync(`${out}/types`);
  for (const [letter, entries] of pages) {
    const texts = entries.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ text }) => text);
    const title = `Types: ${letter.toUpperCase()}`;
    writeFileSync(
      `${out}/types/${letter}.md`,
      `---\ntitle: "${title}"\noutline: 2\n---\n\n# ${title}\n\n${texts.join("\n\n")}`,
    );
  }
}

/** A link to a type or interface as one to its place on the page of its letter. */
const relinked = (text, folder) =>
  text.replaceAll(/\]\(((?:\.\.\/)?(?:types|interfaces)\/|)([\w.-]+)\.md(?:#[\w-]+)?\)/g, (whole, place, name) => {
    if (place === "" && !TOGETHER.includes(folder)) return whole;
    const to = folder === "types" || TOGETHER.includes(folder) ? "./" : folder === "" ? "./types/" : "../types/";
    return `](${to}${letterOf(name)}.md#${anchorOf(name)})`;
  });

/** What else a page's reader may look for: the other functions of its topic. */
function addNeighbours(out, functions) {
  for (const { name, topic, link } of functions) {
    const others = functions.filter((one) => one.topic === topic && one.name !== name);
    const links = others.map((one) => `[${one.name}](${one.link.replace("/api/", "../")}.md)`).join(", ");
    appendFileSync(`${out}/${link.slice("/api/".length)}.md`, `\n## ${topic}\n\n${links}\n`);
  }
}

export async function writeReference(out, face, rows) {
  const { app, project } = await projectOf(out);
  await app.generateOutputs(project);
  const functions = functionsOf(project, face, rows);
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".md")) continue;
    const file = path.join(entry.parentPath, entry.name);
    tidyPage(file);
    writeFileSync(file, relinked(readFileSync(file, "utf8"), path.relative(out, entry.parentPath)));
  }
  joinPages(out);
  addNeighbours(out, functions);
  return functions;
}
