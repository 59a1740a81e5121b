/**
 * A map that forgets what has not been asked for in a long time, so that programs which make new kernels forever do not grow
 * forever. Knows keys and values, not kernels.
 */

/**
 * Keeps at least the entries used last that weigh up to `limit` together, and at most twice as much: in two generations, of
 * which the older one is dropped when the younger one is full. Asking for an entry brings it into the younger one. Unlike an
 * order of use kept exactly, this costs nothing where the same entries are asked for again and again. Entries weigh 1, unless
 * it is said what they do weigh, such as bytes; one that weighs more than the limit is kept until the next comes.
 */
export class Recent<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();
  /** What the entries of the younger generation weigh. */
  private load = 0;

  constructor(
    private readonly limit: number,
    private readonly weigh: (value: V, key: string) => number = () => 1,
  ) {}

  get(key: string): V | undefined {
    const cached = this.young.get(key);
    if (cached !== undefined) return cached;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** The entry of a key, which is made where there is none. */
  getOrMake(key: string, make: () => V): V {
    const cached = this.young.get(key) ?? this.get(key);
    if (cached !== undefined) return cached;
    const fresh = make();
    this.set(key, fresh);
    return fresh;
  }

  set(key: string, value: V): void {
    const before = this.young.get(key);
    if (before !== undefined) this.load -= this.weigh(before, key);
    const weight = this.weigh(value, key);
    if (before === undefined && this.load + weight > this.limit) {
      this.old = this.young;
      this.young = new Map();
      this.load = 0;
    }
    this.load += weight;
    this.young.set(key, value);
  }

  /** How many entries there are; one that was brought into the younger generation may count twice. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  /** What they weigh. */
  get weight(): number {
    return [this.young, this.old].reduce(
      (sum, entries) => [...entries].reduce((all, [key, value]) => all + this.weigh(value, key), sum),
      0,
    );
  }
}
