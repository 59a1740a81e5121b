/**
 * A text that is the same for kernels that compute the same thing: ops, types and constants, nothing of sizes.
 */
import { getOrMake } from "../core/get-or-make";
import type { Kernel, Table, Value } from "./value";

/** Tables that are in keys. */
const tables = new Set<Table>();

const tableText = ({ name }: Table): string => `[${name}]`;

/** The tables that kernels in a text look numbers up in; the text has their keys. */
export const tablesIn = (text: string): Table[] => [...tables].filter((table) => text.includes(tableText(table)));

const known = new WeakMap<Kernel, string>();

/** The key of a kernel. */
export const keyOf = (kernel: Kernel): string => getOrMake(known, kernel, written);

function written(kernel: Kernel): string {
  const names = new Map<Value, number>();
  const line = (value: Value): string => {
    const detail = detailOf(value, line, names);
    let args = "";
    for (const arg of value.args) args += args === "" ? names.get(arg) : `,${names.get(arg)}`;
    names.set(value, names.size);
    return `${value.op}.${value.kind}(${args})${detail}`;
  };
  const inputs = kernel.inputs.map(({ type, uniform }) => (uniform ? `${type}!` : type)).join(",");
  const body = kernel.values.map(line).join(";");
  const outputs = kernel.outputs.map(({ type, values }) => `${type}:${values.map((v) => names.get(v)).join("/")}`);
  return `${inputs}|${body}|${outputs.join(",")}`;
}

function detailOf(value: Value, line: (value: Value) => string, names: ReadonlyMap<Value, number>): string {
  switch (value.op) {
    case "load":
      return `${value.input}.${value.part}`;
    case "const":
      return `${Object.is(value.value, -0) ? "-0" : value.value}.${value.high}`;
    case "lookup":
      tables.add(value.table);
      return tableText(value.table);
    case "coldPath":
      return `${value.isWhole ? "!" : ""}{${value.body.map(line).join(";")}>${names.get(value.cold)!}}`;
    case "shl":
    case "shrS":
    case "shrU":
      return `${value.count}`;
    default:
      return "";
  }
}
