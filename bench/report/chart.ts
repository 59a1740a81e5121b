/**
 * A chart of bars as SVG: for each work a group with a bar for each peer, on a logarithmic axis of time.
 */
import { timeOf } from "../peers/rounds";
import type { TableResults } from "./results";
import { figure } from "./text";

/** Colours that can be told apart with any kind of colour vision (Okabe and Ito 2008); those of nx are shades of one. */
const COLOURS: Readonly<Record<string, string>> = {
  nx: "#d55e00",
  "nx-using": "#a04000",
  "nx-node24": "#f0a060",
  "jax-js": "#0072b2",
  tfjs: "#e69f00",
  "numpy-ts": "#009e73",
  NumPy: "#56b4e9",
  numexpr: "#cc79a7",
  loop: "#999999",
};

const WIDTH = 960;
const LEFT = 210;
const RIGHT = 70;
const TOP = 64;
const BAR = 9;
const GAP = 10;

interface Bar {
  readonly peer: string;
  readonly microseconds: number;
}

interface Group {
  readonly work: string;
  readonly bars: readonly Bar[];
}

function groupsOf({ rows, peers }: TableResults): Group[] {
  return rows.map(({ work, cells }) => ({
    work,
    bars: peers.flatMap(({ name }) => {
      const cell = cells[name];
      return cell && !("error" in cell) ? [{ peer: name, microseconds: timeOf(cell, name) }] : [];
    }),
  }));
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${x}" y="${y.toFixed(1)}"${attributes}>${escaped(content)}</text>`;
}

/** 1 us, 10 us, ... with the unit that keeps numbers small. */
function duration(power: number): string {
  const units = ["us", "ms", "s"];
  const unit = Math.min(Math.max(Math.floor(power / 3), 0), 2);
  return `${10 ** (power - 3 * unit)} ${units[unit]!}`;
}

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly at: (microseconds: number) => number;
}

function axisOf(groups: readonly Group[]): Axis {
  const logs = groups.flatMap(({ bars }) => bars.map(({ microseconds }) => Math.log10(microseconds)));
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  const scale = (WIDTH - LEFT - RIGHT) / (high - low);
  return { low, high, at: (microseconds) => LEFT + (Math.log10(microseconds) - low) * scale };
}

function grid({ low, high, at }: Axis, bottom: number): string[] {
  return Array.from({ length: high - low + 1 }, (_, i) => {
    const x = at(10 ** (low + i)).toFixed(1);
    const line = `<line x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${bottom}" stroke="#dddddd"/>`;
    return line + text(Number(x), TOP - 12, duration(low + i), ' text-anchor="middle" fill="#555555"');
  });
}

function draw({ work, bars }: Group, y: number, axis: Axis): string[] {
  const middle = y + (bars.length * BAR) / 2 + 4;
  const drawn = bars.map(({ peer, microseconds }, i) => {
    const [top, end] = [y + i * BAR, axis.at(microseconds)];
    const colour = COLOURS[peer] ?? "#333333";
    const bar = `<rect x="${LEFT}" y="${top}" width="${(end - LEFT).toFixed(1)}" height="${BAR - 1}" fill="${colour}"/>`;
    const weight = peer === "nx" ? ' font-weight="bold"' : "";
    return bar + text(Number((end + 4).toFixed(1)), top + BAR - 2, figure(microseconds), ` font-size="8"${weight}`);
  });
  return [text(LEFT - 8, middle, work, ' text-anchor="end" font-size="12"'), ...drawn];
}

function legend(peers: readonly string[]): string[] {
  const step = Math.min(95, (WIDTH - LEFT) / peers.length);
  return peers.map((peer, i) => {
    const x = Math.round(LEFT + i * step);
    const square = `<rect x="${x}" y="14" width="11" height="11" fill="${COLOURS[peer] ?? "#333333"}"/>`;
    return square + text(x + 16, 24, peer, ' font-size="12"');
  });
}

/** The chart of a table; shorter bars are better. */
export function chart(results: TableResults): string {
  const groups = groupsOf(results).filter(({ bars }) => bars.length > 0);
  const axis = axisOf(groups);
  const drawn: string[] = [];
  let y = TOP;
  for (const group of groups) {
    drawn.push(...draw(group, y, axis));
    y += group.bars.length * BAR + GAP;
  }
  const font = 'font-family="system-ui, sans-serif" font-size="10" fill="#222222"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" ${font}>`,
    "<title>Time of each work in each library, on a logarithmic scale: shorter is better</title>",
    `<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>`,
    ...grid(axis, y),
    ...drawn,
    ...legend(results.peers.map(({ name }) => name)),
    "</svg>",
    "",
  ].join("\n");
}
