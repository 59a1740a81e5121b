/**
 * `nx-numerics/plot`: what plots draw of tensors, where labels come from, and that the text is what a document would hold.
 */
import { inflateSync } from "node:zlib";
import {
  DOMImplementation,
  DOMParser,
  onErrorStopParsing,
  XMLSerializer,
  type Document,
  type Element,
} from "@xmldom/xmldom";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { toSvgHeatmap } from "nx-numerics/display";
import type { Figure } from "nx-numerics/plot";
import { band, heatmap, histogram, image, line, overlay, scatter } from "nx-numerics/plot";
import { apart, thinned } from "../lib/plot/thin";
import { parse } from "./examples/xml";

type Root = Pick<Element, "getElementsByTagName">;

const documentOf = (figure: Figure): Element => parse(figure.toSvg()).documentElement!;

const all = (root: Root, name: string): Element[] => Array.from(root.getElementsByTagName(name));

const labelled = (root: Root, label: string): Element[] =>
  all(root, "g").filter((group) => group.getAttribute("aria-label") === label);

const texts = (root: Root): string[] => all(root, "text").map((text) => text.textContent ?? "");

/** The points of the lines, from the commands of their paths. */
const pointsOf = (root: Root): number[][][] =>
  labelled(root, "line").flatMap((group) =>
    all(group, "path").map((path) =>
      path
        .getAttribute("d")!
        .split(/(?=M)/)
        .flatMap((part) => part.slice(1).split("L"))
        .map((pair) => pair.replace("Z", "").split(",").map(Number)),
    ),
  );

/** The bytes of an image, `[height, width, 4]`. */
function pixelsOf(element: Element): { width: number; height: number; bytes: number[] } {
  const png = Buffer.from(element.getAttribute("href")!.replace("data:image/png;base64,", ""), "base64");
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  expect(png.subarray(-8, -4).toString("latin1")).toBe("IEND"); // nothing follows its check sum
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const row = 4 * width + 1;
  return { width, height, bytes: [...rows].filter((_, i) => i % row !== 0) };
}

const cities = Nx.tensor(
  [
    [3, 8, 15],
    [9, 13, 20],
  ],
  { names: ["city", "month"] },
);

describe("the text of a plot", () => {
  const figures = {
    line: line(cities, { series: "city", title: "a < b & c", yLabel: "°C", background: "white" }),
    band: band(cities, cities.add(1), { series: "month" }),
    scatter: scatter(cities.at(0), cities.at(1), { color: Nx.tensor([1, 2, 3]) }),
    histogram: histogram(cities, { bins: 3, density: true }),
    heatmap: heatmap(cities),
    image: image(Nx.u8([[[1, 2, 3]]])),
  };

  /** Element by element: attributes have no order. */
  const shape = (element: Element): unknown => [
    element.localName,
    Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]).sort()),
    Array.from(element.childNodes, (node) => (node.nodeType === 1 ? shape(node as Element) : (node.nodeValue ?? ""))),
  ];

  it.each(Object.entries(figures))("is that of the element which %s makes in a document", (_, figure) => {
    const document: Document = new DOMImplementation().createDocument("http://www.w3.org/2000/svg", "svg");
    const element = figure.element(document) as unknown as Element;
    const serialized = parse(new XMLSerializer().serializeToString(element)).documentElement!;
    expect(shape(serialized)).toEqual(shape(documentOf(figure)));
  });

  it("escapes what users say, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (title) => {
        const svg = line(cities.at(0), { title: `a${title}` }).toSvg();
        const parser = new DOMParser({ onError: onErrorStopParsing }); // which warns of the replacement character
        const found = texts(parser.parseFromString(svg, "image/svg+xml"));
        // lines of a text are elements of their own, and XML has no control characters
        expect(found).toContain(
          `a${title}`.replace(/\r\n?|\n/g, "").replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd"),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("escapes names of axes", () => {
    const t = Nx.tensor([1, 2], { names: ['a"<&b'] });
    const root = documentOf(line(t));
    expect(root.getAttribute("aria-label")).toBe('line of s64[a"<&b: 2]');
    expect(texts(root)).toContain('a"<&b →');
  });

  it("says what it shows to those who cannot see it", () => {
    const root = documentOf(figures.heatmap);
    expect([root.getAttribute("role"), root.getAttribute("aria-label")]).toEqual([
      "img",
      "heat map of s64[city: 2][month: 3], from 3 to 20",
    ]);
  });

  it("is what strings and notebooks show", () => {
    const figure = figures.line;
    expect(String(figure)).toBe(figure.toSvg());
    const shown = (figure as unknown as Record<symbol, () => unknown>)[Symbol.for("Jupyter.display")]!();
    expect(shown).toMatchObject({ "image/svg+xml": figure.toSvg() });
  });

  it("has room for the longest tick", () => {
    const left = (values: number[]): number =>
      Math.min(
        ...labelled(documentOf(line(Nx.f64(values))), "y-axis tick label")
          .flatMap((group) => all(group, "text"))
          .map((text) => Number(/translate\(([\d.]+)/.exec(text.getAttribute("transform")!)![1])),
      );
    expect(left([0, 1])).toBe(40);
    expect(left([1e9, 1.0001e9])).toBeGreaterThan(80);
  });

  it("has the sizes that are asked for, and options of Observable Plot", () => {
    const root = documentOf(line(cities.at(0), { width: 300, height: 200, plot: { ariaDescription: "own" } }));
    expect(["width", "height", "aria-description"].map((name) => root.getAttribute(name))).toEqual([
      "300",
      "200",
      "own",
    ]);
  });
});

describe("lines", () => {
  it("run through the elements in their place, by the axis that is no series", () => {
    const byRow = pointsOf(documentOf(line(cities, { series: "city" })));
    const byColumn = pointsOf(documentOf(line(cities.transpose(), { series: "city" })));
    expect(byRow).toEqual(byColumn);
    expect(byRow.map((points) => points.length)).toEqual([3, 3]);
    const [oslo, rome] = byRow as [number[][], number[][]];
    expect(oslo[1]![0]).toBeCloseTo((oslo[0]![0]! + oslo[2]![0]!) / 2, 3); // evenly along the axis
    const scale = (rome[2]![1]! - oslo[0]![1]!) / (20 - 3);
    expect(oslo[1]![1]).toBeCloseTo(oslo[0]![1]! + 5 * scale, 2);
    expect(scale).toBeLessThan(0); // greater values lie higher
  });

  it("have names of axes and series, unless they are told others", () => {
    expect(texts(documentOf(line(cities, { series: "city" })))).toEqual(
      expect.arrayContaining(["city 0", "city 1", "month →"]),
    );
    const own = texts(documentOf(line(cities, { series: "city", labels: ["Oslo", "Rome"], xLabel: "of the year" })));
    expect(own).toEqual(expect.arrayContaining(["Oslo", "Rome", "of the year →"]));
    expect(own).not.toContain("month →");
  });

  it("stand at positions, which may be dates", () => {
    const at = Nx.f64([0, 1, 10], { names: ["month"] });
    const [points] = pointsOf(documentOf(line(cities.at(0), { x: at })));
    expect((points![1]![0]! - points![0]![0]!) / (points![2]![0]! - points![0]![0]!)).toBeCloseTo(0.1, 3);
    const dates = [2020, 2021, 2022].map((year) => new Date(Date.UTC(year, 0)));
    expect(texts(documentOf(line(cities.at(0), { x: dates })))).toEqual(expect.arrayContaining(["Jan2021", "Jul"]));
  });

  it("break at NaN", () => {
    const [path] = all(labelled(documentOf(line(Nx.f32([1, 2, NaN, 3, 4]))), "line")[0]!, "path");
    expect(path!.getAttribute("d")!.match(/M/g)).toHaveLength(2);
  });

  it("may be on logarithms", () => {
    const [points] = pointsOf(documentOf(line(Nx.f32([1, 10, 100]), { yScale: "log" })));
    expect(points![1]![1]).toBeCloseTo((points![0]![1]! + points![2]![1]!) / 2, 2);
  });

  it("refuse what they cannot draw, with shapes and names", () => {
    const message = (run: () => unknown): string => {
      try {
        run();
      } catch (error) {
        expect(error).toBeInstanceOf(Nx.ArgumentError);
        return (error as Error).message;
      }
      return "";
    };
    expect(message(() => line(Nx.zeros([2, 3, 4], { names: ["a", "b", "c"] })))).toBe(
      "line expects a vector, or a matrix and the option series, the axis whose entries are drawn in colours of their own; " +
        "got f32[a: 2][b: 3][c: 4]; take a part of it",
    );
    expect(message(() => line(cities, { series: "town" as "city" }))).toMatch(/town.*city, month|"city", "month"/s);
    expect(message(() => line(cities, { series: "city", labels: ["Oslo"] }))).toBe(
      'option labels of line must be a list of 2 texts, got: ["Oslo"]',
    );
    expect(message(() => line(cities.at(0), { x: [1, 2] }))).toBe(
      "option x of line must be a vector of numbers or a list of dates for each of [month: 3], got: [1, 2]",
    );
    expect(message(() => line(cities.at(0), { x: Nx.f32([1, 2, 3], { names: ["day"] }) }))).toBe(
      'option x of line has the axis "day" of f32[day: 3], expected "month"',
    );
    expect(message(() => line(cities.at(0), { colour: 1 } as object))).toMatch(
      /^line takes the options x, series, labels, .*, got: colour$/,
    );
    expect(message(() => line(cities.at(0), { width: 0 }))).toBe(
      "option width of line must be a number of pixels from 50 to 10000, got: 0",
    );
    for (const yDomain of [[0], [0, NaN], ["a", "b"]]) {
      expect(message(() => line(cities.at(0), { yDomain: yDomain as never }))).toMatch(
        /^option yDomain of line must be two values such as \[0, 1\], got: \[/,
      );
    }
    expect(message(() => line(cities.at(0), { plot: { marks: 5 } }))).toBe(
      "option plot.marks of line must be a list of marks, got: 5",
    );
    expect(message(() => line(Nx.complex(cities.at(0), 1)))).toMatch(/^line expects real numbers, got c64\[month: 3\]/);
    expect(message(() => line(Nx.template([3], "f32")))).toMatch(/^line expects a tensor with elements/);
    expect(message(() => line([1, 2] as never))).toBe("line expects a tensor, got: [1, 2]");
    expect(message(() => line(Nx.zeros([65, 2], { names: ["s", "x"] }), { series: "s" }))).toMatch(/at most 64 series/);
  });
});

describe("long lines and many points", () => {
  it("keep first, least, greatest and last of each column, and gaps", () => {
    const values = Float64Array.from({ length: 10_000 }, (_, i) => Math.sin(i) * (i % 97) + (i === 5000 ? NaN : 0));
    const x = Float64Array.from(values, (_, i) => i);
    const kept = thinned(x, values, 100);
    expect(kept.y.length).toBeLessThanOrEqual(5 * 101);
    const columns = (xs: ArrayLike<unknown>, ys: Float64Array) => {
      const found = new Map<number, [number, number]>();
      ys.forEach((value, i) => {
        const column = Math.floor((Number(xs[i]) / 9999) * 100);
        const [low, high] = found.get(column) ?? [Infinity, -Infinity];
        if (!Number.isNaN(value)) found.set(column, [Math.min(low, value), Math.max(high, value)]);
      });
      return found;
    };
    expect(columns(kept.x, kept.y)).toEqual(columns(x, values));
    expect(kept.y.some(Number.isNaN)).toBe(true);
    const back = x.slice().reverse();
    expect(thinned(back, values, 100).y).toBe(values); // where positions do not ascend, no element is left out
  });

  it("leave out points within a pixel of another one", () => {
    const x = Float64Array.from([0, 1e-6, 1, 1, NaN]);
    const y = Float64Array.from([0, 1e-6, 1, 0, 1]);
    expect([...apart(x, y, 100)]).toEqual([0, 2, 3]);
  });

  it("make pictures of bounded size", () => {
    const walk = Nx.iota([300_000]).multiply(0.7).sin().cumulativeSum();
    expect(line(walk).toSvg().length).toBeLessThan(100_000);
  });
});

describe("bands and overlays", () => {
  it("fill between two lines, in the colour of the line on them", () => {
    const [oslo] = [cities.at(0)];
    const root = documentOf(overlay([band(oslo.subtract(1), oslo.add(1)), line(oslo, { labels: ["mean"] })]));
    const [area] = labelled(root, "area");
    const [stroke] = labelled(root, "line");
    expect(area!.getAttribute("fill")).toBe(stroke!.getAttribute("stroke"));
    expect(texts(root)).toEqual(expect.arrayContaining(["mean", "month →"]));
  });

  it("have one colour and one entry of the legend for series of one label", () => {
    const options = { series: "city", labels: ["Oslo", "Rome"] } as const;
    const root = documentOf(overlay([band(cities.subtract(1), cities.add(1), options), line(cities, options)]));
    expect(texts(root).filter((text) => text === "Oslo")).toHaveLength(1);
    const fills = labelled(root, "area").map((area) => area.getAttribute("fill"));
    expect(fills).toEqual(labelled(root, "line").map((one) => one.getAttribute("stroke")));
    expect(new Set(fills).size).toBe(2);
  });

  it("have different colours for series that nobody named, however many", () => {
    const many = documentOf(line(Nx.iota([30, 2], { names: ["s", "x"] }), { series: "s" }));
    expect(new Set(labelled(many, "line").map((one) => one.getAttribute("stroke"))).size).toBe(30);
  });

  it("refuse bands of two shapes", () => {
    expect(() => band(cities, cities.transpose() as never, { series: "city" })).toThrow(
      "band expects two tensors of one shape, got s64[city: 2][month: 3] and s64[month: 3][city: 2]",
    );
  });
});

describe("scatter", () => {
  const x = Nx.f32([0, 1, 2, NaN], { names: ["p"] });
  const y = Nx.f32([0, 1, 0, 1], { names: ["p"] });
  const circles = (figure: Figure): Element[] => all(documentOf(figure), "circle");

  it("draws pairs without NaN", () => {
    const dots = circles(scatter(x, y));
    const at = dots.map((dot) => [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))]);
    expect(at).toHaveLength(3);
    expect(at[1]![0]).toBeCloseTo((at[0]![0]! + at[2]![0]!) / 2, 6);
    expect(at[0]![1]).toBe(at[2]![1]);
    expect(at[1]![1]).toBeLessThan(at[0]![1]!);
  });

  it("colours groups and numbers", () => {
    const groups = documentOf(scatter(x, y, { groups: Nx.tensor([0, 2, 0, 1]), labels: ["a", "b", "c"] }));
    expect(labelled(groups, "dot").map((group) => all(group, "circle").length)).toEqual([2, 1, 1, 1, 1]); // b has NaN only; the legend
    const coloured = circles(scatter(x, y, { color: Nx.f32([0, 10, 5, 0]), colormap: "grey" }));
    expect(coloured.map((dot) => dot.getAttribute("fill"))).toEqual(["#181818", "#f5f5f5", "#878787"]);
  });

  it("refuses groups that are no small integers, and two ways of colouring", () => {
    expect(() => scatter(x, y, { groups: y })).toThrow(
      "option groups of scatter must be integers from 0 to 63, got f32[p: 4]",
    );
    expect(() => scatter(x, y, { groups: Nx.tensor([0, 1]) })).toThrow(
      "scatter with the option groups expects two tensors of one shape, got f32[p: 4] and s64[2]",
    );
    expect(() => scatter(x, y, { groups: Nx.tensor([0, 0, 0, 0]), color: y })).toThrow(
      "scatter takes one of the options groups and color, not both",
    );
    expect(() => scatter(x, y, { color: y, colormap: "rainbow" as never })).toThrow(
      'option colormap of scatter must be one of "dusk", "grey", "poles", got: "rainbow"',
    );
  });
});

describe("histograms", () => {
  const bars = (figure: Figure): { left: number; width: number; height: number }[] =>
    labelled(documentOf(figure), "rect").flatMap((group) =>
      all(group, "rect").map((bar) => {
        const [left, width, height] = ["x", "width", "height"].map((name) => Number(bar.getAttribute(name)));
        return { left: left!, width: width!, height: height! };
      }),
    );

  it("have bars as high as Nx.histogram counts", () => {
    const values = Nx.f32([0, 1, 1, 2, 2, 2, NaN]);
    const [one, two, three] = bars(histogram(values, { bins: 3 }));
    expect([one, two, three].map((bar) => (bar!.height + 1) / (one!.height + 1))).toEqual([
      1,
      expect.closeTo(2, 6),
      expect.closeTo(3, 6),
    ]);
    expect(texts(documentOf(histogram(values, { density: true })))).toContain("↑ density");
  });

  it("have the same bins for all series", () => {
    const two = bars(histogram(Nx.f32([[0, 1], [9, 10]], { names: ["s", "x"] }), { series: "s", bins: 2 })); // prettier-ignore
    expect(two.map(({ left }) => left)).toEqual([two[0]!.left, two[1]!.left, two[0]!.left, two[1]!.left]);
  });

  it("have a bar for values that are all the same, and none where no value is finite", () => {
    for (const value of [2, 1e17, -1e300]) {
      const found = bars(histogram(Nx.f64([value, value, Infinity]), { bins: 5 }));
      expect(found.filter(({ height }) => height > 0)).toHaveLength(1);
    }
    for (const figure of [histogram(Nx.f64([NaN])), histogram(Nx.f64([1, 2]), { range: [10, 20], density: true })]) {
      expect(bars(figure).filter(({ height }) => height > 0)).toEqual([]);
    }
  });

  it("refuse ranges that do not ascend", () => {
    expect(() => histogram(cities, { range: [1, 0] })).toThrow(
      "option range of histogram must be two ascending numbers",
    );
  });
});

describe("heat maps and images", () => {
  const imageOf = (figure: Figure): Element => all(documentOf(figure), "image")[0]!;

  it("have a pixel for each element, in the colours of toSvgHeatmap, rows from the top", () => {
    const { width, height, bytes } = pixelsOf(imageOf(heatmap(Nx.tensor([[0, 1], [2, 3]])))); // prettier-ignore
    expect([width, height]).toEqual([2, 2]);
    const colours = [0, 4, 8, 12].map((i) => `#${Buffer.from(bytes.slice(i, i + 3)).toString("hex")}`);
    const svg = toSvgHeatmap(Nx.tensor([[0, 1], [2, 3]])); // prettier-ignore
    expect(colours[0]).toBe("#26124a");
    expect(svg.match(/#[0-9a-f]{6}(?=" d)/g)!.filter((colour) => colours.includes(colour)).length).toBeGreaterThan(1);
  });

  it("turn rows upwards where their positions ascend, and leave NaN clear", () => {
    const down = pixelsOf(imageOf(heatmap(Nx.f32([[0, NaN], [2, 3]])))); // prettier-ignore
    const up = pixelsOf(imageOf(heatmap(Nx.f32([[0, NaN], [2, 3]]), { y: [-45, 45] }))); // prettier-ignore
    expect(up.bytes).toEqual([...down.bytes.slice(8), ...down.bytes.slice(0, 8)]);
    expect(down.bytes.slice(4, 8)).toEqual([0, 0, 0, 0]);
    const fromNorth = pixelsOf(imageOf(heatmap(Nx.f32([[0, NaN], [2, 3]]), { y: [45, -45] }))); // prettier-ignore
    expect(fromNorth.bytes).toEqual(down.bytes);
  });

  it("have zero in the middle of poles", () => {
    const { bytes } = pixelsOf(imageOf(heatmap(Nx.f32([[-1, 0, 4]]), { colormap: "poles" })));
    expect(bytes.slice(4, 7)).toEqual([242, 242, 240]);
  });

  it("average blocks of large matrices", () => {
    const { width, height, bytes } = pixelsOf(imageOf(heatmap(Nx.iota([1, 4096]))));
    expect([width, height]).toEqual([1024, 1]);
    expect(bytes).toHaveLength(4096);
  });

  it("draw images of bytes and of floats alike, with any axis of channels", () => {
    const bytes = Nx.u8([[[255, 0, 128], [0, 51, 255]]]); // prettier-ignore
    const expected = [255, 0, 128, 255, 0, 51, 255, 255];
    expect(pixelsOf(imageOf(image(bytes))).bytes).toEqual(expected);
    expect(pixelsOf(imageOf(image(bytes.asType("f32").divide(255)))).bytes).toEqual(expected);
    const first = bytes.rename(["y", "x", "channel"]).transpose({ axes: ["channel", "y", "x"] });
    expect(pixelsOf(imageOf(image(first, { channels: "channel" }))).bytes).toEqual(expected);
    expect(pixelsOf(imageOf(image(Nx.u8([[7]])))).bytes).toEqual([7, 7, 7, 255]);
    expect(pixelsOf(imageOf(image(Nx.u8([[[1, 2, 3, 4]]])))).bytes).toEqual([1, 2, 3, 4]);
  });

  it("refuse other shapes", () => {
    expect(() => image(Nx.u8([1, 2]))).toThrow("image expects [height, width]");
    expect(() => image(Nx.zeros([2, 2, 2], { type: "u8" }))).toThrow("got u8[2][2][2]");
    expect(() => image(Nx.f32([[0, NaN]]))).toThrow("got f32[1][2] with NaN; Nx.where puts others in their place");
  });

  it("refuse scales on which cells would lie wrong", () => {
    const expected = 'must be "linear", as cells have one size, got: "log"';
    expect(() => heatmap(Nx.iota([2, 2]), { xScale: "log" })).toThrow(`option xScale of heatmap ${expected}`);
    expect(() => image(Nx.u8([[1, 2]]), { yScale: "log" })).toThrow(`option yScale of image ${expected}`);
  });
});

describe("elements", () => {
  it("need a document", () => {
    expect(() => line(cities.at(0)).element()).toThrow(
      "Figure.element needs a document, which a page has, got: undefined",
    );
  });
});
