/**
 * Requests and answers as a server reads and writes them.
 */
import * as Nx from "nx-numerics";
import { decodeRequest, encodeResponse, TritonError } from "nx-numerics/triton";
import { describe, expect, test } from "vitest";
import { kserve } from "../../examples/kserve";

const bytesOf = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const textOf = ({ body }: { readonly body: Uint8Array }): string => new TextDecoder().decode(body);
const x = { name: "x", datatype: "FP32", shape: [1], data: [1] };

describe("decodeRequest", () => {
  test("refuses two inputs of one name", () => {
    expect(() => decodeRequest(bytesOf({ inputs: [x, { ...x, data: [2] }] }))).toThrow(
      new TritonError("the request has two inputs called x", 400),
    );
  });

  test.each([
    ["nothing is said", {}, false],
    ["all may be bytes", { parameters: { binary_data_output: true } }, true],
    ["each output may", { outputs: [{ name: "a", parameters: { binary_data: true } }] }, true],
    ["one output may not", { outputs: [{ name: "a", parameters: { binary_data: true } }, { name: "b" }] }, false],
    [
      "all but one may",
      { parameters: { binary_data_output: true }, outputs: [{ name: "a", parameters: { binary_data: false } }] },
      false,
    ],
  ])("bytes where %s", (_, asked, binary) => {
    expect(decodeRequest(bytesOf({ inputs: [x], ...asked })).binary).toBe(binary);
  });
});

describe("encodeResponse", () => {
  const y = Nx.f32([1, 2]);
  const circle: Record<string, unknown> = {};
  circle["itself"] = circle;

  test.each([
    ["the outputs themselves", { outputs: [] }],
    ["numbers that JSON has not", { ratio: NaN }],
    ["an object within itself", { circle }],
  ])("refuses %s among the fields", (_, fields) => {
    expect(() => encodeResponse({ y }, { fields })).toThrow(
      /^encodeResponse expects .* fields: values of JSON other than/,
    );
  });

  test("outputs may be called as members of objects are", () => {
    const outputs = Object.fromEntries(["toString", "constructor", "__proto__"].map((name) => [name, y]));
    const written = JSON.parse(textOf(encodeResponse(outputs))) as { outputs: { name: string }[] };
    expect(written.outputs.map(({ name }) => name)).toEqual(["toString", "constructor", "__proto__"]);
  });

  test("errors say what was asked for, and what the request has to ask for", () => {
    expect(() => encodeResponse({ y }, { datatypes: { y: "BYTES" } })).toThrow(
      "encodeResponse: the output y is f32[2], and not of the type BYTES",
    );
    expect(() => encodeResponse({ y: Nx.f32([NaN]) })).toThrow(
      "the output y has the element NaN, which JSON cannot hold: the request has to ask for bytes",
    );
  });
});

describe("the server of the examples", () => {
  test("answers what it cannot make sense of, and goes on", async () => {
    const { url, server } = await kserve({ m: { inputs: [], outputs: [], run: () => ({}) } });
    const statusOf = async (place: string, init?: RequestInit) => (await fetch(url + place, init)).status;
    try {
      expect(await statusOf("/v2/models/%ZZ")).toBe(500);
      expect(await statusOf("/v2/models/constructor")).toBe(400);
      expect(await statusOf("/v2/models/m/infer", { method: "POST", body: "no JSON" })).toBe(400);
      expect(await statusOf("/v2/models/m")).toBe(200);
    } finally {
      server.close();
    }
  });
});
