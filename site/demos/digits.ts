/**
 * An ONNX model of digits to draw on: what it takes the drawing for, and which pixels decide, as the gradient of the answer. The model is
 * 27 kB, two convolutions and a layer, trained and exported by this library (`site/scripts/digits.ts`).
 */
import * as Nx from "nx-numerics";
import { fromOnnx } from "nx-numerics/onnx";
import { button, canvas, drawLevels, onPointer, status, type Demo, type Stage } from "./stage";

const SIZE = 256;
const GRID = 32;
const PEN = 1.3;

type Point = readonly [x: number, y: number];
type Strokes = readonly (readonly Point[])[];

/** Digits to begin with, on a square of 9: a stroke for each word, a point for each pair of figures. */
const EXAMPLES: readonly string[] = [
  "42242648666442",
  "344248",
  "23325263642868",
  "2332526364456667583827",
  "422676 5358",
  "6232345466675828",
  "5233242638486766553526",
  "33526355463738 2565",
  "4534435364554637384858675645",
  "635242334454635648",
];
const parsed = (text: string): Strokes =>
  text
    .split(" ")
    .map((word) =>
      [...word.matchAll(/(\d)(\d)/g)].map(([, x, y]): Point => [(Number(x) * SIZE) / 9 + 20, (Number(y) * SIZE) / 9]),
    );

/** The drawing as the model has learned them: moved and scaled into 32 x 32 places, of which 4 x 4 make a pixel. */
function pixelsOf(strokes: Strokes): Nx.Tensor {
  const [xs, ys] = [0, 1].map((k) => strokes.flat().map((point) => point[k]!)) as [number[], number[]];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const scale = (GRID - 4) / Math.max(width, height, 1);
  const marks = new Float32Array(GRID * GRID);
  const mark = (x: number, y: number): void => {
    const [px, py] = [(x - left - width / 2) * scale + GRID / 2, (y - top - height / 2) * scale + GRID / 2];
    for (let i = Math.floor(py - PEN); i <= py + PEN; i++)
      for (let k = Math.floor(px - PEN); k <= px + PEN; k++)
        if (i >= 0 && k >= 0 && i < GRID && k < GRID && Math.hypot(i + 0.5 - py, k + 0.5 - px) <= PEN)
          marks[i * GRID + k] = 1;
  };
  for (const stroke of strokes)
    stroke.forEach(([x, y], i) => {
      const [x0, y0] = stroke[Math.max(0, i - 1)]!;
      for (let t = 0; t <= 1; t += 0.02) mark(x0 + (x - x0) * t, y0 + (y - y0) * t);
    });
  const fine = Nx.tensor(marks).reshape([8, 4, 8, 4], { names: ["row", "down", "column", "right"] });
  return fine.mean(["down", "right"]).reshape([1, 1, 8, 8]);
}

export async function open(stage: Stage): Promise<Demo> {
  const answer = await fetch(new URL(`${import.meta.env.BASE_URL}play/digits.onnx`, location.href));
  const model = fromOnnx(new Uint8Array(await answer.arrayBuffer()));
  const probabilities = Nx.defn((image: Nx.Tensor) => model({ image }).digit!.flatten());
  /** How the answer would change with each pixel. */
  const slopes = Nx.defn((image: Nx.Tensor, digit: Nx.Tensor) =>
    Nx.grad((pixels: Nx.Tensor) => Nx.take(probabilities(pixels), digit).log())(image).reshape([8, 8]),
  );

  const context = canvas(stage, SIZE, SIZE, "A place to draw a digit on, by mouse or finger");
  const seen = canvas(stage, 8, 8, "The drawing in 8 by 8 pixels, as the model sees it");
  const heat = canvas(stage, 8, 8, "The gradient of the answer: light pixels speak for it, dark ones against");
  for (const one of [context, seen, heat]) one.canvas.classList.add("demo-beside");
  const say = status(stage);
  let strokes: Point[][] = [];

  function draw(): void {
    context.fillStyle = "#111";
    context.fillRect(0, 0, SIZE, SIZE);
    Object.assign(context, { strokeStyle: "#fff", lineWidth: 18, lineCap: "round", lineJoin: "round" });
    for (const stroke of strokes) {
      context.beginPath();
      stroke.forEach(([x, y]) => context.lineTo(x, y));
      context.stroke();
    }
    if (strokes.length === 0) return say("Draw a digit.");
    const begun = performance.now();
    const image = pixelsOf(strokes);
    const chances = probabilities(image);
    const digit = chances.argmax();
    const slope = slopes(image, digit);
    const largest = Math.max(slope.abs().reduceMax().item() as number, 1e-12);
    const milliseconds = performance.now() - begun;
    drawLevels(seen, image.reshape([8, 8]).multiply(255).asType("u8"));
    drawLevels(heat, slope.divide(largest).add(1).multiply(127.5).asType("u8"));
    const told = chances.toNumbers({ rank: 1 }).map((chance, i): [number, number] => [i, chance]);
    const best = told.toSorted((a, b) => b[1] - a[1]).slice(0, 3);
    say(
      `${best.map(([i, chance]) => `${i}: ${(100 * chance).toFixed(1)} %`).join(", ")} (${milliseconds.toFixed(1)} ms)`,
    );
  }

  let isDrawing = false;
  onPointer(context, (x, y, isDown) => {
    if (isDown && !isDrawing) strokes.push([]);
    isDrawing = isDown;
    if (!isDown) return;
    strokes.at(-1)!.push([x, y]);
    draw();
  });
  let example = 2;
  const next = (): void => {
    strokes = parsed(EXAMPLES[(example = (example + 1) % EXAMPLES.length)]!).map((stroke) => [...stroke]);
    draw();
  };
  button(stage, "Clear", () => ((strokes = []), draw()));
  button(stage, "Another example", next);
  next();
  return { close: () => undefined };
}
