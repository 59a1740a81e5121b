import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { Complex } from "../../lib/core/complex";
import {
  afterChanges,
  mapGraph,
  nextNodeId,
  orderOf,
  parameterNode,
  primitiveNode,
  topological,
  withChanges,
  type Graph,
  type Node,
} from "../../lib/defn/graph";
import { NORMALIZE, OPTIMIZE, runPasses } from "../../lib/defn/passes";
import { cse } from "../../lib/defn/passes/cse";
import { plan } from "../../lib/defn/plan/plan";
import { traceOf } from "./passes/support";

const out = { type: "f32", shape: [2], names: [null] } as const;

/** Nodes each of which reads some of those before it. */
const dags = fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 30 }).map((reads) => {
  const nodes: Node[] = [parameterNode(out, 0)];
  for (const own of reads) {
    const inputs = own.map((at) => nodes[at % nodes.length]!);
    nodes.push(primitiveNode("concatenate", out, inputs, { axis: 0 }));
  }
  return nodes;
});

/** The same by recursion. */
function postorder(roots: readonly Node[]): Node[] {
  const done = new Set<Node>();
  const visit = (node: Node): void => {
    if (done.has(node)) return;
    node.inputs.forEach(visit);
    done.add(node);
  };
  roots.forEach(visit);
  return [...done];
}

const graphOf = (outputs: readonly Node[]): Graph => ({ parameters: [], outputs, effects: [], free: 0 });

describe("order", () => {
  it("is that of a walk from the roots, inputs first", () => {
    fc.assert(
      fc.property(dags, fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }), (nodes, at) => {
        const roots = at.map((i) => nodes[i % nodes.length]!);
        expect(topological(roots).map(({ id }) => id)).toEqual(postorder(roots).map(({ id }) => id));
      }),
    );
  });
  it("is found once for each graph", () => {
    const graph = traceOf((a) => a.exp().add(a), Nx.f32([1, 2]));
    expect(orderOf(graph)).toBe(orderOf(graph));
    expect(orderOf({ ...graph })).not.toBe(orderOf(graph));
  });
});

describe("rewriting", () => {
  const graph = traceOf((a: Tensor) => [a.exp().add(a), a.sin()], Nx.f32([1, 2]));
  const sine = graph.outputs[1]!;

  it("leaves a graph as it is where no node changes", () => {
    expect(mapGraph(graph, (node) => node)).toBe(graph);
    expect(withChanges(graph, new Map())).toBe(graph);
  });
  it("leaves a graph as it is where only nodes change that it does not reach", () => {
    expect(withChanges(graph, new Map([[parameterNode(out, 0), sine]]))).toBe(graph);
  });
  it("makes what reads a changed node anew, and nothing else", () => {
    const changed = mapGraph(graph, (node) =>
      node.kind === "unary" && node.attrs.op === "exp" ? primitiveNode("unary", out, node.inputs, { op: "cos" }) : node,
    );
    expect(changed.outputs[0]).not.toBe(graph.outputs[0]);
    expect(changed.outputs[1]).toBe(sine);
  });
  it("gives back the same list of nodes where all stayed", () => {
    expect(afterChanges(graph.outputs, new Map())).toBe(graph.outputs);
    expect(afterChanges(graph.outputs, new Map([[graph.parameters[0]!, sine]]))).toBe(graph.outputs);
    expect(afterChanges(graph.outputs, new Map([[graph.outputs[0]!, sine]]))).toEqual([sine, sine]);
  });
});

describe("passes with nothing to do", () => {
  it("give back the graph itself", () => {
    const normal = runPasses(
      traceOf((a: Tensor) => a.sort(), Nx.f32([2, 1])),
      NORMALIZE,
    );
    for (const pass of OPTIMIZE) expect(pass.run(normal), pass.name).toBe(normal);
  });
});

describe("the graph of a kernel", () => {
  const planned = () => {
    const graph = runPasses(
      traceOf((a: Tensor) => a.exp().add(1).sin(), Nx.f32([1, 2])),
      OPTIMIZE,
    );
    const step = plan(graph).steps.find(({ node }) => node.kind === "fused")!;
    return { step, made: nextNodeId() };
  };
  it("is made when it is asked for, once", () => {
    const { step, made } = planned();
    const [first] = step.functions;
    expect(nextNodeId()).toBeGreaterThan(made);
    const after = nextNodeId();
    expect(step.functions[0]).toBe(first);
    expect(nextNodeId()).toBe(after);
    expect(first!.steps.map(({ node }) => node.kind)).toEqual(["unary", "constant", "binary", "unary"]);
  });
});

describe("equal nodes", () => {
  /** How many nodes of a kind are left of two constants of these values. */
  const left = (a: unknown, b: unknown, type: "f32" | "s64" | "c64" = "f32"): number => {
    const scalar = { type, shape: [], names: [] };
    const constant = (value: unknown) => primitiveNode("constant", scalar, [], { value } as never);
    return new Set(cse.run(graphOf([constant(a), constant(b)])).outputs).size;
  };
  it.each([
    [NaN, -NaN],
    [0.1, 0.1],
    [-0, -0],
    [1e300, 1e300],
    [Infinity, Infinity],
  ])("%s and %s are one constant", (a, b) => expect(left(a, b)).toBe(1));
  it.each([
    [0, -0],
    [0.1, 0.2],
    [NaN, 1],
    [2 ** 32, 0],
    [Infinity, -Infinity],
  ])("%s and %s are two", (a, b) => expect(left(a, b)).toBe(2));
  it("big integers and complex numbers are compared by value", () => {
    expect(left(5n, 5n, "s64")).toBe(1);
    expect(left(5n, 6n, "s64")).toBe(2);
    expect(left(new Complex(1, 2), new Complex(1, 2), "c64")).toBe(1);
    expect(left(new Complex(0, -0), new Complex(0, 0), "c64")).toBe(2);
  });
  it("attributes are compared whatever the order of their keys", () => {
    const a = parameterNode(out, 0);
    const cast = (attrs: object) => primitiveNode("reduceOp", out, [a], attrs as never);
    const [first, second] = [cast({ op: "sum", axes: [0, 1] }), cast({ axes: [0, 1], op: "sum" })];
    const other = cast({ op: "sum", axes: [1, 0] });
    const { outputs } = cse.run(graphOf([first, second, other]));
    expect(outputs[0]).toBe(outputs[1]);
    expect(outputs[2]).not.toBe(outputs[0]);
  });
});
