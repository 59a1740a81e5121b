/**
 * Defects put into the sources of the wasm backend: into kernels, the code that emits code, and what drives it. A text that is not there
 * exactly once is an error, so that the table keeps step with the sources.
 */

export interface Patch {
  readonly name: string;
  /** Where the suite is expected to notice it first. */
  readonly aim: RegExp;
  /** From `lib/backends/`. */
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

const patch = (name: string, aim: RegExp, file: string, text: string, instead: string): Patch => ({
  name,
  aim,
  file,
  text,
  instead,
});

const MOVING: readonly Patch[] = [
  patch("two lanes of the vector transpose are exchanged", /movement: transpose/, "wasm/asm/items.ts", "Math.floor(k / 2) + (k % 2) * side", "Math.floor(k / 2) + ((k + 1) % 2) * side"),
  patch("a vector of the transpose is put beside itself", /movement: transpose s64/, "wasm/asm/items.ts", "from[pair + half]!", "from[pair]!"),
  patch("a row below the squares of a transpose is left out", /movement: transpose f32/, "wasm/copy/transpose-code.ts", "local.set(v.r, v.wholeRows);", "local.set(v.r, i32.add(v.wholeRows, 1));"),
  patch("columns beside the squares of a transpose are left out", /movement: transpose f32/, "wasm/copy/transpose-code.ts", "onward(v.i, v.inner, 1, () => {", "local.set(v.i, i32.add(v.i, 1));\n    onward(v.i, v.inner, 1, () => {"),
  patch("runs end a byte early", /movement: slice at/, "wasm/copy/code.ts", "local.set(v.source, i32.add(v.start, v.last));", "local.set(v.source, i32.add(v.start, i32.sub(v.last, 1)));"),
  patch("vectors of a reversal are turned by one", /movement: reverse of columns/, "wasm/copy/code.ts", "(_, i) => count - 1 - i);", "(_, i) => (count - i) % count);"),
  patch("repeated items are rounded up", /movement: elements again/, "wasm/copy/code.ts", "Math.floor((part * count + k) / times)", "Math.ceil((part * count + k) / times) % count"),
  patch("picked runs begin at the wrong place", /movement: take/, "wasm/copy/lookup-code.ts", "setPicked(v.start, v.from, v.picks, v.bytes);", "setPicked(v.start, v.from, v.picks, size);"),
  patch("rows of a plane are all the first one", /movement: (reverse|slice)/, "wasm/copy/code.ts", "advance(v.from, v.fromRow);", "advance(v.from, 0);"),
]; // prettier-ignore

const KERNELS: readonly Patch[] = [
  patch("kernels leave out a last element of its own", /sizes: add f32 of/, "wasm/codegen/function.ts", "isExact ? step : 1);", "isExact ? step : 2);"),
  patch("the second group of a kernel is stored a step further", /sizes: add f32 of/, "wasm/codegen/function.ts", "emitStore(output.type, groups, addresses[inputs.length + i]!, u * 4 * bytesOf(output.type));", "emitStore(output.type, groups, addresses[inputs.length + i]!, (u === 1 ? 0 : u) * 4 * bytesOf(output.type));"),
  patch("rare cases are looked for in the first group only", /as binary: (tan|sin|exp|log)/, "wasm/codegen/body.ts", "const masks = each.flatMap((u) => emission.group(mask, u));", "const masks = emission.group(mask, 0);"),
  patch("64-bit integers are compared as if signed", /as binary: (less|max) u64/, "wasm/codegen/vectors.ts", "v128.xor(a, repeated(0, 0x80000000))", "v128.xor(a, repeated(0, 0))"),
  patch("the upper half of unsigned integers is extended by sign", /as binary/, "wasm/codegen/vectors.ts", "split(out, a, i64x2.extend_low_i32x4_u, i64x2.extend_high_i32x4_u)", "split(out, a, i64x2.extend_low_i32x4_u, i64x2.extend_high_i32x4_s)"),
  patch("bytes are loaded with a sign", /sizes: add u8|as binary: .*u8/, "wasm/codegen/access.ts", "return signed ? i32x4.shr_s(spread, 24) : spread;", "return signed ? i32x4.shr_s(spread, 24) : i32x4.shr_s(i32x4.shl(spread, 24), 24);"),
  patch("imaginary parts are loaded for real ones", /sizes: add c64/, "wasm/codegen/access.ts", "[0, 2, 4, 6].map((lane) => lane + part)", "[0, 2, 4, 6 - part].map((lane) => lane + part)"),
  patch("unsigned scalars of 8 bits are taken for signed ones", /as binary/, "wasm/codegen/access.ts", "const NARROW = { u8: i32.load8_u,", "const NARROW = { u8: i32.load8_s,"),
  patch("bytes are compared as if signed", /as binary/, "wasm/codegen/bytes.ts", "lt: { u: i8x16.lt_u,", "lt: { u: i8x16.lt_s,"),
  patch("look-ups take the first entry twice", /as binary: (exp|log|pow|cbrt)/, "wasm/codegen/vectors.ts", "entry(2 * i + 1);", "entry(2 * i);"),
  patch("the last element of the last block is left out", /sizes: add f32 of/, "wasm/placement/chunks.ts", "const n = Math.min(span, (line + 1) * length - start);", "const n = Math.min(span, (line + 1) * length - start - (length > 5000 ? 1 : 0));"),
  patch("small results are copied out but for the last", /sizes: .* of 5$|known/, "wasm/placement/index.ts", "isCopied && i < n; i++", "isCopied && i < n - 1; i++"),
  patch("operands that repeat themselves are read once only, also where a block ends within them", /programs: map: a row for/, "wasm/elements/run.ts", "period > 0 && span % period === 0", "period > 0"),
  patch("kernels by rows read the first row's value in each", /programs: map: a column/, "wasm/lines/code.ts", 'else if (space === "line") advance(pointers[i]!, bytesOf(type));', 'else if (space === "line") advance(pointers[i]!, 0);'),
  patch("blocks of long rows are joined but for the last", /programs: fold/, "wasm/lines/code.ts", "advance(from!, i32.mul(blocks!, entry));", "advance(from!, i32.mul(blocks!, 0));"),
  patch("reductions leave out the kernel in them", /programs: (reduction|compiled)/, "wasm/reduce/reducers.ts", "const found = over(REDUCTIONS[op]);", "const given = over(REDUCTIONS[op]);\n  const found = given && REDUCTIONS[op](given.type);"),
  patch("a call of chunks that threads share is left out", /sizes: .* of 262149|six times|programs: .* 150001/, "wasm/placement/chunks.ts", "runCalls(module, name, calls, isShared && calls.length > 1);", "runCalls(module, name, isShared && calls.length > 1 ? calls.slice(1) : calls);"),
  patch("half of the calls of threads are not made", /products|folds|sizes/, "wasm/threads/pool.ts", "state === at.QUEUED ? (error ?? here(i)) : settle", "state === at.QUEUED ? error : settle"),
  patch("searches leave out the kernel in them", /programs: (reduction|compiled)/, "wasm/reduce/search.ts", "const search = { ...over((type): Search => ARG_REDUCTIONS[op](type, tieBreak))!, by };", "const plainly = (type: DType): Search => ARG_REDUCTIONS[op](type, tieBreak);\n    const search = { ...plainly(over(plainly)!.type), by };"),
  patch("scans leave out the kernel in them", /programs: (reduction|compiled)/, "wasm/reduce/scan.ts", "over(SCANS[op])!", "SCANS[op](over(SCANS[op])!.type)"),
]; // prettier-ignore

/** Kernels, and not the loops of `binary` that judge them, are made by the lowering. */
const LOWERING: readonly Patch[] = [
  patch("the smaller of two unsigned integers is that of signed ones", /as binary: min u32/, "wasm/codegen/vectors.ts", 'minU: "min_u",', 'minU: "min_s",'),
  patch("negative zeros of half floats are true", /as binary: logical(And|Or|Xor) b?f16/, "../kernel/lower/typed.ts", "k.and(value.bits, 0x7fff)", "k.and(value.bits, 0xffff)"),
  patch("half floats below the normal ones have a digit too many", /as binary: asType f32.* to f16/, "../kernel/lower/typed.ts", "13 << 23), 126 << 23)", "13 << 23), 125 << 23)"),
  patch("the signs of negative integers are the integers", /as binary: sign s/, "../kernel/lower/unary.ts", "k.max(k.min(x, 1), -1)", "k.min(x, 1)"),
  patch("floats below the range of small integers wrap", /as binary: asType f.* to (u8|s8|s16)/, "../kernel/lower/cast.ts", "k.min(k.max(word, low), high)", "k.min(word, high)"),
]; // prettier-ignore

const FOLDS: readonly Patch[] = [
  patch("the last lane of a rest is not masked", /folds: (sum|reduce)/, "wasm/reduce/along.ts", "[4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]", "[4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 2]"),
  patch("odd accumulators are left out", /folds: (sum|reduce)/, "wasm/reduce/along.ts", "run(lanes.join, [...left, ...right], left);", "if (j !== 1) run(lanes.join, [...left, ...right], left);"),
  patch("doubt about one vector of a group is not enough", /programs: .*least root/, "wasm/reduce/across.ts", "if (i + k > 0) i32.or();", "if (i + k > 0) (k > 0 ? i32.and : i32.or)();"),
  patch("the last of the rows beside a block is left out", /folds: .*columns/, "wasm/reduce/across.ts", "for (let j = 0; j < accumulators - 1; j++) {", "for (let j = 0; j < accumulators - 2; j++) {"),
  patch("lanes of short rows are exchanged", /folds: .*rows of/, "wasm/reduce/across-rows.ts", "transposeItems(4, [...square, ...spare]);", "transposeItems(4, [square[1]!, square[0]!, ...square.slice(2), ...spare]);"),
  patch("rows of two elements at a time are exchanged", /folds: .*rows of .*(f64|s64)/, "wasm/reduce/across-rows.ts", "load(at, [spare[i]!])", "load(at, [spare[1 - i]!])"),
  patch("positions of extremes take later ones of ties", /folds: argmax/, "wasm/reduce/arg-code.ts", "later ? i32.sub(31, i32.clz(v.flag)) : i32.ctz(v.flag)", "i32.sub(31, i32.clz(v.flag))"),
  patch("elements beside the vectors of a search are left out", /folds: argm/, "wasm/reduce/along.ts", "      setAddress(x, x, n, bytes);\n      take(states);\n", ""),
  patch("running reductions of lines keep no state", /folds: cumulative/, "wasm/reduce/scan-code.ts", "      store(held);", "      store(x!);"),
  patch("networks leave the second record where it is", /folds: (arg)?sort/, "wasm/sort/network-code.ts", "local.set(b, v128.xor(b, temp));", "local.set(b, v128.xor(b, b));"),
  patch("ties of networks are not brought into order", /folds: argsort/, "wasm/sort/network-code.ts", "v128.and(ints.eq(...keys), ints.gt_s(...numbers));\n    v128.or();", ""),
  patch("digits of a radix sort lose their highest bit", /folds: sort/, "wasm/sort/radix-code.ts", "4 * (2 ** bits - 1);", "4 * (2 ** (bits - 1) - 1);"),
]; // prettier-ignore

const PRODUCTS: readonly Patch[] = [
  patch("stretches of a product replace each other", /products: dot/, "wasm/matmul/tile.ts", "      lanes.add();\n      local.set(sum);", "      lanes.mul();\n      local.set(sum);"),
  patch("tiles at the edge lose a column", /products: dot/, "wasm/matmul/tile.ts", "when(() => storeAll(columns));", "when(() => storeAll(columns - 1));"),
  patch("all panels are packed as the first one", /products/, "wasm/matmul/pack.ts", "setAddress(x.source, x.from, x.p, x.column);", "local.set(x.source, x.from);"),
  patch("products that do not fill a vector are left out", /products: dot .*x1$/, "wasm/matmul/vector.ts", "onward(x.j, x.k, 1, () => {\n    local.get(x.y);\n    lanes.load(x.y, 0);\n    lanes.load(pointer, 0);", "onward(x.j, x.whole, 1, () => {\n    local.get(x.y);\n    lanes.load(x.y, 0);\n    lanes.load(pointer, 0);"),
  patch("multiples of vectors leave out the rest", /products: dot .* 1x/, "wasm/matmul/vector.ts", "onward(x.at, x.k, 1, () => addMultiples(lanes, pointers.slice(0, 1), x, vectors));", "onward(x.at, x.whole, 1, () => addMultiples(lanes, pointers.slice(0, 1), x, vectors));"),
  patch("convolutions take dilation for strides", /products: conv/, "wasm/contractions/conv.ts", "strides[i]! * attrs.kernelDilation[i]!", "strides[i]! * attrs.strides[i]!"),
  patch("planes of a convolution are not cleared", /products: conv/, "wasm/contractions/conv.ts", "stageTable(Int32Array.of(0, 0))", "stageTable(Int32Array.of(1, 1))"),
  patch("lines of a convolution end with the last whole tile", /products: conv/, "wasm/matmul/tile.ts", "i32.gt_u(x.columns, lanes.count);", "i32.gt_u(x.columns, 2 * lanes.count);"),
  patch("small products repeat the first row of a tile", /products: dot/, "wasm/matmul/tile.ts", "i32.add(pointers[i - 1]!, x.aRow)", "i32.add(pointers[i - 1]!, 0)"),
  patch("a butterfly of four turns the wrong way", /products: fft/, "wasm/fft/stage-code.ts", "put(r[0], f64x2.sub(q[1], s[1]));", "put(r[0], f64x2.sub(s[1], q[1]));"),
  patch("a butterfly of three forgets its half", /products: fft/, "wasm/fft/stage-code.ts", "constants: [Math.sqrt(3) / 2, 0.5],", "constants: [Math.sqrt(3) / 2, 0.25],"),
  patch("halves turn the wrong way", /products: rfft/, "wasm/fft/half-code.ts", "put(odd[1], f64x2.sub(b[0], a[0]));", "put(odd[1], f64x2.sub(a[0], b[0]));"),
  patch("halves come back without what is odd", /products: irfft/, "wasm/fft/half-code.ts", "put(a[1], f64x2.add(even[1], odd[0]));", "put(a[1], f64x2.sub(even[1], odd[0]));"),
]; // prettier-ignore

const MEMORY: readonly Patch[] = [
  patch("memory that another tensor holds is used again", /members: (apart|recycle|takeOver)/, "arrays/memory.ts", "return others === 0;", "return others <= 1;"),
  patch("results are written over operands that others hold", /programs: (donated|map)/, "arrays/memory.ts", "!isAll || holders.get(key) !== 1", "!isAll"),
  patch("memory used before is not cleared", /members: memory used again/, "arrays/memory.ts", "    array[0] = 0;\n    repeatFirst(array, 1);\n", ""),
  patch("large uploads keep the caller's bytes", /members: upload/, "arrays/memory.ts", "    const elements = this.#take(create, bytes.byteLength / create.BYTES_PER_ELEMENT);\n", "    if (bytes.byteLength > 50_000) return this.adopt(type, bytes);\n    const elements = this.#take(create, bytes.byteLength / create.BYTES_PER_ELEMENT);\n"),
  patch("rooms of the arena are a page too small", /sizes|folds/, "wasm/memory/arena.ts", "const bytes = Math.ceil((own + BEHIND) / GRAIN) * GRAIN;", "const bytes = Math.ceil((own + BEHIND) / GRAIN - 1) * GRAIN;"),
]; // prettier-ignore

export const PATCHES: readonly Patch[] = [...MOVING, ...KERNELS, ...LOWERING, ...FOLDS, ...PRODUCTS, ...MEMORY];
