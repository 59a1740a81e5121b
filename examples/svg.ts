/**
 * Charts as SVG text: panels below each other, each with axes, ticks, a legend and series of points. Colours follow the
 * light or dark scheme of the reader. Knows numbers, not tensors.
 */
export type Point = readonly [x: number, y: number];

export interface Series {
  readonly label: string;
  readonly mark: "dots" | "line" | "dashes";
  readonly points: readonly Point[];
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface Panel {
  readonly x: string;
  readonly y: string;
  readonly height: number;
  readonly series: readonly Series[];
  /** Ticks of the x axis where round numbers would say little. */
  readonly ticks?: readonly Tick[];
}

const WIDTH = 760;
const LEFT = 64;
const RIGHT = 20;
const ABOVE = 34; // for the legend
const BELOW = 52; // for ticks and the label of the axis

const STYLE = `
  svg { --paper: #ffffff; --ink: #1f2328; --grid: #d8dee4; --dots: #8c959f; --line: #c2410c; --dashes: #0550ae; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --ink: #e6edf3; --grid: #30363d; --dots: #7d8590; --line: #ffa657; --dashes: #79c0ff; }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--ink); }
  .title { font-size: 15px; font-weight: 600; }
  .grid { stroke: var(--grid); }
  path { fill: none; stroke-linejoin: round; stroke-linecap: round; }
  .dots { stroke: var(--dots); stroke-width: 3; }
  .line { stroke: var(--line); stroke-width: 1.5; }
  .dashes { stroke: var(--dashes); stroke-width: 2; stroke-dasharray: 7 5; }`;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
const short = (value: number) => String(Math.round(value * 10) / 10);
const text = (x: number, y: number, content: string, attributes = "") =>
  `<text x="${short(x)}" y="${short(y)}"${attributes}>${escape(content)}</text>`;

/** Round numbers, about `count` of them, in steps of 1, 2 or 5 times a power of ten. */
export function roundTicks(low: number, high: number, count: number): Tick[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough)!;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
  return ticks.map((at) => ({ at, text: at.toFixed(digits).replace("-", "−") }));
}

function range(values: readonly number[]): Point {
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  return [low, high];
}

/** Where the values of a panel lie on the page. */
function scales({ series, height }: Panel, top: number) {
  const points = series.flatMap((one) => one.points);
  const [left, right] = range(points.map(([x]) => x));
  const [low, high] = range(points.map(([, y]) => y));
  const margin = (high - low) / 20;
  const place = (value: number, from: number, to: number, start: number, end: number) =>
    start + ((value - from) / (to - from)) * (end - start);
  return {
    x: (value: number) => place(value, left, right, LEFT, WIDTH - RIGHT),
    y: (value: number) => place(value, low - margin, high + margin, top + height - BELOW, top + ABOVE),
    xTicks: roundTicks(left, right, 8),
    yTicks: roundTicks(low - margin, high + margin, height / 45),
  };
}

type Scales = ReturnType<typeof scales>;

/** Dots are lines of no length with round ends: one element for all of them. */
function mark({ mark, points }: Series, { x, y }: Scales): string {
  const places = points.map(([px, py]) => `${short(x(px))} ${short(y(py))}`);
  const path = mark === "dots" ? places.map((place) => `M${place}h0`).join("") : `M${places.join("L")}`;
  return `<path class="${mark}" d="${path}"/>`;
}

function legend(series: readonly Series[], top: number): string[] {
  let left = LEFT;
  return series.flatMap(({ label, mark }) => {
    const x = left;
    left += 50 + 6.5 * label.length;
    const sample = mark === "dots" ? `M${x + 12} ${top + 16}h0` : `M${x} ${top + 16}h24`;
    return [`<path class="${mark}" d="${sample}"/>`, text(x + 30, top + 20, label)];
  });
}

function drawPanel(panel: Panel, top: number): string[] {
  const scale = scales(panel, top);
  const bottom = top + panel.height - BELOW;
  const vertical = `M${LEFT} ${top + ABOVE}V${bottom}H${WIDTH - RIGHT}`;
  const middle = (top + ABOVE + bottom) / 2;
  return [
    ...legend(panel.series, top),
    ...scale.yTicks.flatMap(({ at, text: content }) => [
      `<path class="grid" d="M${LEFT} ${short(scale.y(at))}H${WIDTH - RIGHT}"/>`,
      text(LEFT - 8, scale.y(at) + 4, content, ' text-anchor="end"'),
    ]),
    ...(panel.ticks ?? scale.xTicks).flatMap(({ at, text: content }) => [
      `<path class="grid" d="M${short(scale.x(at))} ${bottom}v5"/>`,
      text(scale.x(at), bottom + 19, content, ' text-anchor="middle"'),
    ]),
    `<path class="grid" d="${vertical}"/>`,
    text((LEFT + WIDTH - RIGHT) / 2, bottom + 39, panel.x, ' text-anchor="middle"'),
    text(18, middle, panel.y, ` text-anchor="middle" transform="rotate(-90 18 ${short(middle)})"`),
    ...panel.series.map((series) => mark(series, scale)),
  ];
}

/** A whole SVG document; `description` is for those who cannot see it. */
export function chart(title: string, description: string, panels: readonly Panel[]): string {
  const tops = panels.map((_, i) => panels.slice(0, i).reduce((top, { height }) => top + height, 40));
  const height = panels.reduce((sum, panel) => sum + panel.height, 40);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<rect width="100%" height="100%" style="fill: var(--paper)"/>`,
    text(LEFT, 28, title, ' class="title"'),
    ...panels.flatMap((panel, i) => drawPanel(panel, tops[i]!)),
    "</svg>\n",
  ].join("\n");
}
