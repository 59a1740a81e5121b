/**
 * `ZarrArray`: an array that is not in memory.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Names, type Shape, type Tensor } from "nx-numerics";
import { readBlock, released, type Block } from "./blocks";
import { cellAt, gridOf, product } from "./boxes";
import { arrayText, checkOptions, keysOf, selectionIn, shown, signalOption, sizesText } from "./checks";
import { jobOf, mapInto, type ZarrMapOptions } from "./map";
import { aheadOf, readRunOptions, RUN_OPTIONS, type RunOptions } from "./options";
import type { ZarrBlock, ZarrOnlyAxes, ZarrPart, ZarrPlace, ZarrRead } from "./parts";
import { ZarrReductions } from "./reduced";
import { unfinishedIn, type UnfinishedRun } from "./runs";
import { chunkBox, setSource, sourceBehind, sourceOf, writable, writeBox, type Source } from "./source";
import { inOrder } from "./stream";
import type { ZarrType } from "./types";
import { leftBehind } from "./weight";
import { workOver } from "./work";

/** The source of what a user gives as an array. */
function givenSource(fn: string, what: string, array: unknown): Source {
  const found = sourceBehind(array);
  if (found !== undefined) return found;
  throw new ArgumentError(`${fn} expects ${what} from openZarr or createZarr, got: ${shown(array)}`);
}

/**
 * An array in a store, which is read part by part; made by {@link openZarr} and {@link createZarr}. Its blocks are its chunks: what is
 * compressed, read and written as one.
 */
export class ZarrArray<N extends Names = Names> extends ZarrReductions<N> {
  /** @internal */
  constructor(source: object) {
    super();
    setSource(this, source as Source);
  }

  get #source(): Source {
    return sourceOf(this);
  }

  /** Type of the elements; booleans are `u8`. */
  get type(): ZarrType {
    return this.#source.type;
  }

  get shape(): Shape {
    return this.#source.shape;
  }

  /** Sizes of the chunks. The last chunks of an axis may have less of it. */
  get chunks(): Shape {
    return this.#source.chunks;
  }

  override get names(): N {
    return this.#source.names as N;
  }

  /** What the array says about itself: units, scale factors and so on. They are not applied to what is read. */
  get attributes(): Readonly<Record<string, unknown>> {
    return this.#source.attributes;
  }

  /** The run of {@link map} that failed or goes on, if there is one: chunks are missing. */
  get unfinished(): UnfinishedRun | null {
    return unfinishedIn(this.attributes);
  }

  override toString(): string {
    return `#Nx.ZarrArray<${arrayText(this.#source)}>`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }

  /**
   * Reads a part as a tensor.
   *
   * @param where - by axis name a position, which drops the axis, `[start, end]` with the end excluded, or `Nx.range(start, end, step)`;
   *   negative from the back; axes that are left out are whole. Axes without a name are said by their position
   * @param options - `signal`
   * @returns the tensor, of the type of the array
   * @throws ArgumentError for an unknown axis, positions out of bounds, and a chunk that is damaged
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([4, 3], "f32", { names: ["time", "lat"] });
   * const air = await createZarr(new Map<string, Uint8Array>(), like, { chunks: { time: 2 } });
   * await air.write(Nx.iota([4, 3], { type: "f32" }));
   * await air.read({ time: [1, 3], lat: -1 });
   * // => #Nx.Tensor<
   * //   f32[time: 2]
   * //   [5.0, 8.0]
   * // >
   * await air.read({ time: Nx.range(0, 4, 2) });
   * // => #Nx.Tensor<
   * //   f32[time: 2][lat: 3]
   * //   [
   * //     [0.0, 1.0, 2.0],
   * //     [6.0, 7.0, 8.0]
   * //   ]
   * // >
   * await air.read({ time: 4 });
   * // throws ArgumentError: ZarrArray.read: index 4 is out of bounds for axis "time" of size 4 in f32[time: 4 by 2][lat: 3]
   * ```
   */
  async read<N extends Names, const P extends ZarrPart<N> = Record<never, never>>(
    this: ZarrArray<N>,
    where?: P & ZarrOnlyAxes<N, P>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Tensor<ZarrRead<N, P>>> {
    const fn = "ZarrArray.read";
    const source = this.#source;
    const signal = signalOption(fn, checkOptions(fn, options, ["signal"]).signal);
    const { box, steps, drops } = selectionIn(fn, source, where);
    signal?.throwIfAborted();
    const whole = (await readBlock(source, box, signal)).tensor();
    const indices = box.lengths.map((length, axis) => (drops[axis] ? 0 : Nx.range(0, length, steps[axis])));
    return whole.at(...indices) as Tensor as Tensor<ZarrRead<N, P>>;
  }

  /**
   * Writes a tensor into a part. Chunks that it covers are written without being read; two writes into one chunk must not overlap in time.
   *
   * @param tensor - of the type and shape of the part; names, where both have them, must be the same
   * @param where - the part, as for {@link read}, without steps and without axes that are dropped
   * @throws ArgumentError for a tensor that does not fit, and a store that cannot be written to
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([3], "s32", { names: ["x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2] });
   * await array.write(Nx.s32([7, 8]), { x: [1, 3] });
   * await array.read();
   * // => #Nx.Tensor<
   * //   s32[x: 3]
   * //   [0, 7, 8]
   * // >
   * await array.write(Nx.f32([7, 8]), { x: [1, 3] });
   * // throws ArgumentError: ZarrArray.write expects a tensor s32[x: 2], got: a tensor f32[2]
   * ```
   */
  async write(tensor: Tensor, where?: ZarrPart<N>): Promise<void> {
    const fn = "ZarrArray.write";
    const source = this.#source;
    const { box, steps, drops } = selectionIn(fn, source, where);
    if (drops.includes(true) || steps.some((step) => step !== 1)) {
      throw new ArgumentError(`${fn} expects ranges without steps, such as { ${keysOf(source.names)[0]}: [0, 1] }`);
    }
    const fits =
      tensor instanceof Nx.Tensor &&
      tensor.type === source.type &&
      tensor.rank === box.lengths.length &&
      tensor.shape.every((size, axis) => size === box.lengths[axis]) &&
      tensor.names.every((name, axis) => [name, null].includes(source.names[axis]!) || name === null);
    if (!fits) {
      const expected = `${source.type}${sizesText(box.lengths, source.names)}`;
      throw new ArgumentError(`${fn} expects a tensor ${expected}, got: ${shown(tensor)}`);
    }
    writable(fn, source.store);
    await writeBox(source, box, Nx.toBinary(tensor));
  }

  /**
   * Goes over the blocks in row-major order. A few are read ahead; at most one more than `ahead` are in memory, beside those that the
   * program keeps. Nothing has to be released; `using` gives the memory of a block back at once.
   *
   * @param options - `ahead`: how many blocks are being read while one is in hand (2 to 8 by their size when left out); `signal`
   * @returns the blocks, each with where it lies, which {@link read} takes
   * @throws ArgumentError for unknown options and damaged chunks; the reason of the signal when it is aborted
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([5], "s64", { names: ["x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2] });
   * await array.write(Nx.iota([5]));
   * const found: string[] = [];
   * for await (const { block, where } of array) found.push(`${where["x"]}: ${Nx.sum(block)}`);
   * found.length;
   * // => 3
   * found[2];
   * // => '4,5: #Nx.Tensor<\n  s64\n  4\n>'
   * ```
   */
  async *blocks(options?: Pick<RunOptions, "ahead" | "signal">): AsyncGenerator<ZarrBlock<N>, void, undefined> {
    const fn = "ZarrArray.blocks";
    const source = this.#source;
    const run = readRunOptions(fn, checkOptions(fn, options, ["ahead", "signal"]));
    const counts = gridOf(source.shape, source.chunks);
    const boxAt = (k: number) => chunkBox(source, cellAt(counts, k));
    let k = 0;
    const read = (i: number, stop: AbortSignal): Promise<Block> => readBlock(source, boxAt(i), stop);
    for await (const block of inOrder(product(counts), aheadOf(source, run), run.signal, read, (block) =>
      block.drop(),
    )) {
      const { starts, lengths } = boxAt(k++);
      const ends = keysOf(source.names).map(
        (key, axis) => [key, [starts[axis]!, starts[axis]! + lengths[axis]!]] as const,
      );
      const tensor = block.tensor() as Tensor<N>;
      yield { block: tensor, where: Object.fromEntries(ends) as unknown as ZarrPlace<N> };
      await leftBehind(tensor, product(lengths) * source.width);
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<ZarrBlock<N>, void, undefined> {
    return this.blocks();
  }

  /**
   * Writes another array chunk by chunk: for each chunk of `into`, the same places of this array go through a function. Axes are the same
   * by their names; those that `into` does not have come whole, and those that it alone has must be in one chunk. So a function of whole
   * time series gives a map, with an array that is never in memory.
   *
   * While it runs, `into` says by an attribute that it is unfinished, and {@link openZarr} refuses it. A run with an `id` that failed
   * or was aborted, or whose program ended, is taken up by a call with the same `id`: chunks that are done are skipped (of a program that
   * was killed, those of the last second are done again). A run without one begins anew.
   *
   * @param fn - from a block to a tensor of the type and shape of the chunk; give it compiled (`Nx.defn`) where it is more than one step.
   *   With `workers`, its name in their module
   * @param into - what is written, by {@link createZarr}
   * @param options - `id`: what the function and its version are called; `restart`: begin anew whatever was unfinished; `ahead`: so many
   *   blocks and one more are in memory; `signal`; `workers`
   * @throws ArgumentError for a result that does not fit, axes that do not, and an unfinished run of another id; the reason of the signal
   *   when it is aborted, once no more writes are under way
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const store = new Map<string, Uint8Array>();
   * const air = await createZarr(store, Nx.template([4, 3], "f32", { names: ["time", "lat"] }), { path: "air", chunks: { lat: 2 } });
   * await air.write(Nx.iota([4, 3], { type: "f32" }));
   * const spread = await createZarr(store, Nx.template([3], "f32", { names: ["lat"] }), { path: "spread", chunks: [2] });
   * const spreadOf = Nx.defn((block: Nx.Tensor) => block.reduceMax({ axes: ["time"] }).subtract(block.reduceMin({ axes: ["time"] })));
   * await air.map(spreadOf, spread, { id: "spread, first version" });
   * await spread.read();
   * // => #Nx.Tensor<
   * //   f32[lat: 3]
   * //   [9.0, 9.0, 9.0]
   * // >
   * await air.map((block) => block, spread);
   * // throws ArgumentError: ZarrArray.map: the function must give f32[lat: 2] for this block, got: a tensor f32[time: 4][lat: 2]
   * ```
   */
  async map<M extends Names>(
    fn: ((block: Tensor<N>) => Tensor) | string,
    into: ZarrArray<M>,
    options?: ZarrMapOptions,
  ): Promise<void> {
    await mapInto(this.#source, fn, givenSource("ZarrArray.map", "what to write as a ZarrArray", into), options);
  }

  /**
   * Takes something of each block and joins it, one after the other in row-major order of the blocks. Blocks are given back as soon as
   * they are used.
   *
   * @param each - from a block to a tensor or a container of tensors; with `workers`, the name of such a function in their module
   * @param join - what two of those are together; the first is what came of the blocks before
   * @param options - `ahead`, `signal`, `workers`
   * @returns what is left
   * @throws ArgumentError for what is no function; the reason of the signal when it is aborted
   * @example
   * ```ts
   * import { createZarr } from "nx-numerics/zarr";
   * const like = Nx.template([6], "f32", { names: ["x"] });
   * const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks: [2] });
   * await array.write(Nx.f32([3, 4, 0, 1, 1, 3]));
   * await array.reduce((block) => Nx.sum(Nx.multiply(block, block)), Nx.add);
   * // => #Nx.Tensor<
   * //   f32
   * //   36.0
   * // >
   * await array.reduce<Nx.Tensor>("squares", Nx.add);
   * // throws ArgumentError: ZarrArray.reduce expects a function of a block, got: "squares"; a name says a function of workers
   * ```
   */
  async reduce<S>(
    each: ((block: Tensor<N>) => S) | string,
    join: (state: S, next: S) => S,
    options?: RunOptions,
  ): Promise<S> {
    const fn = "ZarrArray.reduce";
    const run = readRunOptions(fn, checkOptions(fn, options, RUN_OPTIONS));
    if (typeof join !== "function")
      throw new ArgumentError(`${fn} expects a function that joins two results, got: ${shown(join)}`);
    const source = this.#source;
    const counts = gridOf(source.shape, source.chunks);
    const work = workOver<S>(fn, source, jobOf(fn, each, run), run);
    const parts = inOrder(product(counts), work.ahead, run.signal, (k, stop) =>
      work.on(chunkBox(source, cellAt(counts, k)), stop),
    );
    let state: readonly S[] = [];
    try {
      for await (const part of parts) {
        const [before] = state;
        state = [state.length === 0 ? part : released(() => join(before!, part))];
      }
    } finally {
      work.end();
    }
    return state[0]!;
  }
}
