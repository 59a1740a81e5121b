/**
 * CO2 in the air of Mauna Loa since 1958: a quadratic trend and three harmonics of the year, fitted by least squares and by
 * gradient descent, and drawn as SVG. Run with `npm run example:co2`; the path of the drawing may follow.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";
import { maunaLoa } from "./data";
import { chart, type Point } from "./svg";

const MIDDLE = 1990; // years are counted from here, so that t and t^2 are nearly uncorrelated
const HARMONICS = 3;
const FORECAST = 2030;

type Months = Nx.Tensor<readonly ["month"]>;
type Terms = Nx.Tensor<readonly ["term"]>;
type Design = Nx.Tensor<readonly ["month", "term"]>;

/** The columns of the seasonal part: cosine and sine of each harmonic. */
function season(years: Months): Design {
  const orders = Nx.iota([HARMONICS], { names: ["term"] }).add(1);
  const phase = years
    .newAxis(-1, "term")
    .multiply(orders)
    .multiply(2 * Math.PI);
  return Nx.concatenate([phase.cos(), phase.sin()], { axis: "term" });
}

/** The columns of the trend: 1, t and t^2. */
function trend(years: Months): Design {
  const powers = Nx.iota([3], { names: ["term"] });
  return years.subtract(MIDDLE).newAxis(-1, "term").pow(powers);
}

const design = (years: Months) => Nx.concatenate([trend(years), season(years)], { axis: "term" });

/** The coefficients of least squares, by singular values. */
export const byLeastSquares = Nx.defn((years: Months, co2: Months) => Nx.LinAlg.leastSquares(design(years), co2));

/**
 * The same by gradient descent with momentum. Columns are standardised, so that one step length fits them all; the descent
 * ends when no component of the gradient is above `tolerance`.
 */
export const byGradientDescent = Nx.defn((years: Months, co2: Months, tolerance: Nx.Operand) => {
  const x = design(years).at({ term: Nx.range(1) }); // without the constant, which the means take care of
  const [mean, deviation] = [x.mean({ axes: ["month"] }), x.standardDeviation({ axes: ["month"] })];
  const z = x.subtract(mean).divide(deviation);
  const y = co2.subtract(co2.mean());
  const gradientAt = Nx.grad((w: Nx.Tensor) => z.dot(w).subtract(y).pow(2).mean().divide(2));
  const [rate, momentum] = [0.5, 0.5];
  const start = mean.multiply(0);
  const { w, steps } = Nx.Defn.whileLoop(
    { w: start, velocity: start, gradient: gradientAt(start), steps: Nx.tensor(0) },
    ({ gradient, steps }) => gradient.abs().reduceMax().greater(tolerance).logicalAnd(steps.less(10_000)),
    (state) => {
      const velocity = state.velocity.multiply(momentum).subtract(state.gradient.multiply(rate));
      const w = state.w.add(velocity);
      return { w, velocity, gradient: gradientAt(w), steps: state.steps.add(1) };
    },
  );
  const slopes = w.divide(deviation);
  const constant = co2.mean().subtract(slopes.multiply(mean).sum());
  return { coefficients: Nx.concatenate([constant.newAxis(0, "term"), slopes]), steps };
});

/** What the model says for any months, whole and for the trend alone. */
const predict = Nx.defn((coefficients: Terms, years: Months) => {
  const smooth = trend(years).dot(coefficients.at({ term: Nx.range(0, 3) }));
  return { smooth, whole: design(years).dot(coefficients) };
});

/** The seasonal part along one year, at the middle of each day. */
const seasonOfYear = Nx.defn((coefficients: Terms) => {
  const days = Nx.iota([365], { type: "f64", names: ["month"] })
    .add(0.5)
    .divide(365);
  return season(days).dot(coefficients.at({ term: Nx.range(3) }));
});

const monthsOf = (from: number, to: number): Months =>
  Nx.iota([(to - from) * 12], { type: "f64", names: ["month"] })
    .add(0.5)
    .divide(12)
    .add(from);

const points = (x: Nx.Tensor, y: Nx.Tensor): Point[] => {
  const ys = y.toNumbers();
  return x.toNumbers().map((value, i) => [value, ys[i]!]);
};

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** The chart: the whole course with a look ahead, and the season by itself. */
export function draw(years: Months, co2: Months, coefficients: Terms): string {
  const ahead = monthsOf(1958, FORECAST + 1);
  const { smooth, whole } = predict(coefficients, ahead);
  const seasonal = co2.subtract(predict(coefficients, years).smooth);
  const inYear = years.subtract(years.floor());
  const cycle = seasonOfYear(coefficients);
  const day = Nx.iota([365], { type: "f64" }).add(0.5).divide(365);
  return chart("CO₂ in the air of Mauna Loa", `Monthly means with a fitted trend and season, to ${FORECAST}.`, [
    {
      x: "year",
      y: "ppm",
      height: 380,
      series: [
        { label: "monthly mean", mark: "dots", points: points(years, co2) },
        { label: "trend and season", mark: "line", points: points(ahead, whole) },
        { label: "trend", mark: "dashes", points: points(ahead, smooth) },
      ],
    },
    {
      x: "month",
      y: "ppm off the trend",
      height: 260,
      ticks: MONTHS.map((text, i) => ({ at: (i + 0.5) / 12, text })),
      series: [
        { label: "monthly mean less trend", mark: "dots", points: points(inYear, seasonal) },
        { label: "season", mark: "line", points: points(day, cycle) },
      ],
    },
  ]);
}

/** What the coefficients say in words. */
export function summary(years: Months, co2: Months, coefficients: Terms) {
  const residuals = co2.subtract(predict(coefficients, years).whole);
  const cycle = seasonOfYear(coefficients);
  const perYear = Nx.Defn.grad((year: Months) => predict(coefficients, year).smooth);
  const monthOf = (day: Nx.Tensor) => MONTHS[Math.floor((day.item() / 365) * 12)]!;
  return {
    residual: residuals.standardDeviation({ ddof: coefficients.axisSize("term") }).item(),
    growth: (year: number) =>
      perYear(Nx.f64([year], { names: ["month"] }))
        .at(0)
        .item(),
    season: cycle.reduceMax().subtract(cycle.reduceMin()).item(),
    highest: monthOf(cycle.argmax()),
    lowest: monthOf(cycle.argmin()),
    mean: (year: number) =>
      predict(coefficients, monthsOf(year, year + 1))
        .whole.mean()
        .item(),
  };
}

const TERMS = ["1", "t", "t^2", ...["cos", "sin"].flatMap((f) => [1, 2, 3].map((k) => `${f} ${k} year`))];

function main(path: string): void {
  const { co2, years } = maunaLoa();
  const coefficients = byLeastSquares(years, co2);
  const descent = byGradientDescent(years, co2, 1e-12);
  console.log(
    `CO2 at Mauna Loa, ${co2.axisSize("month")} months from 1958 to 2020, in ppm; t is the time since ${MIDDLE} in years\n`,
  );
  console.log("coefficient   least squares   gradient descent");
  TERMS.forEach((name, term) => {
    const row = [coefficients, descent.coefficients].map((fit) => fit.at(term).item().toFixed(8));
    console.log(`${name.padEnd(11)}${row[0]!.padStart(16)}${row[1]!.padStart(19)}`);
  });
  const apart = Nx.subtract(1, descent.coefficients.divide(coefficients)).abs().reduceMax();
  const exponent = Math.ceil(Math.log10(apart.item()));
  console.log(`${descent.steps.item()} steps of descent end within a factor 1 ± 1e${exponent} of least squares\n`);
  const { residual, growth, season, highest, lowest, mean } = summary(years, co2, coefficients);
  console.log(`trend      ${growth(1960).toFixed(2)} ppm a year in 1960, ${growth(2020).toFixed(2)} in 2020`);
  console.log(`season     ${season.toFixed(2)} ppm from ${lowest} to ${highest}`);
  console.log(`residuals  standard deviation ${residual.toFixed(2)} ppm`);
  console.log(`forecast   ${mean(FORECAST).toFixed(1)} ppm as the mean of ${FORECAST}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, draw(years, co2, coefficients));
  console.log(`chart      ${path}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2] ?? "examples/out/co2.svg");
