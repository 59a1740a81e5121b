/**
 * `nx-numerics/triton` against a server of the KServe protocol: every type arrives as it was sent, whatever goes wrong is said, and nothing
 * that a server answers is taken on trust.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { triton, TritonError, type FetchLike, type TritonOptions } from "nx-numerics/triton";
import { kserve, type Model, type Value } from "../../examples/kserve";

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const serve = async (models: Record<string, Model>, extensions?: string[]): Promise<string> => {
  const { url, server } = await kserve(models, extensions);
  servers.push(server);
  return url;
};

async function serveAs(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A model that gives back what it gets. */
const echo = (datatype: Value["datatype"], shape: readonly number[]): Model => {
  const value = { name: "x", datatype, shape };
  return { inputs: [value], outputs: [value], run: (inputs) => inputs };
};

const DATATYPES = {
  u8: "UINT8",
  u16: "UINT16",
  u32: "UINT32",
  u64: "UINT64",
  s8: "INT8",
  s16: "INT16",
  s32: "INT32",
  s64: "INT64",
  f16: "FP16",
  bf16: "BF16",
  f32: "FP32",
  f64: "FP64",
} as const;

type Type = keyof typeof DATATYPES;

const message = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return String(error);
  }
  return "no error";
};

describe("tensors of all types", async () => {
  const url = await serve(
    Object.fromEntries(Object.entries(DATATYPES).map(([type, datatype]) => [type, echo(datatype, [-1, -1])])),
  );

  it.each(Object.keys(DATATYPES) as Type[])(
    "%s goes there and comes back bit for bit, with its names",
    async (type) => {
      const model = await triton(type, { url, names: { x: ["row", "column"] } });
      expect(model.inputs).toEqual([{ name: "x", type, datatype: DATATYPES[type], dims: [-1, -1] }]);
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 48, maxLength: 48 }), async (bytes) => {
          const flat = Nx.fromBinary(bytes, type);
          const sent = flat.reshape([2, flat.size / 2], { names: ["row", null] });
          const { x } = await model({ x: sent });
          expect([x!.type, x!.shape, x!.names]).toEqual([type, sent.shape, ["row", "column"]]);
          expect(x!.toBinary()).toEqual(sent.toBinary());
        }),
        { numRuns: 5 },
      );
    },
  );

  it("plain numbers take the type of the model", async () => {
    const scalar = await serve({ m: echo("FP64", []) });
    const { x } = await (await triton("m", { url: scalar }))({ x: 0.1 });
    expect(x!.equals(Nx.f64(0.1))).toBe(true);
  });

  it("truth values are u8 of 0 and 1", async () => {
    const seen: unknown[] = [];
    const run = ({ x }: Record<string, Nx.Tensor>) => {
      seen.push(x!.toList());
      return { x: x!.multiply(7) }; // any byte but 0 is true
    };
    const model = await triton("m", { url: await serve({ m: { ...echo("BOOL", [-1]), run } }) });
    const { x } = await model({ x: Nx.u8([0, 1, 9]) });
    expect([seen, x!.equals(Nx.u8([0, 1, 1]))]).toEqual([[[0, 1, 1]], true]);
    const inJson = await triton("m", { url: await serve({ m: echo("BOOL", [-1]) }, []) });
    expect((await inJson({ x: Nx.u8([0, 1, 9]) })).x!.equals(Nx.u8([0, 1, 1]))).toBe(true);
  });
});

describe("servers without the extension for binary tensors", () => {
  it("are asked in JSON", async () => {
    const url = await serve({ s64: echo("INT64", [-1, -1]), f16: echo("FP16", [-1]), f32: echo("FP32", [-1]) }, []);
    const s64 = await triton("s64", { url });
    const { x } = await s64({ x: Nx.s64([[1, -2], [3, 2 ** 53 - 1]]) }); // prettier-ignore
    expect(x!.equals(Nx.s64([[1, -2], [3, 2 ** 53 - 1]]))).toBe(true); // prettier-ignore
    expect(await message(() => s64({ x: Nx.s64([[2n ** 60n]]) }))).toBe(
      "ArgumentError: the input x has the element 1152921504606846976, which JSON cannot hold: the server needs the extension for binary tensors",
    );
    const [f16, f32] = [await triton("f16", { url }), await triton("f32", { url })];
    expect(await message(() => f16({ x: Nx.f16([1]) }))).toMatch(/the input x is f16, which has no form in JSON/);
    expect(await message(() => f32({ x: Nx.f32([NaN]) }))).toMatch(/the element NaN, which JSON cannot hold/);
  });
});

describe("what a model says of itself", () => {
  it("is there: versions, platform, values, health, and names that a configuration keeps", async () => {
    const names = { string_value: JSON.stringify(["batch", "feature"]) };
    const url = await serve({ m: { ...echo("FP32", [-1, 2]), parameters: { "nx.names.x": names } } });
    const model = await triton("m", { url: `${url}/`, version: 1 });
    expect([model.modelName, model.versions, model.platform]).toEqual(["m", ["1"], "nx"]);
    expect(await model.health()).toEqual({ live: true, ready: true, model: true });
    const { x } = await model({ x: Nx.f32([[1, 2]]) });
    expect(x!.names).toEqual(["batch", "feature"]);
    servers.at(-1)!.closeAllConnections();
    servers.pop()!.close();
    expect(await model.health()).toEqual({ live: false, ready: false, model: false });
  });

  it("decides what is sent: names, types, sizes and axes of others are errors here", async () => {
    const value = { name: "x", datatype: "FP32", shape: [-1, 2] } as const;
    const text = { name: "t", datatype: "BYTES" as never, shape: [1] };
    const url = await serve({
      m: { inputs: [value], outputs: [value], run: (x) => x },
      words: { inputs: [text], outputs: [], run: (x) => x },
    });
    const model = await triton("m", { url, names: { x: ["batch", "feature"] } });
    const is = "ArgumentError: the input x of the model m is FP32[-1][2]";
    expect(await message(() => model({ x: Nx.f32([1, 2]) }))).toBe(`${is}, got f32[2]`);
    expect(await message(() => model({ x: Nx.f32([[1, 2, 3]]) }))).toBe(`${is}, got f32[1][3]`);
    expect(await message(() => model({ x: Nx.f64([[1, 2]]) }))).toBe(
      `${is}, got f64[1][2]; cast it by Nx.asType(x, "f32")`,
    );
    expect(await message(() => model({ x: Nx.f32([[1, 2]], { names: ["feature", "batch"] }) }))).toBe(
      `${is} with the axes ["batch","feature"], got f32[feature: 1][batch: 2]`,
    );
    expect(await message(() => model({}))).toBe("ArgumentError: the model m has the inputs x: FP32[-1][2], got: none");
    expect(await message(() => model(Nx.f32([[1, 2]]) as never))).toMatch(/has the inputs x: FP32\[-1\]\[2\], got/);
    const words = await triton("words", { url });
    expect(words.inputs[0]!.type).toBe(null);
    expect(await message(() => words({ t: 1 }))).toBe(
      "ArgumentError: the input t of the model words is BYTES[1], whose elements no tensor has",
    );
  });

  it("gives the outputs that are asked for", async () => {
    const [a, b] = [{ name: "a", datatype: "FP32", shape: [] }, { name: "b", datatype: "FP32", shape: [] }] as const; // prettier-ignore
    const url = await serve({ m: { inputs: [], outputs: [a, b], run: () => ({ a: Nx.f32(1), b: Nx.f32(2) }) } });
    const model = await triton("m", { url });
    const both = await model({});
    expect(Object.entries(both).map(([name, t]) => [name, t.item()])).toEqual([["a", 1], ["b", 2]]); // prettier-ignore
    expect(Object.keys(await model({}, { outputs: ["b"] }))).toEqual(["b"]);
    expect(await message(() => model({}, { outputs: "b" as never }))).toBe(
      'ArgumentError: option outputs of a model of triton must be a list of names, got: "b"',
    );
    expect(await message(() => model({}, null as never))).toBe(
      "ArgumentError: a model of triton takes the options signal, outputs, got: null",
    );
  });
});

describe("options", () => {
  it.each<[string, string, Partial<TritonOptions> & object]>([
    ["version", "option version of triton must be a version such as 1, got: {}", { version: {} as never }],
    [
      "names",
      'option names of triton must be a list of names for each input and output, such as { x: ["row"] }, got: {"x":"row"}',
      { names: { x: "row" as never } },
    ],
    [
      "url",
      "option url of triton must be an address such as http://localhost:8000, got: undefined",
      { url: undefined as never },
    ],
    ["retries", "option retries of triton must be an integer from 0 to 20, got: -1", { retries: -1 }],
    ["timeout", "option timeout of triton must be a number of milliseconds above 0, got: 0", { timeout: 0 }],
    ["fetch", "option fetch of triton must be a function like fetch", { fetch: 1 as never }],
    ["signal", "option signal of triton must be an AbortSignal", { signal: 1 as never }],
    ["others", "triton takes the options url, version,", { adress: "x" } as object],
  ])("%s is checked", async (_, expected, options) => {
    expect(await message(() => triton("m", { url: "http://x", ...options }))).toContain(`ArgumentError: ${expected}`);
  });
});

describe("requests that fail", () => {
  const about = (response: Parameters<RequestListener>[1], url: string): boolean => {
    const value = { name: "x", datatype: "FP32", shape: [-1] };
    if (url === "/v2") response.end(JSON.stringify({ extensions: ["binary_tensor_data"] }));
    else if (url === "/v2/models/m") response.end(JSON.stringify({ name: "m", inputs: [value], outputs: [value] }));
    else return false;
    return true;
  };
  const good = JSON.stringify({ outputs: [{ name: "x", datatype: "FP32", shape: [1], data: [7] }] });
  const x = Nx.f32([1]);

  it.each([429, 502, 503, 504])("are sent again after status %i, up to the limit", async (status) => {
    let left = 2;
    const url = await serveAs((request, response) => {
      if (about(response, request.url!)) return;
      if (left-- > 0) response.writeHead(status).end();
      else response.end(good);
    });
    const model = await triton("m", { url });
    expect((await model({ x })).x!.toList()).toEqual([7]);
    left = 2;
    const single = await triton("m", { url, retries: 1 });
    expect(await message(() => single({ x }))).toBe(
      `TritonError: the server refuses the request to the model m (status ${status})`,
    );
    expect(left).toBe(0);
  });

  it("are not sent again where the server says no", async () => {
    let asked = 0;
    const url = await serveAs((request, response) => {
      if (about(response, request.url!)) return;
      asked++;
      response.writeHead(400).end(JSON.stringify({ error: "unexpected shape" }));
    });
    const model = await triton("m", { url });
    const error: unknown = await model({ x }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TritonError);
    expect(error).toBeInstanceOf(Nx.NxError);
    expect([(error as TritonError).status, String(error)]).toEqual([
      400,
      "TritonError: the server refuses the request to the model m (status 400): unexpected shape",
    ]);
    expect(asked).toBe(1);
  });

  it("wait as long as the server asks", async () => {
    const at: number[] = [];
    const url = await serveAs((request, response) => {
      if (about(response, request.url!)) return;
      at.push(performance.now());
      if (at.length === 1) response.writeHead(503, { "Retry-After": "1" }).end();
      else response.end(good);
    });
    await (
      await triton("m", { url })
    )({ x });
    expect(at[1]! - at[0]!).toBeGreaterThan(950);
  });

  it("end with a reason where nobody answers", async () => {
    expect(await message(() => triton("m", { url: "http://127.0.0.1:9", retries: 0 }))).toMatch(
      /^TritonError: http:\/\/127\.0\.0\.1:9 does not answer: .*; is the server running, and is this its HTTP port\?$/,
    );
  });

  it("end after their time", async () => {
    const url = await serveAs((request, response) => void about(response, request.url!));
    const model = await triton("m", { url, timeout: 100, retries: 0 });
    expect(await message(() => model({ x }))).toBe(
      `TritonError: ${url}/v2/models/m/infer did not answer within 100 ms`,
    );
  });

  it("are aborted by their signal and by that of the model, also while they wait", async () => {
    let isBusy = false;
    const url = await serveAs((request, response) => {
      if (!about(response, request.url!) && isBusy) response.writeHead(503, { "Retry-After": "60" }).end();
    });
    const all = new AbortController();
    const model = await triton("m", { url, signal: all.signal });
    const single = await triton("m", { url, retries: 0 });
    const enough = new AbortController();
    setTimeout(() => enough.abort("enough"), 100);
    await expect(single({ x }, { signal: enough.signal })).rejects.toBe("enough");
    for (isBusy of [false, true]) {
      const one = new AbortController();
      const reason = new Error("enough");
      setTimeout(() => one.abort(reason), 100);
      await expect(model({ x }, { signal: one.signal })).rejects.toBe(reason);
      await expect(model({ x }, { signal: one.signal })).rejects.toBe(reason); // aborted before
    }
    const reason = new Error("over");
    setTimeout(() => all.abort(reason), 50);
    await expect(model({ x })).rejects.toBe(reason);
  });
});

describe("answers", () => {
  const value = { name: "x", datatype: "FP32", shape: [-1] };
  /** A model whose requests are all answered by this. */
  const answering = (json: unknown, bytes: Uint8Array = new Uint8Array(0), header?: string, options = {}) => {
    const fetch: FetchLike = async (_, { body }) => {
      if (!body) return Response.json({ extensions: ["binary_tensor_data"], inputs: [value], outputs: [value] });
      const text = new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));
      const headers =
        bytes.length > 0 || header ? { "Inference-Header-Content-Length": header ?? String(text.length) } : {};
      return new Response(new Blob([text, bytes] as BlobPart[]), {
        headers: headers as Record<string, string>,
      });
    };
    return async () => (await triton("m", { url: "http://x", fetch, ...options }))({ x: Nx.f32([1]) });
  };
  const output = (fields: object) => ({ outputs: [{ name: "x", datatype: "FP32", shape: [2], ...fields }] });
  const binary = (size: number) => output({ parameters: { binary_data_size: size } });

  it("may come as bytes, or as lists within lists", async () => {
    const bytes = Nx.f32([1, 2]).toBinary();
    expect((await answering(binary(8), bytes)()).x!.toList()).toEqual([1, 2]);
    expect((await answering(output({ data: [[1], [2]] }))()).x!.toList()).toEqual([1, 2]);
    expect((await answering(output({ datatype: "BOOL", data: [true, false] }))()).x!.toList()).toEqual([1, 0]);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ["no JSON", answering("<html>"), /the answer is not the JSON of the KServe protocol \(status 200\)/],
    ["a list", answering([1]), /is not the JSON/],
    ["no outputs", answering({}), /no list of outputs: undefined/],
    ["outputs that are nothing", answering({ outputs: [null] }), /an output that no tensor is/],
    [
      "a type without tensors",
      answering(output({ datatype: "BYTES", data: ["a", "b"] })),
      /an output that no tensor is: .*BYTES/,
    ],
    ["negative sizes", answering(output({ shape: [-2], data: [1, 2] })), /an output that no tensor is/],
    [
      "fewer elements in JSON",
      answering(output({ data: [1] })),
      /the output x has 4 bytes of elements, FP32\[2\] takes 8/,
    ],
    ["texts for numbers", answering(output({ data: ["1", "2"] })), /elements that are no FP32: "1"/],
    [
      "integers that JSON has rounded",
      answering(output({ datatype: "INT64", data: [1, 2 ** 60] })),
      /beyond 2\^53 in JSON/,
    ],
    [
      "integers beyond their type",
      answering(output({ datatype: "UINT8", data: [1, 300] })),
      /elements that are no UINT8: 300/,
    ],
    ["fractions for integers", answering(output({ datatype: "INT8", data: [1, 1.5] })), /are no INT8: 1\.5/],
    ["fewer bytes", answering(binary(8), new Uint8Array(4)), /the output x has 4 bytes of elements/],
    ["another number of bytes", answering(binary(4), new Uint8Array(8)), /has 4 bytes of elements, FP32\[2\] takes 8/],
    ["a wrong header", answering(binary(8), new Uint8Array(8), "9999"), /says that "9999" of its \d+ bytes are JSON/],
    ["sizes that overflow", answering(output({ shape: [2 ** 40, 2 ** 40], data: [1] })), /takes 4\.8\d+e\+24/],
    ["no elements", answering(output({ shape: [0], data: [] })), /FP32\[0\], and empty tensors do not exist/],
    [
      "more than is allowed",
      answering(binary(8), new Uint8Array(8e6), undefined, { maxBytes: 1e6 }),
      /answers with more than 1000000 bytes/,
    ],
    [
      "other names than axes",
      answering(output({ data: [1, 2] }), undefined, undefined, { names: { x: [] } }),
      /there are 0 names of axes for the output x, which is FP32\[2\]; give others by the option names of triton/,
    ],
  ])("that have %s are errors", async (_, run, expected) => {
    await expect(run()).rejects.toThrow(expected);
    await expect(run()).rejects.toBeInstanceOf(Nx.NxError);
  });

  it("are tensors or errors of the library, whatever bytes they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.uint8Array(), fc.nat(40), async (json, bytes, header) => {
        const outcome = await answering(json, bytes, String(header))().catch((error: unknown) => error);
        expect(outcome).toBeInstanceOf(Nx.NxError);
      }),
      { numRuns: 200 },
    );
  });

  it("may have outputs of any name", async () => {
    const found = await answering({ outputs: [{ name: "__proto__", datatype: "FP32", shape: [], data: [1] }] })();
    expect(Object.keys(found)).toEqual(["__proto__"]);
  });
});

describe("Nx.Serving", () => {
  it("takes a model of a server as its function", async () => {
    const seen: number[] = [];
    const value = { name: "x", datatype: "FP32", shape: [-1, 2] } as const;
    const sum = { name: "sum", datatype: "FP32", shape: [-1] } as const;
    const url = await serve({
      m: { inputs: [value], outputs: [sum], run: ({ x }) => (seen.push(x!.shape[0]!), { sum: x!.sum({ axes: [1] }) }) },
    });
    const model = await triton("m", { url });
    const serving = Nx.Serving.create(model, { jit: false, batchSize: 3, batchTimeout: 20 });
    const answers = await Promise.all([1, 2, 3, 4].map((one) => serving.run({ x: Nx.f32([one, 10]) })));
    expect(answers.map(({ sum: one }) => one!.item())).toEqual([11, 12, 13, 14]);
    expect(seen).toEqual([3, 1]);
    await expect(serving.run({ x: Nx.f64([1, 2]) })).rejects.toThrow(
      "the input x of the model m is FP32[-1][2], got f64[1][2]",
    );
    await serving.close();
  });
});
