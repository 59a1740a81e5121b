/** Backends by name: whatever names a backend knows those that were registered, whenever that was. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { rereadEnvironment } from "../../lib/core/config";
import { foreignBackend } from "../testing/foreign-backend";

const registrations: (() => void)[] = [];
const register = (name: string, open: Parameters<typeof Nx.registerBackend>[1]): void =>
  void registrations.push(Nx.registerBackend(name, open));

/** Registers a backend and counts how often it is opened, with which options. */
function registered(name: string): { backend: Nx.Backend; opened: unknown[] } {
  const backend = foreignBackend(name);
  const opened: unknown[] = [];
  register(name, (options) => {
    opened.push(options);
    return backend;
  });
  return { backend, opened };
}

afterEach(() => {
  for (const forget of registrations.splice(0)) forget();
  Nx.configure({ defaultBackend: undefined });
  Nx.configureFromFile({}, "the end of a test");
  Nx.globalDefaultBackend("binary");
  vi.unstubAllEnvs();
  rereadEnvironment();
});

/** Takes the default of the program away, so that the configuration decides: a module that was not told anything yet. */
async function freshLibrary(): Promise<typeof Nx> {
  vi.resetModules();
  return import("nx-numerics");
}

/** The library in a program that has read a configuration file. */
async function configuredBy(name: string, text: string): Promise<{ fresh: typeof Nx; path: string }> {
  const folder = mkdtempSync(join(tmpdir(), "nx-names-"));
  writeFileSync(join(folder, name), text);
  const fresh = await freshLibrary();
  const { loadConfig } = await import("nx-numerics/config");
  await loadConfig(folder);
  rmSync(folder, { recursive: true });
  return { fresh, path: join(folder, name) };
}

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

const nothing = (): unknown => null;
const places: readonly [string, (spec: Nx.BackendSpec) => Nx.Tensor][] = [
  ["the backend option", (spec) => Nx.tensor([1], { backend: spec })],
  ["Nx.iota", (spec) => Nx.iota([2], { backend: spec })],
  ["Nx.withDefaultBackend", (spec) => Nx.withDefaultBackend(spec, () => Nx.tensor(1))],
  ["Nx.backendCopy", (spec) => Nx.backendCopy(Nx.tensor(1), spec)],
  ["Nx.backendTransfer", (spec) => Nx.backendTransfer(Nx.tensor(1), spec)],
  ["Nx.Constants.pi", (spec) => Nx.Constants.pi({ backend: spec })],
  [
    "Nx.globalDefaultBackend",
    (spec) => {
      const before = Nx.globalDefaultBackend(spec);
      const t = Nx.tensor(1);
      Nx.globalDefaultBackend(before);
      return t;
    },
  ],
  [
    "Nx.defaultBackend in a scope",
    (spec) =>
      Nx.withDefaultBackend("binary", () => {
        Nx.defaultBackend(spec);
        return Nx.tensor(1);
      }),
  ],
];

describe.each(places)("%s", (_place, make) => {
  it("knows a registered name, alone and with options, and opens it once for equal options", () => {
    const { backend, opened } = registered("mine");
    for (const spec of ["mine", "mine", ["mine", {}], ["mine"], ["mine", { device: [1, { fast: true }] }]] as const) {
      expect(make(spec).backend).toBe(backend);
    }
    make(["mine", { device: [1, { fast: true }] }]);
    expect(opened).toEqual([{}, { device: [1, { fast: true }] }]);
    make(["mine", { device: [1, { fast: false }] }]);
    expect(opened.length).toBe(3);
  });

  it("says which names there are, and how one becomes known", () => {
    registered("mine");
    expect(() => make("mime")).toThrow(
      /unknown backend "mime"; did you mean "mine"\? expected one of: "auto", "binary", "wasm", "mine"/,
    );
    expect(() => make("cuda")).toThrow(
      /unknown backend "cuda", .*registered first, by Nx\.registerBackend\("cuda", open\)/,
    );
  });

  it.each([
    [["mine", 5], /unknown backend \["mine", 5\]/],
    [["mine", {}, {}], /unknown backend \["mine", {}, {}\]/],
    [{ upload: nothing }, /a backend needs a name, got one with none/],
    [{ name: "half", upload: nothing }, /"half" has no function "deallocate"/],
    [{ name: "half", upload: nothing, deallocate: nothing }, /"half" has neither a function "download" nor "read"/],
  ])("refuses %j", (spec, message) => {
    registered("mine");
    expect(() => make(spec as never)).toThrow(Nx.BackendError);
    expect(() => make(spec as never)).toThrow(message);
  });
});

describe("configuration", () => {
  it("takes a name and an object from code, and checks both at once", () => {
    const { backend } = registered("mine");
    for (const spec of ["mine", ["mine", {}], backend] as const) {
      Nx.configure({ defaultBackend: spec });
    }
    expect(Nx.configure({ defaultBackend: undefined }).defaultBackend).toBe(backend);
    expect(() => Nx.configure({ defaultBackend: "mime" })).toThrow(
      'invalid value "mime" for defaultBackend in Nx.configure; did you mean "mine"?',
    );
    expect(() => Nx.configure({ defaultBackend: "mime" })).toThrow(Nx.ConfigError);
    expect(() => Nx.configure({ defaultBackend: { name: "half", upload: nothing } as never })).toThrow(
      /no function "deallocate"/,
    );
    for (const wrong of [7, [], ["mine", 3], {}, null, ""]) {
      expect(() => Nx.configure({ defaultBackend: wrong as never })).toThrow(
        /expected a backend name, \[name, options\] or a Backend object/,
      );
    }
  });

  it("decides by all of these", async () => {
    const fresh = await freshLibrary();
    const open = () => ({ ...fresh.binaryBackend, name: "mine", portable: false });
    fresh.registerBackend("mine", open);
    fresh.configure({ defaultBackend: ["mine", { size: 1 }] });
    expect(fresh.tensor(1).backend.name).toBe("mine");
    expect(fresh.defaultBackend()).toEqual(["mine", { size: 1 }]);
    const backend = open();
    fresh.configure({ defaultBackend: backend });
    expect(fresh.tensor(1).backend).toBe(backend);
  });

  it("finds a name of the environment that is registered after it was read", async () => {
    vi.stubEnv("NX_BACKEND", "mine");
    const fresh = await freshLibrary();
    expect(() => fresh.tensor(1)).toThrow(
      'invalid value "mine" for defaultBackend in environment variable NX_BACKEND, expected one of: "auto", "binary", "wasm", [name, options] or a Backend object; a backend of another name is registered first, by Nx.registerBackend("mine", open)',
    );
    expect(fresh.withDefaultBackend("binary", () => fresh.tensor(1).toNumber())).toBe(1);
    fresh.registerBackend("mine", () => ({ ...fresh.binaryBackend, name: "mine" }));
    expect(fresh.tensor(1).backend.name).toBe("mine");
    expect(fresh.configure({ inspectLimit: undefined })).toEqual({});
  });

  it.each([
    ["nx-numerics.config.json", '{ "defaultBackend": "mine" }'],
    ["nx-numerics.config.json", '{ "defaultBackend": ["mine", { "device": 1 }] }'],
    ["nx-numerics.config.mjs", "export default { defaultBackend: 'mine' };"],
    ["package.json", '{ "nx-numerics": { "defaultBackend": "mine" } }'],
  ])("finds a name of %s that is registered later: %s", async (name, text) => {
    const { fresh, path } = await configuredBy(name, text);
    const error = thrownBy(() => fresh.tensor(1));
    expect(error).toBeInstanceOf(fresh.ConfigError);
    expect((error as Error).message).toContain(path);
    fresh.registerBackend("mine", () => ({ ...fresh.binaryBackend, name: "mine" }));
    expect(fresh.tensor(1).backend.name).toBe("mine");
  });

  it.each([
    ["bianry", '"bianry"', "binary"],
    ["[wsam]", '["wsam", {}]', "wasm"],
  ])("names the file and the name that was meant by %s", async (_what, spec, meant) => {
    const { fresh, path } = await configuredBy("nx-numerics.config.json", `{ "defaultBackend": ${spec} }`);
    expect(() => fresh.tensor(1)).toThrow(
      `for defaultBackend in ${path}; did you mean "${meant}"? expected one of: "auto"`,
    );
  });

  it.each(["bianry", "mien"])("names the variable NX_BACKEND=%s and the name that was meant", async (name) => {
    vi.stubEnv("NX_BACKEND", name);
    const fresh = await freshLibrary();
    fresh.registerBackend("mine", () => fresh.binaryBackend);
    const meant = name === "mien" ? "mine" : "binary";
    expect(() => fresh.tensor(1)).toThrow(
      `invalid value "${name}" for defaultBackend in environment variable NX_BACKEND; did you mean "${meant}"?`,
    );
  });

  it("takes a Backend object from a module", async () => {
    const { fresh } = await configuredBy(
      "nx-numerics.config.mjs",
      `const nothing = () => null;
       const download = () => new Uint8Array([7]);
       export default { defaultBackend: { name: "ofFile", options: {}, upload: nothing, download, deallocate: nothing } };`,
    );
    const t = fresh.u8(3);
    expect([t.backend.name, t.toNumber()]).toEqual(["ofFile", 7]);
  });

  it("says where a backend was configured that cannot be opened", async () => {
    vi.stubEnv("NX_BACKEND", "mine");
    const fresh = await freshLibrary();
    fresh.registerBackend("mine", () => {
      throw new TypeError("no device");
    });
    expect(() => fresh.tensor(1)).toThrow(
      'Nx.tensor: the backend "mine" could not be opened: TypeError: no device (defaultBackend in environment variable NX_BACKEND)',
    );
    vi.stubEnv("NX_BACKEND", "");
    fresh.configure({ defaultBackend: ["wasm", { speed: 1 }] });
    expect(() => fresh.tensor(1)).toThrow(/unknown option "speed" .*\(defaultBackend in Nx\.configure\)/);
  });
});

describe("registerBackend", () => {
  it.each(["", "1st", "a b", "ä", "a/b", null, 7, undefined])("refuses the name %j", (name) => {
    expect(() => Nx.registerBackend(name as never, () => Nx.binaryBackend)).toThrow(Nx.ArgumentError);
  });

  it.each(["auto", "binary", "wasm", "template", "expr", "vectorized"])("leaves %s to the library", (name) => {
    expect(() => Nx.registerBackend(name, () => Nx.binaryBackend)).toThrow(/is that of a backend of the library/);
  });

  it("takes a name once, until it is given back", () => {
    const forget = Nx.registerBackend("mine", () => Nx.binaryBackend);
    expect(() => Nx.registerBackend("mine", () => Nx.binaryBackend)).toThrow(/"mine" is registered already/);
    forget();
    const { backend } = registered("mine");
    forget(); // whose name this is no longer
    expect(Nx.tensor(1, { backend: "mine" }).backend).toBe(backend);
  });

  it.each([
    [() => null, /the function registered for the backend "mine" must give a Backend object, got: null/],
    [() => ({}), /a backend needs a name/],
    [() => ({ name: "mine" }), /"mine" has no function "upload", which every backend needs/],
    [() => Promise.resolve(Nx.binaryBackend), /returned a promise; wait before registering: const backend = await/],
    [() => Promise.reject(new Error("no device")), /returned a promise/],
    [
      () => {
        throw new Error("no device");
      },
      /"mine" could not be opened: Error: no device/,
    ],
    [() => Nx.withDefaultBackend("mine", () => Nx.tensor(1)), /"mine" is needed while it is being opened/],
  ])("says what is wrong with %s, each time", (open, message) => {
    register("mine", open as never);
    for (let i = 0; i < 2; i++) {
      expect(() => Nx.tensor(1, { backend: "mine" })).toThrow(Nx.BackendError);
      expect(() => Nx.tensor(1, { backend: "mine" })).toThrow(message);
    }
  });

  it("wants a function", () => {
    expect(() => Nx.registerBackend("mine", Nx.binaryBackend as never)).toThrow(/; write \(\) => backend$/);
    expect(() => Nx.registerBackend("mine", undefined as never)).toThrow(
      /expects a function that gives the backend, got: undefined/,
    );
  });

  it("tries again where opening failed", () => {
    let isThere = false;
    register("mine", () => {
      if (!isThere) throw new Error("no device");
      return foreignBackend("mine");
    });
    expect(() => Nx.tensor(1, { backend: "mine" })).toThrow(/no device/);
    isThere = true;
    expect(Nx.tensor(1, { backend: "mine" }).toNumber()).toBe(1);
  });

  it("opens a backend outside of a trace that runs", () => {
    register("mine", () => {
      expect(Nx.tensor(2, { backend: "binary" }).toNumber()).toBe(2);
      return foreignBackend("mine");
    });
    const twice = Nx.defn((t: Nx.Tensor) => Nx.withDefaultBackend("mine", () => t.multiply(Nx.tensor(2))));
    expect(twice(Nx.tensor(3)).toNumber()).toBe(6);
  });
});

describe("members of a backend", () => {
  it("may be methods of a class, which have their `this`", () => {
    class Mine implements Nx.PartialBackend {
      readonly name = "ofClass";
      readonly options = {};
      made = 0;
      upload(out: Nx.Template, bytes: Uint8Array): unknown {
        return Nx.binaryBackend.upload(out, bytes);
      }
      download(t: Nx.Tensor, limit?: number): Uint8Array {
        return Nx.binaryBackend.download(t, limit);
      }
      deallocate(t: Nx.Tensor): boolean {
        return Nx.binaryBackend.deallocate(t);
      }
      unary(...args: Parameters<Nx.Backend["unary"]>): unknown {
        this.made++;
        return Nx.binaryBackend.unary(...args);
      }
      constant(...args: Parameters<Nx.Backend["constant"]>): unknown {
        this.made++;
        return Nx.binaryBackend.constant(...args);
      }
    }
    const mine = new Mine();
    const t = Nx.tensor([1], { backend: mine });
    expect(t.negate().toList()).toEqual([-1]);
    Nx.fill([2], 1, { backend: mine });
    expect(mine.made).toBe(2);
  });
});
