/**
 * The programs of `examples/programs`: each prints what stands in the text beside this file, and finds what NumPy and SciPy find or a closed
 * form says.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";
import { PROGRAM_F32, PROGRAM_F64, PROGRAM_KALMAN_OPTIMUM, PROGRAM_OPTIMUM } from "../tolerances";
import { root } from "./run";
import { parse } from "./xml";

interface Oracle {
  readonly k_means: { readonly labels: number[]; readonly inertia: number; readonly centres: number[][] };
  readonly pca: { readonly variances: number[]; readonly directions: number[][] };
  readonly logistic_regression: { readonly weights: number[]; readonly errors: number[]; readonly told: number };
  readonly mandelbrot: { readonly steps: number; readonly inside: number };
  readonly kalman_filter: {
    readonly elsewhere: number;
    readonly logLikelihood: number;
    readonly deviations: number[];
    readonly level: number;
  };
  readonly weather: {
    readonly table: number[][];
    readonly quantiles: number[];
    readonly ofYears: number[];
    readonly hottest: string;
    readonly warmest: string;
  };
  readonly gaussian_process: {
    readonly value: number;
    readonly scales: number[];
    readonly mean: number[];
    readonly deviation: number[];
  };
  readonly image_filters: Record<"blurred" | "edges" | "laplace" | "dilated" | "eroded", number[]> & {
    readonly summits: number[][];
  };
  readonly option_greeks: Record<"price" | "delta" | "gamma" | "vega" | "rho" | "theta", number[]>;
}

const oracle = readOracle<Oracle>("programs.json");
const folder = "examples/programs";
const names = readdirSync(`${root}${folder}`).map((file) => file.replace(/\.ts$/, ""));

/** A program, run once, and what it prints. */
async function load<T>(program: () => Promise<T>): Promise<T & { readonly printed: string }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((text: string) => void lines.push(text));
  try {
    return { ...(await program()), printed: `${lines.join("\n")}\n` };
  } finally {
    log.mockRestore();
  }
}

const programs = {
  "dropout-network": await load(() => import("../../examples/programs/dropout-network")),
  "gaussian-process": await load(() => import("../../examples/programs/gaussian-process")),
  "heat-equation": await load(() => import("../../examples/programs/heat-equation")),
  "image-filters": await load(() => import("../../examples/programs/image-filters")),
  "k-means": await load(() => import("../../examples/programs/k-means")),
  "kalman-filter": await load(() => import("../../examples/programs/kalman-filter")),
  "logistic-regression": await load(() => import("../../examples/programs/logistic-regression")),
  mandelbrot: await load(() => import("../../examples/programs/mandelbrot")),
  "option-greeks": await load(() => import("../../examples/programs/option-greeks")),
  pca: await load(() => import("../../examples/programs/pca")),
  spectrogram: await load(() => import("../../examples/programs/spectrogram")),
  weather: await load(() => import("../../examples/programs/weather")),
};

/** The farthest that a tensor is from numbers of its shape, by the largest of these. */
function off(t: Nx.Tensor, expected: Nx.Operand | number[] | number[][]): number {
  const right = Nx.tensor(expected, { type: "f64" });
  expect(t.shape).toEqual(right.shape);
  return Nx.f64(t.toFloat64Array()).subtract(right.flatten()).abs().reduceMax().divide(right.abs().reduceMax()).item();
}

const moments = (t: Nx.Tensor): Nx.Tensor => {
  const [x, at] = [t.flatten(), Nx.iota([t.size], { type: "f64" })];
  return Nx.stack([x.sum(), x.dot(at), x.square().dot(at)]);
};

describe("programs", () => {
  it("are those that are tested here", () => {
    expect(names.sort()).toEqual(Object.keys(programs).sort());
  });

  it.each(names)("%s prints what it has printed before", async (name) => {
    const text = programs[name as keyof typeof programs].printed;
    await expect(text).toMatchFileSnapshot(`programs/${name}.txt`);
  });

  it.each(names)("%s needs no cast, no Number(...) and no loop", (name) => {
    const source = readFileSync(`${root}${folder}/${name}.ts`, "utf8").replace(/import \* as Nx|as const/g, "");
    expect(source).not.toMatch(/\bas [A-Z{([nsu]|Number\(|\bfor \(|\bwhile \(|@ts-|\bany\b|\w!\W/);
    expect(source.split("\n").length).toBeLessThanOrEqual(70);
  });
});

describe("they find what NumPy and SciPy find:", () => {
  it("k-means the clusters of a plain loop", () => {
    const { centres, clusters, inertia } = programs["k-means"];
    expect(clusters.toNumbers()).toEqual(oracle.k_means.labels);
    expect(off(inertia, oracle.k_means.inertia)).toBeLessThan(PROGRAM_F32);
    expect(off(centres, oracle.k_means.centres)).toBeLessThan(PROGRAM_F32);
  });

  it("principal components those of the covariance, and of singular values", () => {
    const { variances, bySvd, directions } = programs.pca;
    expect(off(variances, oracle.pca.variances)).toBeLessThan(PROGRAM_F32);
    expect(off(bySvd, variances.toNumbers())).toBeLessThan(PROGRAM_F64);
    expect(off(directions.abs(), oracle.pca.directions)).toBeLessThan(PROGRAM_F32);
  });

  it("logistic regression the weights and errors of reweighted least squares", () => {
    const { weights, errors, told } = programs["logistic-regression"];
    expect(off(weights, oracle.logistic_regression.weights)).toBeLessThan(PROGRAM_F32);
    expect(off(errors, oracle.logistic_regression.errors)).toBeLessThan(PROGRAM_F32);
    expect(off(told, oracle.logistic_regression.told)).toBeLessThan(PROGRAM_F32);
  });

  it("the Mandelbrot set the same steps in all points together", () => {
    const { steps, area } = programs.mandelbrot;
    expect(steps.sum().item()).toBe(oracle.mandelbrot.steps);
    expect(steps.equal(200).sum().item()).toBe(oracle.mandelbrot.inside);
    expect(Math.abs(area.item() - 1.5066)).toBeLessThan(0.01); // the area is known to four digits from counting finer grids
  });

  it("the Kalman filter the likelihood, its maximum and the last level of one large normal distribution", () => {
    const { filter, logLikelihood, deviations, states, found } = programs["kalman-filter"];
    const { kalman_filter } = oracle;
    expect(found.isConverged.item()).toBe(1);
    const [elsewhere] = filter(Nx.f64([-5, -6, -13], { names: ["noise"] }));
    expect(off(elsewhere.logLikelihood, kalman_filter.elsewhere)).toBeLessThan(PROGRAM_F64);
    expect(logLikelihood.item()).toBeGreaterThan(kalman_filter.logLikelihood * (1 - PROGRAM_F64));
    expect(off(logLikelihood, kalman_filter.logLikelihood)).toBeLessThan(PROGRAM_OPTIMUM);
    expect(off(deviations, kalman_filter.deviations)).toBeLessThan(PROGRAM_KALMAN_OPTIMUM);
    expect(off(states.at(-1, 0), kalman_filter.level)).toBeLessThan(PROGRAM_KALMAN_OPTIMUM);
  });

  it("weather the means, quantiles and days that are unusual", () => {
    const { table, quantiles, ofYears, printed } = programs.weather;
    expect(off(table, oracle.weather.table)).toBeLessThan(PROGRAM_F32);
    expect(off(quantiles, oracle.weather.quantiles)).toBeLessThan(PROGRAM_F32);
    expect(off(ofYears, oracle.weather.ofYears)).toBeLessThan(PROGRAM_F32);
    for (const date of [oracle.weather.hottest, oracle.weather.warmest]) expect(printed).toContain(date);
  });

  it("the Gaussian process the scales of greatest likelihood and the years of the gap", () => {
    const { value, scales, mean, deviation } = programs["gaussian-process"];
    const { gaussian_process } = oracle;
    const { height, width, noise } = scales;
    expect(off(value, gaussian_process.value)).toBeLessThan(PROGRAM_F64);
    expect(off(Nx.stack([height, width, noise]).exp(), gaussian_process.scales)).toBeLessThan(PROGRAM_OPTIMUM);
    expect(off(mean, gaussian_process.mean)).toBeLessThan(PROGRAM_OPTIMUM);
    expect(off(deviation, gaussian_process.deviation)).toBeLessThan(PROGRAM_OPTIMUM);
  });

  it("the pictures have a point for each year measured and for each penguin", () => {
    const circles = (svg: string) => parse(svg).getElementsByTagName("circle").length;
    const { x, figure } = programs["gaussian-process"];
    expect(circles(figure.toSvg())).toBe(x.size + 2); // two in the legend
    const { clusters, figure: penguins } = programs["k-means"];
    expect(circles(penguins.toSvg())).toBeGreaterThan(0.8 * clusters.size); // some lie on each other
  });

  it("filters the images of scipy.ndimage", () => {
    const { responses, edges, dilated, eroded, summits } = programs["image-filters"];
    const [blurred, laplace] = [responses.at(0), responses.at(3)];
    for (const [name, image] of Object.entries({ blurred, edges, laplace, dilated, eroded } as const)) {
      const expected = oracle.image_filters[name as "blurred"];
      moments(image)
        .toNumbers()
        .forEach((moment, i) => expect(Math.abs(moment / expected[i]! - 1)).toBeLessThan(PROGRAM_F64));
    }
    expect(summits.toList()).toEqual(oracle.image_filters.summits);
  });

  it("options the prices and sensitivities of the closed forms, and a simulation that comes near", () => {
    const { prices, greeks, gamma, volatilities, bySimulation, itsGreeks } = programs["option-greeks"];
    const found = {
      price: prices,
      delta: greeks.spot,
      gamma,
      vega: greeks.volatility,
      rho: greeks.rate,
      theta: greeks.years,
    };
    for (const [name, values] of Object.entries(found)) {
      expect(off(values, oracle.option_greeks[name as "price"])).toBeLessThan(PROGRAM_F64);
    }
    expect(off(volatilities, [0.2, 0.2, 0.2, 0.2, 0.2])).toBeLessThan(PROGRAM_F64);
    // payoffs deviate by less than 6, and there are 200,000 of them: four standard errors
    expect(prices.subtract(bySimulation).abs().reduceMax().item()).toBeLessThan((4 * 6) / Math.sqrt(200_000));
    expect(greeks.spot.subtract(itsGreeks.spot).abs().reduceMax().item()).toBeLessThan((4 * 0.6) / Math.sqrt(200_000));
  });
});

describe("they find what is known:", () => {
  it("heat decays as the modes of the scheme do", () => {
    const { apart, end, start } = programs["heat-equation"];
    expect(apart.item()).toBeLessThan(PROGRAM_F64);
    expect(end.reduceMax().item()).toBeLessThan(start.reduceMax().item());
  });

  it("the spectrogram follows the chirp within a bin, and masking takes away three quarters of the noise", () => {
    const { off: distance, before, after } = programs.spectrogram;
    expect(distance.reduceMax().item()).toBeLessThan(4);
    expect(after.item()).toBeLessThan(before.item() / 4);
  });

  it("the network with dropout learns both moons, which no line tells apart by more than nine of ten", () => {
    const { told, losses } = programs["dropout-network"];
    expect(told.item()).toBeGreaterThan(0.97);
    expect(losses.at(-1).item()).toBeLessThan(losses.at(0).item() / 4);
  });
});
