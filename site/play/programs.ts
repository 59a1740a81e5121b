/** Programs to begin with, by what they show. */

const START = `import * as Nx from "nx-numerics";

const weather = Nx.Random.normal(Nx.Random.key(7), { shape: [7, 24], names: ["day", "hour"] })[0];
const daily = weather.mean({ axes: ["hour"] });
daily;

// the gradient of a loss by a function that is traced
const loss = (w: Nx.Tensor) => weather.multiply(w).tanh().sum();
Nx.grad(loss)(Nx.f32(0.5));
`;

const WEATHER = `import * as Nx from "nx-numerics";
import { line } from "nx-numerics/plot";

// four years of Seattle, a day in each row; files that others serve with CORS are read in the same way
const answer = await fetch("seattle-weather.csv");
const [header, ...rows] = (await answer.text()).trim().split("\\n").map((row) => row.split(","));
const column = (name: string) => rows.map((row) => Number(row[header!.indexOf(name)]));
const rain = Nx.f32(column("precipitation"), { names: ["day"] });
const warm = Nx.f32(column("temp_max"), { names: ["day"] });
const months = rows.map(([date]) => date!.slice(0, 7));

// millimetres in each month of the four years, and of an average year
const sums = rain.groupBy("day", months).sum().reshape([4, 12], { names: ["year", "month"] });
sums;
sums.mean("year");

// the warmest day
rows[warm.argmax().item()]![0];

line(warm.rolling("day", 30).mean());
`;

const TRAINING = `import * as Nx from "nx-numerics";
import { adam, applyUpdates, sigmoidBinaryCrossEntropy } from "nx-numerics/optim";
import { line } from "nx-numerics/plot";

// two clouds of points, the second one moved
const [points] = Nx.Random.normal(Nx.Random.key(1), 0, 1, { shape: [200, 2], names: ["point", "coordinate"] });
const label = Nx.iota([200], { names: ["point"] }).less(100);
const x = points.add(label.multiply(2).newAxis(-1));

type Model = { w: Nx.Tensor; b: Nx.Tensor };
const predict = ({ w, b }: Model) => x.dot(w).add(b);
const loss = (model: Model) => sigmoidBinaryCrossEntropy(predict(model), label).mean();
const optimizer = adam(0.1);
const step = Nx.defn((model: Model, state: ReturnType<typeof optimizer.init>) => {
  const [value, gradient] = Nx.valueAndGrad(loss)(model);
  const [updates, next] = optimizer.update(gradient, state);
  return [applyUpdates(model, updates), next, value] as const;
});

let model: Model = { w: Nx.zeros([2], { type: "f32" }), b: Nx.f32(0) };
let state = optimizer.init(model);
const losses: number[] = [];
for (let i = 0; i < 100; i++) {
  const [better, next, value] = step(model, state);
  [model, state] = [better, next];
  losses.push(value.item());
}
model;
// how many are told right
predict(model).greater(0).equal(label).mean();
line(Nx.f32(losses, { names: ["step"] }));
`;

const LOOP = `import * as Nx from "nx-numerics";
import { line } from "nx-numerics/plot";

// hares and foxes (Lotka and Volterra), by small steps
const grow = (state: Nx.Tensor) => {
  const [hares, foxes] = [state.at(0), state.at(1)];
  const born = hares.multiply(Nx.subtract(1.1, foxes.multiply(0.4)));
  const fed = foxes.multiply(hares.multiply(0.1).subtract(0.4));
  return state.add(Nx.stack([born, fed]).multiply(0.01));
};
const run = Nx.defn((start: Nx.Tensor) => {
  const turns = Nx.iota([5000], { names: ["step"] });
  return Nx.Defn.scan((state: Nx.Tensor, _turn) => [grow(state), state], start, turns)[1];
});

const path = run(Nx.f64([10, 10], { names: ["animal"] }));
line(path, { series: "animal" });

// what the last state owes to the first: the loop is differentiated
Nx.Defn.jacobian((start: Nx.Tensor) => run(start).at(-1))(Nx.f64([10, 10]));
`;

export const PROGRAMS: Readonly<Record<string, string>> = {
  "names and a gradient": START,
  "the weather of a file": WEATHER,
  "training a model": TRAINING,
  "a loop, plotted": LOOP,
};
