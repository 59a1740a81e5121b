"""Writes numpy-table.json next to this file: what the left cells of the tables of docs/from-numpy.md are in NumPy, for test/docs/numpy-table.test.ts.

Run:  python3 test/oracles/make_numpy_table.py   (needs numpy, scipy)

The codes of two cells belong together, one by one, where there are as many; else the first ones do. A name alone is called with what our code
gives to its function. What is no value of numbers (a type, an error, something drawn at random, memory as it was) has no entry.
"""

import json
import os
import re
import warnings

import numpy as np
import scipy.fft
import scipy.integrate
import scipy.linalg
import scipy.signal
import scipy.special
import scipy.stats

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))


def given():
    """As test/docs/given.ts has it, made anew for each code."""
    a = np.array([[1.0, 5, 2], [4, 3, 6]])
    return {
        "np": np,
        "scipy": scipy,
        "a": a,
        "b": np.array([[2.0, 1, 3], [1, 2, 5]]),
        "x": np.array([0.5, 1.5, 2]),
        "y": np.array([1, 2, 0.25]),
        "m": np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]),
        "u": a.copy(),
        "s": np.arange(8.0).reshape(2, 2, 2),
        "c": np.array([1 + 2j], np.complex64),
        "i": np.array([0, 2, 2]),
        "mask": np.array([True, False, True]),
        "f": lambda t: np.sum(t**2),
    }


def codes(cell):
    return [code.strip() for _, code in re.findall(r"(`+)(.+?)\1", cell)]


def called(name, before, ours):
    """A name in its space, called with the arguments of our code: of a method, the tensor first."""
    if "." not in name:
        space = re.match(r"((?:np|scipy)[\w.]*)\.\w+", before)
        name = f"{space[1]}.{name}" if space else ""
    if not re.match(r"(np|scipy)\.", name):
        return None
    method = re.fullmatch(r"([a-z]\w*)\.\w+\(([^(){}]*)\)", ours)
    function = re.fullmatch(r"Nx\.[\w.]+\(([^(){}]*)\)", ours)
    if method:
        return f"{name}({', '.join(filter(None, method.groups()))})"
    return f"{name}({function[1]})" if function else None


def entry(value):
    """Shape and elements, or a list of entries; None for anything else."""
    if isinstance(value, (list, tuple)) and any(isinstance(v, (np.ndarray, np.generic)) for v in value):
        entries = [entry(v) for v in value]
        return None if None in entries else entries
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        return None
    flat = array.ravel()
    if array.dtype.kind == "c":
        elements = [[float(z.real), float(z.imag)] for z in flat]
    else:
        elements = [float(z) for z in flat]
    if not np.all(np.isfinite(np.array(elements))):
        return None
    return {"shape": list(array.shape), "elements": elements}


def pairs():
    with open(os.path.join(HERE, "../../docs/from-numpy.md")) as page:
        rows = [line.strip().strip("|").split(" | ") for line in page if line.startswith("| ")]
    for row in rows:
        theirs, ours = [codes(cell) for cell in row[:2]]
        count = len(ours) if len(theirs) == len(ours) else 1
        for left, right in list(zip(theirs, ours))[:count]:
            yield (called(left, theirs[0], right) if re.fullmatch(r"[\w.]+", left) and not left.startswith("a.") else left), right


found = {}
for theirs, ours in pairs():
    if theirs is None or theirs.startswith("np.empty"):
        continue
    try:
        value = entry(eval(theirs, given()))
    except Exception:
        continue
    if value is not None:
        found[ours] = {"numpy": theirs, "is": value}

with open(os.path.join(HERE, "numpy-table.json"), "w") as out:
    rows = [f"{json.dumps(ours)}: {json.dumps(row)}" for ours, row in found.items()]
    out.write("{\n" + ",\n".join(rows) + "\n}\n")
print(len(found), "codes")
