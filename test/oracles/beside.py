"""What the left codes of the tables of docs/from-*.md are in their libraries, for test/docs/tables.test.ts; make_numpy_table.py and its kin call `write`."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")


def given(array):
    """The arrays of test/docs/given.ts, each made by `array`."""
    return {
        "a": array([[1.0, 5, 2], [4, 3, 6]]),
        "b": array([[2.0, 1, 3], [1, 2, 5]]),
        "x": array([-0.5, 1.5, 2]),
        "y": array([1, 2, 0.25]),
        "m": array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]),
        "u": array([[1.0, 5, 2], [4, 3, 6]]),
        "s": array(np.arange(8.0).reshape(2, 2, 2)),
        "c": array(np.array([1 + 2j], np.complex64)),
        "i": array([0, 2, 2]),
        "mask": array([True, False, True]),
        "gaps": array([1, np.nan, 3]),
    }


def pairs(library):
    """Codes that belong together, as scripts/others.ts reads them: theirs, the full name it begins with, ours."""
    program = f"""
    import {{ otherRows }} from "./scripts/others";
    const rows = otherRows().filter(({{ library }}) => library === "{library}");
    console.log(JSON.stringify(rows.flatMap(({{ pairs }}) => pairs)));
    """
    out = subprocess.run(["npx", "tsx", "-e", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [(pair["theirs"], pair.get("name"), pair["ours"]) for pair in json.loads(out)]


def coded(number):
    """A number as test/oracles/read.ts reads it."""
    number = float(number)
    return number if np.isfinite(number) else "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"


def entry(value):
    """Shape and elements, or a list of entries; None for what has no numbers."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)) and any(np.ndim(v) > 0 or hasattr(v, "shape") or isinstance(v, (list, tuple)) for v in value):
        entries = [entry(v) for v in value]
        return None if None in entries else entries
    array = np.asarray(value)
    if array.size > 0 and all(isinstance(text, str) for text in array.ravel()):
        return {"shape": list(array.shape), "elements": list(array.ravel())}
    if array.dtype.kind not in "biufc":
        return None
    if array.dtype.kind == "c":
        elements = [[coded(z.real), coded(z.imag)] for z in array.ravel()]
    else:
        elements = [coded(z) for z in array.ravel()]
    return {"shape": list(array.shape), "elements": elements}


def arguments(ours):
    """What our code gives to its function: of a method, the tensor first; of any other code, the tensors it names."""
    method = re.fullmatch(r"([a-z]\w*)\.\w+\(([^(){}]*)\)", ours)
    function = re.fullmatch(r"Nx\.[\w.]+\(([^(){}]*)\)", ours)
    named = dict.fromkeys(re.findall(r"(?<![\w.])(?:[abcimsuxy]|mask|gaps|key)(?![\w:])", ours))
    return [text for text in (method or function).groups() if text] if method or function else list(named)


def called(theirs, name, ours, scope):
    """How a code that is a name alone is evaluated: a function with our arguments, a property of the first of them, or a constant."""
    if theirs != name and re.match(r"[a-z]\w*\.", theirs) and not callable(eval(theirs, scope)):
        return theirs
    if callable(found := eval(name, scope)):
        return f"{name}({', '.join(arguments(ours))})"
    return f"{arguments(ours)[0]}.{name.split('.')[-1]}" if hasattr(found, "__get__") else name


def evaluated(code, scope):
    """The value of an expression; of a statement, what it has changed."""
    try:
        return eval(code, scope)
    except SyntaxError:
        exec(code, scope)
        return scope[re.match(r"\w+", code)[0]]


def write(library, file, given, calls, reasons):
    """Writes the values; `given` makes what a code uses, anew for each, `calls` says how names alone are called, `reasons` why nothing is computed, by patterns of codes or names."""
    rows, failures, used = [], [], set()
    for theirs, name, ours in pairs(library):
        row = {"theirs": theirs, "ours": ours}
        why = next((pattern for pattern in reasons if re.search(pattern, theirs) or re.fullmatch(pattern, name or "")), None)
        if why:
            used.add(why)
            rows.append(row | {"why": reasons[why]})
            continue
        is_name = re.fullmatch(r"\.?[\w.]+", theirs)
        key = next((key for key in (theirs, name if is_name else None) if key in calls), None)
        used.add(key)
        call, scope = calls.get(key, theirs), lambda: given(f"{name} {call}")
        try:
            if key is None and is_name:
                call = called(theirs, name, ours, scope())
            value = evaluated(call, scope())
            found = entry(value)
            if found is None:
                failures.append(f"{theirs} | {ours} | {call} | {str(value)[:80]}")
            else:
                rows.append(row | ({} if call == theirs else {"call": call}) | {"is": found})
        except Exception as error:
            failures.append(f"{theirs} | {ours} | {call} | {str(error)[:80]!r}")
    failures += [f"unused: {key}" for key in [*calls, *reasons] if key not in used]
    if failures:
        sys.exit("\n".join([*failures, f"{len(failures)} without a value"]))
    with open(os.path.join(HERE, file), "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    print(sum("is" in row for row in rows), "of", len(rows), "codes")
