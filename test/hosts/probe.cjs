/**
 * A program that is run in each host of docs/hosts.md: it uses a bit of everything, raises an error where a result is wrong, and says
 * what the host offers. Plain JavaScript in one function that mentions nothing outside of it, so that its text runs anywhere.
 */
module.exports = async function probe(Nx, { load, folder, refusals = [] }) {
  const check = (name, got, expected) => {
    if (String(got) !== String(expected)) throw new Error(`${name}: expected ${expected}, got ${got}`);
  };
  const raised = async (action) => {
    try {
      return await action();
    } catch (error) {
      return error;
    }
  };

  const large = () => {
    const x = Nx.iota([100, 100], { type: "f32", names: ["row", "column"] });
    return [
      Nx.exp(x.multiply(-1e-4)),
      Nx.sin(x).sum({ axes: ["row"] }),
      Nx.sort(Nx.sin(Nx.iota([6000], { type: "f64" }))),
      Nx.fft(Nx.cos(Nx.iota([1000]))),
      Nx.defn((t) => Nx.softmax(t, { axis: "column" }))(x),
      Nx.cumulativeSum(Nx.iota([6000], { type: "s64" })),
      Nx.Random.normal(Nx.Random.key(42), 0, 1, { shape: [500] })[0],
    ];
  };
  /** Enough of the bits of results to tell them apart. */
  const bitsOf = (tensors) => {
    let [a, b] = [0x811c9dc5, 7];
    for (const t of tensors) {
      for (const byte of Nx.toBinary(t)) {
        a = Math.imul(a ^ byte, 0x01000193);
        b = (Math.imul(b, 31) + byte) | 0;
      }
    }
    return `${a}:${b}`;
  };

  const core = async () => {
    check("sum", Nx.add(Nx.tensor([1, 2], { names: ["x"] }), 1), "#Nx.Tensor<\n  s64[x: 2]\n  [2, 3]\n>");
    check(
      "64 bits",
      Nx.tensor([2n ** 60n])
        .add(1)
        .toList(),
      "1152921504606846977",
    );
    check("gradient", Nx.grad((t) => t.multiply(t).sum())(Nx.f32([1, 2])).toList(), "2,4");
    check("randint", Nx.Random.randint(Nx.Random.key(42), 1, 7, { shape: [5] })[0].toList(), "4,4,1,2,2");
    check("a key of its own", Nx.randomUniform([3]).shape, "3");
    const text = { "ä€😀": Nx.tensor([1, 2], { names: ["x"] }) };
    check("serialized", Nx.deserialize(Nx.serialize(text))["ä€😀"].names, "x");
    check("NumPy's form", Nx.loadNumpy(Nx.toNumpy(Nx.f64([1.5]))).toList(), "1.5");
    check("named sizes", Nx.template(["größe", 3], "f32").shape, "größe,3");
    const error = await raised(() => Nx.sum(Nx.iota([2], { names: ["x"] }), { axes: ["y"] }));
    check("an error", error instanceof Nx.ArgumentError && /no axis named "y"/.test(error.message), true);
    const serving = Nx.Serving.create((t) => t.multiply(2), { batchSize: 4, batchTimeout: 5 });
    check("serving", (await serving.run(Nx.Batch.stack([Nx.tensor([1, 2])]))).toList(), "2,4");
    await serving.close();
  };

  const files = async () => {
    const { readFile, writeFile, fromBlob, toBlob } = await load("nx-numerics/files");
    if (typeof Blob === "function" && Blob.prototype.arrayBuffer) {
      check("blob", (await fromBlob(toBlob(Nx.tensor([1]), "npy"), { format: "npy" })).toList(), "1");
    }
    const path = `${folder}/probe-${Math.random()}.npy`;
    const result = await raised(() => writeFile(path, Nx.tensor([1, 2])));
    if (result === undefined) check("a file", (await readFile(path)).toList(), "1,2");
    else if (result.name !== "ArgumentError") throw result;
    else refusals.push(result.message);
    return result === undefined;
  };

  const configuration = async () => {
    const module = await raised(() => load("nx-numerics/config"));
    if (!module.loadConfig) return false;
    const result = await raised(() => module.loadConfig(`${folder}/configured`));
    if (result && result.config) check("configuration", result.config.inspectLimit, 7);
    else if (result === null || result.name !== "ConfigError") throw result ?? new Error("no configuration was found");
    else refusals.push(result.message);
    return Boolean(result && result.config);
  };

  Nx.configure({ threads: 2 });
  await core();
  const { name: backend } = Nx.tensor([1]).backend;
  check("the backend that host() tells", Nx.host().backend.name, backend);
  const bits = bitsOf(large());
  // workers start one at a time, and are ready a moment later
  for (let i = 0; i < 40 && Nx.host().threads.count > Nx.host().threads.started; i++) {
    check(
      "a large sum",
      Nx.exp(Nx.broadcast(0, [500000]))
        .sum()
        .toNumber(),
      500000,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  check("the same bits again", bitsOf(large()), bits);
  const float = await Nx.withFloatType("f64", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return Nx.tensor(1.5).type;
  });
  const yes = (value) => (value ? "yes" : "no");
  return {
    backend,
    threads: yes(Nx.host().threads.started > 1),
    scopes: yes(float === "f64"),
    files: yes(await files()),
    configuration: yes(await configuration()),
    bits,
  };
};
