/**
 * `nx-numerics/display`: what tables and heat maps show, and that nothing in them can be anything but text.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { installDisplay, toHtml, toMimeBundle, toSvgHeatmap } from "nx-numerics/display";

const JUPYTER = Symbol.for("Jupyter.display");

/** The cells of each row of a table, heads first. */
const rowsOf = (html: string): string[][] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell!),
  );

/** Every tag closed in order, attributes quoted, and only tags and attributes that do nothing. */
function expectSafe(markup: string): void {
  const open: string[] = [];
  const rest = markup.replace(
    /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<>]*")*)(\/?)>/g,
    (_, close: string, name: string, attributes: string, empty: string) => {
      expect(name).toMatch(/^(div|code|pre|table|thead|tbody|tr|th|td|svg|title|g|path|text|rect)$/);
      expect(attributes.replace(/"[^"]*"/g, "")).not.toMatch(/ (on[a-z]+|href|src)=/);
      if (close) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]/);
}

describe("toHtml", () => {
  it("shows axis names, indices and elements as tensors print them", () => {
    const html = toHtml(
      Nx.tensor(
        [
          [1, 2.5],
          [-Infinity, NaN],
        ],
        { names: ["row", "column"] },
      ),
    );
    expect(html).toContain("f32[row: 2][column: 2]");
    expect(rowsOf(html)).toEqual([
      ["row \\ column", "0", "1"],
      ["0", "1.0", "2.5"],
      ["1", "-Inf", "NaN"],
    ]);
    expectSafe(html);
  });

  it("shows scalars, vectors and every type", () => {
    expect(rowsOf(toHtml(7))).toEqual([["7"]]);
    expect(rowsOf(toHtml(Nx.f32([0.1, -0])))).toEqual([
      ["0", "1"],
      ["0.1", "-0.0"],
    ]);
    expect(rowsOf(toHtml(Nx.s64([2n ** 63n - 1n])))[1]).toEqual(["9223372036854775807"]);
    expect(rowsOf(toHtml(Nx.tensor([new Nx.Complex(1, -2)])))[1]).toEqual(["1.0-2.0i"]);
    expect(rowsOf(toHtml(Nx.bf16([0.1])))[1]).toEqual(["0.1"]);
  });

  it("leaves out the middle", () => {
    const html = toHtml(Nx.iota([7, 8]), { maxRows: 3, maxColumns: 4 });
    expect(rowsOf(html)).toEqual([
      ["", "0", "1", "…", "6", "7"],
      ["0", "0", "1", "…", "6", "7"],
      ["1", "8", "9", "…", "14", "15"],
      ["…", "…", "…", "…", "…", "…"],
      ["6", "48", "49", "…", "54", "55"],
    ]);
    expect(rowsOf(toHtml(Nx.iota([5]), { maxColumns: 1 }))).toEqual([
      ["0", "…"],
      ["0", "…"],
    ]);
  });

  it("shows a table for each index of further axes", () => {
    const html = toHtml(Nx.iota([3, 2, 1, 2], { names: ["z", null, "y", "x"] }), { maxTables: 3 });
    expect([...html.matchAll(/<code>(.*?)<\/code>/g)].map(([, title]) => title)).toEqual([
      "s64[z: 3][2][y: 1][x: 2]",
      "[z: 0][0]",
      "[z: 0][1]",
      "[z: 2][1]",
    ]);
    expect(
      rowsOf(html)
        .filter(([head]) => head === "0")
        .map((row) => row.slice(1)),
    ).toEqual([
      ["0", "1"],
      ["2", "3"],
      ["10", "11"],
    ]);
    expectSafe(html);
  });

  it("shows tensors without elements by their text", () => {
    const html = toHtml(Nx.template([2], "f32", { names: ["<b>"] }));
    expect(html).toContain("Nx.TemplateBackend");
    expectSafe(html);
  });

  it("stays small and reads no more than it shows", () => {
    const html = toHtml(Nx.iota([50, 60, 1000, 1000].slice(1)));
    expect(html.length).toBeLessThan(30_000);
  });

  it("does not heed inspectLimit", () => {
    const { inspectLimit } = Nx.configure({ inspectLimit: 1 });
    try {
      expect(rowsOf(toHtml(Nx.tensor([1, 2])))[1]).toEqual(["1", "2"]);
    } finally {
      Nx.configure({ inspectLimit });
    }
  });
});

describe("toSvgHeatmap", () => {
  const fills = (svg: string): string[] => [...svg.matchAll(/<path fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill!);
  const drawn = (svg: string): string[] => [...svg.matchAll(/<path [^>]*d="([^"]*)"/g)].map(([, d]) => d!);

  it("draws each cell in its place and shade", () => {
    const svg = toSvgHeatmap(
      Nx.tensor(
        [
          [0, 0, 3],
          [3, 0, 0],
        ],
        { names: ["y", "x"] },
      ),
    );
    expect(drawn(svg)).toEqual(["M0 0h2v1H0zM1 1h2v1H1z", "M2 0h1v1H2zM0 1h1v1H0z"]);
    expect(fills(svg)).toEqual(["#26124a", "#fae23c"]);
    expect(svg).toContain(">x: 3</text>");
    expect(svg).toContain(">y: 2</text>");
    expectSafe(svg);
  });

  it("crosses out NaN and gives infinities the ends of the scale", () => {
    const svg = toSvgHeatmap(Nx.tensor([[NaN, Infinity, 1, 0, -Infinity]]), { colormap: "grey" });
    expect(drawn(svg)).toEqual(["M0 0l1 1m-1 0l1-1", "M3 0h2v1H3z", "M1 0h2v1H1z"]);
    expect(fills(svg)).toEqual(["#181818", "#f5f5f5"]);
    expect(svg).toContain("f32[1][5], from 0.0 to 1.0");
  });

  it("has zero in the middle of poles", () => {
    const shades = fills(toSvgHeatmap(Nx.tensor([[-1, 0, 4]]), { colormap: "poles" }));
    expect(shades).toHaveLength(3);
    expect(shades[2]).toBe("#863608");
    expect(shades[1]).toMatch(/^#[ef][0-9a-f][ef][0-9a-f][de][0-9a-f]$/);
  });

  it("averages the blocks of large matrices", () => {
    const t = Nx.tensor([
      [0, 2, 8],
      [2, 4, NaN],
      [NaN, NaN, 6],
    ]);
    const svg = toSvgHeatmap(t, { maxCells: 2 });
    expect(svg).toContain("from 2.0 to 8.0 in 2 by 2 averages");
    expect(drawn(svg)).toEqual(["M0 1l1 1m-1 0l1-1", "M0 0h1v1H0z", "M1 1h1v1H1z", "M1 0h1v1H1z"]);
    expect(toSvgHeatmap(Nx.iota([2000, 1000])).length).toBeLessThan(100_000);
    expect(
      drawn(toSvgHeatmap(Nx.iota([1000, 1]), { maxCells: 10 }))
        .join("")
        .match(/M/g),
    ).toHaveLength(10);
  });

  it("takes every real type, and matrices of one value", () => {
    expect(fills(toSvgHeatmap(Nx.broadcast(5, [2, 2])))).toHaveLength(1);
    expect(toSvgHeatmap(Nx.s64([[2n ** 62n, 0]]))).toContain("from 0 to 4611686018427388000");
    expect(toSvgHeatmap(Nx.tensor([[-Number.MAX_VALUE, Number.MAX_VALUE]], { type: "f64" }))).not.toContain("NaN");
    expect(fills(toSvgHeatmap(Nx.tensor([[NaN]])))).toEqual([]);
  });

  it("refuses what is no real matrix", () => {
    expect(() => toSvgHeatmap(Nx.iota([2, 2, 2]))).toThrow("expects a matrix, got s64[2][2][2]");
    expect(() => toSvgHeatmap(Nx.tensor([[new Nx.Complex(1, 2)]]))).toThrow("take Nx.abs first");
    expect(() => toSvgHeatmap(Nx.template([1, 1], "f32"))).toThrow("expects a tensor with elements");
    expect(() => toSvgHeatmap(Nx.iota([1, 1]), { colormap: "jet" as never })).toThrow(
      'one of "dusk", "grey", "poles", got: "jet"',
    );
    expect(() => toSvgHeatmap(Nx.iota([1, 1]), { maxCells: 1e9 })).toThrow("from 1 to 256");
  });

  // Relative luminance as in WCAG 2.2.
  it("rises evenly in lightness along dusk and grey", () => {
    const luminance = (hex: string): number => {
      const [r, g, b] = [1, 3, 5].map((i) => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2) as [
        number,
        number,
        number,
      ];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    for (const colormap of ["dusk", "grey"] as const) {
      const shades = fills(toSvgHeatmap(Nx.iota([1, 24]), { colormap })).map(luminance);
      expect(shades).toHaveLength(24);
      shades.slice(1).forEach((shade, i) => expect(shade).toBeGreaterThan(shades[i]!));
    }
  });
});

describe("names and notebooks", () => {
  it("any names are text only", () => {
    const name = fc.string({ unit: "binary", minLength: 1 });
    const markup = fc.constantFrom('"><script>alert(1)</script>', "&amp;", "' onload='x", "\u0000\u001b", "\ud800");
    fc.assert(
      fc.property(fc.oneof(name, markup), (x) => {
        const t = Nx.iota([1, 2], { names: [x, null] });
        for (const text of [toHtml(t), toSvgHeatmap(t)]) {
          expectSafe(text);
          expect(text).not.toMatch(/(?![\t\n\r])[\p{Cc}\p{Cs}]/u);
        }
      }),
    );
  });

  it("a bundle has a heat map where the tensor is a real matrix", () => {
    expect(Object.keys(toMimeBundle(Nx.iota([1, 2])))).toEqual(["text/plain", "text/html", "image/svg+xml"]);
    for (const t of [Nx.iota([2]), Nx.tensor([[new Nx.Complex(1, 1)]]), Nx.template([1, 1], "f32")]) {
      expect(Object.keys(toMimeBundle(t))).toEqual(["text/plain", "text/html"]);
    }
  });

  it("the display is installed and taken away, and is no property that shows", () => {
    expect(JUPYTER in Nx.Tensor.prototype).toBe(false);
    const first = installDisplay();
    const second = installDisplay({ html: { maxColumns: 2 }, svg: { colormap: "grey" } });
    const t = Nx.iota([2, 5]);
    const bundle = (t as unknown as Record<symbol, () => Record<string, string>>)[JUPYTER]!();
    expect(bundle).toEqual(toMimeBundle(t, { html: { maxColumns: 2 }, svg: { colormap: "grey" } }));
    expect(bundle["text/plain"]).toBe(String(t));
    expect(Object.keys(Nx.Tensor.prototype)).not.toContain("Jupyter.display");
    first(); // was replaced, and must not take the second away
    expect(JUPYTER in Nx.Tensor.prototype).toBe(true);
    second();
    expect(JUPYTER in Nx.Tensor.prototype).toBe(false);
  });

  it("wrong arguments are errors of the library", () => {
    for (const fn of [toHtml, toSvgHeatmap, toMimeBundle] as ((...args: unknown[]) => unknown)[]) {
      for (const wrong of [null, undefined, "x", [1], {}, () => 1, Symbol("s"), new Date(0)]) {
        expect(() => fn(wrong)).toThrow(Nx.ArgumentError);
        if (
          wrong !== undefined &&
          typeof wrong !== "function" &&
          !(wrong instanceof Date) &&
          JSON.stringify(wrong) !== "{}"
        ) {
          expect(() => fn(Nx.iota([1, 1]), wrong)).toThrow(Nx.ArgumentError);
        }
      }
    }
    expect(() => installDisplay({ svg: 3 } as never)).toThrow(Nx.ArgumentError);
    expect(() => installDisplay({ html: { maxRows: -1 } })).toThrow(Nx.ArgumentError);
  });
});
