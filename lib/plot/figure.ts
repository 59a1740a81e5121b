/**
 * A plot as data, and how it becomes an element or text: Observable Plot draws the marks; labels, legend and margins are placed
 * here, so that everything lies in one SVG.
 */
import * as Plot from "@observablehq/plot";
import { image as imageMark } from "@observablehq/plot";
import { ArgumentError } from "nx-numerics";
import { colourAt, type Colormap } from "nx-numerics/display";
import { shown, type PlotOptions } from "./common";
import { TextDocument, type TextElement } from "./document";
import { pngAddress } from "./png";

/**
 * Marks of one colour.
 *
 * @internal
 */
export interface Series {
  /** What the legend says, if anything. */
  readonly label: string | null;
  /** Whether the mark lies under the next mark and has the colour of the next mark. */
  readonly isUnder?: boolean;
  paint(colour: string): readonly Plot.Markish[];
}

/**
 * Colours of numbers, for the strip at the side.
 *
 * @internal
 */
export interface Ramp {
  readonly colormap: Colormap;
  readonly low: number;
  readonly high: number;
}

/**
 * What is drawn.
 *
 * @internal
 */
export interface Drawing {
  /** The figure in words, for readers who cannot see it. */
  readonly description: string;
  readonly options: PlotOptions;
  readonly xLabel: string | null;
  readonly yLabel: string | null;
  readonly series: readonly Series[];
  /** Options of the scales of Plot, beside those of {@link PlotOptions}. */
  readonly x?: Plot.ScaleOptions;
  readonly y?: Plot.ScaleOptions;
  /** Whether the vertical axis runs down. */
  readonly yDown?: boolean;
  readonly ramp?: Ramp;
  /** Height by width, of what lies within the margins. */
  readonly aspect?: number;
  /** Whether there are axes with ticks. */
  readonly axes?: boolean;
}

/** An element of the page where there are pages in the program's types. */
export type SvgElement = typeof globalThis extends { SVGSVGElement: { prototype: infer E } } ? E : object;

/** What drawing needs of a document. */
export interface DocumentLike {
  readonly documentElement: unknown;
  createElementNS(namespace: string, name: string): unknown;
}

/** Colours that are told apart by most people with any kind of sight, on light and on dark: those of Tableau. */
const COLOURS = [
  "#4e79a7",
  "#f28e2c",
  "#e15759",
  "#76b7b2",
  "#59a14f",
  "#b07aa1",
  "#9c755f",
  "#ff9da7",
  "#edc949",
  "#8a8f98",
];

const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const JUPYTER = Symbol.for("Jupyter.display");
/** Height of a line of text above the plot. */
const LINE = 18;
const STRIP = { width: 12, height: 120, margin: 64 };
const BACK: Plot.TextOptions = { fill: "currentColor", stroke: "none" };

/**
 * A plot. It is drawn when it is asked for: {@link Figure.toSvg} gives text in every host, {@link Figure.element} an element of a
 * page. `String(figure)` is the text.
 */
export class Figure {
  readonly #drawing: Drawing;

  /** @internal */
  constructor(drawing: Drawing) {
    this.#drawing = drawing;
  }

  /**
   * The plot as the text of an SVG document without scripts, which files, pages and notebooks show.
   *
   * @returns an element `svg` as text
   * @example
   * ```ts
   * import { line } from "nx-numerics/plot";
   * const svg = line(Nx.tensor([1, 4, 9], { names: ["step"] })).toSvg();
   * svg.match(/aria-label="line of [^"]*"/)?.[0];
   * // => 'aria-label="line of s64[step: 3]"'
   * svg.match(/>step →<|>squares</g);
   * // => ['>step →<']
   * ```
   */
  toSvg(): string {
    const root = this.#draw(new TextDocument()) as TextElement;
    root.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return String(root);
  }

  /**
   * The plot as an element of a page, which `append` puts there.
   *
   * @param document - the document that makes the element; that of the page by default
   * @returns an element `svg`
   * @throws ArgumentError where there is no document, as in Node
   * @example
   * ```ts
   * import { line } from "nx-numerics/plot";
   * line(Nx.tensor([1, 2])).element();
   * // throws ArgumentError: Figure.element needs a document
   * ```
   */
  element(document?: DocumentLike): SvgElement {
    const own = document ?? (globalThis as { readonly document?: DocumentLike }).document;
    if (typeof own?.createElementNS === "function") return this.#draw(own) as SvgElement;
    throw new ArgumentError(
      `Figure.element needs a document, which a page has, got: ${shown(own)}; toSvg gives the plot as text in every host`,
    );
  }

  toString(): string {
    return this.toSvg();
  }

  /** @internal */
  [INSPECT](): string {
    return `Figure(${this.#drawing.description})`;
  }

  /** @internal */
  [JUPYTER](): Readonly<Record<string, string>> {
    return { "image/svg+xml": this.toSvg(), "text/plain": this[INSPECT]() };
  }

  /** @internal */
  static drawingOf(figure: Figure): Drawing {
    return figure.#drawing;
  }

  #draw(document: DocumentLike): unknown {
    const drawing = this.#drawing;
    const trial = render(drawing, new TextDocument(), 40) as TextElement;
    const longest = Math.max(0, ...tickTexts(trial).map((text) => text.length));
    return render(drawing, document, Math.max(40, 7 * longest + 16));
  }
}

/** The texts of ticks of the vertical axis. */
function tickTexts(element: TextElement): string[] {
  if (element.getAttribute("aria-label") === "y-axis tick label") return element.children.map((one) => one.textContent);
  return element.children.flatMap(tickTexts);
}

function render(drawing: Drawing, document: DocumentLike, marginLeft: number): unknown {
  const { options, ramp, axes = true, series } = drawing;
  const width = options.width ?? 640;
  const margins = {
    marginLeft: axes ? marginLeft : 10,
    marginRight: (axes ? 20 : 10) + (ramp === undefined ? 0 : STRIP.margin),
    marginBottom: axes ? 42 : 10,
  };
  const inner = width - margins.marginLeft - margins.marginRight;
  const above = header(drawing, inner);
  const marginTop = 10 + LINE * above.lines;
  const height = options.height ?? marginTop + margins.marginBottom + Math.round(inner * (drawing.aspect ?? 0.55));
  const { marks: more, x, y, ...rest } = (options.plot ?? {}) as Plot.PlotOptions;
  const colours = coloursOf(series);
  const svg = Plot.plot({
    ...margins,
    marginTop,
    width,
    height,
    document: document as NonNullable<Plot.PlotOptions["document"]>,
    ariaLabel: drawing.description,
    x: { ...scaleOptions(axes, options.xScale, options.xDomain, drawing.x), ...x },
    y: { ...scaleOptions(axes, options.yScale, options.yDomain, drawing.y), ...y },
    ...rest,
    marks: [
      ...series.flatMap((one, i) => one.paint(colours[i]!)),
      ...above.marks,
      ...labels(drawing, axes),
      ...(ramp === undefined ? [] : strip(ramp, inner)),
      ...(more ?? []),
    ],
  });
  svg.setAttribute("role", "img");
  if (options.background !== undefined) svg.setAttribute("style", `background: ${options.background}; color: black`);
  return svg;
}

function scaleOptions(
  axes: boolean,
  type: "linear" | "log" | undefined,
  domain: readonly unknown[] | undefined,
  own: Plot.ScaleOptions | undefined,
): Plot.ScaleOptions {
  return {
    label: null,
    ...(axes ? { grid: true } : { axis: null }),
    ...(type === undefined ? {} : { type }),
    ...(domain === undefined ? {} : { domain }),
    ...own,
  };
}

/** A colour for each series: those of one label have the same. Distinct colours while there are enough of them, else places of a scale. */
function coloursOf(series: readonly Series[]): readonly string[] {
  const labels = new Map<string, number>();
  let count = 0;
  const places = series.map(({ label, isUnder }) => {
    if (label === null) return isUnder ? count : count++;
    if (!labels.has(label)) labels.set(label, count++);
    return labels.get(label)!;
  });
  const isFew = count <= COLOURS.length;
  return places.map((place) => (isFew ? COLOURS[place % COLOURS.length]! : colourAt("dusk", place / (count - 1))));
}

/** Title, legend and the label of the vertical axis, in lines above the plot. */
function header(
  { options, series, yLabel, yDown = false }: Drawing,
  width: number,
): { lines: number; marks: Plot.Markish[] } {
  const legend = legendLines(series, width);
  const label = options.yLabel ?? yLabel;
  const lines = (options.title === undefined ? 0 : 1) + legend.length + (label === null ? 0 : 1);
  const marks: Plot.Markish[] = [];
  let line = lines;
  const text = (content: string, more: Plot.TextOptions): Plot.Markish =>
    Plot.text([content], {
      frameAnchor: "top-left",
      textAnchor: "start",
      lineAnchor: "bottom",
      text: [content],
      ...BACK,
      ...more,
    });
  if (options.title !== undefined)
    marks.push(text(options.title, { dy: above(line--), fontSize: 14, fontWeight: 600 }));
  for (const entries of legend) {
    const dy = above(line--);
    for (const { label, colour, left } of entries) {
      marks.push(Plot.dot([0], { frameAnchor: "top-left", dx: left + 5, dy: dy - 6, r: 4.5, fill: colour }));
      marks.push(text(label, { dx: left + 14, dy }));
    }
  }
  if (label !== null) marks.push(text(`${yDown ? "↓" : "↑"} ${label}`, { dx: -30, dy: above(line) }));
  return { lines, marks };
}

/** Where the lowest of so many lines lies, from the top of the frame. */
const above = (line: number): number => -LINE * (line - 1) - 8;

interface Key {
  readonly label: string;
  readonly colour: string;
  readonly left: number;
}

/** Entries of the legend in lines no longer than the plot; a letter is taken for 6.5 pixels wide. */
function legendLines(series: readonly Series[], width: number): Key[][] {
  const colours = coloursOf(series);
  const entries = new Map(series.flatMap(({ label }, i) => (label === null ? [] : [[label, colours[i]!] as const])));
  const lines: Key[][] = [];
  let left = Infinity;
  for (const [label, colour] of entries) {
    const space = 30 + 6.5 * label.length;
    if (left + space > width) {
      lines.push([]);
      left = 0;
    }
    lines.at(-1)!.push({ label, colour, left });
    left += space;
  }
  return lines;
}

function labels({ options, xLabel }: Drawing, axes: boolean): Plot.Markish[] {
  const label = options.xLabel ?? xLabel;
  if (label === null) return [];
  const dy = axes ? 38 : 8;
  return [
    Plot.text([label], {
      frameAnchor: "bottom-right",
      textAnchor: "end",
      lineAnchor: "bottom",
      dy,
      text: [`${label} →`],
      ...BACK,
    }),
  ];
}

/** The colours of numbers beside the plot, the highest on top, and the values at both ends. */
function strip({ colormap, low, high }: Ramp, inner: number): Plot.Markish[] {
  const steps = 64;
  const pixels = new Uint8Array(4 * steps);
  for (let i = 0; i < steps; i++) pixels.set(rgba(colormap, 1 - i / (steps - 1)), 4 * i);
  const left = inner + 14;
  const image = imageMark([0], {
    frameAnchor: "top-left",
    src: [pngAddress(pixels, 1, steps)],
    dx: left + STRIP.width / 2,
    dy: STRIP.height / 2,
    width: STRIP.width,
    height: STRIP.height,
    preserveAspectRatio: "none",
  });
  const text = (value: number, dy: number): Plot.Markish =>
    Plot.text([value], {
      frameAnchor: "top-left",
      textAnchor: "start",
      text: [numberText(value)],
      dx: left + STRIP.width + 4,
      dy,
      ...BACK,
    });
  return [image, text(high, 5), text(low, STRIP.height - 5)];
}

const numberText = (value: number): string => String(Number(value.toPrecision(4)));

/** The colour at a place of a scale as bytes. */
export function rgba(colormap: Colormap, place: number): [number, number, number, number] {
  const colour = Number.parseInt(colourAt(colormap, place).slice(1), 16);
  return [colour >> 16, (colour >> 8) & 255, colour & 255, 255];
}
