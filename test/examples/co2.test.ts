/**
 * The fits of the CO2 example against NumPy's and each other, and what they say.
 */
import { describe, expect, it } from "vitest";
import { byGradientDescent, byLeastSquares, draw, summary } from "../../examples/co2";
import { maunaLoa } from "../../examples/data";
import { readOracle } from "../oracles/read";
import { CO2_DESCENT, CO2_LEAST_SQUARES } from "../tolerances";
import { parse } from "./xml";

interface Oracle {
  readonly coefficients: readonly number[];
  readonly residual: number;
  readonly growth: { readonly 1960: number; readonly 2020: number };
  readonly season: number;
  readonly mean2030: number;
}

const oracle = readOracle<Oracle>("co2.json");
const { co2, years } = maunaLoa();
const fit = byLeastSquares(years, co2);
const apart = (actual: number, expected: number) => Math.abs(actual / expected - 1);
const farthest = (actual: readonly unknown[], expected: readonly unknown[]) =>
  Math.max(...expected.map((value, i) => apart(Number(actual[i]), Number(value))));

describe("the CO2 record", () => {
  it("has a value for 741 months from March 1958 on", () => {
    expect([co2.type, co2.shape, co2.names]).toEqual(["f64", [741], ["month"]]);
    expect(years.at(0).toNumber()).toBeCloseTo(1958 + 2.5 / 12, 12);
    expect([co2.reduceMin().toNumber(), co2.reduceMax().toNumber()]).toEqual([313.21, 416.18]);
  });
});

describe("fits", () => {
  it("by least squares give NumPy's coefficients", () => {
    expect([fit.type, fit.names]).toEqual(["f64", ["term"]]);
    expect(farthest(fit.toFlatList(), oracle.coefficients)).toBeLessThan(CO2_LEAST_SQUARES);
  });

  it("by gradient descent give the same, in some dozens of steps", () => {
    const { coefficients, steps } = byGradientDescent(years, co2, 1e-12);
    expect([coefficients.type, coefficients.names]).toEqual(["f64", ["term"]]);
    expect(farthest(coefficients.toFlatList(), oracle.coefficients)).toBeLessThan(CO2_DESCENT);
    expect(farthest(coefficients.toFlatList(), fit.toFlatList())).toBeLessThan(CO2_DESCENT);
    expect(Number(steps.toNumber())).toBeLessThan(120);
  });

  it("by gradient descent end sooner and farther off for a coarser tolerance", () => {
    const [fine, coarse] = [1e-12, 1e-3].map((tolerance) => byGradientDescent(years, co2, tolerance));
    expect(Number(coarse!.steps.toNumber())).toBeLessThan(Number(fine!.steps.toNumber()) / 2);
    expect(farthest(coarse!.coefficients.toFlatList(), oracle.coefficients)).toBeGreaterThan(CO2_DESCENT);
  });

  it("say what NumPy's says of trend, season, residuals and 2030", () => {
    const { residual, growth, season, highest, lowest, mean } = summary(years, co2, fit);
    const said = [residual, growth(1960), growth(2020), season, mean(2030)];
    const expected = [oracle.residual, oracle.growth[1960], oracle.growth[2020], oracle.season, oracle.mean2030];
    expect(farthest(said, expected)).toBeLessThan(CO2_LEAST_SQUARES);
    expect([highest, lowest]).toEqual(["May", "Oct"]);
  });
});

describe("the chart", () => {
  const svg = parse(draw(years, co2, fit));

  it("is well-formed SVG that says what it shows", () => {
    expect(svg.documentElement!.namespaceURI).toBe("http://www.w3.org/2000/svg");
    expect(svg.getElementsByTagName("title")[0]!.textContent).toBe("CO₂ in the air of Mauna Loa");
    expect(svg.getElementsByTagName("desc")[0]!.textContent).toContain("to 2030");
  });

  it("has a dot for each month in both panels", () => {
    const paths = Array.from(svg.getElementsByTagName("path"), (path) => path.getAttribute("d")!);
    expect(paths.filter((path) => path.split("h0").length === 742)).toHaveLength(2);
    expect(paths.every((path) => !/NaN|Infinity|undefined/.test(path))).toBe(true);
  });

  it("has ticks and labels on its axes", () => {
    const texts = Array.from(svg.getElementsByTagName("text"), (text) => text.textContent);
    expect(texts).toEqual(expect.arrayContaining(["1960", "2030", "year", "ppm", "320", "440", "Jan", "Dec", "month"]));
  });
});
