/** Shows a tensor on one line, for comparisons that are easy to read: `s64[x: 2] [1,2]`. */

import * as Nx from "nx-numerics";

export function view(tensor: Nx.Tensor): string {
  const axes = tensor.shape.map((size, i) =>
    tensor.names[i] === null ? `[${size}]` : `[${tensor.names[i]}: ${size}]`,
  );
  const value = tensor.shape.length === 0 ? tensor.toNumber() : tensor.toList();
  return `${tensor.type}${axes.join("")} ${text(value)}`;
}

function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (value instanceof Nx.Complex) return `${text(value.re)}:${text(value.im)}`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The message of the error that a call throws. */
export function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
  }
  return "no error";
}
