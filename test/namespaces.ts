/** The namespaces of the main entry that tables of functions go through. */
export const NAMESPACES = [
  "Batch",
  "Constants",
  "Defn",
  "LinAlg",
  "Quantized",
  "Random",
  "Serving",
  "Signal",
  "Type",
  "byName",
] as const;
