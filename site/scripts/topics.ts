/** The topics of the reference: each function stands under the one that people look for it in. */

/** Topics in the order of the reference, and the files whose functions belong to them: the first pattern that fits a path counts. */
const TOPICS: readonly (readonly [string, RegExp])[] = [
  ["Creating tensors", /^nx\/creation\//],
  ["Arithmetic", /^nx\/elementwise\/(arithmetic|division|power|sign|short|rounding|extremes)/],
  ["Exponentials and logarithms", /^nx\/elementwise\/exponential/],
  ["Trigonometry", /^nx\/elementwise\/(trigonometric|hyperbolic)/],
  ["Special functions", /^(nx\/elementwise\/special|special\/)/],
  ["Comparison, logic, selection", /^nx\/(elementwise\/(comparison|logical|selection)|aggregates\/closeness)/],
  ["Bits", /^nx\/elementwise\/bitwise/],
  ["Complex numbers", /^(nx\/elementwise\/complex|core\/complex)/],
  ["Activations", /^nx\/(elementwise\/|softmax)/],
  ["Formulas", /^formula\//],
  ["Reductions", /^nx\/aggregates\/(arg|reduce|reductions|core)/],
  ["Statistics", /^nx\/(aggregates\/|covariance|moments)|^linalg\/polyfit|^nx\/lines/],
  ["Groups and counts", /^nx\/groups\//],
  ["Running sums and differences", /^nx\/(cumulative|differences)/],
  ["Shape and axes", /^(nx\/(shape\/|by-name|names)|patterns\/)/],
  ["Indexing", /^nx\/(indexed\/|access)/],
  ["Joining and splitting", /^nx\/ndim\/(join|split)/],
  ["Sorting", /^nx\/ndim\/sort/],
  ["Fourier transforms", /^nx\/ndim\/(fft|frequencies)/],
  ["Products and convolutions", /^nx\/ndim\//],
  ["Windows", /^nx\/windows\//],
  ["Types", /^(nx\/(type|promotion|float-type)|core\/(types|promotion)|type)/],
  ["Reading and printing", /^nx\/(conversion|read|json|inspect|heatmap|value|rows|numbers|print|table)/],
  ["Files and messages", /^io\//],
  ["Linear algebra", /^linalg\//],
  ["Random numbers", /^random\//],
  ["Signals", /^signal\//],
  ["Tracing, gradients, loops", /^defn\//],
  ["Constants", /^constants/],
  ["Batches and serving", /^(batch|serving)/],
  ["Quantized numbers", /^quantized\//],
  [
    "Backends, configuration, memory",
    /^node\/|^(nx\/(backend|configure|evaluate|guards|host|tidy|profile)|backends\/|core\/config)/,
  ],
  ["Containers", /^container/],
  ["Optimizers and losses", /^optim\//],
  ["Plots", /^plot\//],
  ["Display", /^display\//],
  ["Files and messages", /^files\//],
  ["ONNX and model servers", /^(onnx|onnxruntime|triton)\//],
  ["Arrays larger than memory", /^zarr\//],
  ["Columns of tables", /^columns\//],
  ["Writing and testing backends", /^(backend-kit|testing)\//],
  ["Examples as tests", /^doctest\//],
  ["Lint rules", /^eslint\//],
];

/** Functions that people look for elsewhere than their neighbours in the file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  convolve: "Products and convolutions",
  gradient: "Running sums and differences",
  unwrap: "Running sums and differences",
  clamp: "Arithmetic",
  lerp: "Arithmetic",
  logAddExp: "Exponentials and logarithms",
  logSumExp: "Exponentials and logarithms",
};

/** The topic of what a file of the library exports under a name. */
export function topicOf(name: string, path: string): string {
  if (Object.hasOwn(ELSEWHERE, name)) return ELSEWHERE[name]!;
  const found = TOPICS.find(([, pattern]) => pattern.test(path));
  if (!found) throw new Error(`no topic for lib/${path}: give it one in site/scripts/topics.ts`);
  return found[0];
}

/** The topics in their order. */
export const TOPIC_NAMES = [...new Set(TOPICS.map(([name]) => name))];
