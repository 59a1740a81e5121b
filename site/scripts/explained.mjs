/**
 * Pictures of what the examples of a guide explain: the graphs of `Nx.Defn.explain`, drawn by the same Graphviz as in the playground. The
 * examples are run for it when the site is built, so that no picture is older than its text.
 */
import { instance } from "@viz-js/viz";
import { drawable } from "../play/graph.ts";
import { instrument } from "../play/instrument.ts";

const EXPLAIN = /\bNx\.Defn\.explain\b/g;
const BLOCK = /^```ts\n(?!\/\/ doctest: skip)([\s\S]*?)^```$/gm;

/** A program as JavaScript that imports the built library, and shows nothing. */
function programOf(code) {
  const dist = new URL("../../dist/", import.meta.url).href;
  const silent = "globalThis.__playground = { __at() {}, __show() {}, __caught() {}, console: { log() {} } };\n";
  return (
    silent +
    instrument(code, dist).replaceAll(/(?<=\/)nx-numerics(?:-(\w+))?\.js"/g, (_, part) => `${part ?? "index"}.js"`)
  );
}

/** What an example explains, in the order in which it does. */
async function explanationsOf(code, Nx) {
  const explanations = [];
  globalThis.__explained =
    (...options) =>
    (...args) => {
      const explanation = Nx.Defn.explain(...options)(...args);
      explanations.push(explanation);
      return explanation;
    };
  await import(
    `data:text/javascript,${encodeURIComponent(programOf(code.replaceAll(EXPLAIN, "globalThis.__explained")))}`
  );
  delete globalThis.__explained;
  return explanations;
}

/** A graph as SVG that stands in a page: without what belongs to a file, and without lines that would end a block of HTML. */
function pictureOf(viz, explanation) {
  const svg = viz.renderString(drawable(explanation.toDot()), { format: "svg" });
  return svg
    .slice(svg.indexOf("<svg"))
    .replaceAll(/<!--[\s\S]*?-->\s*/g, "")
    .replaceAll(/<title>[\s\S]*?<\/title>\s*/g, "")
    .replaceAll(/\n\s*/g, "")
    .replace(
      "<svg",
      `<svg role="img" aria-label="The graph of the function: ${explanation.nodes.length} nodes in ${explanation.kernels.length} kernels"`,
    );
}

/** The text of a guide with the pictures of its examples below them. */
export async function withPictures(text, Nx) {
  const explaining = [...text.matchAll(BLOCK)].filter(([, code]) => code.includes("Nx.Defn.explain("));
  if (explaining.length === 0) return text;
  const viz = await instance();
  let out = text;
  // from the last to the first, so that the places of those before stay
  for (const { 0: block, 1: code, index } of explaining.toReversed()) {
    const pictures = (await explanationsOf(code, Nx)).map((one) => pictureOf(viz, one));
    const figures = pictures
      .map((svg) => `<figure class="drawn-graph" tabindex="0" v-pre>${svg}</figure>\n\n`)
      .join("");
    const end = index + block.length;
    out = `${out.slice(0, end)}\n\n${figures}${out.slice(end)}`;
  }
  return out;
}
