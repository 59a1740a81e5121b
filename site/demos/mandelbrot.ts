/** The Mandelbrot set by a traced loop over all points at once; press to go nearer. */
import * as Nx from "nx-numerics";
import { button, canvas, drawLevels, onPointer, slider, status, type Demo, type Stage } from "./stage";

const WIDTH = 480;
const HEIGHT = 320;

/** Steps until each point leaves the circle of radius 2, as levels. */
const escape = Nx.defn((x: Nx.Tensor, y: Nx.Tensor, width: Nx.Tensor, turns: Nx.Tensor) => {
  const along = (axis: number) => Nx.iota([HEIGHT, WIDTH], { axis, names: ["y", "x"], type: "f64" });
  const re = along(1).divide(WIDTH).subtract(0.5).multiply(width).add(x);
  const im = along(0)
    .subtract(HEIGHT / 2)
    .divide(WIDTH)
    .multiply(width)
    .add(y);
  const start = { turn: Nx.tensor(0) as Nx.Tensor, a: re.multiply(0), b: re.multiply(0), count: re.multiply(0) };
  const { count } = Nx.Defn.whileLoop(
    start,
    ({ turn }) => turn.less(turns),
    ({ turn, a, b, count }) => {
      const [aa, bb] = [a.multiply(a), b.multiply(b)];
      const isInside = aa.add(bb).lessEqual(4);
      return {
        turn: turn.add(1),
        a: Nx.select(isInside, aa.subtract(bb).add(re), a),
        b: Nx.select(isInside, a.multiply(b).multiply(2).add(im), b),
        count: count.add(isInside),
      };
    },
  );
  return count.divide(turns).sqrt().multiply(255).asType("u8");
});

export function open(stage: Stage): Demo {
  const picture = canvas(stage, WIDTH, HEIGHT, "The Mandelbrot set; press a place to go nearer");
  const say = status(stage);
  let view = { x: -0.6, y: 0, width: 3.2 };
  let turns = 100;
  const draw = (): void => {
    const begun = performance.now();
    const levels = escape(Nx.f64(view.x), Nx.f64(view.y), Nx.f64(view.width), Nx.tensor(turns));
    drawLevels(picture, levels);
    const milliseconds = (performance.now() - begun).toFixed(0);
    say(
      `${WIDTH * HEIGHT} points, ${turns} turns: ${milliseconds} ms; ${view.width.toPrecision(3)} wide at ${view.x}, ${view.y}`,
    );
  };
  const look = (next: typeof view): void => {
    view = next;
    draw();
  };
  slider(stage, "turns", [20, 500, 100], (value) => ((turns = value), draw()), 10);
  button(stage, "Nearer", () => look({ ...view, width: view.width / 2 }));
  button(stage, "Farther", () => look({ ...view, width: view.width * 2 }));
  button(stage, "All of it", () => look({ x: -0.6, y: 0, width: 3.2 }));
  let wasDown = false;
  onPointer(picture, (px, py, isDown) => {
    if (isDown && !wasDown) {
      const x = view.x + (px / WIDTH - 0.5) * view.width;
      const y = view.y + ((py - HEIGHT / 2) / WIDTH) * view.width;
      look({ x, y, width: view.width / 2 });
    }
    wasDown = isDown;
  });
  return { close: () => undefined };
}
