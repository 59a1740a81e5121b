/**
 * Every operator that models may hold, by domain and name.
 */
import type { Operators } from "../operator";
import { ACTIVATIONS } from "./activations";
import { ATTENTION } from "./attention";
import { CONTROL } from "./control";
import { CREATION } from "./creation";
import { ELEMENTWISE } from "./elementwise";
import { INDEXING } from "./indexing";
import { LINEAR } from "./linear";
import { LOSSES, TRAINING } from "./losses";
import { NORMALIZATION } from "./normalization";
import { POOLING } from "./pooling";
import { QUANTIZED } from "./quantized";
import { RECURRENT } from "./recurrent";
import { REDUCTIONS } from "./reductions";
import { RESIZE } from "./resize";
import { SAMPLING } from "./sampling";
import { SEQUENCES } from "./sequences";
import { SHAPES } from "./shapes";
import { SIGNAL } from "./signal";

/** The operators of ONNX itself, by topic. */
export const TOPICS: Readonly<Record<string, Operators>> = {
  "Element-wise": ELEMENTWISE,
  Activations: ACTIVATIONS,
  Reductions: REDUCTIONS,
  "Products and convolutions": LINEAR,
  Pools: POOLING,
  Normalization: NORMALIZATION,
  Shapes: SHAPES,
  Indexing: INDEXING,
  Creation: CREATION,
  Resizing: RESIZE,
  Sampling: SAMPLING,
  Recurrent: RECURRENT,
  Attention: ATTENTION,
  Losses: LOSSES,
  Quantized: QUANTIZED,
  "Branches and loops": CONTROL,
  Sequences: SEQUENCES,
  Signals: SIGNAL,
};

/** Operators by domain; the empty one is ONNX's own. */
export const OPERATORS: Readonly<Record<string, Operators>> = {
  "": Object.assign({}, ...Object.values(TOPICS)) as Operators,
  "ai.onnx.preview.training": TRAINING,
};
