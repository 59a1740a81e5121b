/**
 * Functions of square matrices: the exponential by scaling and squaring (Higham 2005, "The scaling and squaring method for the matrix
 * exponential revisited") and the principal square root by the Schur method (Björck & Hammarling 1983).
 */
import { ArgumentError } from "../../../core/errors";
import { divide, lu, triangularSolve } from "./direct";
import {
  copyLines,
  found,
  hypot,
  largestPart,
  normalise,
  pick,
  subtractProducts,
  transposeLines,
  zeroLines,
  type Lines,
} from "./lines";
import { scale } from "./reflections";
import { complexLines, schur, squareRoot, type ComplexLines, type Schur } from "./schur";

/** `into = a b` for square matrices as rows. */
function multiplyInto(into: Lines, a: Lines, b: Lines): Lines {
  const n = a.count;
  const own = { at: 0, row: n };
  into.re.fill(0);
  into.im?.fill(0);
  subtractProducts([into, own], [a, { ...own, step: 1 }], [b, own], [n, n, n]);
  for (const part of into.im ? [into.re, into.im] : [into.re]) {
    for (let i = 0; i < part.length; i++) part[i] = 0 - part[i]!; // no -0
  }
  return into;
}

const product = (a: Lines, b: Lines): Lines => multiplyInto(zeroLines(a.on, a.count, a.count, a.im !== null), a, b);

// ---------------------------------------------------------------------------------------------- exponential

/** Approximants of Padé: up to which 1-norm one is exact in doubles (Higham's table 2.3), and its coefficients from that of x^0 on. */
const APPROXIMANTS: readonly (readonly [largest: number, coefficients: readonly number[]])[] = [
  [1.495585217958292e-2, [120, 60, 12, 1]],
  [2.53939833006323e-1, [30240, 15120, 3360, 420, 30, 1]],
  [9.504178996162932e-1, [17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1]],
  [2.097847961257068, [17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1]],
];

const LAST_TO = 5.371920351148152;
const LAST = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
  670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
] as const;

/** The exponential of a matrix given as rows; of one that is not finite, NaN. */
export function expm(rows: Lines): Lines {
  const a = copyLines(rows);
  const size = columnNorm(a);
  if (!(size < Infinity)) return filledWith(a, NaN);
  const fitting = APPROXIMANTS.find(([largest]) => size <= largest);
  if (fitting) return fraction(...byPowers(a, fitting[1]));
  let squarings = 0;
  let f = 1;
  for (; size * f > LAST_TO; f /= 2) squarings++;
  scale(a, a.re.length, f);
  let result = fraction(...thirteenth(a));
  let other = zeroLines(a.on, a.count, a.count, a.im !== null);
  for (let i = 0; i < squarings; i++) [result, other] = [multiplyInto(other, result, result), result];
  return result;
}

function filledWith(a: Lines, value: number): Lines {
  a.re.fill(value);
  a.im?.fill(value);
  return a;
}

function columnNorm({ re, im, count: n }: Lines): number {
  let most = 0;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = j; i < n * n; i += n) sum += im ? hypot(re[i]!, im[i]!) : Math.abs(re[i]!);
    if (!(sum <= most)) most = sum;
  }
  return most;
}

/** The sum of matrices times numbers; the first number is that of the identity. */
function combination(like: Lines, ofIdentity: number, terms: readonly (readonly [number, Lines])[]): Lines {
  const { count: n } = like;
  const sum = zeroLines(like.on, n, n, like.im !== null);
  for (let i = 0; i < n; i++) sum.re[i * n + i] = ofIdentity;
  for (const [f, term] of terms) add(sum, f, term);
  return sum;
}

function add(sum: Lines, f: number, term: Lines): void {
  for (let i = 0; i < sum.re.length; i++) {
    sum.re[i]! += f * term.re[i]!;
    if (sum.im) sum.im[i]! += f * term.im![i]!;
  }
}

/** The odd and the even part of an approximant, from the powers of the square. */
function byPowers(a: Lines, b: readonly number[]): [odd: Lines, even: Lines] {
  const square = product(a, a);
  const powers = [square];
  for (let k = 4; k < b.length; k += 2) powers.push(product(powers[powers.length - 1]!, square));
  const part = (from: 0 | 1) =>
    combination(
      a,
      b[from]!,
      powers.map((power, k) => [b[2 * k + 2 + from]!, power] as const),
    );
  return [product(a, part(1)), part(0)];
}

/** The same of the last approximant, in six products. */
function thirteenth(a: Lines): [odd: Lines, even: Lines] {
  const b = LAST;
  const a2 = product(a, a);
  const a4 = product(a2, a2);
  const a6 = product(a4, a2);
  const part = (from: 0 | 1) => {
    const high = combination(a, 0, [
      [b[12 + from]!, a6],
      [b[10 + from]!, a4],
      [b[8 + from]!, a2],
    ]);
    const low = combination(a, b[from]!, [
      [b[6 + from]!, a6],
      [b[4 + from]!, a4],
      [b[2 + from]!, a2],
    ]);
    add(low, 1, product(a6, high));
    return low;
  };
  return [product(a, part(1)), part(0)];
}

/** (even - odd)^-1 (even + odd). */
function fraction(odd: Lines, even: Lines): Lines {
  const above = combination(odd, 0, [
    [1, even],
    [1, odd],
  ]);
  add(even, -1, odd);
  const { order, l, u } = lu(even);
  const right = pick(above, Array.from(order));
  const forward = triangularSolve(l, right, { lower: true, transform: "none" });
  return triangularSolve(u, forward, { lower: false, transform: "none" });
}

// ---------------------------------------------------------------------------------------------- square root

/** The principal square root of a matrix given as rows, real for a real one. */
export function sqrtm(rows: Lines): Lines {
  const own = copyLines(rows);
  const size = normalise(own);
  const decomposition = schur(own);
  const isReal = rows.im === null;
  const root = transformedBack(decomposition, rootOfTriangle(decomposition.t, isReal));
  // sizes are powers of two, whose roots are not
  scale(root, root.re.length, Math.sqrt(size));
  return isReal ? { ...root, im: null } : root;
}

function rootOfTriangle(t: ComplexLines, isReal: boolean): ComplexLines {
  const n = t.count;
  const r = complexLines(t, n, n);
  const negligible = n * Number.EPSILON * largestPart(t);
  for (let j = 0; j < n; j++) {
    rootOfValue(t, r, j, isReal ? negligible : -1);
    for (let i = j - 1; i >= 0; i--) {
      let [re, im] = [t.re[i * n + j]!, t.im[i * n + j]!];
      for (let k = i + 1; k < j; k++) {
        const [p, q] = [i * n + k, k * n + j];
        re -= r.re[p]! * r.re[q]! - r.im[p]! * r.im[q]!;
        im -= r.re[p]! * r.im[q]! + r.im[p]! * r.re[q]!;
      }
      const [sr, si] = [r.re[i * n + i]! + r.re[j * n + j]!, r.im[i * n + i]! + r.im[j * n + j]!];
      // What rounding leaves beside eigenvalues that are 0 up to rounding, whose roots are far larger, counts as 0 too.
      const isNegligible = Math.abs(re) + Math.abs(im) <= negligible && sr * sr + si * si <= 4 * negligible;
      if (isNegligible) [found.re, found.im] = [0, 0];
      else if (sr !== 0 || si !== 0) divide(re, im, sr, si);
      else throw noRoot("it has an eigenvalue 0 with fewer vectors than its multiplicity, for which there is none");
      r.re[i * n + j] = found.re;
      r.im[i * n + j] = found.im;
    }
  }
  return r;
}

/** The root of an eigenvalue. Real ones just below 0, up to what is negligible, count as 0 in a real matrix; others have no real root. */
function rootOfValue(t: ComplexLines, r: ComplexLines, j: number, negligible: number): void {
  const at = j * t.count + j;
  const [re, im] = [t.re[at]!, t.im[at]!];
  const isNegative = negligible >= 0 && im === 0 && re < 0;
  if (isNegative && re < -negligible) {
    throw noRoot(
      'it has a negative eigenvalue, so the root is complex; convert the matrix first with Nx.asType(..., "c64") or "c128"',
    );
  }
  squareRoot(isNegative ? 0 : re, im);
  r.re[at] = found.re;
  r.im[at] = found.im;
}

const noRoot = (why: string): ArgumentError =>
  new ArgumentError(`the matrix has no principal square root of its type: ${why}`);

/** q r q^H as rows, of columns q. */
function transformedBack({ q }: Schur, r: ComplexLines): ComplexLines {
  const across = transposeLines(q) as ComplexLines; // the rows of q
  const half = product(across, r);
  const back = copyLines(q); // the rows of the transpose of q
  for (let i = 0; i < back.im!.length; i++) back.im![i] = -back.im![i]!;
  return product(half, back) as ComplexLines;
}
