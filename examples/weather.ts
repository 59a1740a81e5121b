/**
 * Four years of weather in Seattle: standardised features, monthly means as a heat map, and a seasonal fit.
 * Run with `npm run example:weather`.
 */
import * as Nx from "nx-numerics";
import { FEATURES, seattleWeather } from "./data";

const DAYS_PER_YEAR = 365.25;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Every feature with mean 0 and standard deviation 1 over the days. */
const standardise = Nx.defn((t: Nx.Tensor<readonly ["day", "feature"]>) => {
  const mean = t.mean({ axes: ["day"], keepAxes: true });
  const deviation = t.standardDeviation({ axes: ["day"], keepAxes: true });
  return t.subtract(mean).divide(deviation);
});

/**
 * Mean plus three harmonics of the year, by projection: over whole years the harmonics are orthogonal, so each
 * coefficient is twice the mean product of the series and that harmonic.
 */
const seasonalFit = Nx.defn((daily: Nx.Tensor) => {
  const days = daily.axisSize("day");
  const year = Nx.iota([1, days], { names: ["harmonic", "day"], axis: 1, type: "f32" }).divide(DAYS_PER_YEAR);
  const order = Nx.iota([3, 1], { names: ["harmonic", "day"], axis: 0, type: "f32" }).add(1);
  const phase = order.multiply(year).multiply(2 * Math.PI);
  const project = (basis: Nx.Tensor) => {
    const coefficients = basis
      .multiply(daily)
      .mean({ axes: ["day"], keepAxes: true })
      .multiply(2);
    return coefficients.multiply(basis).sum({ axes: ["harmonic"] });
  };
  const fitted = daily.mean().add(project(phase.cos())).add(project(phase.sin()));
  const unexplained = daily.subtract(fitted).variance().divide(daily.variance());
  return { fitted, explained: Nx.subtract(1, unexplained), residual: daily.subtract(fitted).standardDeviation() };
});

const { weather, dates } = seattleWeather();
const dateText = (day: number) => dates[day]!.toISOString().slice(0, 10);
const fixed = (value: Nx.Tensor, digits = 2) => value.item().toFixed(digits);

console.log(
  `Seattle weather, ${dateText(0)} to ${dateText(dates.length - 1)}: ${weather.type}[day: ${dates.length}][feature: 4]\n`,
);

const z = standardise(weather);
const extreme = z.argmax({ axis: "day" });
console.log("feature         mean      sd   highest on    in sd above the mean");
FEATURES.forEach((name, feature) => {
  const values = weather.at({ feature });
  const day = extreme.at(feature).item();
  const row = [fixed(values.mean()).padStart(6), fixed(values.standardDeviation()).padStart(7), `  ${dateText(day)}`];
  console.log(`${name.padEnd(14)}${row.join(" ")}    ${fixed(z.at({ day, feature }))}`);
});

const highest = weather.at({ feature: FEATURES.indexOf("temp_max") });
/** Means over the days of each month: of `[day]`, `[year][month]`. */
const months = dates.map((date) => date.toISOString().slice(0, 7));
const monthlyMeans = (daily: Nx.Tensor) =>
  daily
    .groupBy("day", months)
    .mean()
    .reshape([-1, 12], { names: ["year", "month"] });
const means = monthlyMeans(highest);
console.log("\nMonthly mean of the daily maximum temperature, months by years");
console.log(String(Nx.toHeatmap(means.transpose())));

const { fitted, explained, residual } = seasonalFit(highest);
const warmest = fitted.at(Nx.range(0, 366)).argmax().item();
const coldest = fitted.at(Nx.range(0, 366)).argmin().item();
const fittedMeans = monthlyMeans(fitted).mean({ axes: ["year"] });
const observedMeans = means.mean({ axes: ["year"] });
console.log("\nSeasonal fit of the daily maximum: mean plus three harmonics of the year");
console.log(`  explains ${(explained.item() * 100).toFixed(1)} % of the variance, ${fixed(residual)} degrees remain`);
console.log(`  warmest on ${dateText(warmest).slice(5)}, coldest on ${dateText(coldest).slice(5)}`);
console.log(`  month     ${MONTHS.map((name) => name.padStart(5)).join("")}`);
for (const [name, values] of Object.entries({ observed: observedMeans, fitted: fittedMeans })) {
  console.log(`  ${name.padEnd(10)}${MONTHS.map((_, i) => fixed(values.at(i), 1).padStart(5)).join("")}`);
}
