"""NumPy, or numexpr (`numpy_runner.py numexpr`), as a runner: the protocol is that of protocol.ts, the works those of works.ts."""
import ctypes
import json
import os
import platform
import resource
import sys
import time

import numpy as np

NUMEXPR = sys.argv[1:] == ["numexpr"]
if NUMEXPR:
    import numexpr as ne
else:
    try:
        from scipy.special import erf
    except ImportError:
        erf = None

PREFIX = "@bench "
SAMPLES = 1024
PARTS = 50
NOT_FINITE = 1e300
STREAM = 0x9E3779B9
RATE = 0.02
VOLATILITY = 0.3
f32 = np.float32


def hashes(seed, count):
    """The finalizer of MurmurHash3 of positions, as in data.ts."""
    h = np.arange(count, dtype=np.uint32) + np.uint32((seed * STREAM) & 0xFFFFFFFF)
    h = (h ^ (h >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return h ^ (h >> np.uint32(16))


def operand(spec):
    shape = spec["shape"]
    if spec.get("oneHot"):
        out = np.zeros(shape, f32)
        out[np.arange(shape[0]), hashes(spec["seed"], shape[0]) % np.uint32(shape[1])] = 1
        return out
    low, high = spec["low"], spec["high"]
    bits = hashes(spec["seed"], int(np.prod(shape))) >> np.uint32(8)
    return (low + (high - low) * (bits / 2.0**24)).astype(f32).reshape(shape)


def gelu(x):
    return f32(0.5) * x * (1 + np.tanh(f32(np.sqrt(2 / np.pi)) * (x + f32(0.044715) * x * x * x)))


def normal(x):
    return f32(0.5) * (1 + erf(x * f32(np.sqrt(0.5))))


def black_scholes(spot, strike, time):
    spread = f32(VOLATILITY) * np.sqrt(time)
    d1 = (np.log(spot / strike) + f32(RATE + VOLATILITY**2 / 2) * time) / spread
    return spot * normal(d1) - strike * np.exp(f32(-RATE) * time) * normal(d1 - spread)


def polynomial(x):
    return ((((f32(0.5) * x - 1) * x + f32(0.25)) * x + 2) * x - f32(0.75)) * x


def softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def conv(x, filters):
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    product = np.tensordot(windows, filters, axes=([1, 4, 5], [1, 2, 3]))
    return np.ascontiguousarray(product.transpose(0, 3, 1, 2))


def singular_values(x):
    wide = x.astype(np.float64)
    return lambda: np.linalg.svd(wide)[1]


def bins(x, places, bins):
    indices = places.astype(np.int64)
    return lambda: np.bincount(indices, x, len(bins))


for prepares in (singular_values, bins):
    prepares.prepares = True


def reusing(fn):
    def prepare(x, y):
        out = np.empty_like(x)
        return lambda: fn(x, y, out)

    prepare.prepares = True
    return prepare


NUMPY_RUNS = {
    "gelu": gelu,
    "polynomial": polynomial,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "tanh": np.tanh,
    "softmax": softmax,
    "softmaxEager": softmax,
    "sum": np.sum,
    "sum0": lambda x: x.sum(axis=0),
    "sum1": lambda x: x.sum(axis=1),
    "add": np.add,
    "addReused": reusing(lambda x, y, out: np.add(x, y, out=out)),
    "addSmall": np.add,
    "transposeAdd": lambda x: np.add(x.T, f32(1), order="C"),
    "matmul": np.matmul,
    "conv": conv,
    "sort": np.sort,
    "argmax": np.argmax,
    "cumsum": np.cumsum,
    "singularValues": singular_values,
    "bins": bins,
}


def expression(text, *constants):
    """numexpr, with constants as f32: a plain number would make everything f64."""

    def run(*operands):
        values = dict(zip(names, operands)) | scalars
        return ne.evaluate(text, local_dict=values)

    names = [name for name in ("x", "y") if name in text]
    scalars = {f"c{i}": f32(constant) for i, constant in enumerate(constants)}
    return run


NUMEXPR_RUNS = {
    "gelu": expression("c0 * x * (c1 + tanh(c2 * (x + c3 * x * x * x)))", 0.5, 1, np.sqrt(2 / np.pi), 0.044715),
    "polynomial": expression("((((c0 * x - c1) * x + c2) * x + c3) * x - c4) * x", 0.5, 1, 0.25, 2, 0.75),
    "exp": expression("exp(x)"),
    "log": expression("log(x)"),
    "sin": expression("sin(x)"),
    "tanh": expression("tanh(x)"),
    "sum": expression("sum(x)"),
    "sum0": expression("sum(x, 0)"),
    "sum1": expression("sum(x, 1)"),
    "add": expression("x + y"),
    "addReused": reusing(lambda x, y, out: ne.evaluate("x + y", local_dict={"x": x, "y": y}, out=out)),
    "addSmall": expression("x + y"),
    "transposeAdd": lambda x: ne.evaluate("x + c", local_dict={"x": x.T, "c": f32(1)}, order="C"),
}

if not NUMEXPR and erf is not None:
    NUMPY_RUNS["blackScholes"] = black_scholes

RUNS = NUMEXPR_RUNS if NUMEXPR else NUMPY_RUNS


def timed(call, repeats):
    """Microseconds a call: over all calls, and the least of parts of equally many."""
    part = -(-repeats // PARTS)
    least = float("inf")
    start = last = time.perf_counter()
    for first in range(0, repeats, part):
        calls = min(part, repeats - first)
        for _ in range(calls):
            call()
        now = time.perf_counter()
        least = min(least, (now - last) / calls)
        last = now
    return {"microseconds": (last - start) * 1e6 / repeats, "least": least * 1e6}


def warm(call, milliseconds):
    end = time.perf_counter() + milliseconds / 1e3
    repeats = 1
    while True:
        found = timed(call, repeats)
        if time.perf_counter() > end:
            return found
        repeats = min(2 * repeats, 1 << 14)


def sample(call):
    values = np.ravel(call()).astype(np.float64)
    values[~np.isfinite(values)] = NOT_FINITE
    count = min(SAMPLES, values.size)
    places = ((np.arange(count) + 0.5) * values.size / count).astype(int)
    total, magnitude = float(values.sum()), float(np.abs(values).sum())
    return {"length": values.size, "sum": total, "magnitude": magnitude, "values": values[places].tolist()}


def memory():
    """What the process holds and held at most since it was last asked, where the system can forget the peak (Linux)."""
    try:
        ctypes.CDLL(None).malloc_trim(0)  # what making the operands left behind would hide what a work needs
        with open("/proc/self/status") as status:
            held = dict(line.split(":", 1) for line in status)
        with open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")
        return {key: int(held[name].split()[0]) * 1024 for key, name in (("resident", "VmRSS"), ("peak", "VmHWM"))}
    except (OSError, AttributeError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return {"resident": peak, "peak": peak}


def threads():
    if NUMEXPR:
        return str(ne.nthreads)
    products = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or os.cpu_count()
    return f"{products} (products), 1"


def say(reply):
    print(PREFIX + json.dumps(reply), flush=True)


def main():
    call = None
    say(
        {
            "peer": "numexpr" if NUMEXPR else "NumPy",
            "version": ne.__version__ if NUMEXPR else np.__version__,
            "runtime": f"Python {platform.python_version()}",
            "threads": threads(),
            "runs": list(RUNS),
            "compiles": False,
        }
    )
    for line in sys.stdin:
        request = json.loads(line)
        try:
            value = None
            match request["do"]:
                case "prepare":
                    run = RUNS[request["run"]]
                    operands = [operand(spec) for spec in request["inputs"].values()]
                    prepares = getattr(run, "prepares", False)
                    call = run(*operands) if prepares else (lambda run=run, operands=operands: run(*operands))
                case "warm":
                    value = warm(call, request["milliseconds"])
                case "time":
                    value = timed(call, request["repeats"])
                case "sample":
                    value = sample(call)
                case "memory":
                    value = memory()
                case "drop":
                    call = None
                case "exit":
                    return
            say({"value": value})
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})


main()
