/** The tables beside other libraries are complete: every public name of theirs has a row, which says what to write or why it is not here. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { otherRows } from "../../scripts/others";

/** Names by the namespace they are in, as `test/oracles/make_names_of_others.py` found them. */
const LISTS = Object.entries(
  JSON.parse(readFileSync(new URL("../oracles/names-of-others.json", import.meta.url), "utf8")) as Record<
    string,
    string
  >,
).map(([space, names]): [string, readonly string[]] => [space, names.split(" ")]);

/** Where else the row of a name may stand: methods and functions of one name do the same, and `jax.numpy` is NumPy. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  np: ["np.ndarray"],
  "np.ndarray": ["np"],
  "np.random": ["np.random.Generator"],
  "np.random.Generator": ["np.random"],
  DataFrame: ["Series"],
  Series: ["DataFrame"],
  tf: ["tf.Tensor"],
  "tf.Tensor": ["tf"],
  "tf.spectral": ["tf"],
  "jax.numpy": ["np", "np.ndarray"],
  "jax.numpy.linalg": ["np.linalg"],
  "jax.numpy.fft": ["np.fft"],
  "jax.scipy.special": ["scipy.special"],
};

const rows = otherRows();
const told = new Set(rows.flatMap(({ names }) => names));
const listed = new Set(LISTS.flatMap(([space, names]) => names.map((name) => `${space}.${name}`)));
const spaces = new Map(LISTS);

/** Names that the listed versions do not have as functions: newer ones, attributes, classes. */
const BEYOND = [
  /^np\.(vectorize|finfo|iinfo|print|poly1d|memmap|chararray|errstate|bool_|sliding_window_view|u?int\d+|float\d+|complex\d+)$/,
  /^tf\.(io|Tensor\.(shape|size|dtype))$/,
  /\.[A-Z]\w*$/,
];

describe("tables beside other libraries", () => {
  it.each(LISTS)("have a row for every name of %s", (space, names) => {
    const isTold = (name: string): boolean =>
      [space, ...(ALSO[space] ?? [])].some((place) => told.has(`${place}.${name}`));
    expect(names.length).toBeGreaterThan(0);
    const functions = names.filter((name) => !spaces.has(`${space}.${name}`));
    expect(functions.filter((name) => !isTold(name)).join(" ")).toBe("");
  });

  it("name nothing that their library has not", () => {
    const unknown = [...told].filter((full) => {
      const [space, name] = [full.replace(/\.[^.]*$/, ""), full.replace(/^.*\./, "")];
      if (!spaces.has(space) || listed.has(full) || BEYOND.some((known) => known.test(full))) return false;
      const others = [...LISTS].filter(
        ([place]) => place === `jax.numpy${space.slice(2)}` || ALSO[space]?.includes(place),
      );
      return !others.some(([, names]) => names.includes(name));
    });
    expect(unknown).toEqual([]);
  });

  it("say what to write, or why nothing", () => {
    expect(rows.filter(({ here }) => here.length < 1).map(({ theirs }) => theirs)).toEqual([]);
    expect(rows.filter(({ ours }) => ours.length > 0).length).toBeGreaterThan(500);
  });
});
