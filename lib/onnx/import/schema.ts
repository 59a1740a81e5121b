/**
 * What ONNX prescribes of the nodes of each operator: ranks and sizes of inputs, and names of attributes. Operators compute by broadcasting,
 * so that a bias of another length would go unnoticed; an attribute that is not known would change what is computed.
 *
 * The inputs of a row are parted by `|`. A letter is a size, the same wherever it stands; `_` any size, a number that size, `...` any further
 * axes, `*` any shape; `scalar` one element; `to 0` what broadcasts to the shape of input 0, `as 0` that shape, `rank 0` as many axes. After
 * `or` stands another possibility, which the number of axes decides. `+` repeats the last input.
 */
import { ArgumentError, type Shape } from "nx-numerics";
import type { Call } from "./operator";

/** The shapes of inputs; undefined where one is left out, or is no tensor. */
export type Shapes = readonly (Shape | undefined)[];

type Inputs = string | ((call: Pick<Call, "opset" | "attributes">, shapes: Shapes) => string);

type Row = readonly [inputs: Inputs, attributes: string];

const [A, B] = ["... R _ or _", "... _ C or _"];
const OF_ROWS = "scalar or R or ... R 1";
const OF_COLUMNS = "scalar or C or ... 1 C";

const exactly = (shape: Shape): string => (shape.length === 0 ? "scalar" : shape.join(" "));

/** Scales and zero points: one, one for each entry of an axis, or one for each block of it. */
const ofAxis: Inputs = ({ attributes }, [x, scale]) => {
  const axis = attributes.int("axis", 1);
  const block = attributes.int("block_size", 0);
  if (block > 0 && x) {
    const at = axis < 0 ? axis + x.length : axis;
    return `* | ${exactly(x.map((size, i) => (i === at ? Math.ceil(size / block) : size)))} | as 1`;
  }
  // files have both [] and [1] for one element
  const isOne = scale !== undefined && scale.length <= 1 && sizeOf(scale) === 1;
  return `* | scalar or ${x?.at(axis) ?? "_"} | ${isOne ? "scalar" : "as 1"}`;
};

/** A tensor of one axis is that of one channel. */
const ofChannels: Inputs = (_, [x]) => (x?.length === 1 ? "_ | 1 | 1 | 1 | 1" : "N C ... | C | C | C | C");

const network =
  (gates: number): Inputs =>
  ({ attributes }, [, , r]) => {
    const size = attributes.int("hidden_size") ?? r?.[2];
    const hidden = size ?? "_";
    const rows = size === undefined ? "_" : gates * size;
    const isBatchFirst = attributes.flag("layout");
    const state = isBatchFirst ? `B D ${hidden}` : `D B ${hidden}`;
    const bias = size === undefined ? "_" : 2 * gates * size;
    const peepholes = size === undefined ? "_" : 3 * size;
    return `${isBatchFirst ? "B T I" : "T B I"} | D ${rows} I | D ${rows} ${hidden} | D ${bias} | B | ${state} | ${state} | D ${peepholes}`;
  };

const ofClasses: Inputs = (_, [scores]) => `N C ... | ${exactly((scores ?? []).filter((_size, i) => i !== 1))} | C`;

const ofPlaces: Inputs = (_, [theta]) => (theta?.[1] === 3 ? "N 3 4 | 5" : "N 2 3 | 4");

const transposed: Inputs = ({ attributes }, [, w]) =>
  `N C _ ... | C _ _ ... | ${attributes.int("group", 1) * (w?.[1] ?? 0)}`;

/** Scales are of each group before version 21, of each channel from it on. */
const grouped: Inputs = ({ opset, attributes }) => {
  const own = opset < 21 ? attributes.int("num_groups", 1) : "C";
  return `N C ... | ${own} | ${own}`;
};

/** Slopes are one or of each channel before version 7. */
const slopes: Inputs = ({ opset }, [x]) => (opset < 7 ? `* | scalar or ${x?.[1] ?? "_"}` : "* | to 0");

const resized: Inputs = ({ opset }) => (opset < 11 ? "* | _" : "* | _ | _ | _");

const ofBatch: Inputs = ({ attributes }, [x]) => `_ _ ... | ${x?.[attributes.int("batch_axis", 1)] ?? "_"}`;

const ofRows: Inputs = (_, [x, at]) =>
  `_ ... | _ ... | ${exactly([...(at ?? []).slice(0, -1), ...(x ?? []).slice(at?.at(-1))])}`;

const repeats: Inputs = (_, [x]) => `* | ${x?.length ?? "_"}`;

export const SCHEMA: Readonly<Record<string, Row>> = {
  Abs: ["*", ""],
  Acos: ["*", ""],
  Acosh: ["*", ""],
  Adagrad: ["scalar | scalar | * +", "decay_factor epsilon norm_coefficient"],
  Adam: ["scalar | scalar | * +", "alpha beta epsilon norm_coefficient norm_coefficient_post"],
  Add: ["* | *", "axis broadcast"],
  AffineGrid: [ofPlaces, "align_corners"],
  And: ["* | *", "axis broadcast"],
  ArgMax: ["*", "axis keepdims select_last_index"],
  ArgMin: ["*", "axis keepdims select_last_index"],
  Asin: ["*", ""],
  Asinh: ["*", ""],
  Atan: ["*", ""],
  Atanh: ["*", ""],
  Attention: [
    "B H L E or B L _ | B K S E or B S _ | B K S V or B S _ | * | B K P E | B K P V | B",
    "is_causal kv_num_heads left_window_size q_num_heads qk_matmul_output_mode right_window_size scale softcap softmax_precision",
  ],
  AveragePool: ["N C _ ...", "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides"],
  BatchNormalization: [ofChannels, "epsilon is_test momentum spatial training_mode"],
  Bernoulli: ["*", "dtype seed"],
  BitCast: ["*", "to"],
  BitShift: ["* | *", "direction"],
  BitwiseAnd: ["* | *", ""],
  BitwiseNot: ["*", ""],
  BitwiseOr: ["* | *", ""],
  BitwiseXor: ["* | *", ""],
  BlackmanWindow: ["scalar", "output_datatype periodic"],
  Cast: ["*", "round_mode saturate to"],
  CastLike: ["* | *", "round_mode saturate"],
  Ceil: ["*", ""],
  Celu: ["*", "alpha"],
  CenterCropPad: ["* | _", "axes"],
  Clip: ["* | scalar | scalar", "max min"],
  Col2Im: ["N _ L | _ | _", "dilations pads strides"],
  Compress: ["_ ... | _", "axis"],
  Concat: ["* +", "axis"],
  ConcatFromSequence: ["*", "axis new_axis"],
  Constant: ["", "value value_float value_floats value_int value_ints"],
  ConstantOfShape: ["_", "value"],
  Conv: ["N C _ ... | M _ _ ... | M", "auto_pad dilations group kernel_shape pads strides"],
  ConvInteger: ["N C _ ... | M _ _ ... | scalar | scalar or M", "auto_pad dilations group kernel_shape pads strides"],
  ConvTranspose: [transposed, "auto_pad dilations group kernel_shape output_padding output_shape pads strides"],
  Cos: ["*", ""],
  Cosh: ["*", ""],
  CumProd: ["_ ... | scalar", "exclusive reverse"],
  CumSum: ["_ ... | scalar", "exclusive reverse"],
  DFT: ["_ ... _ | scalar | scalar", "axis inverse onesided"],
  DepthToSpace: ["N C H W", "blocksize mode"],
  DequantizeLinear: [ofAxis, "axis block_size output_dtype"],
  Det: ["... M M", ""],
  Div: ["* | *", "axis broadcast"],
  Dropout: ["* | scalar | scalar", "is_test ratio seed"],
  DynamicQuantizeLinear: ["*", ""],
  Einsum: ["* +", "equation"],
  Elu: ["*", "alpha"],
  Equal: ["* | *", "axis broadcast"],
  Erf: ["*", ""],
  Exp: ["*", ""],
  Expand: ["* | _", ""],
  EyeLike: ["_ _", "dtype k"],
  Flatten: ["*", "axis"],
  Floor: ["*", ""],
  GRU: [
    network(3),
    "activation_alpha activation_beta activations clip direction hidden_size layout linear_before_reset output_sequence",
  ],
  Gather: ["_ ... | *", "axis"],
  GatherElements: ["_ ... | rank 0", "axis"],
  GatherND: ["_ ... | _ ...", "batch_dims"],
  Gelu: ["*", "approximate"],
  Gemm: ["_ _ | _ _ | *", "alpha beta broadcast transA transB"],
  GlobalAveragePool: ["N C _ ...", ""],
  GlobalLpPool: ["N C _ ...", "p"],
  GlobalMaxPool: ["N C _ ...", ""],
  Greater: ["* | *", "axis broadcast"],
  GreaterOrEqual: ["* | *", ""],
  GridSample: ["N C _ ... | N _ ... _", "align_corners mode padding_mode"],
  GroupNormalization: [grouped, "epsilon num_groups stash_type"],
  HammingWindow: ["scalar", "output_datatype periodic"],
  HannWindow: ["scalar", "output_datatype periodic"],
  HardSigmoid: ["*", "alpha beta"],
  HardSwish: ["*", ""],
  Hardmax: ["*", "axis"],
  Identity: ["*", ""],
  If: ["scalar", "else_branch then_branch"],
  InstanceNormalization: ["N C _ ... | C | C", "epsilon"],
  IsInf: ["*", "detect_negative detect_positive"],
  IsNaN: ["*", ""],
  LRN: ["N C ...", "alpha beta bias size"],
  LSTM: [
    network(4),
    "activation_alpha activation_beta activations clip direction hidden_size input_forget layout output_sequence",
  ],
  LayerNormalization: ["* | to 0 | to 0", "axis epsilon stash_type"],
  LeakyRelu: ["*", "alpha"],
  Less: ["* | *", "axis broadcast"],
  LessOrEqual: ["* | *", ""],
  Log: ["*", ""],
  LogSoftmax: ["*", "axis"],
  Loop: ["scalar | scalar | * +", "body"],
  LpNormalization: ["*", "axis p"],
  LpPool: ["N C _ ...", "auto_pad ceil_mode dilations kernel_shape p pads strides"],
  MatMul: ["_ ... | _ ...", ""],
  MatMulInteger: [`${A} | ${B} | ${OF_ROWS} | ${OF_COLUMNS}`, ""],
  Max: ["* +", ""],
  MaxPool: ["N C _ ...", "auto_pad ceil_mode dilations kernel_shape pads storage_order strides"],
  MaxUnpool: ["N C _ ... | as 0 | _", "kernel_shape pads strides"],
  Mean: ["* +", ""],
  MeanVarianceNormalization: ["*", "axes"],
  MelWeightMatrix: ["scalar | scalar | scalar | scalar | scalar", "output_datatype"],
  Min: ["* +", ""],
  Mish: ["*", ""],
  Mod: ["* | *", "fmod"],
  Momentum: ["scalar | scalar | * +", "alpha beta mode norm_coefficient"],
  Mul: ["* | *", "axis broadcast"],
  Multinomial: ["B C", "dtype sample_size seed"],
  Neg: ["*", ""],
  NegativeLogLikelihoodLoss: [ofClasses, "ignore_index reduction"],
  NonMaxSuppression: ["B S 4 | B C S | scalar | scalar | scalar", "center_point_box"],
  NonZero: ["*", ""],
  Not: ["*", ""],
  OneHot: ["* | scalar | 2", "axis"],
  Optional: ["*", "type"],
  OptionalGetElement: ["*", ""],
  OptionalHasElement: ["*", ""],
  Or: ["* | *", "axis broadcast"],
  PRelu: [slopes, ""],
  Pad: ["* | _ | scalar | _", "mode paddings pads value"],
  Pow: ["* | *", "axis broadcast"],
  QLinearConv: [
    "N C _ ... | scalar | scalar | M _ _ ... | scalar or M | scalar or M | scalar | scalar | M",
    "auto_pad dilations group kernel_shape pads strides",
  ],
  QLinearMatMul: [
    `${A} | ${OF_ROWS} | ${OF_ROWS} | ${B} | ${OF_COLUMNS} | ${OF_COLUMNS} | ${OF_ROWS} | ${OF_ROWS}`,
    "",
  ],
  QuantizeLinear: [ofAxis, "axis block_size output_dtype precision saturate"],
  RMSNormalization: ["* | to 0", "axis epsilon stash_type"],
  RNN: [network(1), "activation_alpha activation_beta activations clip direction hidden_size layout output_sequence"],
  RandomNormal: ["", "dtype mean scale seed shape"],
  RandomNormalLike: ["*", "dtype mean scale seed"],
  RandomUniform: ["", "dtype high low seed shape"],
  RandomUniformLike: ["*", "dtype high low seed"],
  Range: ["scalar | scalar | scalar", ""],
  Reciprocal: ["*", ""],
  ReduceL1: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceL2: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceLogSum: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceLogSumExp: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceMax: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceMean: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceMin: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceProd: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceSum: ["* | *", "axes keepdims noop_with_empty_axes"],
  ReduceSumSquare: ["* | *", "axes keepdims noop_with_empty_axes"],
  Relu: ["*", ""],
  Reshape: ["* | _", "allowzero shape"],
  Resize: [
    resized,
    "antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside extrapolation_value keep_aspect_ratio_policy mode nearest_mode",
  ],
  ReverseSequence: [ofBatch, "batch_axis time_axis"],
  RoiAlign: [
    "N C H W | R 4 | R",
    "coordinate_transformation_mode mode output_height output_width sampling_ratio spatial_scale",
  ],
  RotaryEmbedding: [
    "B H S D or B S _ | P R or B S R | P R or B S R | B S",
    "interleaved num_heads rotary_embedding_dim",
  ],
  Round: ["*", ""],
  STFT: ["B L or B L _ | scalar | W | scalar", "onesided"],
  Scan: [
    "* +",
    "body directions num_scan_inputs scan_input_axes scan_input_directions scan_output_axes scan_output_directions",
  ],
  Scatter: ["_ ... | rank 0 | as 1", "axis"],
  ScatterElements: ["_ ... | rank 0 | as 1", "axis reduction"],
  ScatterND: [ofRows, "reduction"],
  Selu: ["*", "alpha gamma"],
  SequenceAt: ["* | scalar", ""],
  SequenceConstruct: ["* +", ""],
  SequenceEmpty: ["", "dtype"],
  SequenceErase: ["* | scalar", ""],
  SequenceInsert: ["* | * | scalar", ""],
  SequenceLength: ["*", ""],
  SequenceMap: ["* +", "body"],
  Shape: ["*", "end start"],
  Shrink: ["*", "bias lambd"],
  Sigmoid: ["*", ""],
  Sign: ["*", ""],
  Sin: ["*", ""],
  Sinh: ["*", ""],
  Size: ["*", ""],
  Slice: ["* | _ | _ | _ | _", "axes ends starts"],
  Softmax: ["*", "axis"],
  SoftmaxCrossEntropyLoss: [ofClasses, "ignore_index reduction"],
  Softplus: ["*", ""],
  Softsign: ["*", ""],
  SpaceToDepth: ["N C H W", "blocksize"],
  Split: ["_ ... | _", "axis num_outputs split"],
  SplitToSequence: ["_ ... | scalar or _", "axis keepdims"],
  Sqrt: ["*", ""],
  Squeeze: ["* | scalar or _", "axes"],
  Sub: ["* | *", "axis broadcast"],
  Sum: ["* +", ""],
  Swish: ["*", "alpha"],
  Tan: ["*", ""],
  Tanh: ["*", ""],
  TensorScatter: ["B _ ... | B _ ... | B", "axis mode"],
  ThresholdedRelu: ["*", "alpha"],
  Tile: [repeats, ""],
  TopK: ["_ ... | scalar", "axis k largest sorted"],
  Transpose: ["*", "perm"],
  Trilu: ["... _ _ | scalar", "upper"],
  Unique: ["*", "axis sorted"],
  Unsqueeze: ["* | scalar or _", "axes"],
  Upsample: ["* | _", "height_scale mode scales width_scale"],
  Where: ["* | * | *", ""],
  Xor: ["* | *", "axis broadcast"],
};

/** One possibility for the shape of an input. */
interface Pattern {
  readonly text: string;
  /** Sizes before and behind those that `...` stands for; null behind where there is none of it. */
  readonly front: readonly string[];
  readonly back: readonly string[] | null;
}

const parsed = new Map<string, readonly (readonly Pattern[])[]>();

/** The possibilities for each input of a row. */
function patternsOf(inputs: string): readonly (readonly Pattern[])[] {
  const known = parsed.get(inputs);
  if (known) return known;
  const made = inputs.split(" | ").map((input) =>
    input.split(" or ").map((text): Pattern => {
      const sizes = text.split(" ");
      const at = sizes.indexOf("...");
      return at < 0
        ? { text, front: sizes, back: null }
        : { text, front: sizes.slice(0, at), back: sizes.slice(at + 1) };
    }),
  );
  // rows with sizes in them are as many as there are sizes
  if (parsed.size < 1000) parsed.set(inputs, made);
  return made;
}

const sizeOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

const WORD = /^(to|as|rank) (\d)$/;

/** Sizes by their letters, bound by the first input that has them. */
type Bound = Map<string, number>;

function holdsWord(word: string, shape: Shape, other: Shape): boolean {
  if (word === "rank") return shape.length === other.length;
  if (word === "as") return shape.length === other.length && shape.every((size, i) => size === other[i]);
  const more = other.length - shape.length;
  return more >= 0 && shape.every((size, i) => size === 1 || size === other[i + more]);
}

/** Whether a shape has as many axes as a possibility. */
function hasRank({ text, front, back }: Pattern, shape: Shape): boolean {
  if (text === "*" || WORD.test(text)) return true;
  if (text === "scalar") return sizeOf(shape) === 1 && shape.length <= 1;
  return back === null ? shape.length === front.length : shape.length >= front.length + back.length;
}

function holds({ text, front, back }: Pattern, shape: Shape, shapes: Shapes, bound: Bound): boolean {
  if (text === "*" || text === "scalar") return true;
  const [, word, of] = WORD.exec(text) ?? [];
  if (word !== undefined) return shapes[Number(of)] === undefined || holdsWord(word, shape, shapes[Number(of)]!);
  const ends: [string, number][] = [
    ...front.map((letter, i): [string, number] => [letter, shape[i]!]),
    ...(back ?? []).map((letter, i): [string, number] => [letter, shape.at(i - back!.length)!]),
  ];
  return ends.every(([letter, size]) => {
    if (letter === "_") return true;
    if (/^\d/.test(letter)) return Number(letter) === size;
    const known = bound.get(letter);
    if (known === undefined) bound.set(letter, size);
    return known === undefined || known === size;
  });
}

/** The expected shapes, with known sizes filled in. */
function expected(patterns: readonly Pattern[], shapes: Shapes, bound: Bound): string {
  const texts = patterns.map(({ text }) => {
    const [, word, of] = WORD.exec(text) ?? [];
    const other = `[${(shapes[Number(of)] ?? []).join(", ")}] of input ${of}`;
    if (word === "to") return `what broadcasts to the shape ${other}`;
    if (word === "as") return `the shape ${other}`;
    if (word === "rank") return `as many axes as ${other}`;
    if (text === "scalar") return "one element";
    const sizes = text.split(" ").map((size) => (bound.has(size) ? `${size} = ${bound.get(size)}` : size));
    return `the shape [${sizes.join(", ")}]`;
  });
  return texts.join(", or ");
}

/** Refuses inputs of other ranks and sizes than the operator has. */
export function checkShapes(op: string, call: Pick<Call, "opset" | "attributes">, shapes: Shapes): void {
  const row = Object.hasOwn(SCHEMA, op) ? SCHEMA[op]![0] : undefined;
  if (row === undefined || row === "*") return;
  const inputs = patternsOf(typeof row === "string" ? row : row(call, shapes));
  const bound: Bound = new Map();
  shapes.forEach((shape, i) => {
    const patterns = inputs[Math.min(i, inputs.length - 1)]!;
    if (shape === undefined || patterns[0]!.text.endsWith("+")) return;
    const fitting = patterns.find((pattern) => hasRank(pattern, shape));
    if (fitting && holds(fitting, shape, shapes, bound)) return;
    throw new ArgumentError(`input ${i} must have ${expected(patterns, shapes, bound)}, got [${shape.join(", ")}]`);
  });
}

/** The attributes of a node that its operator does not have. */
export function unknownAttributes(op: string, names: readonly string[]): readonly string[] {
  const known = Object.hasOwn(SCHEMA, op) ? SCHEMA[op]![1].split(" ") : [];
  return names.filter((name) => !known.includes(name) && name !== "consumed_inputs");
}
