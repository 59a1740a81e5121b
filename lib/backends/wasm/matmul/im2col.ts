/**
 * Functions for convolutions: panels whose columns are positions of a result, gathered by tables of distances, so that the matrix of
 * what each position meets is never laid out as a whole (Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014,
 * section 3.1). Tables hold bytes.
 */
import {
  advance,
  call,
  define,
  i32,
  local,
  onward,
  range,
  setAddress,
  setMinimum,
  storeVector,
  v128,
  when,
  type Code,
  type Lanes,
} from "../asm";
import { region, tileColumns } from "./tile";

/** A vector's worth of columns: position j of step l is at `from + steps[l] + places[j]`. */
function gatherColumns(lanes: Lanes): Code {
  const near = (["n0", "n1", "n2", "n3"] as const).slice(0, lanes.count);
  const args = ["from", "steps", "k", "places", "to"] as const;
  return define(args, ["l", "p", "q", "apart", ...near], 0, (x) => {
    near.forEach((name, i) => local.set(x[name], i32.add(i32.load({ offset: 4 * i }, x.places), x.from)));
    local.set(x.apart, i32.sub(x[near.at(-1)!], x[near[0]!]));
    const width = tileColumns(lanes) * lanes.size;
    const each = (body: () => void) =>
      range(x.l, x.k, 1, () => {
        local.set(x.p, i32.load({}, x.steps));
        body();
        advance(x.steps, 4);
        advance(x.to, width);
      });
    i32.eq(x.apart, (lanes.count - 1) * lanes.size);
    when(
      () =>
        each(() => {
          local.get(x.to);
          i32.add(x.p, x.n0);
          v128.load({ align: lanes.size });
          storeVector(lanes, 0);
        }),
      () =>
        each(() =>
          near.forEach((name, i) => {
            local.set(x.q, i32.add(x.p, x[name]));
            local.get(x.to);
            lanes.load(x.q, 0);
            lanes.store(i * lanes.size);
          }),
        ),
    );
  });
}

/**
 * Panels of `columns` positions. The table of places goes on beyond the last position to a full panel, with any places
 * that can be read.
 */
function packPlaces(lanes: Lanes): Code {
  const width = tileColumns(lanes);
  const gather = gatherColumns(lanes);
  const names = ["j", "panel", "v", "entry"] as const;
  return define(["from", "steps", "k", "places", "columns", "to"], names, 0, (x) => {
    range(x.j, x.columns, width, () => {
      setAddress(x.entry, x.places, x.j, 4);
      local.set(x.panel, i32.add(i32.mul(i32.mul(x.j, x.k), lanes.size), x.to));
      range(x.v, width, lanes.count, () => {
        call(gather, [x.from, x.steps, x.k, x.entry, x.panel]);
        advance(x.entry, 4 * lanes.count);
        advance(x.panel, 16);
      });
    });
  });
}

/** Arguments of {@link convolve}. */
const CONVOLVE = [
  ...(["first", "end", "blocks", "groups", "block", "planes", "imageStep", "groupStep"] as const),
  ...(["filters", "rows", "k", "steps", "places", "positions", "stretch", "c", "buffer", "line"] as const),
] as const;

/**
 * Units from `first` to below `end`: each is a block of positions of the result of one group of one image, of which the
 * positions are packed and multiplied with the filters of the group. Where `line` is not 0 a block is some lines of so many positions that
 * lie side by side, which are multiplied where they are, and `places` has an entry for each line. All of it are addresses and sizes: a convolution of staged operands is a call
 * of this function from other code, too.
 */
export function convolve(lanes: Lanes): Code {
  const packed = packPlaces(lanes);
  const [line, panels] = [region("table", lanes), region("steps", lanes)];
  const names = ["at", "group", "image", "count", "from", "left", "to", "stride", "entry", "rest", "filter"] as const;
  return define(CONVOLVE, names, 0, (x) => {
    local.set(x.stride, i32.mul(x.positions, lanes.size));
    local.set(x.filter, i32.mul(x.k, lanes.size));
    onward(x.first, x.end, 1, () => {
      local.set(x.at, i32.mul(i32.rem_u(x.first, x.blocks), x.block));
      local.set(x.rest, i32.div_u(x.first, x.blocks));
      local.set(x.group, i32.rem_u(x.rest, x.groups));
      local.set(x.image, i32.div_u(x.rest, x.groups));
      local.set(x.count, i32.sub(x.positions, x.at));
      setMinimum(x.count, x.count, x.block);
      setAddress(x.from, x.planes, x.image, x.imageStep);
      setAddress(x.from, x.from, x.group, x.groupStep);
      local.set(x.left, i32.add(i32.mul(i32.mul(i32.mul(x.group, x.rows), x.k), lanes.size), x.filters));
      local.set(x.to, i32.add(i32.mul(i32.mul(x.rest, x.rows), x.stride), x.c));
      local.set(x.to, i32.add(i32.mul(x.at, lanes.size), x.to));
      local.get(x.line);
      when(
        () => {
          local.set(x.entry, i32.add(i32.mul(i32.div_u(x.at, x.line), 4), x.places));
          range(x.at, x.count, x.line, () => {
            local.set(x.rest, i32.add(i32.load({}, x.entry), x.from));
            const operands = [x.left, x.filter, lanes.size, x.rest, x.steps, lanes.size];
            call(line, [...operands, x.to, x.stride, x.rows, x.line, x.k, x.stretch]);
            advance(x.entry, 4);
            setAddress(x.to, x.to, x.line, lanes.size);
          });
        },
        () => {
          setAddress(x.entry, x.places, x.at, 4);
          call(packed, [x.from, x.steps, x.k, x.entry, x.count, x.buffer]);
          const operands = [x.left, x.filter, lanes.size, x.buffer, tileColumns(lanes) * lanes.size, x.filter];
          call(panels, [...operands, x.to, x.stride, x.rows, x.count, x.k, x.stretch]);
        },
      );
    });
  });
}
