/** Writes the table of operators of docs/onnx.md. `npm run onnx-operators`. */
import { readFileSync, writeFileSync } from "node:fs";
import { PAGE, withTable } from "../test/onnx/operator-table";

writeFileSync(PAGE, await withTable(readFileSync(PAGE, "utf8")));
