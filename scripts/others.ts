/**
 * What other libraries call our functions: read from the tables of the guides `docs/from-*.md`, which are the only place where it is
 * written. The index of the site and the tests of the tables' completeness are made of it.
 */
import { readFileSync } from "node:fs";

const DOCS = new URL("../docs/", import.meta.url);

/** A guide, what its library is called, and how names are told that stand in its tables behind a variable or behind nothing. */
interface Guide {
  readonly file: string;
  readonly library: string;
  /** Full names by what stands before the first point: a variable of the examples, or a short name of the library. */
  readonly spaces: Readonly<Record<string, string>>;
  /** Where a name without anything before it belongs, if not beside the name before it in its cell. */
  readonly usual: string;
}

export const GUIDES: readonly Guide[] = [
  {
    file: "from-numpy.md",
    library: "NumPy",
    usual: "np",
    spaces: { np: "np", scipy: "scipy", rng: "np.random.Generator", a: "np.ndarray", x: "np.ndarray", m: "np.ndarray" },
  },
  {
    file: "from-jax.md",
    library: "JAX",
    usual: "jax",
    spaces: { jax: "jax", lax: "jax.lax", jnp: "jax.numpy", optax: "optax", x: "jax.Array" },
  },
  {
    file: "from-xarray.md",
    library: "xarray",
    usual: "DataArray",
    spaces: {
      da: "DataArray",
      gaps: "DataArray",
      xr: "xr",
      s: "Series",
      df: "DataFrame",
      pd: "pd",
      DataArray: "DataArray",
      Series: "Series",
      DataFrame: "DataFrame",
    },
  },
  {
    file: "from-tensorflow.md",
    library: "TensorFlow.js",
    usual: "tf",
    spaces: {
      tf: "tf",
      a: "tf.Tensor",
      m: "tf.Tensor",
      mask: "tf.Tensor",
      t: "tf.Tensor",
      x: "tf.Tensor",
      model: "model",
    },
  },
];

export interface OtherRow {
  readonly library: string;
  /** The file of the guide it stands in. */
  readonly guide: string;
  /** The names of the other library that the row is about, in full. */
  readonly names: readonly string[];
  /** The cells as they are written: theirs, and what to write here. */
  readonly theirs: string;
  readonly here: string;
  /** Our functions that the row writes, such as `LinAlg.svd`, those that only help included. */
  readonly ours: readonly string[];
  /** Codes that do the same. */
  readonly pairs: readonly Pair[];
}

/** A code of the other library and ours that does the same; the full name that theirs begins with, if any. */
export interface Pair {
  readonly theirs: string;
  readonly name?: string | undefined;
  readonly ours: string;
}

const codes = (cell: string): string[] => [...cell.matchAll(/(`+)(.+?)\1/g)].map(([, , code]) => code!.trim());

const prose = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, "");

const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Full names by code of a cell: `np.fft.fft`, then `ifft` beside it; what no name begins, such as an operator, has none. */
function namesIn(cell: string, { spaces, usual }: Guide): readonly (string | undefined)[] {
  let beside = usual;
  return codes(cell).map((code) => {
    const [, written] = /^(?:\w+ = |await )?\.?([A-Za-z_][\w.]*)(?:[([]|$)/.exec(code) ?? [];
    if (written === undefined || /^[a-z]+\[/.test(code)) return undefined;
    const [first, ...rest] = written.split(".").filter(Boolean);
    const known = rest.length > 0 && first !== undefined ? spaces[first] : undefined;
    const full = known === undefined ? `${beside}.${[first, ...rest].join(".")}` : [known, ...rest].join(".");
    beside = full.replace(/\.[^.]*$/, "");
    return full;
  });
}

/** Functions of the library in code: after `Nx`, something given or a call, or alone, as those of the sub-paths stand. */
const OURS = /(?:\bNx|\b[a-z]|\bkey|\bmask|\bgaps|\bgroups|\))\.([A-Za-z][\w.]*)|(?<=^|; )([a-z]\w+)(?= ;|$)/g;

/** Our functions in a cell, by the names after `Nx`; a method of a given tensor counts as the function. */
const oursIn = (cell: string): string[] => [
  ...new Set([...codes(cell).join(" ; ").matchAll(OURS)].map(([, name, alone]) => (name ?? alone)!)),
];

/** Codes of a row that belong together: one by one where there are as many, all with one of ours that stands for all, else the first ones. */
function pairsIn(theirs: string, names: readonly (string | undefined)[], here: string): readonly Pair[] {
  const [left, right] = [codes(theirs), codes(here)];
  const count = left.length === right.length || right.length === 1 ? left.length : Math.min(1, right.length);
  const pairs = left
    .slice(0, count)
    .map((code, at) => ({ theirs: code, name: names[at], ours: right[at] ?? right[0]! }));
  return pairs.filter(({ ours }) => /[([`]|^[a-z]+\.\w+$|^(key|[a-z])$/.test(ours)); // other names alone are types, functions of sub-paths, or stand in a sentence
}

/** All rows of a guide's tables of two columns. */
function rowsIn(guide: Guide): OtherRow[] {
  const tables =
    prose(readFileSync(new URL(guide.file, DOCS), "utf8")).match(/^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\|\n)*/gm) ?? [];
  return tables.flatMap((table) => {
    const [head, , ...rows] = table.trimEnd().split("\n").map(cellsOf);
    return rows.map(([theirs = "", here = ""]) => {
      const names = namesIn(theirs, guide);
      return {
        library: guide.library,
        guide: guide.file,
        names: names.filter((name) => name !== undefined),
        theirs,
        here,
        ours: oursIn(here),
        pairs: head!.at(1) === "here" ? pairsIn(theirs, names, here) : [],
      };
    });
  });
}

/** The rows of all guides. */
export const otherRows = (): OtherRow[] => GUIDES.flatMap(rowsIn);
