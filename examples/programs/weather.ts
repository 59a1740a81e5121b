/**
 * Weather by month and year: means, what is usual in a month, days that are not, and quantiles.
 */
import { FEATURES, seattleWeather } from "../data";

const { weather, dates } = seattleWeather();
const highest = weather.asType("f64").at({ feature: FEATURES.indexOf("temp_max") });
const months = dates.map((date) => date.getUTCMonth() + 1);
const years = dates.map((date) => date.getUTCFullYear());

const byMonth = highest.groupBy("day", months, { name: "month" });
const byYear = highest.groupBy("day", years, { name: "year" });
const byBoth = highest.groupBy("day", [years, months], { names: ["year", "month"] });
export const usual = byMonth.mean();
export const table = byBoth.mean();
export const anomalies = highest.subtract(byMonth.expand(usual));
export const quantiles = byMonth.quantile(0.9);
export const hottest = anomalies.argmax();
export const ofYears = anomalies.groupBy("day", years, { name: "year" }).mean();
export const rolling = highest.rolling("day", 30).mean();

console.log("mean highest temperature by year and month");
table.print({ precision: 1 });
console.log("9 days in 10 are below, by month");
quantiles.print({ precision: 1 });
console.log(`${byYear.keys.join(", ")}: degrees above what is usual in the month`);
ofYears.print({ precision: 2 });
const day = hottest.item();
console.log(
  `most unusual: ${dates[day]?.toISOString().slice(0, 10)}, ${anomalies.at(day).item().toFixed(1)} degrees above its month`,
);
console.log(`warmest 30 days end on ${dates[rolling.argmax({ nan: "skip" }).item()]?.toISOString().slice(0, 10)}`);
