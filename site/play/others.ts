/** Finding what is here by the name that another library has for it. */

/** A row of a table beside another library; its cells are HTML. */
export interface OtherRow {
  readonly library: string;
  readonly guide: string;
  readonly names: readonly string[];
  readonly theirs: string;
  readonly here: string;
  readonly ours: readonly { readonly name: string; readonly link: string }[];
}

/** Names that people write for a namespace, and what the tables call it. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/^(numpy|jnp|jax\.numpy)\./, "np."],
  [/^lax\./, "jax.lax."],
  [/^(pandas|xarray)\./, ""],
];

const normal = (text: string): string =>
  SHORT.reduce((name, [pattern, instead]) => name.replace(pattern, instead), text.trim().toLowerCase()).replace(
    /\(.*$/,
    "",
  );

/** How well a name fits what is wanted: 0 in full, 1 its last part, 2 somewhere; null not at all. */
function fit(name: string, wanted: string): number | null {
  const full = name.toLowerCase();
  if (full === wanted) return 0;
  const last = wanted.split(".").at(-1)!;
  if (full.split(".").at(-1) === last) return full.startsWith(wanted.slice(0, -last.length)) ? 1 : 2;
  return !wanted.includes(".") && wanted.length > 2 && full.includes(wanted) ? 3 : null;
}

/** The rows that tell of a name, those that have it in full first; none for less than two letters. */
export function rowsFor(rows: readonly OtherRow[], text: string): OtherRow[] {
  const wanted = normal(text);
  if (wanted.length < 2 || /\s/.test(wanted)) return [];
  const ranked = rows.flatMap((row) => {
    const fits = row.names.flatMap((name) => fit(name, wanted) ?? []);
    return fits.length > 0 ? [{ row, rank: Math.min(...fits) }] : [];
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked
    .filter(({ rank }) => rank <= Math.max(best, 2))
    .toSorted((a, b) => a.rank - b.rank || a.row.names.length - b.row.names.length)
    .map(({ row }) => row);
}
