"""Exact values for scripts/accuracy/f64.ts. Reads a line with a function's name and then doubles (for functions of two
numbers pairs of them) from stdin; writes for each the nearest double and the rest in units in the last place. Needs mpmath.
"""

import math
import struct
import sys

import mpmath as mp

mp.mp.prec = 180


def small_or(formula, series, limit=2.0**-60):
    """The formula, or its first terms near 0, where mpmath would need more bits."""
    return lambda x: series(x) if abs(x) < limit else formula(x)


def identity_or(formula):
    return small_or(formula, lambda x: x)


def with_bits(bits, formula):
    def run(*args):
        with mp.workprec(bits):
            return formula(*args)

    return run


def erf_inverse(x):
    if abs(x) < mp.mpf(2) ** -80:
        return x * mp.sqrt(mp.pi) / 2
    size = abs(x)
    minus_log = mp.log((1 - size) * (1 + size))
    half = 2 / (mp.pi * mp.mpf("0.147")) + minus_log / 2
    y = mp.sqrt(mp.sqrt(half * half - minus_log / mp.mpf("0.147")) - half)
    for _ in range(12):
        # Halley's step, as erf'' = -2y erf'.
        difference = mp.erf(y) - size if size < 0.5 else (1 - size) - mp.erfc(y)
        step = difference * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        step /= 1 + y * step
        y -= step
        if abs(step) < y * mp.mpf(2) ** -60:
            break
    return y * mp.sign(x)


def power(x, y):
    return mp.mpf(x) ** mp.mpf(y)


def larger_and_above(x, y):
    larger = max(x, y)
    return larger + mp.log(1 + mp.exp(min(x, y) - larger))


def gated(share, low):
    """x times its share, which is less than any double where x is below `low`."""
    return lambda x: x * share(x) if x > low else -mp.mpf(2) ** -2000


def share_by_tanh(x):
    return 1 / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3)))


SELU_ALPHA = mp.mpf("1.6732632423543772848170429916717")
SELU_GAMMA = mp.mpf("1.0507009873554804934193349852946")


def mish_share(x):
    n = mp.exp(x) * (mp.exp(x) + 2)
    return n / (n + 2)


FUNCTIONS = {
    "exp": mp.exp,
    "exp2": lambda x: mp.exp(x * mp.log(2)),
    "expm1": identity_or(with_bits(300, mp.expm1)),
    "log": mp.log,
    "log2": lambda x: mp.log(x) / mp.log(2),
    "log10": lambda x: mp.log(x) / mp.log(10),
    "log1p": identity_or(with_bits(300, lambda x: mp.log(1 + x))),
    "sin": identity_or(with_bits(1300, mp.sin)),
    "cos": with_bits(1300, mp.cos),
    "tan": identity_or(with_bits(1300, mp.tan)),
    "asin": identity_or(mp.asin),
    "acos": with_bits(260, mp.acos),
    "atan": identity_or(mp.atan),
    "sinh": identity_or(with_bits(300, mp.sinh)),
    "cosh": mp.cosh,
    "tanh": identity_or(with_bits(300, mp.tanh)),
    "asinh": identity_or(with_bits(300, lambda x: mp.sign(x) * mp.log(abs(x) + mp.sqrt(x * x + 1)))),
    "acosh": with_bits(300, lambda x: mp.log(x + mp.sqrt(x * x - 1))),
    "atanh": identity_or(with_bits(300, lambda x: mp.log((1 + x) / (1 - x)) / 2)),
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "erf": small_or(mp.erf, lambda x: 2 * x / mp.sqrt(mp.pi)),
    "erfc": with_bits(260, mp.erfc),
    "erfInv": erf_inverse,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": with_bits(1300, lambda x: larger_and_above(x, mp.mpf(0))),
    "silu": gated(lambda x: 1 / (1 + mp.exp(-x)), -1000),
    "quickGelu": gated(lambda x: 1 / (1 + mp.exp(-mp.mpf("1.702") * x)), -1000),
    "gelu": gated(with_bits(260, lambda x: mp.erfc(-x / mp.sqrt(2)) / 2), -1000),
    "geluTanh": gated(share_by_tanh, -1000),
    "mish": gated(mish_share, -1000),
    "selu": lambda x: SELU_GAMMA * x if x > 0 else SELU_GAMMA * SELU_ALPHA * identity_or(with_bits(300, mp.expm1))(x),
    "softsign": lambda x: x / (1 + abs(x)),
    "hardSigmoid": lambda x: min(max(x + 3, 0), 6) / 6,
    "hardSwish": gated(lambda x: min(max(x + 3, 0), 6) / 6, -3),
    "logAddExp": with_bits(2400, larger_and_above),
    "pow": power,
    "atan2": with_bits(300, mp.atan2),
}


def nearest(value):
    """An mpmath number rounded once to f64, and the rest in units in the last place."""
    if value == 0:
        return 0.0, 0.0
    if abs(value) >= mp.mpf(2) ** 1024 * (1 - mp.mpf(2) ** -54):
        return math.copysign(math.inf, float(mp.sign(value))), 0.0
    exponent = max(mp.frexp(value)[1] - 53, -1074)
    units = mp.ldexp(value, -exponent)
    whole = mp.nint(units)
    return math.copysign(math.ldexp(abs(float(whole)), exponent), float(mp.sign(value))), float(units - whole)


def main():
    name = sys.stdin.buffer.readline().decode().strip()
    data = sys.stdin.buffer.read()
    numbers = struct.unpack(f"<{len(data) // 8}d", data)
    f = FUNCTIONS[name]
    width = 2 if name in ("pow", "atan2", "logAddExp") else 1
    out = bytearray()
    for i in range(0, len(numbers), width):
        out += struct.pack("<2d", *nearest(f(*(mp.mpf(v) for v in numbers[i : i + width]))))
    sys.stdout.buffer.write(out)


if __name__ == "__main__":
    main()
