/** What demonstrations draw on and are steered by. */
import type { Tensor } from "nx-numerics";
import { colourOf } from "../play/colours";

/** Something that runs until it is closed. */
export interface Demo {
  close(): void;
}

export interface Stage {
  readonly root: HTMLElement;
  /** Whether the reader has asked for less motion. */
  readonly isCalm: boolean;
}

/** A canvas of so many pixels, drawn as wide as there is room for. */
export function canvas(stage: Stage, width: number, height: number, label: string): CanvasRenderingContext2D {
  const element = document.createElement("canvas");
  Object.assign(element, { width, height });
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", label);
  stage.root.append(element);
  return element.getContext("2d")!;
}

/** A slider with its name and value; calls `change` at once and whenever it moves. */
export function slider(
  stage: Stage,
  name: string,
  [from, to, start]: readonly [number, number, number],
  change: (value: number) => void,
  step = (to - from) / 100,
): HTMLInputElement {
  const label = document.createElement("label");
  const output = document.createElement("output");
  const input = document.createElement("input");
  Object.assign(input, { type: "range", min: `${from}`, max: `${to}`, step: `${step}`, value: `${start}` });
  const show = (): void => {
    output.textContent = Number(input.value).toPrecision(3);
    change(Number(input.value));
  };
  input.addEventListener("input", show);
  label.className = "demo-slider";
  label.append(name, input, output);
  stage.root.append(label);
  show();
  return input;
}

export function button(stage: Stage, name: string, click: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = name;
  element.addEventListener("click", click);
  stage.root.append(element);
  return element;
}

/** A line of text that says how things stand. */
export function status(stage: Stage): (text: string) => void {
  const element = document.createElement("p");
  element.className = "demo-status";
  stage.root.append(element);
  return (text) => (element.textContent = text);
}

/** Calls `frame` before each repaint while the demonstration is seen; every 250 ms where the reader wants less motion. */
export function animate(stage: Stage, frame: (time: number) => void): Demo {
  let isOpen = true;
  let isSeen = true;
  const observer = new IntersectionObserver(([entry]) => (isSeen = entry?.isIntersecting ?? true));
  observer.observe(stage.root);
  const next = (): void => {
    if (!isOpen) return;
    if (stage.isCalm) setTimeout(() => requestAnimationFrame(tick), 250);
    else requestAnimationFrame(tick);
  };
  const tick = (time: number): void => {
    if (isOpen && isSeen && !document.hidden) frame(time);
    next();
  };
  next();
  return {
    close() {
      isOpen = false;
      observer.disconnect();
    },
  };
}

/** The colours of 256 levels, as pixels. */
const LEVELS = Uint32Array.from({ length: 256 }, (_, level) => {
  const [red, green, blue] = colourOf(level / 255);
  return (255 << 24) | (blue << 16) | (green << 8) | red;
});

/** Draws a tensor of two axes whose elements are levels from 0 to 255 (`u8`), one pixel for each. */
export function drawLevels(context: CanvasRenderingContext2D, levels: Tensor): void {
  const bytes = levels.toBinary();
  const image = context.createImageData(levels.shape[1]!, levels.shape[0]!);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < bytes.length; i++) pixels[i] = LEVELS[bytes[i]!]!;
  context.putImageData(image, 0, 0);
}

/** The place of a pointer on a canvas, in its pixels. */
export function onPointer(
  context: CanvasRenderingContext2D,
  hear: (x: number, y: number, isDown: boolean) => void,
): void {
  const { canvas: element } = context;
  const tell = (event: PointerEvent): void => {
    const { left, top, width, height } = element.getBoundingClientRect();
    hear(
      ((event.clientX - left) / width) * element.width,
      ((event.clientY - top) / height) * element.height,
      event.buttons > 0,
    );
  };
  element.addEventListener("pointermove", tell);
  element.addEventListener("pointerdown", tell);
}
