"""Tests of operators that ONNX has since 2022, for test/onnx/newer.json. Made with the Python package onnx, 1.23: its own node tests, small ones."""

import base64
import json
import pathlib
import re

from onnx import TensorProto, numpy_helper
from onnx.backend.test.loader import load_node_model_tests

WANTED = re.compile(
    r"^test_(attention_(4d|local|bidirectional|23|24).*|rotary_embedding.*|rms_normalization_(2d|3d)_.*|group_normalization.*|col2im.*|tensorscatter.*"
    r"|.*linear_blocked.*|.*antialias|resize_.*(axes|not_larger|not_smaller).*|dft_irfft.*|split_(equal|variable|1d|2d).*opset18"
    r"|center_crop_pad_crop.*|bitwise_.*|mish|gelu_.*|isinf.*|affine_grid_2d.*|gridsample_.*cubic.*|lppool_2d_dilations|maxpool_2d_ceil.*"
    r"|averagepool_2d_ceil.*|reduce_.*noop.*|swish|cumprod_1d.*|bitcast_.*|constant_pad_axes|wrap_pad)$"
)
NOT = re.compile(r"_expanded|bf16|fp16")
MOST = 3000  # bytes of a test


def message(value, name):
    return value if isinstance(value, TensorProto) else numpy_helper.from_array(value, name)


def packed(values, infos):
    return {
        str(i): base64.b64encode(message(value, infos[i].name).SerializeToString()).decode()
        for i, value in enumerate(values)
    }


tests = {}
for case in load_node_model_tests():
    if not WANTED.match(case.name) or NOT.search(case.name):
        continue
    newest = max(entry.version for entry in case.model.opset_import if entry.domain == "")
    if newest > 26:
        continue
    graph = case.model.graph
    sets = [
        {"inputs": packed(given, graph.input), "outputs": packed(wanted, graph.output)}
        for given, wanted in case.data_sets
    ]
    test = {"model": base64.b64encode(case.model.SerializeToString()).decode(), "sets": sets}
    if len(json.dumps(test)) <= MOST:
        tests[case.name] = test

path = pathlib.Path(__file__).parent.parent / "onnx" / "newer.json"
path.write_text(json.dumps(dict(sorted(tests.items())), indent=1) + "\n")
print(len(tests), path.stat().st_size)
