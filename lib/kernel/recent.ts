/**
 * A map that forgets what has not been asked for in a long time, so that programs which make new kernels forever do not grow
 * forever. Knows keys and values, not kernels.
 */

/**
 * Keeps at least the `limit` entries used last, and at most twice as many: in two generations, of which the older one is
 * dropped when the younger one is full. Asking for an entry brings it into the younger one. Unlike an order of use kept
 * exactly, this costs nothing where the same entries are asked for again and again.
 */
export class Recent<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  constructor(private readonly limit: number) {}

  get(key: string): V | undefined {
    const known = this.young.get(key);
    if (known !== undefined) return known;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.young.size >= this.limit && !this.young.has(key)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  /** How many entries there are; one that was brought into the younger generation may count twice. */
  get size(): number {
    return this.young.size + this.old.size;
  }
}
