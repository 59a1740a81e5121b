// A backend whose tensors lie elsewhere, as on a device: a tensor holds a handle, and the bytes are on a shelf. It does a few
// things itself and has another backend do the rest.
import { BackendError, type Tensor } from "nx-numerics";
import { completeBackend, type Backend, type PartialBackend, type Template } from "nx-numerics/backend";

/** What lies on the shelf: bytes, and the number of tensors that hold them. */
interface Item {
  readonly bytes: Uint8Array;
  holders: number;
}

/** The data of a tensor: where its bytes lie, or null once it was released. */
interface Handle {
  id: number | null;
}

/** What the backend computes itself: of f32, on as many elements from each operand. */
const UNARY: { readonly [op: string]: (x: number) => number } = { negate: (x) => -x, abs: Math.abs };
const BINARY: { readonly [op: string]: (x: number, y: number) => number } = {
  add: (x, y) => x + y,
  multiply: (x, y) => x * y,
  subtract: (x, y) => x - y,
};

export function shelfBackend(name = "shelf"): { readonly backend: Backend; readonly items: ReadonlyMap<number, Item> } {
  const items = new Map<number, Item>();
  let nextId = 0;

  const letGo = (id: number): void => {
    const item = items.get(id)!;
    item.holders--;
    if (item.holders === 0) items.delete(id);
  };
  // Users need not release anything: what they no longer hold, the garbage collector gives back. It must not hold the handle.
  const forgotten = new FinalizationRegistry<number>(letGo);

  const hold = (id: number): Handle => {
    const handle: Handle = { id };
    items.get(id)!.holders++;
    forgotten.register(handle, id, handle);
    return handle;
  };
  const store = (bytes: Uint8Array): Handle => {
    const id = nextId++;
    items.set(id, { bytes, holders: 0 });
    return hold(id);
  };
  const idOf = ({ data, type, shape }: Tensor): number => {
    const { id } = data as Handle;
    if (id === null)
      throw new BackendError(`the tensor ${type}[${shape.join("][")}] was deallocated and can no longer be used`);
    return id;
  };
  const bytesOf = (t: Tensor): Uint8Array => items.get(idOf(t))!.bytes;
  const floatsOf = (t: Tensor): Float32Array => new Float32Array(bytesOf(t).buffer);
  const release = ({ data }: Tensor): boolean => {
    const handle = data as Handle;
    if (handle.id === null) return false;
    forgotten.unregister(handle);
    letGo(handle.id);
    handle.id = null;
    return true;
  };
  const sizeOf = ({ shape }: Template): number => shape.reduce((size, length) => size * length, 1);

  const partial: PartialBackend = {
    name,
    options: {},

    // in and out: row-major, little-endian, always copies
    upload: (_out, bytes) => store(bytes.slice()),
    download: (t, limit = Infinity) => {
      const bytes = bytesOf(t);
      return bytes.slice(0, Math.min(bytes.length, (limit * bytes.length) / sizeOf(t)));
    },

    // releasing: at a user's word, and when a compiled function has no use for a temporary any more
    deallocate: release,
    recycle: (t) => void release(t),
    alias: (t) => hold(idOf(t)),

    // computing: `out` says what to make, the result is the data of a tensor
    reshape: (_out, [x]) => hold(idOf(x!)),
    unary: (_out, [x], { op }) => store(new Uint8Array(floatsOf(x!).map(UNARY[op]!).buffer)),
    binary: (_out, [x, y], { op }) => {
      const right = floatsOf(y!);
      return store(new Uint8Array(floatsOf(x!).map((value, i) => BINARY[op]!(value, right[i]!)).buffer));
    },
    supports: (primitive, outs, inputs, attrs) => {
      if (primitive === "reshape") return true;
      const table = primitive === "unary" ? UNARY : BINARY;
      const isAlike = [...outs, ...inputs].every((t) => t.type === "f32" && sizeOf(t) === sizeOf(outs[0]!));
      return isAlike && Object.hasOwn(table, (attrs as { op: string }).op);
    },
  };
  return { backend: completeBackend(partial, "binary", { onFallback: "silent" }), items };
}
