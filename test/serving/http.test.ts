/**
 * A serving behind an HTTP server on the loopback interface, with many clients at once.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as Nx from "nx-numerics";
import { afterEach, describe, expect, it } from "vitest";

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

const statusOf = (error: unknown): number =>
  error instanceof Nx.ServingError ? 503 : error instanceof Nx.ArgumentError ? 400 : 500;

/** Answers each POST by `answer`; a client that goes away aborts its request. */
async function listen(
  answer: (input: unknown, path: string, signal: AbortSignal) => Promise<unknown>,
): Promise<string> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const output = await answer(await read(request), request.url ?? "/", gone.signal);
      response.writeHead(200).end(JSON.stringify(output));
    } catch (error) {
      response.writeHead(statusOf(error)).end(JSON.stringify((error as Error).message));
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function post(url: string, input: unknown, signal?: AbortSignal): Promise<Reply> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(input), ...(signal ? { signal } : {}) });
  return { status: response.status, body: await response.json() };
}

/** A layer with a weight per input: exact in f32, so that it does not matter what is computed together. */
const weights = Nx.iota([8, 4], { type: "f32" });
const layer = (rows: Nx.Tensor): Nx.Tensor => Nx.dot(rows, weights).max(0);
const inputOf = (i: number): number[] => Array.from({ length: 8 }, (_, j) => ((i + j) % 5) - 2);
const expectedOf = (input: number[]): unknown => Nx.toList(layer(Nx.f32([input])).at(0) as Nx.Tensor);

describe("an HTTP server", () => {
  it("answers hundreds of clients in batches, each with its own result", async () => {
    const serving = Nx.Serving.create(layer, {
      batchSize: 32,
      batchTimeout: 60_000,
      pad: true,
      template: Nx.template([8], "f32"),
      preprocess: (input: unknown) => Nx.f32(input as number[]),
      postprocess: (result) => Nx.toList(result),
    });
    const url = await listen((input, _path, signal) => serving.run(input, { signal }));
    const inputs = Array.from({ length: 400 }, (_, i) => inputOf(i));
    const answers = inputs.map((input) => post(url, input));
    while (serving.stats().completed < 384 || serving.stats().waiting < 16) await turn();
    expect(serving.stats().sizes).toEqual({ 32: 12 });
    await serving.close();
    (await Promise.all(answers)).forEach((reply, i) =>
      expect(reply).toEqual({ status: 200, body: expectedOf(inputs[i]!) }),
    );
    expect(serving.stats()).toEqual({
      waiting: 0,
      running: 0,
      completed: 400,
      failed: 0,
      aborted: 0,
      refused: 0,
      batches: 13,
      retries: 0,
      sizes: { 16: 1, 32: 12 },
    });
  });

  it("gives errors to the clients they belong to", async () => {
    const serving = Nx.Serving.create(
      (rows: Nx.Tensor) => {
        if ((Nx.toFlatList(rows) as number[]).includes(-1)) throw new Error("negative");
        return rows.sqrt();
      },
      { batchSize: 16, batchTimeout: 10, jit: false, preprocess: (input: unknown) => Nx.f32(input as number) },
    );
    const url = await listen(async (input) => Nx.toNumber(await serving.run(input)));
    const inputs = Array.from({ length: 200 }, (_, i) => (i % 50 === 7 ? "text" : i % 50 === 30 ? -1 : i * i));
    const replies = await Promise.all(inputs.map((input) => post(url, input)));
    replies.forEach(({ status, body }, i) => {
      if (i % 50 === 7) expect(status).toBe(400);
      else if (i % 50 === 30) expect([status, body]).toEqual([500, "negative"]);
      else expect([status, body]).toEqual([200, i]);
    });
    expect(serving.stats()).toMatchObject({ completed: 192, failed: 8 });
    await serving.close();
  });

  it("keeps keys apart", async () => {
    const seen: [string, number][] = [];
    const serving = Nx.Serving.create(
      (rows: Nx.Tensor, key: "/double" | "/half") => {
        seen.push([key, rows.shape[0]!]);
        return key === "/double" ? rows.multiply(2) : rows.divide(2);
      },
      { batchSize: 20, batchTimeout: 10, jit: false, batchKeys: ["/double", "/half"] },
    );
    const url = await listen(async (input, path) =>
      Nx.toNumber(await serving.run(Nx.f32(input as number), { key: path as "/double" | "/half" })),
    );
    const inputs = Array.from({ length: 200 }, (_, i) => [i % 2 === 0 ? "/double" : "/half", i] as const);
    const replies = await Promise.all(inputs.map(([path, i]) => post(url + path, i)));
    replies.forEach(({ body }, i) => expect(body).toBe(i % 2 === 0 ? i * 2 : i / 2));
    const totals = { "/double": 0, "/half": 0 } as Record<string, number>;
    for (const [key, size] of seen) totals[key]! += size;
    expect(totals).toEqual({ "/double": 100, "/half": 100 });
    expect((await post(`${url}/third`, 1)).status).toBe(400);
    await serving.close();
  });

  it("refuses clients when its queue is full, and those that come after the end", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const serving = Nx.Serving.create(
      async (rows: Nx.Tensor) => {
        await gate;
        return rows;
      },
      {
        batchSize: 10,
        batchTimeout: 5,
        jit: false,
        maxQueue: 30,
        preprocess: (input: unknown) => Nx.f32(input as number),
      },
    );
    const url = await listen(async (input) => Nx.toNumber(await serving.run(input)));
    const answers = Array.from({ length: 300 }, (_, i) => post(url, i));
    while (serving.stats().refused + serving.stats().waiting + serving.stats().running < 300) await turn();
    const { refused, waiting, running } = serving.stats();
    expect([waiting, refused]).toEqual([30, 270 - running]);
    expect(running).toBeLessThanOrEqual(10);
    const end = serving.close();
    open();
    const replies = await Promise.all(answers);
    await end;
    expect(replies.filter(({ status }) => status === 503).length).toBe(refused);
    expect(replies.every(({ status, body }, i) => status === 503 || body === i)).toBe(true);
    expect(await post(url, 1)).toEqual({
      status: 503,
      body: "the serving is closed and takes no more requests; make another one",
    });
  });

  it("does not compute for clients that have gone", async () => {
    const serving = Nx.Serving.create((rows: Nx.Tensor) => rows, { batchSize: 1000, batchTimeout: 60_000 });
    const url = await listen(async (input, _path, signal) =>
      Nx.toNumber(await serving.run(Nx.f32(input as number), { signal })),
    );
    const client = new AbortController();
    const gone = Array.from({ length: 100 }, (_, i) => post(url, i, client.signal).catch((error: Error) => error.name));
    const patient = Array.from({ length: 100 }, (_, i) => post(url, i));
    while (serving.stats().waiting < 200) await turn();
    client.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(["AbortError"]));
    while (serving.stats().aborted < 100) await turn();
    await serving.close();
    expect((await Promise.all(patient)).map(({ body }) => body)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(serving.stats().sizes).toEqual({ 100: 1 });
  });
});

const turn = (): Promise<void> => new Promise<void>((resolve) => setTimeout(resolve, 1));
