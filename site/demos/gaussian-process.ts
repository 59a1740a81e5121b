/**
 * A Gaussian process that follows the mouse: press to add a point, and the mean and its band of two standard deviations are computed anew
 * (Rasmussen and Williams, Gaussian Processes for Machine Learning, algorithm 2.1).
 */
import * as Nx from "nx-numerics";
import { button, canvas, onPointer, slider, status, type Demo, type Stage } from "./stage";

const WIDTH = 600;
const HEIGHT = 300;
const PLACES = 120;

const kernel = (a: Nx.Tensor, b: Nx.Tensor, scale: Nx.Tensor): Nx.Tensor =>
  a.newAxis(1).subtract(b.newAxis(0)).divide(scale).square().multiply(-0.5).exp();

/** Mean and standard deviation at places, given points; compiled anew only when the number of points changes. */
const posterior = Nx.defn((x: Nx.Tensor, y: Nx.Tensor, at: Nx.Tensor, scale: Nx.Tensor, noise: Nx.Tensor) => {
  const own = kernel(x, x, scale).add(Nx.eye(x.size, { type: "f64" }).multiply(noise.square()));
  const factor = Nx.LinAlg.cholesky(own);
  const across = kernel(x, at, scale);
  const weights = Nx.LinAlg.solve(own, y);
  const whitened = Nx.LinAlg.triangularSolve(factor, across);
  const variance = Nx.subtract(1, whitened.square().sum({ axes: [0] })).max(0);
  return { mean: Nx.dot(weights, across), deviation: variance.sqrt() };
});

export function open(stage: Stage): Demo {
  const context = canvas(stage, WIDTH, HEIGHT, "A curve through points with its uncertainty; press to add a point");
  const say = status(stage);
  const at = Nx.linspace(0, 1, { n: PLACES, type: "f64" });
  let points: [number, number][] = [[0.2, 0.3], [0.5, -0.4], [0.8, 0.5]]; // prettier-ignore
  let hovering: [number, number] | null = null;
  const settings = { scale: 0.15, noise: 0.05 };

  const toX = (x: number): number => x * WIDTH;
  const toY = (y: number): number => ((1 - y) / 2) * HEIGHT;
  function draw(): void {
    const all = hovering ? [...points, hovering] : points;
    const begun = performance.now();
    const [x, y] = [0, 1].map((k) => Nx.f64(all.map((point) => point[k]!)));
    const { mean, deviation } = posterior(x!, y!, at, Nx.f64(settings.scale), Nx.f64(settings.noise));
    const [m, s] = [mean.toFloat64Array(), deviation.toFloat64Array()];
    const milliseconds = performance.now() - begun;
    context.clearRect(0, 0, WIDTH, HEIGHT);
    const places = Array.from({ length: PLACES }, (_, i) => toX(i / (PLACES - 1)));
    context.fillStyle = "rgba(80, 130, 220, 0.3)";
    context.beginPath();
    places.forEach((px, i) => context.lineTo(px, toY(m[i]! + 2 * s[i]!)));
    for (let i = PLACES - 1; i >= 0; i--) context.lineTo(places[i]!, toY(m[i]! - 2 * s[i]!));
    context.fill();
    context.strokeStyle = "rgb(60, 110, 210)";
    context.lineWidth = 2;
    context.beginPath();
    places.forEach((px, i) => context.lineTo(px, toY(m[i]!)));
    context.stroke();
    context.fillStyle = "rgb(220, 90, 40)";
    for (const [px, py] of all) context.fillRect(toX(px) - 3, toY(py) - 3, 6, 6);
    say(`${all.length} points: ${milliseconds.toFixed(1)} ms`);
  }

  let wasDown = false;
  onPointer(context, (px, py, isDown) => {
    hovering = [px / WIDTH, 1 - (2 * py) / HEIGHT];
    if (isDown && !wasDown) points = [...points, hovering];
    wasDown = isDown;
    draw();
  });
  slider(stage, "length", [0.02, 0.5, settings.scale], (value) => ((settings.scale = value), draw()));
  slider(stage, "noise", [0.001, 0.3, settings.noise], (value) => ((settings.noise = value), draw()));
  button(stage, "Clear", () => ((points = points.slice(0, 1)), draw()));
  return { close: () => undefined };
}
