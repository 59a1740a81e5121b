"""The public names of NumPy, SciPy's special functions, xarray, pandas, JAX and TensorFlow.js, for the tables of docs/from-*.md.

    python3 test/oracles/make_names_of_others.py --jax FOLDER --tfjs FOLDER

FOLDER of JAX is an unpacked wheel (`pip download jax --no-deps`), whose sources are read without importing them; that of TensorFlow.js
has `@tensorflow/tfjs` in its node_modules. Names that names-of-others.json has already stay, since programs of older versions use them.
Written by NumPy 1.24.2, SciPy 1.10.1, xarray 2023.01, pandas 1.5.3, and then by NumPy 2.4.6, SciPy 1.17.1, xarray 2026.9, pandas 3.0.6, JAX 0.10.2,
TensorFlow.js 4.22.0.
"""
import argparse
import ast
import inspect
import json
import os
import subprocess
import types
import warnings

import numpy as np
import pandas as pd
import scipy.special
import xarray as xr

warnings.simplefilter("ignore")


def functions(module, names=None):
    """Names of functions, universal ones included, but neither classes nor modules."""
    found = []
    for name in names or dir(module):
        value = None if name.startswith("_") else getattr(module, name, None)
        if callable(value) and not inspect.isclass(value) and not isinstance(value, types.ModuleType):
            found.append(name)
    return sorted(found)


def attributes(cls):
    return sorted(name for name in dir(cls) if not name.startswith("_"))


def imported(path):
    """What a module of JAX exports: `from ... import name as name`, and functions of its own."""
    found = set()
    for node in ast.parse(open(path).read()).body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names if alias.asname == alias.name}
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
    # primitives end in _p, and classes begin with a capital letter
    return sorted(n for n in found if not n.startswith("_") and not n.endswith("_p") and (n[0].islower() or n == "PRNGKey"))


JAX = {
    "jax": "__init__.py",
    "jax.numpy": "numpy/__init__.pyi",
    "jax.numpy.linalg": "numpy/linalg.py",
    "jax.numpy.fft": "numpy/fft.py",
    "jax.lax": "lax/__init__.py",
    "jax.nn": "nn/__init__.py",
    "jax.random": "random.py",
    "jax.ops": "ops/__init__.py",
    "jax.tree": "tree.py",
    "jax.scipy.special": "scipy/special.py",
}

TFJS = """
const tf = require(require.resolve("@tensorflow/tfjs", { paths: [process.argv[1]] }));
const functions = (space) => Object.keys(space).filter((n) => typeof space[n] === "function" && !/^[A-Z]/.test(n)).sort();
const names = { tf: functions(tf), "tf.Tensor": Object.getOwnPropertyNames(tf.Tensor.prototype).sort() };
for (const space of ["linalg", "spectral", "signal", "image", "losses", "train", "sparse", "string", "browser", "math"])
  names[`tf.${space}`] = functions(tf[space]);
console.log(JSON.stringify(names));
"""

parser = argparse.ArgumentParser()
parser.add_argument("--jax", required=True)
parser.add_argument("--tfjs", required=True)
folders = parser.parse_args()

lists = {
    "np": functions(np),
    "np.linalg": functions(np.linalg),
    "np.fft": functions(np.fft),
    "np.random": functions(np.random),
    "np.random.Generator": attributes(np.random.Generator),
    "np.ndarray": attributes(np.ndarray),
    "scipy.special": functions(scipy.special, scipy.special.__all__),
    "xr": functions(xr),
    "DataArray": attributes(xr.DataArray),
    "pd": functions(pd),
    "Series": attributes(pd.Series),
    "DataFrame": attributes(pd.DataFrame),
}
for space, path in JAX.items():
    lists[space] = imported(os.path.join(folders.jax, "jax", path))
lists.update(json.loads(subprocess.run(["node", "-e", TFJS, folders.tfjs], capture_output=True, text=True, check=True).stdout))
file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names-of-others.json")
with open(file) as before:
    held = json.load(before)
with open(file, "w") as out:
    json.dump({space: " ".join(sorted({*names, *held.get(space, "").split()})) for space, names in lists.items()}, out, indent=2)
    out.write("\n")
