/**
 * Writes the reference: a page for each function and type, made by typedoc, and `functions.json`, which the sidebar and the index are made of.
 */
import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Application, Converter, LogLevel, ReflectionKind } from "typedoc";
import { addFacts } from "./facts.mjs";
import { TOPIC_NAMES, topicOf } from "./topics.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Entries that have nothing but parts of the main one, and what each is for. */
const PARTS = new Map([
  ["nx-numerics/core", "functions of the main entry for tensors without methods, for smaller bundles."],
  ["nx-numerics/reference", "functions on tensors without WebAssembly and compiled functions, for the smallest ones."],
]);

/** The other entries of the package, by the files that declare them. */
const ENTRIES = new Map(
  Object.entries(JSON.parse(readFileSync(`${root}package.json`, "utf8")).exports)
    .map(([name, { require }]) => [`nx-numerics${name.slice(1)}`, require])
    .filter(([name, require]) => require && !PARTS.has(name))
    .map(([name, { types }]) => [types.replace("./dist/types/", "").replace(".d.ts", ""), name]),
);
const MAIN = "nx-numerics";
const isModule = (reflection) => reflection.kindOf(ReflectionKind.Module);

/** Gives modules the names by which they are imported. */
function nameModules(project) {
  for (const module of project.children.filter(isModule)) {
    const name = ENTRIES.get(module.name) ?? ENTRIES.get(`${module.name}/index`);
    if (name === undefined) throw new Error(`${module.name}: which entry of the package is it?`);
    module.name = name;
  }
}

/** Pages by kind, whose names are what people write: `LinAlg.svd`; what belongs to a sub-path has it in front. */
function defineRouter(app) {
  const Kind = app.renderer.routers.get("kind");
  const written = (name) => name.replaceAll(/[^\w.$-]/g, "-");
  app.renderer.defineRouter(
    "names",
    class extends Kind {
      extension = ".md";

      getIdealBaseName(reflection) {
        if (isModule(reflection)) return `modules/${written(reflection.name)}`;
        const parts = [];
        for (let one = reflection; one && !one.isProject(); one = one.parent)
          if (one.name !== MAIN) parts.unshift(written(isModule(one) ? one.name.slice(MAIN.length + 1) : one.name));
        return `${this.directories.get(reflection.kind)}/${parts.join(".")}`;
      }
    },
  );
  app.options.setValue("router", "names");
}

async function projectOf(out) {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...ENTRIES.keys()].map((file) => `${root}lib/${file}.ts`),
    tsconfig: `${root}tsconfig.build.json`,
    exclude: [`${root}lib/nx/elsewhere/functions.ts`],
    plugin: ["typedoc-plugin-markdown"],
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    skipErrorChecking: true,
    disableSources: true,
    readme: "none",
    logLevel: "Error",
    validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: false },
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
  defineRouter(app);
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    nameModules(project);
    addFacts(project.children.find(({ name }) => name === MAIN));
  });
  const project = await app.convert();
  if (!project) throw new Error("typedoc gave nothing");
  app.logger.level = LogLevel.Warn;
  app.validate(project);
  if (app.logger.validationWarningCount > 0) throw new Error("links of doc comments lead nowhere: see above");
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

/** What people call: functions of the top level, of namespaces, whose values are at hand in `face`, and of the sub-paths. */
function functionsOf(project, face, rows) {
  const entries = [];
  const others = namesOfOthers(rows);
  const isFunction = (child, value) =>
    value === null
      ? child.kindOf(ReflectionKind.Function)
      : typeof value === "function" && child.kindOf(ReflectionKind.Function | ReflectionKind.Variable);
  const visit = (parent, prefix, values, from, folder) => {
    for (const child of parent.children ?? []) {
      const value = values === null ? null : values[child.name];
      if (child.kindOf(ReflectionKind.Namespace)) {
        if (value) visit(child, `${prefix}${child.name}.`, value, from, folder);
        continue;
      }
      if (!isFunction(child, value)) continue;
      const name = `${prefix}${child.name}`;
      const file = /\/lib\/(.*)\.ts$/.exec(project.getSymbolIdFromReflection(child)?.fileName ?? "")?.[1];
      if (file === undefined) throw new Error(`${name}: typedoc does not say where it is declared`);
      entries.push({
        name,
        ...(from === MAIN ? {} : { from }),
        topic: topicOf(name, file),
        others: from === MAIN ? [...(others.get(name) ?? [])] : [],
        summary: summaryOf(child.comment ?? child.signatures?.[0]?.comment),
        link: `/api/${child.kindOf(ReflectionKind.Function) ? "functions" : "variables"}/${folder}${name}`,
      });
    }
  };
  for (const module of project.children.filter(isModule)) {
    const isMain = module.name === MAIN;
    visit(module, "", isMain ? face : null, module.name, isMain ? "" : `${module.name.slice(MAIN.length + 1)}.`);
  }
  const place = ({ topic }) => TOPIC_NAMES.indexOf(topic);
  return entries.toSorted((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
}

/** Pages without what repeats the code block above it, and with headings one below another. */
function tidyPage(file) {
  const text = readFileSync(file, "utf8");
  const tidied = text
    .replace(/^## Type Parameters\n[\s\S]*?(?=^## |(?![\s\S]))/m, "")
    .replaceAll(/^Defined in: .*$/gm, "")
    .replaceAll("within their own bounds", "within [their own bounds](../../guide/accuracy.md)")
    .replaceAll(/\n{3,}/g, "\n\n");
  writeFileSync(file, withSignatures(tidied));
}

/** Blocks that are no examples are signatures: `typescript`, so that they are no programs to be run. */
function withSignatures(text) {
  let isExample = false;
  const lines = text.split("\n").map((line) => {
    if (/^#+ /.test(line)) isExample = /^#+ Examples?$/.test(line);
    return line === "```ts" && !isExample ? "```typescript" : line;
  });
  return lines.join("\n");
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

/**
 * The methods of tensors are the functions of their names with the tensor in front, and have pages: what stands here is a line for each. The
 * page of all of them in full would weigh more than any other.
 */
function shortenMethods(out, functions) {
  const links = new Map(functions.filter(({ from }) => !from).map(({ name, link }) => [name, `..${link.slice(4)}.md`]));
  const file = `${out}/classes/Tensor.md`;
  const [head, methods] = readFileSync(file, "utf8").split(/^## Methods$/m);
  const [, ...sections] = methods.split(/^### (?=.*\(\)$)/m);
  const rows = [];
  const whole = [];
  for (const section of sections) {
    const name = section.slice(0, section.indexOf("("));
    const [, summary = ""] = /^```$\n\n((?:(?!#|```|\n).+\n)+)/m.exec(section) ?? [];
    if (!links.has(name)) whole.push(`### ${section.replace(/\*\*\*\s*$/, "")}`);
    else
      rows.push(`| [${name}](${links.get(name)}) | ${summary.replaceAll("\n", " ").replaceAll("|", "\\|").trim()} |`);
  }
  const table = `Each is the function of its name: \`t.add(u)\` is \`Nx.add(t, u)\`.\n\n| Method | What it does |\n| --- | --- |\n${rows.join("\n")}`;
  writeFileSync(file, `${head}## Methods\n\n${table}\n\n${whole.join("\n")}`);
  const types = `${out}/interfaces/TensorMethods.md`;
  const [beginning] = readFileSync(types, "utf8").split(/^## /m);
  writeFileSync(types, `${beginning}\nThey are listed with those of [Tensor](../classes/Tensor.md#methods).\n`);
}

/** Gives pages the names that people write, and says on those of sub-paths where what they are about comes from. */
function nameEntries(out, functions) {
  for (const { name, from, link } of functions) {
    const file = `${out}/${link.slice("/api/".length)}.md`;
    const text = readFileSync(file, "utf8");
    const line = from === undefined ? "" : `\n\n\`import { ${name} } from "${from}"\``;
    writeFileSync(
      file,
      text.replace(/^# .*$/m, () => `# ${name}()${line}`),
    );
  }
}

/** What else a page's reader may look for: the other functions of its topic. */
function addNeighbours(out, functions) {
  for (const { topic, link } of functions) {
    const others = functions.filter((one) => one.topic === topic && one.link !== link);
    const links = others.map((one) => `[${one.name}](${one.link.replace("/api/", "../")}.md)`).join(", ");
    appendFileSync(`${out}/${link.slice("/api/".length)}.md`, `\n## ${topic}\n\n${links}\n`);
  }
}

/** What an entry is for: the first sentence of its file, which begins with its name. */
function purposeOf(file) {
  if (ENTRIES.get(file) === MAIN) return "tensors and all that is done with them.";
  const [, text = ""] = /^\/\*\*[\s*]*([\s\S]*?)\*\//.exec(readFileSync(`${root}lib/${file}.ts`, "utf8")) ?? [];
  const [first] = text.replaceAll(/\s*\n \* ?/g, " ").split(/(?<=\.)\s/);
  const beginning = `\`${ENTRIES.get(file)}\`: `;
  if (!first.startsWith(beginning)) throw new Error(`lib/${file}.ts has to begin with ${beginning}and what it is for`);
  return first.slice(beginning.length).trim();
}

/** The entries of the package, and what each is for. */
function writeEntries(out) {
  const lines = [...ENTRIES].map(
    ([file, name]) => `- [${name}](modules/${name.replace("/", "-")}.md): ${purposeOf(file)}`,
  );
  const parts = [...PARTS].map(([name, purpose]) => `- [${name}](../guide/bundlers.md): ${purpose}`);
  const text =
    "What can be imported, with the types of each entry. [All functions](../functions.md) are listed by topic.";
  writeFileSync(`${out}/index.md`, `# Entries\n\n${text}\n\n${[...lines, ...parts].join("\n")}\n`);
}

export async function writeReference(out, face, rows) {
  const { app, project } = await projectOf(out);
  await app.generateOutputs(project);
  const functions = functionsOf(project, face, rows);
  shortenMethods(out, functions);
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".md")) continue;
    const file = path.join(entry.parentPath, entry.name);
    tidyPage(file);
    writeFileSync(file, relinked(readFileSync(file, "utf8"), path.relative(out, entry.parentPath)));
  }
  writeEntries(out);
  joinPages(out);
  nameEntries(out, functions);
  addNeighbours(out, functions);
  return functions;
}
