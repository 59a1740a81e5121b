"""Writes jax-table.json next to this file: what the left cells of the tables of docs/from-jax.md are in JAX.

Run:  python3 test/oracles/make_jax_table.py   (needs jax 0.10)
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import jax.scipy
import numpy as np
from jax import lax

import beside

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_threefry_partitionable", False)

IMAGE, KERNEL = "jnp.arange(16.0).reshape(1, 1, 4, 4)", "jnp.arange(4.0).reshape(1, 1, 2, 2)"
PUT = "x, jnp.array([[0], [2]]), jnp.array([7.0, 8.0]), scattered"
SEGMENTS = "x, i[:, None], y, scattered"
F32 = "dtype=jnp.float32"

CALLS = {
    "jax.nn.gelu": "jax.nn.gelu(x)",
    "jax.lax.clamp": "lax.clamp(0.0, x, 1.0)",
    "jax.lax.mulhi": "lax.mulhi(jnp.array([3000000000], jnp.uint32), jnp.array([5], jnp.uint32))",
    "jax.lax.shift_right_logical": "lax.shift_right_logical(i, 1)",
    "jax.lax.integer_pow": "lax.integer_pow(x, 3)",
    "jax.lax.erf_inv": "lax.erf_inv(x * 0.1)",
    "jax.lax.polygamma": "lax.polygamma(jnp.ones(3), x)",
    "jax.lax.betainc": "lax.betainc(x, y, jnp.full(3, 0.5))",
    "jax.lax.convert_element_type": "lax.convert_element_type(x, jnp.float32)",
    "jax.lax.bitcast_convert_type": "lax.bitcast_convert_type(x, jnp.uint64)",
    "jax.lax.reduce_precision": "lax.reduce_precision(jnp.exp(x), 8, 7)",
    "jax.lax.select_n": "lax.select_n(mask, y, x)",
    "jax.lax.broadcasted_iota": "lax.broadcasted_iota(int, (2, 3), 1)",
    "jax.lax.broadcast": "lax.broadcast(x, (2,))",
    "jax.lax.broadcast_in_dim": "lax.broadcast_in_dim(y, (3, 2), (0,))",
    "jax.lax.broadcast_to_rank": "lax.broadcast_to_rank(x, 2)",
    "jax.lax.broadcast_like": "lax.broadcast_like(x, a)",
    "jax.lax.broadcast_shapes": "lax.broadcast_shapes(a.shape, x.shape)",
    "jax.lax.squeeze": "lax.squeeze(x[None], [0])",
    "jax.lax.expand_dims": "lax.expand_dims(x, [0])",
    "jax.lax.collapse": "lax.collapse(a, 0)",
    "jax.lax.transpose": "lax.transpose(a, (1, 0))",
    "jax.lax.rev": "lax.rev(a, (0,))",
    "jax.lax.concatenate": "lax.concatenate([x, y], 0)",
    "jax.lax.split": "lax.split(x, [1, 2])",
    "jax.lax.pad": "lax.pad(x, 0.0, [(1, 1, 0)])",
    "jax.lax.slice_in_dim": "lax.slice_in_dim(a, 0, 1, axis=1)",
    "jax.lax.index_in_dim": "lax.index_in_dim(a, 0)",
    "jax.lax.index_take": "lax.index_take(x, (i,), (0,))",
    "jax.lax.gather": "lax.gather(a, jnp.array([[0, 2], [1, 0]]), gathered, (1, 1))",
    "jax.lax.dynamic_slice_in_dim": "lax.dynamic_slice_in_dim(x, 1, 2)",
    "jax.lax.dynamic_index_in_dim": "lax.dynamic_index_in_dim(x, 1, keepdims=False)",
    "jax.lax.dynamic_update_slice_in_dim": "lax.dynamic_update_slice_in_dim(x, jnp.array([7.0]), 1, 0)",
    "jax.lax.dynamic_update_index_in_dim": "lax.dynamic_update_index_in_dim(x, 7.0, 1, 0)",
    "jax.lax.scatter": f"lax.scatter({PUT})",
    "jax.lax.scatter_add": f"lax.scatter_add({PUT})",
    "jax.lax.scatter_sub": f"lax.scatter_sub({PUT})",
    "jax.lax.scatter_apply": "lax.scatter_apply(x, jnp.array([[0]]), jnp.exp, scattered, update_shape=(1,))",
    "jax.lax.scatter_max": f"lax.scatter_max({SEGMENTS})",
    "jax.lax.scatter_min": f"lax.scatter_min({SEGMENTS})",
    "jax.lax.scatter_mul": f"lax.scatter_mul({SEGMENTS})",
    "jax.lax.argmax": "lax.argmax(x, 0, int)",
    "jax.lax.argmin": "lax.argmin(x, 0, int)",
    "jax.lax.sort_key_val": "lax.sort_key_val(y, x)[1]",
    "jax.lax.approx_max_k": "lax.approx_max_k(x, 2)",
    "jax.lax.approx_min_k": "lax.approx_min_k(x, 2)[1]",
    "jax.lax.reduce": "lax.reduce(x, 0.0, lax.add, [0])",
    "jax.lax.reduce_sum": "lax.reduce_sum(x, [0])",
    "jax.lax.reduce_prod": "lax.reduce_prod(x, [0])",
    "jax.lax.reduce_max": "lax.reduce_max(x, [0])",
    "jax.lax.reduce_min": "lax.reduce_min(x, [0])",
    "jax.lax.reduce_and": "lax.reduce_and(mask, [0])",
    "jax.lax.reduce_or": "lax.reduce_or(mask, [0])",
    "jax.lax.reduce_xor": "lax.reduce_xor(i, [0])",
    "jax.lax.ragged_dot": "lax.ragged_dot(m, jnp.stack([m, m**2]), jnp.array([1, 2]))",
    "jax.lax.conv": f"lax.conv({IMAGE}, {KERNEL}, [1, 1], 'SAME')",
    "jax.lax.conv_with_general_padding": f"lax.conv_with_general_padding({IMAGE}, {KERNEL}, [1, 1], [(1, 1), (1, 1)], None, None)",
    "jax.lax.conv_transpose": f"lax.conv_transpose({IMAGE}, {KERNEL}, [2, 2], 'VALID', dimension_numbers=('NCHW', 'OIHW', 'NCHW'))",
    "jax.lax.conv_general_dilated_patches": f"lax.conv_general_dilated_patches({IMAGE}, [2, 2], [1, 1], 'VALID')",
    "jax.lax.fft": "lax.fft(x.astype(complex), 'fft', (3,))",
    "jax.nn.glu": "jax.nn.glu(s)",
    "jax.nn.dot_product_attention": "jax.nn.dot_product_attention(m[:, None], m[:, None], m[:, None])[:, 0]",
    "jax.copy_to_host_async": "x",
    "jax.tree.flatten": "jax.tree.flatten({'x': x, 'y': y})[0]",
    "jax.random.key(42)": "jax.random.key_data(jax.random.key(42))",
    "jax.random.split(key)": "jax.random.key_data(jax.random.split(key))",
    "jax.random.fold_in(key, 1)": "jax.random.key_data(jax.random.fold_in(key, 1))",
    "jax.random.split(key, 3)": "jax.random.key_data(jax.random.split(key, 3))",
    "jax.random.PRNGKey": "jax.random.PRNGKey(0)",
    "jax.random.clone": "jax.random.key_data(jax.random.clone(key))",
    "jax.random.key_data": "jax.random.key_data(key)",
    "jax.random.wrap_key_data": "jax.random.key_data(jax.random.wrap_key_data(jax.random.key_data(key)))",
    "jax.random.uniform": f"jax.random.uniform(key, {F32})",
    "jax.random.randint": "jax.random.randint(key, (), 0, 10)",
    "jax.random.gumbel": f"jax.random.gumbel(key, {F32})",
    "jax.random.laplace": f"jax.random.laplace(key, {F32})",
    "jax.random.logistic": f"jax.random.logistic(key, {F32})",
    "jax.random.cauchy": f"jax.random.cauchy(key, {F32})",
    "jax.random.exponential": f"jax.random.exponential(key, {F32})",
    "jax.random.gamma": f"jax.random.gamma(key, 2, {F32})",
    "jax.random.beta": f"jax.random.beta(key, 2, 3, {F32})",
    "jax.random.dirichlet": f"jax.random.dirichlet(key, y, {F32})",
    "jax.random.truncated_normal": f"jax.random.truncated_normal(key, -1, 1, {F32})",
    "jax.random.choice": "jax.random.choice(key, x, (2,))",
    "jax.random.rademacher": "jax.random.rademacher(key)",
    "jax.random.lognormal": f"jax.random.lognormal(key, {F32})",
    "jax.random.loggamma": f"jax.random.loggamma(key, 2, {F32})",
    "jax.random.chisquare": f"jax.random.chisquare(key, 3, {F32})",
    "jax.random.rayleigh": f"jax.random.rayleigh(key, 1, {F32})",
    "jax.random.weibull_min": f"jax.random.weibull_min(key, 1, 2, {F32})",
    "jax.random.pareto": f"jax.random.pareto(key, 3, {F32})",
    "jax.random.geometric": "jax.random.geometric(key, jnp.float32(0.3))",
    "jax.random.multinomial": "jax.random.multinomial(key, 10, x)",
    "jax.random.t": f"jax.random.t(key, 3, {F32})",
    "jax.random.f": f"jax.random.f(key, 4, 6, {F32})",
    "jax.random.orthogonal": f"jax.random.orthogonal(key, 3, {F32})",
    "jax.random.bits": "jax.random.bits(key, (4,), jnp.uint8)",
    "jax.random.binomial": f"jax.random.binomial(key, 10, 0.3, {F32})",
}
SETTING, TEXT, DECORATOR = "a setting", "a text or a structure", "a function of functions"
REASONS = {
    r"jax\.make_jaxpr|compiled\.cost_analysis|jax\.debug.*|jax\.explain_cache_misses|jax\.log_compiles|jax\.tree\.(?!(map|leaves|reduce|flatten)$).*": TEXT,
    r"jax\.(eval_shape|typeof|ShapeDtypeStruct|default_backend)|jax\.lax\.dtype|jax\.lax\.linalg": TEXT,
    r"jax\.(default_device|disable_jit|numpy_dtype_promotion|enable_x64|default_matmul_precision)": SETTING,
    r"jax\.(custom_\w+|fwd_and_bwd)|jax\.lax\.custom_\w+": DECORATOR,
    r"jax\.lax\.empty": "memory as it was",
    r"jax\.lax\.(scaled_dot|ragged_dot_general)": "more arguments than fit a row",
    r"jax\.lax\.(rng_bit_generator|rng_uniform)|jax\.nn\.initializers": "drawn from other bits",
    r"jax\.nn\.(scaled_matmul|scaled_dot_general|get_scaled_dot_general_config)": "of types of eight bits",
}

gathered = lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0, 1), start_index_map=(0, 1))
scattered = lax.ScatterDimensionNumbers((), (0,), (0,))


def given(_):
    return beside.given(jnp.array) | {
        "np": np, "jax": jax, "jnp": jnp, "lax": lax, "scattered": scattered, "gathered": gathered,
        "key": jax.random.key(42), "f": lambda t: (t**2).sum(),
    }  # fmt: skip


beside.write("JAX", "jax-table.json", given, CALLS, REASONS)
