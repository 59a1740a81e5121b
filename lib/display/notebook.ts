/**
 * Tensors in notebooks: a bundle of representations by MIME type, and the method that Deno's Jupyter kernel asks for.
 * Nothing is installed by importing this.
 */
import { tensor as makeTensor, Tensor, type Operand } from "nx-numerics";
import { asTensor, checkOptions, hasElements } from "./common";
import { toSvgHeatmap, type SvgHeatmapOptions } from "./heatmap";
import { toHtml, type HtmlOptions } from "./table";

/** What a notebook may show, by MIME type. */
export interface MimeBundle {
  readonly "text/plain": string;
  readonly "text/html": string;
  readonly "image/svg+xml"?: string;
}

/** Options of {@link toMimeBundle} and {@link installDisplay}. */
export interface DisplayOptions {
  /** Options of the table. */
  readonly html?: HtmlOptions;
  /** Options of the heat map. */
  readonly svg?: SvgHeatmapOptions;
}

/** The name by which Deno's kernel finds the method; the symbol is shared by all modules. */
const DISPLAY = Symbol.for("Jupyter.display");

const OPTIONS = ["html", "svg"];

/** A matrix of no interest. */
const probe = (): Tensor => makeTensor([[0]], { backend: "binary" });

/**
 * A tensor in all the ways a notebook may show it: as text, as a table, and where it is a real matrix as a heat map.
 *
 * @param tensor - any tensor or number
 * @param options - `html`: options of the table; `svg`: options of the heat map
 * @returns texts by MIME type
 * @throws ArgumentError for what is no tensor and for unknown options
 * @example
 * ```ts
 * import { toMimeBundle } from "nx-numerics/display";
 * const bundle = toMimeBundle(Nx.tensor([[1, 2]], { names: ["x", "y"] }));
 * Object.keys(bundle);
 * // => ['text/plain', 'text/html', 'image/svg+xml']
 * Object.keys(toMimeBundle(Nx.tensor(1)));
 * // => ['text/plain', 'text/html']
 * ```
 * @example
 * ```ts
 * import { toMimeBundle } from "nx-numerics/display";
 * // @ts-expect-error
 * toMimeBundle("1");
 * // throws ArgumentError: toMimeBundle expects a tensor or a number, got: "1"
 * ```
 */
export function toMimeBundle(tensor: Operand, options?: DisplayOptions): MimeBundle {
  checkOptions("toMimeBundle", options, OPTIONS);
  const t = asTensor("toMimeBundle", tensor);
  const bundle = { "text/plain": String(t), "text/html": toHtml(t, options?.html) };
  if (t.shape.length !== 2 || t.type.startsWith("c") || !hasElements(t)) return bundle;
  return { ...bundle, "image/svg+xml": toSvgHeatmap(t, options?.svg) };
}

/**
 * Lets notebooks show tensors that a cell ends with as tables, by the protocol of Deno's Jupyter kernel. In other kernels
 * show {@link toHtml} or {@link toMimeBundle} yourself: `tslab.display.html(toHtml(t))` in tslab, `$$.mime(toMimeBundle(t))`
 * in IJavascript.
 *
 * @param options - `html`: options of the tables; `svg`: options of the heat maps
 * @returns a function that takes the display away again
 * @throws ArgumentError for unknown options
 * @example
 * ```ts
 * import { installDisplay } from "nx-numerics/display";
 * const uninstall = installDisplay({ html: { maxRows: 10 } });
 * Symbol.for("Jupyter.display") in Nx.tensor([1, 2], { names: ["x"] });
 * // => true
 * uninstall();
 * Symbol.for("Jupyter.display") in Nx.tensor([1, 2]);
 * // => false
 * ```
 * @example
 * ```ts
 * import { installDisplay } from "nx-numerics/display";
 * // @ts-expect-error
 * installDisplay({ size: 3 });
 * // throws ArgumentError: installDisplay takes the options html, svg, got: size
 * ```
 */
export function installDisplay(options?: DisplayOptions): () => void {
  checkOptions("installDisplay", options, OPTIONS);
  toMimeBundle(probe(), options); // shows at once whether the options of the parts are right
  const display = function (this: Tensor): MimeBundle {
    return toMimeBundle(this, options);
  };
  Object.defineProperty(Tensor.prototype, DISPLAY, { value: display, configurable: true, writable: true });
  return () => {
    const installed = Object.getOwnPropertyDescriptor(Tensor.prototype, DISPLAY)?.value as unknown;
    if (installed === display) Reflect.deleteProperty(Tensor.prototype, DISPLAY);
  };
}
