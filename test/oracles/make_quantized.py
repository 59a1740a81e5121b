"""Writes quantized.json next to this file: what test/quantized expects of the element-wise kernels of embARC MLI.

Run:  python3 test/oracles/make_quantized.py   (needs nothing but Python)

An independent model: the documented formulas of the reference kernels (release 2.0) on Python integers, element by element, with
every saturation where the text has it, and the conversions with every step rounded to f32. A sa8 format is [scale, fraction bits,
zero point], an fx one is [fraction bits].
"""

import json
import math
import os
import random
import struct
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20260607)


# ------------------------------------------------------------------------------------------------------------ primitives


def sat(v, bits):
    return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, v))


def shr(v, n, bits, mode):
    assert sat(v, bits) == v
    if n < 0:
        return sat(v * 2**-n, bits)
    if n == 0:
        return v
    if n > bits - 1:
        return 0
    if mode == "up":
        return sat(v + 2 ** (n - 1), bits) // 2**n
    exact = Fraction(v, 2**n)
    return round(exact)  # of a Fraction: half to even


def norm(v):
    """Sign bits of an int32 beyond the first."""
    bits = format(v & 0xFFFFFFFF, "032b")
    return len(bits) - len(bits.lstrip(bits[0])) - 1


def normalize16(v, mode):
    e = 16 - norm(v)
    return sat(shr(v, e, 32, mode), 16), e


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def factor(numerator, denominator, fraction, top, mode):
    k = norm(numerator)
    m, e = normalize16(quotient(numerator << k, denominator), mode)
    r = k + fraction - e
    c = max(r - top, 0) + min(TEXT["low"] + r, 0)
    return shr(m, c, 16, mode), r - c


# -------------------------------------------------------------------------------------------------------------- kernels

# Bounds of the text, by name, so that vectors can be looked for that tell each from its neighbours.
TEXT = {"sums": 23, "products": 31, "low": 31, "before": 21, "most": 3, "wide": 31, "bits of the product": 16, "extremes": 1}

def sa8(op, x, y, left, right, out, mode):
    (s1, n1, z1), (s2, n2, z2), (so, no, zo) = left, right, out
    if op in ("add", "sub"):
        m1, r1 = factor(s1, so, n1 - no, TEXT["sums"], mode)
        m2, r2 = factor(s2, so, n2 - no, TEXT["sums"], mode)
        x1 = shr((x - z1) * m1, r1, 32, mode)
        x2 = shr((y - z2) * m2, r2, 32, mode)
        total = sat(x1 + x2 if op == "add" else x1 - x2, 32)
        return sat(sat(sat(total, 16) + zo, 16), 8)
    if op == "mul":
        m, r = factor(s1 * s2, so, n1 + n2 - no, TEXT["products"], mode)
        p = min(max(r - TEXT["before"], 0), TEXT["most"])
        t = sat(shr((x - z1) * (y - z2), p, 32, mode), TEXT["bits of the product"])
        return sat(sat(sat(shr(t * m, r - p, 32, mode), 16) + zo, 16), 8)
    m, r = factor(s1, so, n1 - no, TEXT["sums"], mode)
    acc = (max if op == "max" else min)((x - z1) * m, (y - z2) * m)
    return sat(sat(sat(shr(acc, r, 32, mode), 16) + zo, 16), 8)


def fx(bits, op, x, y, left, right, out, mode):
    (n1,), (n2,), (no,) = left, right, out
    if op in ("add", "sub"):
        x1 = shr(x, min(n1 - n2, 0), 32, mode)
        x2 = shr(y, min(n2 - n1, 0), 32, mode)
        acc = sat(x1 + x2 if op == "add" else x1 - x2, 32)
        return sat(shr(acc, min(max(n1, n2) - no, TEXT["wide"]), 64, mode), bits)
    if op == "mul":
        return sat(shr(x * y, min(n1 + n2 - no, TEXT["wide"]), 64, mode), bits)
    return shr((max if op == "max" else min)(x, y), min(n1 - no, bits - TEXT["extremes"]), bits, mode)


def kernel(kind, op, x, y, left, right, out, mode):
    if kind == "sa8":
        return sa8(op, x, y, left, right, out, mode)
    return fx(16 if kind == "fx16" else 8, op, x, y, left, right, out, mode)


# ---------------------------------------------------------------------------------------------------------- conversions


def f32(x):
    """The nearest f32, halves to even, of an exact number."""
    x = Fraction(x)
    if x == 0:
        return Fraction(0)
    size = abs(x)
    e = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** e > size:
        e -= 1
    step = Fraction(2) ** (max(e, -126) - 23)
    return round(x / step) * step


def to_quantized(x, kind, form):
    scale, n, zero = form if kind == "sa8" else (1, form[0], 0)
    steps = f32(Fraction(x) * f32(Fraction(2) ** n / scale))
    moved = f32(steps + (Fraction(1, 2) if steps > 0 else Fraction(-1, 2)))
    return sat(int(moved) + zero, 16 if kind == "fx16" else 8)


def to_real(q, kind, form):
    scale, n, zero = form if kind == "sa8" else (1, form[0], 0)
    return float(f32((q - zero) * f32(scale * Fraction(2) ** -n)))


# ---------------------------------------------------------------------------------------------------------------- cases


def number(bits):
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if rng.random() < 0.3:
        return rng.choice([low, low + 1, -1, 0, 1, high - 1, high])
    return rng.randint(low, high)


def sa8_format():
    scale = rng.choice([1, 2, 3, 5, 127, 16383, 16384, 16385, 32766, 32767, rng.randint(1, 32767), rng.randint(1, 32767)])
    zero = rng.choice([-128, 127, 0, rng.randint(-128, 127)])
    return [scale, rng.randint(-4, 20), zero]


def near(form, spread):
    """A format whose steps differ from those of another by up to a power of two."""
    scale, n, _ = form
    other = sa8_format()
    n = n + other[0].bit_length() - scale.bit_length() + rng.randint(-spread, spread)
    return [other[0], max(-128, min(127, n)), other[2]]


def sa8_formats(op, spread):
    left = sa8_format()
    right = left if op in ("min", "max") else near(left, spread)
    if op == "mul":
        step = [max(1, left[0] * right[0] >> 15), left[1] + right[1] - 15, 0]
        return left, right, near(step, spread)
    return left, right, near(left, spread)


def fx_formats(op, bits, spread):
    n1 = rng.randint(-3, bits + 3)
    n2 = n1 if op in ("min", "max") else n1 + rng.randint(-spread, spread)
    top = n1 + n2 if op == "mul" else max(n1, n2)
    no = max(-128, min(127, top - (bits if op == "mul" else 0) + rng.randint(-spread, spread)))
    return [n1], [n2], [no]


FIXED = [
    # a half and a half, of both signs
    ("sa8", "add", [1, 1, 0], [1, 1, 0], [1, 0, 0]),
    ("sa8", "sub", [1, 1, 0], [1, 1, 0], [1, 0, 0]),
    # zero points at both ends, and saturation
    ("sa8", "add", [1, 0, -128], [1, 0, -128], [1, 0, 127]),
    ("sa8", "add", [1, 0, 127], [1, 0, 127], [1, 0, -128]),
    ("sa8", "sub", [1, 0, 127], [1, 0, -128], [1, 0, 0]),
    ("sa8", "mul", [1, 0, -128], [1, 0, -128], [1, 0, 0]),
    ("sa8", "mul", [1, 0, 127], [1, 0, 127], [32767, 0, -128]),
    ("sa8", "mul", [1, 0, 127], [1, 0, -128], [255, 0, 0]),
    # shifts at their limits
    ("sa8", "add", [1, 127, 0], [1, 127, 0], [32767, -128, 5]),
    ("sa8", "add", [32767, -128, 0], [1, 127, 0], [1, 127, 0]),
    ("sa8", "sub", [32767, -128, 0], [32767, -128, 0], [1, 127, 0]),
    ("sa8", "mul", [1, 127, 0], [1, 127, 0], [32767, -128, 5]),
    ("sa8", "mul", [32767, -128, 0], [32767, -128, 0], [1, 127, 0]),
    ("sa8", "max", [1, 127, 0], [1, 127, 0], [32767, -128, 5]),
    ("sa8", "min", [32767, -128, 3], [32767, -128, 3], [1, 127, 0]),
    # sums whose operands are shifted far to the left and cancel
    ("sa8", "add", [32767, 0, 0], [32767, 1, 1], [1, 12, 0]),
    ("sa8", "sub", [16384, 0, 0], [16384, 0, 0], [1, 17, 0]),
    ("sa8", "sub", [16384, 0, 0], [16385, 0, 0], [1, 15, 0]),
    ("sa8", "max", [3, 2, 7], [3, 2, 7], [3, 2, 7]),
    ("sa8", "min", [3, 2, 7], [3, 2, 7], [3, 3, 7]),
    ("fx16", "add", [0], [0], [0]),
    ("fx16", "sub", [15], [0], [15]),
    ("fx16", "add", [-128], [127], [0]),
    ("fx16", "add", [127], [-128], [127]),
    ("fx16", "sub", [16], [0], [-15]),
    ("fx16", "sub", [0], [17], [17]),
    ("fx16", "add", [31], [31], [0]),
    ("fx16", "mul", [15], [15], [15]),
    ("fx16", "mul", [15], [15], [0]),
    ("fx16", "mul", [127], [127], [-128]),
    ("fx16", "mul", [-128], [-128], [127]),
    ("fx16", "max", [1], [1], [0]),
    ("fx16", "min", [20], [20], [0]),
    ("fx16", "max", [15], [15], [0]),
    ("fx16", "min", [0], [0], [127]),
    ("fx8", "mul", [7], [7], [7]),
    ("fx8", "max", [1], [1], [0]),
    ("fx8", "add", [127], [-128], [127]),
]

SA8_PAIRS = [(-128, -128), (127, 127), (-128, 127), (127, -128), (0, 0), (1, 1), (-1, -1), (1, -1), (3, 3), (-3, -3), (0, 5), (5, 0)]
FX_PAIRS = [(-32768, -32768), (32767, 32767), (-32768, 32767), (32767, -32768), (0, 0), (1, 1), (-1, -1), (1, 2), (-1, -2), (16384, 16384), (-16384, 16384), (3, 0)]


def case(kind, op, left, right, out, pairs):
    x, y = [p[0] for p in pairs], [p[1] for p in pairs]
    results = {mode: [kernel(kind, op, a, b, left, right, out, mode) for a, b in pairs] for mode in ("up", "convergent")}
    return {"type": kind, "op": op, "left": left, "right": right, "out": out, "x": x, "y": y, **results}


def cases():
    for kind, op, left, right, out in FIXED:
        pairs = FX_PAIRS if kind == "fx16" else SA8_PAIRS
        bits = 16 if kind == "fx16" else 8
        yield case(kind, op, left, right, out, pairs + [(number(bits), number(bits)) for _ in range(8)])
    for op in ("add", "sub", "mul", "min", "max"):
        for spread, count in ((1, 16), (7, 8), (40, 4)):
            for _ in range(count):
                yield case("sa8", op, *sa8_formats(op, spread), [(number(8), number(8)) for _ in range(16)])
        for kind, bits in (("fx16", 16), ("fx8", 8)):
            for spread, count in ((2, 6), (20, 4), (60, 2)):
                for _ in range(count):
                    yield case(kind, op, *fx_formats(op, bits, spread), [(number(bits), number(bits)) for _ in range(16)])


def thresholds():
    """Factors with the largest shifts that are not cut, and elements that they bring to half a step and to just below."""
    for k in range(129, 256, 2):
        m = -(-(2**22) // k)
        if m % 2 == 1 and m < 2**15 and k % 16 == 7:
            form = [m, 23, -128], [1, 0, 0], [1, 0, 0]
            yield case("sa8", "add", *form, [(k - 128, 0), (k - 129, 0), (k - 127, 0)])
            yield case("sa8", "max", form[0], form[0], form[2], [(k - 128, -128), (k - 129, -128), (k - 127, -128)])
            form = [m - 1, 23, -128], [1, 0, 0], [1, 0, 0]
            yield case("sa8", "sub", *form, [(k - 128, 0), (k - 129, 0), (k - 127, 0)])
    for a in range(200, 256, 9):
        for b in range(200, 256, 8):
            t = shr(a * b, 3, 32, "up")
            m = -(-(2**27) // t)
            for m in (m - 1, m):
                if m % 2 == 1 and m < 2**15 and (a + b) % 3 == 0:
                    yield case("sa8", "mul", [m, 31, -128], [1, 0, -128], [1, 0, 0], [(a - 128, b - 128), (a - 129, b - 128), (a - 127, b - 129)])


def at_limit(op):
    """Formats of sa8 that bring shifts close to their bounds, and elements close to half a step there."""
    left, right = sa8_format(), sa8_format()
    if op in ("min", "max"):
        right = left
    out = [rng.choice([1, 16384, rng.randint(1, 32767)]), 0, rng.choice([0, 0, rng.randint(-128, 127)])]
    size = left[0] * right[0] / out[0] if op == "mul" else left[0] / out[0]
    fraction = left[1] + (right[1] if op == "mul" else 0)
    spot = rng.choice([-17, -16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
    out[1] = max(-128, min(127, fraction - (spot + math.frexp(size)[1])))
    return left, right, out


def sharp():
    """
    Cases that would come out otherwise if a bound of the text were one more or less. thresholds() has those for "sums" and
    "products" one less; one more, and "low", change nothing that can be seen, since all is zero or saturated there. So do 17 bits
    of the product.
    """
    ops = {"wide": ["add", "mul"], "extremes": ["min", "max"]}
    for name in ("before", "most", "wide", "bits of the product", "extremes"):
        kind = "fx16" if name in ("wide", "extremes") else "sa8"
        bits = 16 if kind == "fx16" else 8
        for by in (-1, 1):
            found, tried = 0, 0
            while found < 3 and tried < 5000:
                tried += 1
                op = rng.choice(ops.get(name, ["mul"]))
                form = at_limit(op) if kind == "sa8" else fx_formats(op, bits, 40)
                pairs = [(number(bits), number(bits)) for _ in range(6)]
                truth = case(kind, op, *form, pairs)
                TEXT[name] += by
                other = case(kind, op, *form, pairs)
                TEXT[name] -= by
                if truth != other:
                    found += 1
                    yield truth
            print(name, by, "found", found, "of", tried)


def conversions():
    for kind in ("sa8", "fx8", "fx16"):
        for _ in range(12):
            form = sa8_format() if kind == "sa8" else [rng.randint(-3, 18)]
            scale, n, zero = form if kind == "sa8" else (1, form[0], 0)
            step = Fraction(scale) * Fraction(2) ** -n
            low, high = (-32768, 32767) if kind == "fx16" else (-128 - zero, 127 - zero)
            places = [rng.randint(low, high) + rng.choice([Fraction(0), Fraction(1, 2), Fraction(-1, 2), Fraction(rng.randint(-99, 99), 200)]) for _ in range(16)]
            places += [Fraction(low) * 2, Fraction(high) * 2 + 1, Fraction(0), Fraction(1, 2), Fraction(-1, 2), Fraction(3, 2), Fraction(-3, 2)]
            reals = [float(f32(place * step)) for place in places]
            ints = [number(16 if kind == "fx16" else 8) for _ in range(8)]
            yield {
                "type": kind,
                "format": form,
                "reals": reals,
                "quantized": [to_quantized(x, kind, form) for x in reals],
                "integers": ints,
                "dequantized": [to_real(q, kind, form) for q in ints],
            }


def line(item):
    return json.dumps(item, separators=(",", ":"))


if __name__ == "__main__":
    groups = {"kernels": [*cases(), *thresholds(), *sharp()], "conversions": list(conversions())}
    text = ",\n".join(f'"{name}": [\n' + ",\n".join(map(line, items)) + "\n]" for name, items in groups.items())
    with open(os.path.join(HERE, "quantized.json"), "w", encoding="utf-8") as file:
        file.write("{\n" + text + "\n}\n")
    print({name: len(items) for name, items in groups.items()})
