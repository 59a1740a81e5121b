/**
 * A document whose elements become text: as much of a page's document as drawing needs, for programs that have none, such as those
 * in Node and in workers.
 */

const SVG = "http://www.w3.org/2000/svg";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text that means itself in elements and attributes; characters that XML cannot hold are replaced. */
function escapeText(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd").replace(/[&<>"]/g, (c) => ESCAPES[c]!);
}

/** An element of a {@link TextDocument}. */
export class TextElement {
  readonly namespaceURI = SVG;
  readonly name: string;
  readonly ownerDocument: TextDocument;
  readonly children: TextElement[] = [];
  readonly #attributes = new Map<string, string>();
  #text = "";

  constructor(name: string, ownerDocument: TextDocument) {
    this.name = name;
    this.ownerDocument = ownerDocument;
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  appendChild(child: TextElement): TextElement {
    return this.insertBefore(child, null);
  }

  insertBefore(child: TextElement, next: TextElement | null): TextElement {
    const at = next === null ? this.children.length : this.children.indexOf(next);
    this.children.splice(at, 0, child);
    return child;
  }

  get textContent(): string {
    return this.#text + this.children.map((child) => child.textContent).join("");
  }

  set textContent(text: string) {
    this.children.length = 0;
    this.#text = String(text);
  }

  /** The element as XML. */
  toString(): string {
    const attributes = [...this.#attributes].map(([name, value]) => ` ${name}="${escapeText(value)}"`).join("");
    const content = escapeText(this.#text) + this.children.join("");
    return content === "" ? `<${this.name}${attributes}/>` : `<${this.name}${attributes}>${content}</${this.name}>`;
  }
}

/** Makes elements that become text. */
export class TextDocument {
  readonly documentElement = new TextElement("svg", this);

  createElementNS(_namespace: string, name: string): TextElement {
    return new TextElement(name, this);
  }
}
