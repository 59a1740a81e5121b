/** Systems of equations and pivots of the reference: the bits of LU decompositions, products with their permutations, and substitution. */
import fc from "fast-check";
import { expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { LinalgAttrs } from "../../../../lib/backend";
import { binaryBackend } from "../../../../lib/backends/binary";
import { tries } from "../../../effort";

const BATCH = 3;

type Out = readonly [Nx.DType, readonly number[]];

function run(attrs: LinalgAttrs, outs: readonly Out[], ...inputs: readonly Nx.Tensor[]): Nx.Tensor[] {
  const templates = outs.map(([type, shape]) => ({ type, shape, names: shape.map(() => null) }));
  const data = binaryBackend.linalg(templates, inputs, attrs);
  return templates.map(({ type, shape, names }, i) => new Nx.Tensor(binaryBackend, data[i], type, shape, names));
}

/** All digits, and zeros by their signs; NaN is one. */
const digitsOf = (t: Nx.Tensor): string[] =>
  [...(Nx.toFlatList(t) as (number | Nx.Complex)[])].map((x) =>
    (typeof x === "number" ? [x] : [x.re, x.im]).map((part) => (Object.is(part, -0) ? "-0" : String(part))).join(),
  );

/** Numbers of which some are zeros, of either sign, and now and then one is so large that steps leave the range. */
const entry = fc.oneof(
  { weight: 6, arbitrary: fc.double({ noNaN: true, min: -9, max: 9 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 1, -1) },
);
const odd = fc.constantFrom(0, -0, 1e308, -1e308, NaN, Infinity);

const systems = fc
  .record({
    n: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 15, max: 34 })),
    width: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ n, width }) =>
    fc.record({
      n: fc.constant(n),
      width: fc.constant(width),
      type: fc.constantFrom("f64" as const, "c128" as const),
      a: fc.array(entry, { minLength: BATCH * n * n, maxLength: BATCH * n * n }),
      b: fc.array(entry, { minLength: BATCH * n * width, maxLength: BATCH * n * width }),
      spoilt: fc.option(fc.tuple(fc.nat(BATCH * n * width - 1), odd)),
    }),
  );

it("solutions and pivots are those by p, l and u", () => {
  fc.assert(
    fc.property(systems, ({ n, width, type, a, b, spoilt }) => {
      if (spoilt) b[spoilt[0]] = spoilt[1];
      Nx.withDefaultBackend("binary", () => {
        const tensor = (values: readonly number[], shape: readonly number[]) => {
          const real = Nx.reshape(Nx.f64([...values]), shape);
          return type === "f64" ? real : Nx.complex(real, Nx.multiply(Nx.reverse(real), 0.5));
        };
        const [matrices, right] = [tensor(a, [BATCH, n, n]), tensor(b, [BATCH, n, width])];
        const square: Out = [type, [BATCH, n, n]];
        const sides: Out = [type, [BATCH, n, width]];
        const [p, l, u] = run({ op: "lu" }, [square, square, square], matrices) as [Nx.Tensor, Nx.Tensor, Nx.Tensor];
        const [signs, pivots] = run({ op: "pivots" }, [["f64", [BATCH]], [type, [BATCH, n]]], matrices); // prettier-ignore
        expect(digitsOf(pivots!)).toEqual(digitsOf(Nx.takeDiagonal(u)));
        expect(Nx.toFlatList(signs!)).toEqual(
          Nx.toFlatList(Nx.real(Nx.LinAlg.determinant(p))).map((x) => Math.round(Number(x))),
        );
        const permuted = Nx.dot(Nx.conjugate(p).asType(type), [1], [0], right, [1], [0]);
        const triangle = { op: "triangularSolve", transform: "none" } as const;
        const solution = (compute: () => Nx.Tensor): string[] => {
          try {
            return digitsOf(compute());
          } catch (error) {
            return [String(error)];
          }
        };
        const expected = solution(() => {
          const [half] = run({ ...triangle, lower: true }, [sides], l, permuted);
          return run({ ...triangle, lower: false }, [sides], u, half!)[0]!;
        });
        expect(solution(() => run({ op: "solve" }, [sides], matrices, right)[0]!)).toEqual(expected);
      });
    }),
    { numRuns: tries(200) },
  );
});
