/**
 * The conformance cases that are neither exact nor near on onnxruntime, with the reasons. A `*` stands for anything.
 */
export interface Listed {
  readonly pattern: string;
  /** What becomes of the cases: results that are not near, or no model. */
  readonly outcome: "far" | "no model";
  readonly reason: string;
}

const COMPLEX = "ONNX has no complex numbers that engines compute with";
const LINALG = "ONNX has no matrix decompositions";
const TAIL = "values below 1e-7 are lost: the operator of onnxruntime adds 1 to what is small";
const SUBNORMAL = "numbers below the normal ones lose digits in tanh";
const OVERFLOW = "sums and products in another order become infinite, or do not";

const DECOMPOSED =
  "cholesky determinant eigh expm invert leastSquares lu,* matrixRank norm pinv qr solve sqrtm svd triangularSolve".split(
    " ",
  );

const noModel = (reason: string, ...patterns: readonly string[]): Listed[] =>
  patterns.map((pattern) => ({ pattern, outcome: "no model", reason }));

const far = (reason: string, ...patterns: readonly string[]): Listed[] =>
  patterns.map((pattern) => ({ pattern, outcome: "far", reason }));

export const LISTED: readonly Listed[] = [
  ...noModel(COMPLEX, "*c64*", "*c128*", "complex *", "conjugate *", "eig, *"),
  ...noModel(LINALG, ...DECOMPOSED.map((name) => `${name} *`)),
  ...["s8", "s16", "bf16", "f32"].flatMap((type) => far(TAIL, `gelu ${type}*`, `geluTanh ${type}*`)),
  ...far(TAIL, "geluTanh f16[1031]"),
  ...far(SUBNORMAL, "mish s8[1031]", "mish s16[1031]", "mish f32[1031]"),
  ...far(OVERFLOW, "product awkward f64[23,31,9] over 0", "product awkward f64[23,31,9] over 2", "dot f32 f32*"),
];
