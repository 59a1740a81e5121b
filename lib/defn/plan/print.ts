/** Plans as readable text: one line a step, slots named as the nodes of the graph, with what becomes of their memory. */
import { resultsOf, type Graph } from "../graph";
import { expression, namedNodes, typeText } from "../print";
import type { Plan, Step } from "./plan";

/** The text of the plan of a graph. */
export function printPlan(graph: Graph, plan: Plan, indent = ""): string {
  const { order, nameOf } = namedNodes(graph);
  const slotName = (slot: number): string => nameOf(order[slot]!);
  const lines = plan.steps.flatMap((step) => {
    const types = (resultsOf(step.node) ?? [step.node.out]).map(typeText).join(", ");
    const line = `${indent}${slotName(step.slot)} = ${expression(step.node, nameOf)}  ${types}`;
    return [[line, ...memoryText(step, slotName)].join("  "), ...functionLines(step, indent)];
  });
  return [...lines, `${indent}return ${plan.outputs.map(slotName).join(", ")}`].join("\n");
}

function functionLines({ node, functions }: Step, indent: string): string[] {
  if (node.kind === "fused" || !("attrs" in node)) return [];
  const graphs: readonly Graph[] =
    "functions" in node.attrs ? node.attrs.functions : "fn" in node.attrs ? [node.attrs.fn] : [];
  return graphs.flatMap((fn, i) => [`${indent}  with`, printPlan(fn, functions[i]!, `${indent}    `)]);
}

/** What is written over what, what is given back to be used again, and what is merely let go of. */
function memoryText({ slot, reads, frees, releases, reuses }: Step, slotName: (slot: number) => string): string[] {
  const taken = (reuses ?? []).flatMap((input) => (input === null ? [] : [reads[input]!]));
  const over = (reuses ?? []).flatMap((input, i) =>
    input === null ? [] : [`${slotName(slot)}.${i} over ${slotName(reads[input]!)}`],
  );
  const back = releases.filter((freed) => !taken.includes(freed)).map(slotName);
  const gone = frees.filter((freed) => !releases.includes(freed)).map(slotName);
  return [
    ...over,
    ...(back.length > 0 ? [`gives back ${back.join(", ")}`] : []),
    ...(gone.length > 0 ? [`lets go of ${gone.join(", ")}`] : []),
  ];
}
