import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { importsOf } from "../play/instrument";
import { whyNot } from "../play/modules";
import { slugOf } from "../play/slug";
import { highlighter } from "./highlight";
import { pagesOfReference, REFERENCE } from "./pages";
import {
  defineConfig,
  type DefaultTheme,
  type MarkdownEnv,
  type MarkdownOptions,
  type MarkdownRenderer,
} from "vitepress";
import type { Plugin } from "vite";

interface Entry {
  readonly name: string;
  readonly topic: string;
  readonly link: string;
}

const functions = JSON.parse(
  readFileSync(fileURLToPath(new URL("./functions.json", import.meta.url)), "utf8"),
) as readonly Entry[];

/** Where the site lies on its server. */
const BASE = process.env.SITE_BASE ?? "/";

const page = (text: string, name: string): DefaultTheme.SidebarItem => ({ text, link: `/guide/${name}` });

const GUIDES: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      page("Getting started", "getting-started"),
      page("Named axes", "names"),
      page("Slicing", "slicing"),
      page("Types and promotion", "types"),
      page("Missing values and groups", "missing-values"),
      page("Random numbers", "random"),
      page("Which function?", "which-one"),
    ],
  },
  {
    text: "Traced functions",
    items: [
      page("defn", "defn"),
      page("Gradients", "gradients"),
      page("Loops", "loops"),
      page("vmap", "vmap"),
      page("Optimizers and losses", "optim"),
      page("ONNX", "onnx"),
      page("Debugging", "debugging"),
      page("Lint rules", "lint"),
    ],
  },
  {
    text: "Speed",
    items: [
      page("Performance", "performance"),
      page("How evaluation works", "evaluation"),
      page("Memory", "memory"),
      page("What the optimizer does", "optimizer"),
      page("Benchmarks", "benchmarks"),
      { text: "Benchmarks on your machine", link: "/measure" },
    ],
  },
  {
    text: "In your project",
    items: [
      page("Examples as tests", "doctests"),
      page("Files and interop", "formats"),
      page("Data larger than memory", "larger-than-memory"),
      page("Columns of tables", "columns"),
      page("Plots", "plots"),
      page("Serving", "serving"),
      page("onnxruntime", "onnxruntime"),
      page("Hosts", "hosts"),
      page("Bundlers", "bundlers"),
    ],
  },
  {
    text: "Machines",
    items: [
      page("Backends", "backends"),
      page("Writing a backend", "writing-a-backend"),
      page("Accuracy", "accuracy"),
      page("Reliability", "reliability"),
    ],
  },
  {
    text: "Coming from",
    items: [
      page("NumPy", "from-numpy"),
      page("JAX", "from-jax"),
      page("xarray and pandas", "from-xarray"),
      page("TensorFlow.js", "from-tensorflow"),
      page("Elixir's Nx", "from-nx"),
      page("tinygrad", "from-tinygrad"),
      page("MAX", "from-max"),
      page("ml-intrinsics", "from-mli"),
    ],
  },
  { text: "Changelog", link: "/guide/changelog" },
];

const demo = (text: string, name: string): DefaultTheme.SidebarItem => ({ text, link: `/demos/${name}` });

const DEMOS: DefaultTheme.SidebarItem[] = [
  {
    text: "Demonstrations",
    items: [
      demo("The weather of Seattle", "weather"),
      demo("A network that learns in the page", "network"),
      demo("Reaction and diffusion", "gray-scott"),
      demo("The Mandelbrot set", "mandelbrot"),
      demo("Options and their greeks", "options"),
      demo("A Gaussian process that follows the mouse", "gaussian-process"),
      demo("An ONNX model of digits", "digits"),
    ],
  },
];

/** The topics, each with its place in the index: a sidebar of all functions would be larger than the pages. */
function referenceSidebar(): DefaultTheme.SidebarItem[] {
  const topics = [...new Set(functions.map(({ topic }) => topic))];
  const items = topics.map((text) => ({ text, link: `/functions#${slugOf(text)}` }));
  return [
    { text: "All functions", link: "/functions" },
    { text: "Topics", items },
    { text: "Entries and types", link: "/api/" },
  ];
}

/** Blocks of code that are programs of a reader, and the line by which one says that it is not run. */
const PROGRAM = /^(ts|js)\b/;
const SKIPPED = /^\s*\/\/ doctest: skip because .*\n/;

/** Every program can be edited and run in the page, or says why not. */
const withExamples: NonNullable<MarkdownOptions["config"]> = (markdown) => {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, options, env: MarkdownEnv, self) => {
    const token = tokens[index]!;
    const { info, content } = token;
    const isOfFile = "src" in token; // a file that a page shows
    if (isOfFile || !PROGRAM.test(info.trim())) return fence(tokens, index, options, env, self);
    token.content = content.replace(SKIPPED, "");
    const block = fence(tokens, index, options, env, self);
    token.content = content;
    const why = whyNot(content, importsOf(content));
    if (why !== null)
      return `<div class="example-not">${block}<p>Not run in the page: ${markdown.utils.escapeHtml(why)}.</p></div>`;
    env.frontmatter = { ...env.frontmatter, examples: Number(env.frontmatter?.["examples"] ?? 0) + 1 };
    return `<Example code="${encodeURIComponent(content)}">${block}</Example>`;
  };
};

/** The first line of a block of code, and the line that says that it is not run. */
const CODE_BEGINS = /^( *```)[\w-]+.*\n( *\/\/ doctest: skip because .*\n)?/gm;

/** What the search knows of a page: all of a guide (without colours of code), the beginnings of functions, and of types only that the index has them. */
function searched(text: string, env: MarkdownEnv, markdown: Pick<MarkdownRenderer, "render">): string {
  if (!env.relativePath.startsWith("api/")) return markdown.render(text.replaceAll(CODE_BEGINS, "$1\n"), env);
  if (!/^api\/(functions|variables|classes)\//.test(env.relativePath)) return "";
  return markdown.render(text.split(/^## /m)[0]!.replaceAll(/^```[^]*?^```$/gm, ""), env);
}

/** The index of the search is asked for by readers alone: pages are rendered without one, so it is made once. */
const searchOfReaders: Plugin = {
  name: "search-of-readers",
  enforce: "pre",
  load: (id, options) => (options?.ssr && id === "/@localSearchIndex" ? "export default {};" : null),
};

/** Demonstrations, bundled before, with what they use of the library: no page is rendered with them, and nothing is looked for in them. */
const DEMONSTRATIONS = /\/\.vitepress\/demos\/[\w-]+\.js$/;
const demonstrations: Plugin = {
  name: "demonstrations",
  enforce: "pre",
  load: (id, options) => (options?.ssr && DEMONSTRATIONS.test(id) ? "export {};" : null),
  transform: (code, id) => (DEMONSTRATIONS.test(id) ? { code, map: null, moduleSideEffects: "no-treeshake" } : null),
};

/**
 * Pages are used whole: looking in each for what nobody needs would take a third of the time of the build. What runs when pages are
 * rendered is used once and thrown away, so nothing is looked for there.
 */
const wholePages: Plugin = {
  name: "whole-pages",
  enforce: "post",
  config: (_, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { treeshake: false } } } : {}),
  transform: (code, id) => (id.endsWith(".md") ? { code, map: null, moduleSideEffects: "no-treeshake" } : null),
};

export default defineConfig({
  title: "nx-numerics",
  description:
    "Functional numerics for TypeScript: immutable tensors with named axes, traced functions, one API over many backends.",
  lang: "en",
  base: BASE,
  head: [["link", { rel: "icon", href: `${BASE}icon.svg`, type: "image/svg+xml" }]],
  srcDir: "pages",
  outDir: "dist",
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  markdown: { config: withExamples, highlight: await highlighter() },
  vue: { include: [/\.vue$/, /\.md$/], exclude: [REFERENCE] },
  vite: {
    plugins: [searchOfReaders, demonstrations, pagesOfReference, wholePages],
    build: { chunkSizeWarningLimit: 1500 },
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/guide/getting-started", activeMatch: "/guide/" },
      { text: "Reference", link: "/functions", activeMatch: "/(functions|api/)" },
      { text: "Playground", link: "/play" },
      { text: "Demonstrations", link: "/demos/", activeMatch: "/demos/" },
    ],
    sidebar: {
      "/guide/": GUIDES,
      "/measure": GUIDES,
      "/demos/": DEMOS,
      "/api/": referenceSidebar(),
      "/functions": referenceSidebar(),
    },
    search: { provider: "local", options: { _render: searched } },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: "https://github.com/nx-numerics/nx-numerics" }],
  },
});
