/** Tensors as tables and as heat maps. */
import { colourOf } from "./colours";
import type { ShownTensor } from "./messages";

/** Rows and columns of a table: what is beyond is left out, and the table says so. */
const MOST_ROWS = 100;
const MOST_COLUMNS = 30;

interface Table {
  readonly corner: string;
  readonly columns: readonly (number | string)[];
  readonly rows: readonly { readonly head: number | string; readonly cells: readonly string[] }[];
}

const digits = (value: number): string =>
  Number.isInteger(value) ? `${value}` : Number.isFinite(value) ? value.toPrecision(5) : `${value}`;

const upTo = (count: number, most: number): number[] => Array.from({ length: Math.min(count, most) }, (_, i) => i);

/** Rows and columns of a tensor of one or two axes: one axis is a column. */
export function tableOf({ shape, names, values }: ShownTensor): Table {
  const [height = 1, width = 1] = shape;
  const columns = upTo(width, MOST_COLUMNS);
  const rows = upTo(height, MOST_ROWS).map((row) => ({
    head: row,
    cells: columns.map((column) => digits(values![row * width + column]!)),
  }));
  const cut = [
    height > MOST_ROWS ? `first ${MOST_ROWS} rows` : "",
    width > MOST_COLUMNS ? `first ${MOST_COLUMNS} columns` : "",
  ];
  const corner = [names[0] ?? "", names[1] ?? "", ...cut].filter(Boolean).join(", ");
  return { corner, columns: shape.length === 1 ? ["value"] : columns, rows };
}

/** Whether the last axis holds the channels of an image. */
export const isPicture = ({ shape }: ShownTensor): boolean =>
  shape.length === 3 && (shape[2] === 3 || shape[2] === 4 || shape[2] === 1);

const SIDE = 320;

/** Draws a tensor of one or two axes in colours, or an image whose last axis has its channels. */
export function drawHeatmap(canvas: HTMLCanvasElement, tensor: ShownTensor): void {
  const { shape, values } = tensor;
  const channels = isPicture(tensor) ? shape[2]! : 1;
  const [height, width] = shape.length === 1 ? [1, shape[0]!] : [shape[0]!, shape[1]!];
  const finite = values!.filter(Number.isFinite);
  const [low, high] = finite.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const span = high > low ? high - low : 1;
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    const unit = high > 1 ? 255 : 1;
    const colour =
      channels >= 3
        ? [0, 1, 2].map((c) => (255 * values![i * channels + c]!) / unit)
        : Number.isFinite(values![i])
          ? colourOf((values![i]! - low) / span)
          : [128, 128, 128];
    image.data.set([...colour, 255], 4 * i);
  }
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${Math.min(SIDE * Math.max(1, width / height), 640)}px`;
  canvas.style.aspectRatio = `${width} / ${Math.max(height, width / 20)}`;
  canvas.getContext("2d")!.putImageData(image, 0, 0);
}
