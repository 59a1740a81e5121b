/** Four years of Seattle's weather by named axes: which feature, over which axis, as which statistic. */
import * as Nx from "nx-numerics";
import { canvas, drawLevels, status, type Demo, type Stage } from "./stage";

const FEATURES = ["precipitation", "temp_max", "temp_min", "wind"] as const;
const YEARS = 4;
const DAYS = 365;
const DAYS_TOGETHER = 30;
/** Pixels that a year is high. */
const PIXELS = 24;

/** Daily records as [feature][year][day]; the last day of the leap year is left out. */
async function load(address: string): Promise<Nx.Tensor<readonly ["feature", "year", "day"]>> {
  const text = await (await fetch(address)).text();
  const [header, ...rows] = text.trim().split("\n");
  const columns = header!.split(",");
  const records = rows.map((row) => row.split(","));
  const years = Array.from({ length: YEARS }, (_, year) => {
    const own = records.filter((record) => record[columns.indexOf("date")]!.startsWith(`${2012 + year}`));
    return own.slice(0, DAYS).map((record) => FEATURES.map((name) => Number(record[columns.indexOf(name)])));
  });
  return Nx.f64(years, { names: ["year", "day", "feature"] }).transpose({ axes: ["feature", "year", "day"] });
}

type Year = Nx.Tensor<readonly ["year", "day"]>;

const STATISTICS: Readonly<Record<string, (t: Year) => Nx.Tensor>> = {
  "every day": (t) => t,
  "mean of 30 days": (t) =>
    t
      .rolling("day", DAYS_TOGETHER)
      .mean()
      .at({ day: Nx.range(DAYS_TOGETHER - 1) }),
  "difference from the mean of the years": (t) => t.subtract(t.mean({ axes: ["year"], keepAxes: true })),
  "in standard deviations of the year": (t) =>
    t
      .subtract(t.mean({ axes: ["day"], keepAxes: true }))
      .divide(t.standardDeviation({ axes: ["day"], keepAxes: true })),
};

/** A choice among words. */
function choice(stage: Stage, name: string, words: readonly string[], change: () => void): HTMLSelectElement {
  const label = document.createElement("label");
  const select = document.createElement("select");
  for (const word of words) select.append(new Option(word, word));
  select.addEventListener("change", change);
  label.className = "demo-slider";
  label.append(name, select);
  stage.root.append(label);
  return select;
}

export async function open(stage: Stage): Promise<Demo> {
  const weather = await load(new URL(`${import.meta.env.BASE_URL}play/seattle-weather.csv`, location.href).href);
  const feature = choice(stage, "feature", FEATURES, () => draw());
  const statistic = choice(stage, "shown", Object.keys(STATISTICS), () => draw());
  const picture = canvas(stage, DAYS, YEARS * PIXELS, "Years below each other, days across");
  const say = status(stage);
  function draw(): void {
    const daily = weather.at({ feature: FEATURES.indexOf(feature.value as (typeof FEATURES)[number]) }) as Year;
    const shown = STATISTICS[statistic.value]!(daily);
    const [low, high] = [shown.reduceMin(), shown.reduceMax()];
    const levels = shown.subtract(low).divide(high.subtract(low)).multiply(255).asType("u8");
    const width = levels.axisSize("day");
    picture.canvas.width = width;
    drawLevels(picture, levels.repeat(PIXELS, "year"));
    const mean = shown
      .mean({ axes: ["day"] })
      .toNumbers()
      .map((value) => value.toFixed(2));
    say(
      `[year: ${YEARS}][day: ${width}], from ${low.item().toFixed(2)} to ${high.item().toFixed(2)}; means of the years ${mean.join(", ")}`,
    );
  }
  draw();
  return { close: () => undefined };
}
