/**
 * Routines of systems of equations, by the code of whole matrices, in doubles, rounded once. Matrices with a number that is not finite, in
 * which the primitive leaves out zero multipliers, are failures, and so are what the primitive refuses and singular matrices that it works
 * on in blocks.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isFloat } from "../../../core/types";
import { TOLERANCE } from "../../binary/linalg/hermitian";
import { advance, call, define, f64, i32, local, range, setAddress, whileTrue, type Int } from "../asm";
import { direct } from "../linalg/code";
import { along, DOUBLE, load, rowIn, store } from "../linalg/direct-code";
import { at, constantOf, copyRun, fill, pointerTo, times } from "./boxes";
import { castFunction, inputIn, outputIn } from "./operands";
import { failIf, Rooms, routine, type AttrsOf, type Make, type Room, type Routine } from "./routine";

/** Copies an operand to a place of doubles. */
function toDoubles({ type, shape }: Template, from: Int, to: Int): void {
  const count = sizeOf(shape);
  if (type === "f64") copyRun(count * DOUBLE, at(from), at(to));
  else call(castFunction(type, "f64", "saturate"), [count, from, to]);
}

function failUnlessFinite({ shape }: Pick<Template, "shape">, from: Int): void {
  call(direct.finite, [from, sizeOf(shape)]);
  i32.eqz();
  failIf();
}

/** The body for every matrix of a batch, with where each operand and result of it is; these have so many doubles each. */
function eachMatrix(
  { shape }: Template,
  places: readonly (readonly [base: Int, doubles: number])[],
  body: (...at: Int[]) => void,
): void {
  const pointers = places.map(([base]) => pointerTo(base));
  times(sizeOf(shape.slice(0, -2)), () => {
    body(...pointers);
    places.forEach(([, doubles], i) => advance(pointers[i]!, doubles * DOUBLE));
  });
}

/** A copy of an operand in doubles, all of them finite. */
function copyIn(rooms: Rooms, a: Template, i: number): Room {
  const room = rooms.take({ type: "f64", shape: a.shape });
  return (places) => {
    const to = room(places);
    toDoubles(a, places.inputs[i]!, to);
    failUnlessFinite(a, to);
    return to;
  };
}

function triangularSolve(
  out: Template,
  a: Template,
  b: Template,
  { lower, transform }: AttrsOf<"linalg"> & { op: "triangularSolve" },
): Routine {
  const [n, width] = b.shape.slice(-2) as [number, number];
  const rooms = new Rooms();
  const [triangles, solutions] = [inputIn(rooms, "f64", a, 0), outputIn(rooms, "f64", out, "wrap")];
  const [row, step] = transform === "none" ? [n, 1] : [1, n];
  const [by, first] = lower === (transform === "none") ? [DOUBLE, 0] : [-DOUBLE, n - 1];
  return routine({ inputs: 2, rooms, mayFail: true }, (places) =>
    solutions(places, (x) => {
      const triangle = triangles(places);
      toDoubles(b, places.inputs[1]!, x);
      failUnlessFinite(a, triangle);
      failUnlessFinite(b, x);
      // prettier-ignore
      eachMatrix(a, [[triangle, n * n], [x, n * width]], (matrix, side) => {
        const [firstSide, diagonal] = [pointerTo(side, first * width * DOUBLE), pointerTo(matrix, first * (n + 1) * DOUBLE)];
        call(direct.substitute, [firstSide, by * width, n, width, diagonal, by * row, by * step, 0]);
      });
      // Nor are those of a triangle with a 0 on its diagonal.
      failUnlessFinite(b, x);
    }),
  );
}

function solve(out: Template, a: Template, b: Template): Routine {
  const [n, width] = b.shape.slice(-2) as [number, number];
  const rooms = new Rooms();
  const [copies, sides, solutions] = [
    copyIn(rooms, a, 0),
    inputIn(rooms, "f64", b, 1),
    outputIn(rooms, "f64", out, "wrap"),
  ];
  const orders = rooms.take({ type: "f64", shape: [n] });
  return routine({ inputs: 2, rooms, mayFail: true }, (places) =>
    solutions(places, (x) => {
      const [matrices, right, order] = [copies(places), sides(places), orders(places)];
      failUnlessFinite(b, right);
      // prettier-ignore
      eachMatrix(a, [[matrices, n * n], [right, n * width], [x, n * width]], (matrix, side, to) =>
        call(direct.solve, [matrix, n, order, side, to, width]));
      // Nor are those of singular matrices, and where a number left the range on the way.
      failUnlessFinite(b, x);
    }),
  );
}

/** `(p, l, u, n, order)`: p and l, which are zeros, and u, of what `lu` leaves in the place of u. */
const separate = define(["p", "l", "u", "n", "order"], ["i", "j", "end", "to", "row"], 1, (x, [zero]) => {
  local.set(x.row, i32.mul(x.n, DOUBLE));
  range(x.i, x.n, 1, () => {
    setAddress(x.to, x.p, rowIn(x.to, x.order, x.i), x.row);
    f64.store({}, x.to, 1);
    advance(x.p, DOUBLE);
    along(x.j, x.end, x.i, [x.l, x.u], (lanes) => {
      store(lanes, x.l, 0, load(lanes, x.u));
      store(lanes, x.u, 0, zero);
    });
    f64.store({}, x.l, 1);
    setAddress(x.to, x.row, x.i, -DOUBLE);
    for (const pointer of [x.l, x.u]) advance(pointer, x.to);
  });
});

function lu(outs: readonly Template[], a: Template): Routine {
  const n = a.shape.at(-1)!;
  const rooms = new Rooms();
  const [ps, ls, us] = outs.map((out, i) => outputIn(rooms, "f64", out, "wrap", i)) as Outputs;
  const orders = rooms.take({ type: "f64", shape: [n] });
  const emit = (order: Int, ...all: [p: Int, l: Int, u: Int]): void => {
    const zero = constantOf(new Uint8Array(DOUBLE));
    for (const to of all.slice(0, 2)) fill(sizeOf(a.shape) * DOUBLE, [zero], at(to));
    const each = all.map((base) => [base, n * n] as const);
    eachMatrix(a, each, (p, l, u) => {
      factor(n, u!, order);
      call(separate, [p!, l!, u!, n, order]);
    });
  };
  return routine({ outputs: 3, rooms, mayFail: true }, (places) =>
    us(places, (u) => {
      toDoubles(a, places.inputs[0]!, u);
      failUnlessFinite(a, u);
      ls(places, (l) => ps(places, (p) => emit(orders(places), p, l, u)));
    }),
  );
}

type Outputs = [ReturnType<typeof outputIn>, ReturnType<typeof outputIn>, ReturnType<typeof outputIn>];

function factor(n: number, u: Int, order: Int): void {
  call(direct.lu, [u, n * DOUBLE, n, order]);
  failUnlessFinite({ shape: [1] }, pointerTo(u, (n * n - 1) * DOUBLE));
}

/** `(u, n, order, sign, pivots)`: the diagonal of u, and the sign of an order, of which the identity is left. */
const signAndPivots = define(["u", "n", "order", "sign", "pivots"], ["k", "j", "next", "at"], 0, (x) => {
  const sign = local.fresh("f64", 1);
  range(x.k, x.n, 1, () => {
    f64.store({}, x.pivots, f64.load({}, x.u));
    advance(x.pivots, DOUBLE);
    setAddress(x.u, x.u, x.n, DOUBLE);
    advance(x.u, DOUBLE);
    rowIn(x.j, x.order, x.k);
    // Each step along a cycle exchanges two.
    whileTrue(
      () => void i32.ne(x.j, x.k),
      () => {
        rowIn(x.next, x.order, x.j);
        setAddress(x.at, x.order, x.j, DOUBLE);
        f64.store({}, x.at, f64.convert_i32_u(x.j));
        local.set(x.j, x.next);
        local.set(sign, f64.neg(sign));
      },
    );
  });
  f64.store({}, x.sign, sign);
});

function pivots(outs: readonly Template[], a: Template): Routine {
  const n = a.shape.at(-1)!;
  const rooms = new Rooms();
  const [signs, diagonals] = outs.map((out, i) => outputIn(rooms, "f64", out, "wrap", i)) as Outputs;
  const [copies, orders] = [copyIn(rooms, a, 0), rooms.take({ type: "f64", shape: [n] })];
  return routine({ outputs: 2, rooms, mayFail: true }, (places) =>
    signs(places, (sign) =>
      diagonals(places, (diagonal) => {
        const [u, order] = [copies(places), orders(places)];
        // prettier-ignore
        eachMatrix(a, [[u, n * n], [sign, 1], [diagonal, n]], (matrix, one, all) => {
          factor(n, matrix, order);
          call(signAndPivots, [matrix, n, order, one, all]);
        });
      }),
    ),
  );
}

function cholesky(out: Template, a: Template): Routine {
  const n = a.shape.at(-1)!;
  const rooms = new Rooms();
  const [given, made] = [inputIn(rooms, "f64", a, 0), outputIn(rooms, "f64", out, "wrap")];
  return routine({ rooms, mayFail: true }, (places) =>
    made(places, (to) => {
      const from = given(places);
      failUnlessFinite(a, from);
      // prettier-ignore
      eachMatrix(a, [[from, n * n], [to, n * n]], (matrix, l) => {
        f64.store({}, l, TOLERANCE[a.type] ?? 0);
        call(direct.cholesky, [matrix, l, n * DOUBLE, n]);
        f64.gt(f64.load({ offset: (n * n - 1) * DOUBLE }, l), 0);
        i32.eqz();
        failIf();
      });
    }),
  );
}

/** None for complex matrices, and none for decompositions that iterate. */
export const decompositions: Make<"linalg"> = (outs, inputs, attrs) => {
  const [a, b] = inputs as [Template, Template];
  if (![...inputs, ...outs].every(({ type }) => isFloat(type))) return null;
  switch (attrs.op) {
    case "lu":
      return lu(outs, a);
    case "pivots":
      return pivots(outs, a);
    case "solve":
      return solve(outs[0]!, a, b);
    case "triangularSolve":
      return triangularSolve(outs[0]!, a, b, attrs);
    case "cholesky":
      return cholesky(outs[0]!, a);
    case "eig":
    case "eigh":
    case "expm":
    case "qr":
    case "sqrtm":
    case "svd":
      return null;
    default:
      return attrs satisfies never;
  }
};
