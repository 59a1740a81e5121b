"""Attributes of ONNX's operators, over all versions up to 26, for test/onnx/schema.test.ts. Made with the Python package onnx, 1.23."""

import json
import pathlib

from onnx import defs

NEWEST = 26

attributes: dict[str, set[str]] = {}
for schema in defs.get_all_schemas_with_history():
    if schema.domain == "" and schema.since_version <= NEWEST:
        attributes.setdefault(schema.name, set()).update(schema.attributes)

path = pathlib.Path(__file__).parent.parent / "onnx" / "schema.json"
rows = {name: " ".join(sorted(found)) for name, found in sorted(attributes.items())}
path.write_text(json.dumps(rows, indent=1) + "\n")
