/**
 * Plans and tables that depend on the length of a transform: those used last are kept, but for long ones, which cost more memory than they
 * save time.
 */
const LONGEST_KEPT = 2 ** 17;

/** What has a key and so many elements: as it was kept, or made anew. */
type Keep<K, V> = <T extends V>(key: K, length: number, make: () => T) => T;

/** Keeps the `most` values that were used last. */
export function keepingLast<K, V>(most: number): Keep<K, V> {
  const kept = new Map<K, V>();
  return <T extends V>(key: K, length: number, make: () => T): T => {
    const value = (kept.get(key) as T | undefined) ?? make();
    if (length > LONGEST_KEPT) return value;
    kept.delete(key);
    kept.set(key, value); // the one used last comes last
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return value;
  };
}
