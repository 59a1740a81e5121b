/**
 * The documented functions of Nx 0.13.1, by module. Put together by hand: the functions that the documentation of 0.5.1 lists, with
 * what the change log of Nx (nx/CHANGELOG.md at commit 00e493d7ac5141241f5edba3386e96aa4ec9ad2e, 0.13.1 of August 2026) adds, renames and
 * removes since; those of modules other than `Nx` are from memory in part. It is no list of exports taken from a compiled 0.13.1: a function that the change log does not mention may be missing.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const NX_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  Nx: words(`
    all all_close any argmax argmin covariance logsumexp mean median mode product reduce reduce_max reduce_min
    standard_deviation sum variance weighted_mean
    backend_copy backend_deallocate backend_transfer default_backend global_default_backend with_default_backend
    deserialize from_pointer load_numpy! load_numpy_archive! serialize to_batched to_binary to_flat_list to_heatmap to_list
    to_number to_pointer to_template to_tensor
    bf16 c64 c128 eye f8 f16 f32 f64 fill from_binary iota linspace make_diagonal put_diagonal s2 s4 s8 s16 s32 s64 sigil_MAT
    sigil_VEC take_diagonal template tensor tri tril triu u2 u4 u8 u16 u32 u64
    cumulative_max cumulative_min cumulative_product cumulative_sum
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_not bitwise_or bitwise_xor cbrt ceil clip complex
    conjugate cos cosh count_leading_zeros divide equal erf erf_inv erfc exp expm1 floor greater greater_equal imag
    is_infinity is_nan left_shift less less_equal log log1p logical_and logical_not logical_or logical_xor max min multiply
    negate not_equal phase population_count pow quotient real remainder right_shift round rsqrt select sigmoid sign sin sinh
    sqrt subtract tan tanh
    gather indexed_add indexed_put put_slice slice slice_along_axis split take take_along_axis
    argsort concatenate conv diff dot fft fft2 ifft ifft2 irfft outer reverse rfft sort stack top_k
    axes axis_index axis_size bit_size broadcast byte_size compatible? flat_size flatten names new_axis pad pad_outer rank
    reflect rename reshape shape size squeeze tile transpose
    as_type bitcast type
    broadcast_vectors devectorize reshape_vectors revectorize vectorize
    window_max window_mean window_min window_product window_reduce window_scatter_max window_scatter_min window_sum
    block io_call is_tensor runtime_call`),
  "Nx.Defn": words(`
    compile debug_expr debug_expr_apply default_options defn defnp deftransform deftransformp global_default_options grad jit
    jit_apply shard_jit stream value_and_grad`),
  "Nx.Defn.Kernel": words(`
    alias and attach_token case cond create_token custom_grad div elem hook hook_token if import keyword! max min not or
    print_expr print_value raise rem require stop_grad tap then unless while operators`),
  "Nx.Defn.Composite": words("compatible? count flatten_list reduce traverse"),
  "Nx.LinAlg": words(`
    adjoint cholesky determinant eig eigh invert least_squares lu matrix_power matrix_rank norm pinv qr solve svd
    triangular_solve`),
  "Nx.Random": words(`
    choice fold_in gumbel gumbel_split key multivariate_normal normal normal_split randint randint_split shuffle split uniform
    uniform_split`),
  "Nx.Constants": words(`
    e epsilon euler_gamma i infinity max max_finite min min_finite nan neg_infinity pi smallest_positive_normal`),
  "Nx.Type": words(`
    cast_number! complex? float? infer integer? max_binary max_finite_binary merge merge_number min_binary min_finite_binary
    normalize! to_aggregate to_complex to_floating to_real to_string`),
  "Nx.Batch": words("concatenate key merge new pad split stack"),
  "Nx.Serving": words(`
    batch_size batched_run child_spec client_postprocessing client_preprocessing defn_options distributed_postprocessing jit
    new process_options run start_link`),
  "Nx.Container": words("reduce traverse"),
  "Nx.LazyContainer": words("traverse"),
  "Nx.Testing": words("assert_all_close assert_equal"),
};

/** Functions under names that do not follow from Nx's, with what to write. */
export const UNDER_OTHER_NAMES: Readonly<Record<string, string>> = {
  "Nx.logsumexp": "Nx.logSumExp",
  "Nx.flat_size": "Nx.size",
  "Nx.sigil_MAT": "Nx.tensor",
  "Nx.sigil_VEC": "Nx.tensor",
  "Nx.Defn.debug_expr_apply": "Nx.Defn.debugExpr",
  "Nx.Defn.global_default_options": "Nx.Defn.defaultOptions",
  "Nx.Defn.defnp": "Nx.defn",
  "Nx.Defn.Kernel.and": "Nx.logicalAnd",
  "Nx.Defn.Kernel.or": "Nx.logicalOr",
  "Nx.Defn.Kernel.not": "Nx.logicalNot",
  "Nx.Defn.Kernel.cond": "Nx.Defn.cond",
  "Nx.Defn.Kernel.if": "Nx.Defn.cond",
  "Nx.Defn.Kernel.unless": "Nx.Defn.cond",
  "Nx.Defn.Kernel.case": "Nx.Defn.switch",
  "Nx.Defn.Kernel.while": "Nx.Defn.whileLoop",
  "Nx.Defn.Kernel.custom_grad": "Nx.Defn.customGrad",
  "Nx.Defn.Kernel.stop_grad": "Nx.Defn.stopGrad",
  "Nx.Defn.Kernel.hook": "Nx.Defn.hook",
  "Nx.Defn.Kernel.print_expr": "Nx.Defn.printExpr",
  "Nx.Defn.Kernel.print_value": "Nx.Defn.printValue",
  "Nx.Defn.Kernel.div": "Nx.quotient",
  "Nx.Defn.Kernel.rem": "Nx.remainder",
  "Nx.Defn.Kernel.max": "Nx.max",
  "Nx.Defn.Kernel.min": "Nx.min",
  "Nx.Defn.Kernel.operators": "Nx.formula",
  "Nx.Defn.Composite.flatten_list": "Nx.Defn.Composite.leaves",
  "Nx.Defn.Composite.traverse": "Nx.Defn.Composite.map",
  "Nx.Defn.Composite.compatible?": "Nx.isCompatible",
  "Nx.Type.max_binary": "Nx.Type.max",
  "Nx.Type.max_finite_binary": "Nx.Type.maxFinite",
  "Nx.Type.min_binary": "Nx.Type.min",
  "Nx.Type.min_finite_binary": "Nx.Type.minFinite",
  "Nx.Serving.new": "Nx.Serving.create",
  "Nx.Container.reduce": "Nx.Defn.Composite.reduce",
  "Nx.Container.traverse": "Nx.Defn.Composite.map",
  "Nx.LazyContainer.traverse": "Nx.Defn.lazy",
};

const NARROW = "no types of fewer than 8 bits, nor floats of 8";
const POINTERS = "JavaScript has no memory shared by address; `Nx.toBinary`, `Nx.fromBinary`";
const TOKENS = "deprecated in Nx; `Nx.Defn.hook`";
const ELIXIR = "a construct of Elixir: JavaScript's own works in traced functions";
const PROCESSES = "Elixir's processes; see [serving](serving.md)";
const FILTERS = "an option of `Nx.Serving.create` or a function around `run`; see [serving](serving.md)";

/** Functions that are not here, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "Nx.f8": NARROW,
  "Nx.s2": NARROW,
  "Nx.s4": NARROW,
  "Nx.u2": NARROW,
  "Nx.u4": NARROW,
  "Nx.from_pointer": POINTERS,
  "Nx.to_pointer": POINTERS,
  "Nx.block": "for backends here, not for programs: `Backend.block`, see [writing a backend](writing-a-backend.md)",
  "Nx.io_call": "`Nx.Defn.hook`, or `Nx.runtimeCall` where a result comes back",
  "Nx.Defn.deftransform": ELIXIR,
  "Nx.Defn.deftransformp": ELIXIR,
  "Nx.Defn.shard_jit": "there is one device",
  "Nx.Defn.stream": "deprecated in Nx; a loop of calls",
  "Nx.Defn.Kernel.alias": ELIXIR,
  "Nx.Defn.Kernel.import": ELIXIR,
  "Nx.Defn.Kernel.require": ELIXIR,
  "Nx.Defn.Kernel.elem": ELIXIR,
  "Nx.Defn.Kernel.keyword!": ELIXIR,
  "Nx.Defn.Kernel.raise": ELIXIR,
  "Nx.Defn.Kernel.tap": ELIXIR,
  "Nx.Defn.Kernel.then": ELIXIR,
  "Nx.Defn.Kernel.attach_token": TOKENS,
  "Nx.Defn.Kernel.create_token": TOKENS,
  "Nx.Defn.Kernel.hook_token": TOKENS,
  "Nx.Batch.key": "`serving.run(input, { key })`",
  "Nx.Serving.batch_size": FILTERS,
  "Nx.Serving.batched_run": "`serving.run(input)` of one that batches",
  "Nx.Serving.child_spec": PROCESSES,
  "Nx.Serving.client_postprocessing": FILTERS,
  "Nx.Serving.client_preprocessing": FILTERS,
  "Nx.Serving.defn_options": FILTERS,
  "Nx.Serving.distributed_postprocessing": PROCESSES,
  "Nx.Serving.jit": FILTERS,
  "Nx.Serving.process_options": PROCESSES,
  "Nx.Serving.run": "a method: `serving.run(input)`",
  "Nx.Serving.start_link": PROCESSES,
  "Nx.Testing.assert_all_close": "`Nx.allClose` with the assertion of a test runner",
  "Nx.Testing.assert_equal": "`t.equals(other)` with the assertion of a test runner",
};
