/**
 * Pages of the reference as modules. Their text never changes and has one component, `Example`: what Vue's compiler makes of a page is
 * made here without it, and is one module for readers and for where pages are rendered.
 */
import type { Plugin } from "vite";

/** Pages that are made here; all others Vue compiles. */
export const REFERENCE = /\/pages\/api\/.*\.md$/;

const COMPONENT = "Example";
const VOID = /^(area|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const TAG = /<(\/?)([A-Za-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g;

/** An element: where it begins and ends, where what is in it does, and whether a component is in it. */
interface Element {
  readonly name: string;
  readonly attributes: string;
  readonly begin: number;
  readonly inside: number;
  readonly children: Element[];
  insideEnd: number;
  end: number;
  isStatic: boolean;
}

/** The elements of a text, one in another. */
function parsed(html: string): Element {
  const root: Element = { name: "div", attributes: "", begin: 0, inside: 0, children: [], insideEnd: html.length, end: html.length, isStatic: false }; // prettier-ignore
  const open = [root];
  for (const { 0: tag, 1: closes, 2: name = "", 3: attributes = "", index } of html.matchAll(TAG)) {
    const end = index + tag.length;
    if (closes) {
      const element = open.pop()!;
      if (element.name !== name) throw new Error(`<${element.name}> is closed by ${tag}`);
      Object.assign(element, { insideEnd: index, end });
      if (!element.isStatic) open.at(-1)!.isStatic = false;
      continue;
    }
    const isStatic = name !== COMPONENT;
    if (isStatic && /[A-Z-]/.test(name)) throw new Error(`${tag} is no component of pages of the reference`);
    const element: Element = { name, attributes, begin: index, inside: end, children: [], insideEnd: end, end, isStatic }; // prettier-ignore
    open.at(-1)!.children.push(element);
    if (!VOID.test(name)) open.push(element);
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  return root;
}

/** Expressions for what is in an element; text that never changes becomes a constant of the module. */
function inside(html: string, { inside: from, insideEnd, children }: Element, constants: string[]): string {
  const written: string[] = [];
  let text = "";
  let count = 0;
  let at = from;
  const add = (part: string, isText: boolean): void => {
    if (isText && part.trim() === "") return;
    text += part;
    count++;
  };
  const flush = (): void => {
    if (count > 0) written.push(`s${constants.length}`);
    if (count > 0) constants.push(`const s${constants.length} = createStaticVNode(${JSON.stringify(text)}, ${count});`);
    text = "";
    count = 0;
  };
  for (const child of children) {
    add(html.slice(at, child.begin), true);
    at = child.end;
    if (child.isStatic) add(html.slice(child.begin, child.end), false);
    else {
      flush();
      written.push(expression(html, child, constants));
    }
  }
  add(html.slice(at, insideEnd), true);
  flush();
  return `[${written.join(", ")}]`;
}

function expression(html: string, element: Element, constants: string[]): string {
  const { name, attributes } = element;
  if (/&|='/.test(attributes)) throw new Error(`<${name}${attributes}> has other quotes`);
  const props = [...attributes.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key, value = ""]) => [key, value]);
  const within = inside(html, element, constants);
  const content = name === COMPONENT ? `{ default: () => ${within}, $stable: true }` : within;
  return `h(${name === COMPONENT ? COMPONENT : JSON.stringify(name)}, ${JSON.stringify(Object.fromEntries(props))}, ${content})`;
}

/** What Vue's compiler is given for a page of text: its data, its name, and its template. */
const SOURCE =
  /^<script >([^]*?)\nexport default \{(name:.*)\}<\/script>\n<template>(<div>[^]*<\/div>)<\/template>\s*$/;

export const pagesOfReference: Plugin = {
  name: "pages-of-the-reference",
  transform(source, id) {
    if (!REFERENCE.test(id)) return null;
    const [, data, name, template] = SOURCE.exec(source) ?? this.error("a page of the reference has more than text");
    const html = template!
      .replaceAll(/<!--[^]*?-->/g, "")
      .replaceAll(TAG, (tag) => tag.replace(/ v-pre(?:="")?(?=[\s>])/, ""));
    const constants: string[] = [];
    const [content] = parsed(html).children;
    const rendered = expression(html, content!, constants);
    const code = `import { createStaticVNode, h, resolveComponent } from "vue";
${data}
${constants.join("\n")}
export default { ${name}, render() { const ${COMPONENT} = resolveComponent("${COMPONENT}"); return ${rendered}; } };
`;
    return { code, map: null, moduleSideEffects: "no-treeshake" };
  },
};
