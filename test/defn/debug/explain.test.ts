import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { toDot } from "../../../lib/defn/debug/explain/dot";
import { toMermaid } from "../../../lib/defn/debug/explain/mermaid";
import { OPTIMIZE } from "../../../lib/defn/passes";
import { toText } from "../../../lib/defn/debug/explain/text";

const { explain } = Nx.Defn;
const halves = (x: Nx.Tensor) =>
  Nx.Defn.whileLoop(
    x,
    (y) => y.reduceMax().greater(1),
    (y) => y.divide(2).add(y.divide(2).multiply(0)),
  );
const loop = () => explain(halves)(Nx.f32([3, 4], { names: ["x"], backend: "wasm" }));

describe("renderings of a graph with a loop", () => {
  it("text", () =>
    expect(String(loop())).toMatchInlineSnapshot(`
      "compiler optimizing
      9 nodes, 3 kernels, 8 flops
      16 bytes read, 9 written, at most 16 held, 3 blocks of memory
      loops of unknown length, counted as one step: 1

      pass           fired  nodes before  after
      inline             0            15     15
      fold               0            15     15
      normalize          2            15     15
      cse                2            15     13
      dce                0            13     13
      transposes         0            13     13
      rematerialize      0            13     13
      fuse               1            13     10
      rows               1            10      9
      epilogues          0             9      9
      joins              0             9      9

      node                      type
      a = parameter 0           f32[x: 2]
      b = while(a)              f32[x: 2]  kernel 0
      c = element(b, index: 0)  f32[x: 2]
      return c

      kernel  nodes  reads  writes  flops  bytes read  written  held
           0  b      a      b.0         8          16        9    16

      program 0: 1 kernel, 0

      buffer  role      type       bytes  from  to
      a       argument  f32[x: 2]      8        0
      b.0     result    f32[x: 2]      8  0

      condition of b, each time
        node                                          type
        a = parameter 0                               f32[x: 2]
        b = reduceMax(a, axes: [0], keepAxes: false)  f32        kernel 0
        c = constant(value: 1)                        f32        kernel 0
        d = greater(b, c)                             u8         kernel 0
        return d

        kernel  nodes    reads  writes  flops  bytes read  written  held
             0  b, c, d  a      d           2           8        1     1

        program 0: 1 kernel, 0

        buffer  role      type       bytes  from  to
        a       argument  f32[x: 2]      8        0
        d       result    u8             1  0
      body of b, each time
        node                      type
        a = parameter 0           f32[x: 2]
        b = constant(value: 0.5)  f32        kernel 0
        c = multiply(a, b)        f32[x: 2]  kernel 0
        d = constant(value: 0)    f32        kernel 0
        e = multiply(c, d)        f32[x: 2]  kernel 0
        f = add(c, e)             f32[x: 2]  kernel 0
        return f

        kernel  nodes          reads  writes  flops  bytes read  written  held
             0  b, c, d, e, f  a      f           6           8        8     8

        buffer  role      type       bytes  from  to
        a       argument  f32[x: 2]      8        0
        f       result    f32[x: 2]      8  0"
    `));
  it("mermaid", () =>
    expect(loop().toMermaid()).toMatchInlineSnapshot(`
      "flowchart TD
        n_a(["a = parameter 0<br/>f32[x: 2]"])
        n_b["b = while(a)<br/>f32[x: 2]<br/>8 flops, 25 bytes"]
        n_c["c = element(b, index: 0)<br/>f32[x: 2]"]
        n_return(("return"))
        subgraph n_b_0["condition of b"]
          n_b_0_a(["a = parameter 0<br/>f32[x: 2]"])
          n_b_0_return(("return"))
          subgraph n_b_0_kernel_0["kernel 0: 2 flops, 9 bytes"]
            n_b_0_b["b = reduceMax(a, axes: [0], keepAxes: false)<br/>f32"]
            n_b_0_c["c = constant(value: 1)<br/>f32"]
            n_b_0_d["d = greater(b, c)<br/>u8"]
          end
        end
        subgraph n_b_1["body of b"]
          n_b_1_a(["a = parameter 0<br/>f32[x: 2]"])
          n_b_1_return(("return"))
          subgraph n_b_1_kernel_0["kernel 0: 6 flops, 16 bytes"]
            n_b_1_b["b = constant(value: 0.5)<br/>f32"]
            n_b_1_c["c = multiply(a, b)<br/>f32[x: 2]"]
            n_b_1_d["d = constant(value: 0)<br/>f32"]
            n_b_1_e["e = multiply(c, d)<br/>f32[x: 2]"]
            n_b_1_f["f = add(c, e)<br/>f32[x: 2]"]
          end
        end
        n_a --> n_b
        n_b --> n_c
        n_c --> n_return
        n_b_0_a --> n_b_0_b
        n_b_0_b --> n_b_0_d
        n_b_0_c --> n_b_0_d
        n_b_0_d --> n_b_0_return
        n_b_0_return --> n_b
        n_b_1_a --> n_b_1_c
        n_b_1_b --> n_b_1_c
        n_b_1_c --> n_b_1_e
        n_b_1_d --> n_b_1_e
        n_b_1_c --> n_b_1_f
        n_b_1_e --> n_b_1_f
        n_b_1_f --> n_b_1_return
        n_b_1_return --> n_b"
    `));
  it("dot", () =>
    expect(loop().toDot()).toMatchInlineSnapshot(`
      "digraph {
        node [fontname="monospace", fontsize=11];
        n_a [label="a = parameter 0\\nf32[x: 2]", shape=box, style=rounded];
        n_b [label="b = while(a)\\nf32[x: 2]\\n8 flops, 25 bytes", shape=box];
        n_c [label="c = element(b, index: 0)\\nf32[x: 2]", shape=box, style=dashed];
        n_return [label="return", shape=plaintext];
        subgraph cluster_n_b_0 {
          label="condition of b";
          n_b_0_a [label="a = parameter 0\\nf32[x: 2]", shape=box, style=rounded];
          n_b_0_return [label="return", shape=plaintext];
          subgraph cluster_n_b_0_kernel_0 {
            label="kernel 0: 2 flops, 9 bytes";
            n_b_0_b [label="b = reduceMax(a, axes: [0], keepAxes: false)\\nf32", shape=box];
            n_b_0_c [label="c = constant(value: 1)\\nf32", shape=box];
            n_b_0_d [label="d = greater(b, c)\\nu8", shape=box];
          }
        }
        subgraph cluster_n_b_1 {
          label="body of b";
          n_b_1_a [label="a = parameter 0\\nf32[x: 2]", shape=box, style=rounded];
          n_b_1_return [label="return", shape=plaintext];
          subgraph cluster_n_b_1_kernel_0 {
            label="kernel 0: 6 flops, 16 bytes";
            n_b_1_b [label="b = constant(value: 0.5)\\nf32", shape=box];
            n_b_1_c [label="c = multiply(a, b)\\nf32[x: 2]", shape=box];
            n_b_1_d [label="d = constant(value: 0)\\nf32", shape=box];
            n_b_1_e [label="e = multiply(c, d)\\nf32[x: 2]", shape=box];
            n_b_1_f [label="f = add(c, e)\\nf32[x: 2]", shape=box];
          }
        }
        n_a -> n_b;
        n_b -> n_c;
        n_c -> n_return;
        n_b_0_a -> n_b_0_b;
        n_b_0_b -> n_b_0_d;
        n_b_0_c -> n_b_0_d;
        n_b_0_d -> n_b_0_return;
        n_b_0_return -> n_b;
        n_b_1_a -> n_b_1_c;
        n_b_1_b -> n_b_1_c;
        n_b_1_c -> n_b_1_e;
        n_b_1_d -> n_b_1_e;
        n_b_1_c -> n_b_1_f;
        n_b_1_e -> n_b_1_f;
        n_b_1_f -> n_b_1_return;
        n_b_1_return -> n_b;
      }"
    `));
});

describe("the report", () => {
  it("is plain data", () => {
    const report = loop();
    const copy = JSON.parse(JSON.stringify(report)) as typeof report;
    expect(copy).toEqual({ ...report });
    expect(toText(copy)).toBe(String(report));
    expect(Object.keys(copy).sort()).toEqual([
      "backend",
      "buffers",
      "compiler",
      "kernels",
      "nodes",
      "outputs",
      "passes",
      "programs",
      "splitting",
      "totals",
    ]);
  });

  it("says how often passes fired", () => {
    const k = Nx.tensor([1, 2]);
    const fn = (x: Nx.Tensor) =>
      x
        .add(k)
        .multiply(x.add(k))
        .add(Nx.multiply(Nx.iota([2]), 3));
    const { passes } = explain(fn)(k);
    expect(passes.map(({ name }) => name)).toEqual(OPTIMIZE.map(({ name }) => name));
    expect(passes.filter(({ fired }) => fired > 0)).toEqual([
      { name: "fold", fired: 2, nodesBefore: 10, nodesAfter: 8 },
      { name: "cse", fired: 2, nodesBefore: 8, nodesAfter: 6 },
      { name: "fuse", fired: 1, nodesBefore: 6, nodesAfter: 5 },
    ]);
    expect(explain(fn, { compiler: "evaluator" })(k).passes).toEqual([]);
  });

  it("follows buffers through views, from the kernel that writes to the last that reads", () => {
    const { kernels, buffers } = explain((x: Nx.Tensor) => x.exp().reshape([2, 2]).sum().negate(), {
      compiler: "evaluator",
    })(Nx.iota([4], { type: "f64" }));
    expect(
      kernels.map(({ reads, writes, bytesRead, bytesWritten, liveBytes }) => [
        reads,
        writes,
        bytesRead,
        bytesWritten,
        liveBytes,
      ]),
    ).toEqual([
      [["a"], ["b"], 32, 32, 32],
      [["b"], ["d"], 32, 8, 40],
      [["d"], ["e"], 8, 8, 16],
    ]);
    expect(buffers.map(({ name, role, from, to }) => [name, role, from, to])).toEqual([
      ["a", "argument", null, 0],
      ["b", "temporary", 0, 1],
      ["d", "temporary", 1, 2],
      ["e", "result", 2, null],
    ]);
  });

  it("counts operations", () => {
    const f32 = (...shape: number[]) => Nx.iota(shape, { type: "f32" });
    const flops = (fn: (x: Nx.Tensor) => unknown, x: Nx.Tensor) => explain(fn)(x).totals.flops;
    expect(flops((x) => x.exp(), f32(5, 2))).toBe(10);
    expect(flops((x) => x.sum({ axes: [1] }), f32(5, 2))).toBe(5);
    expect(flops((x) => x.dot(f32(2, 7)), f32(5, 2))).toBe(2 * 5 * 7 * 2);
    expect(flops((x) => Nx.conv(x, f32(4, 3, 2)), f32(1, 3, 9))).toBe(2 * 4 * 8 * 3 * 2);
    expect(flops((x) => x.transpose().reshape([10]), f32(5, 2))).toBe(0);
    expect(flops((x) => Nx.sort(x), f32(8))).toBe(24);
    expect(flops((x) => Nx.fft(x), f32(8))).toBe(5 * 8 * 3);
    expect(flops((x) => Nx.rfft(x), f32(8))).toBe((5 * 8 * 3) / 2);
    expect(flops((x) => Nx.irfft(x), Nx.iota([5], { type: "c64" }))).toBe((5 * 8 * 3) / 2);
    expect(flops((x) => Nx.map(x, (e) => e.multiply(e).add(e)), f32(6))).toBe(12);
    expect(flops((x) => Nx.LinAlg.cholesky(x), Nx.eye(6, { type: "f32" }))).toBe(72);
  });

  it("counts a cond as its costliest branch, a scan as all of its steps, a while as one", () => {
    const x = Nx.iota([4], { type: "f32" });
    const branches = (t: Nx.Tensor) => Nx.Defn.cond([[t.sum().greater(0), () => t.exp().log()]], () => t.exp());
    expect(explain(branches)(x).totals.flops).toBe(3 + 1 + 8);
    const steps = (t: Nx.Tensor) => Nx.Defn.scan((sum, e) => [sum.add(e), e], Nx.f32(0), t)[0];
    expect(explain(steps)(x).totals.flops).toBe(4);
    expect(loop().totals.openLoops).toBe(1);
  });

  it("shows hooks, and the functions given to them", () => {
    const fn = (x: Nx.Tensor) => Nx.Defn.hook(x.add(1), "next").multiply(2);
    expect(explain(fn)(Nx.tensor(1)).nodes.map(({ role }) => role)).not.toContain("hook");
    const { nodes } = explain(fn, { hooks: { next: () => 0 } })(Nx.tensor(1));
    expect(nodes.find(({ role }) => role === "hook")).toMatchObject({
      text: 'hook(c, name: "next")',
      kernel: null,
      types: [],
    });
  });

  it("draws kernels of several nodes as groups, and escapes what the languages reserve", () => {
    const fn = (x: Nx.Tensor) => Nx.Defn.hook(x.add(1), 'say "a<b"').exp();
    const report = explain(fn, { hooks: { 'say "a<b"': () => 0 } })(Nx.f32([1]));
    expect(report.kernels.map(({ nodes }) => nodes)).toEqual([["b", "c", "e"]]);
    expect(toMermaid(report)).toContain('  subgraph n_kernel_0["kernel 0: 2 flops, 12 bytes"]\n    n_b["b =');
    expect(toMermaid(report)).toContain("say \\#34;a#60;b");
    expect(toDot(report)).toContain("subgraph cluster_n_kernel_0 {");
    expect(toDot(report)).toContain('\\\\\\"a<b');
  });

  it("says which kernels run together, and which split programs and loops", () => {
    const apart = (x: Nx.Tensor) => Nx.map(x.sum().exp(), (t) => t.add(1)).add(x.sum().log().sin());
    const loop = (x: Nx.Tensor) =>
      Nx.Defn.whileLoop(
        x,
        (s) => s.less(9),
        (s) => s.multiply(2).add(1),
      );
    const refusing = (x: Nx.Tensor) =>
      Nx.Defn.whileLoop(
        x,
        (s) => s.sum().less(9),
        (s) => Nx.map(s, (t) => t.add(1)),
      );
    const on = (backend: string, fn: (x: Nx.Tensor) => unknown, x: Nx.Tensor) =>
      Nx.withDefaultBackend(backend, () => explain(fn)(Nx.backendCopy(x, backend)));
    const { programs, splitting, kernels } = on("wasm", loop, Nx.tensor(1));
    expect(programs).toEqual([{ kernels: kernels.map(({ index }) => index) }]);
    expect(splitting).toEqual([]);
    const report = on("wasm", apart, Nx.f32([1, 2]));
    expect(report.splitting).toHaveLength(1);
    expect(report.programs.flatMap((each) => each.kernels)).not.toContain(report.splitting[0]);
    const refused = on("wasm", refusing, Nx.f32([1, 2]));
    expect([refused.programs, refused.splitting]).toEqual([[], [0]]);
    expect(
      refused.nodes.find(({ functions }) => functions.length > 0)!.functions.map(({ graph }) => graph.splitting),
    ).toEqual([[], [0]]);
    expect(String(refused)).toContain("no program has: 0");
    expect(on("binary", loop, Nx.tensor(1)).programs).toEqual([]);
  });

  it("refuses what is no function, and unknown options", () => {
    expect(() => explain(1 as never)).toThrow(/expects a function of tensors, got: 1/);
    expect(() => explain(halves, { compilr: 1 } as never)).toThrow(/did you mean "compiler"/);
  });
});
