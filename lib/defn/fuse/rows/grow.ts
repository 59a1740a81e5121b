/**
 * Which units share a nest of folds. A nest begins as a reduction and takes in its neighbours one by one: kernels over all
 * elements that it reads or that read the same tensors, kernels over what it gives, other reductions of the same lines. Nothing
 * outside may lie between two units of a nest.
 */
import { sizeOf } from "../../../core/shape";
import { isBetterJoined, LONG_LINE } from "../../../kernel/nest";
import { overLines, type Geometry } from "../../../kernel/spaces";
import { isWhole, type Viewed } from "../views";
import type { Node } from "../../graph";
import { belowReshapes } from "./single";
import { isLineFold, isParted, type Unit, type Units } from "./units";

/** A nest has at most this many units, */
const MAX_UNITS = 32;
/** and reads at most this many operands. */
const MAX_INPUTS = 24;
/** Paths followed to see whether a unit can join; where more lie between, it does not. */
const MAX_SEARCH = 2000;
/** Of the readers of a tensor that a nest reads, so many are considered. */
const MAX_SHARERS = 32;

/** What a unit's values are to a nest: elements of all lines, or one for each line. */
type Role = "full" | "line" | "fold";

export interface Members {
  readonly kind: "fold" | "reduction";
  readonly geometry: Geometry;
  /** The units in an order in which they can run. */
  readonly units: readonly Unit[];
}

/** What a unit can be in nests over such elements. */
export function roleOf({ work }: Unit, { groups, rows, columns }: Geometry): Role | null {
  if (work.kind === "fold") {
    const { fold } = work;
    if (!isLineFold(fold)) return null;
    return fold.groups === groups && fold.rows === rows && fold.columns === columns ? "fold" : null;
  }
  if (work.kind !== "kernel") return null;
  return work.size === groups * rows * columns ? "full" : work.size === groups * columns ? "line" : null;
}

/** The nests of a graph. */
export function nestsOf(units: Units): Members[] {
  const found: Members[] = [];
  for (const seed of [...units.all]) {
    if (seed.work.kind !== "fold" || units.of(seed.nodes[0]!) !== seed) continue;
    const grown = isLineFold(seed.work.fold) ? new Growth(units, seed).grow() : null;
    const members = grown && grown.units.length > 2 ? grown : (withOperand(units, seed) ?? grown);
    if (!members || members.units.length < 2) continue;
    found.push(members);
    units.merge(members.units);
  }
  return found;
}

/** A reduction together with the kernel of its operand, where that has no other reader. */
function withOperand(units: Units, seed: Unit): Members | null {
  const { fold, operand } = seed.work as Extract<Unit["work"], { kind: "fold" }>;
  if (fold.does.kind === "fold" && isParted(fold.does.op, operand.out.type)) return null;
  const source = units.of(operand);
  if (source.work.kind !== "kernel" || source.results.length !== 1) return null;
  if (!source.results[0]!.every((node) => units.isReadOnlyBy(seed, node))) return null;
  const { kernel, reads, size } = source.work;
  const [read, ...others] = reads;
  if (!read || others.length > 0 || !isWhole(read) || sizeOf(read.base.out.shape) !== size) return null;
  if (!isBetterJoined(kernel)) return null;
  const { groups, rows, columns } = fold;
  return { kind: "reduction", geometry: { groups, rows, columns }, units: [source, seed] };
}

/** A nest that takes in units. */
class Growth {
  private readonly members: Set<Unit>;
  private readonly geometry: Geometry;
  private readonly cut: boolean;

  constructor(
    private readonly units: Units,
    seed: Unit,
  ) {
    const { groups, rows, columns } = (seed.work as Extract<Unit["work"], { kind: "fold" }>).fold;
    this.geometry = { groups, rows, columns };
    this.cut = rows > LONG_LINE;
    this.members = new Set([seed]);
  }

  grow(): Members {
    const { members, geometry } = this;
    for (let before = 0; before < members.size && members.size < MAX_UNITS;) {
      before = members.size;
      for (const unit of this.neighbours()) if (members.size < MAX_UNITS && this.admits(unit)) members.add(unit);
    }
    return { kind: "fold", geometry, units: inOrder(members) };
  }

  /** Candidates for joining, in the order in which they run. */
  private neighbours(): Unit[] {
    const { groups, rows, columns } = this.geometry;
    const found = new Set<Unit>();
    for (const member of this.members) {
      for (const { base } of this.readsOf(member)) {
        found.add(this.units.of(base));
        if (sizeOf(base.out.shape) !== groups * rows * columns) continue;
        for (const reader of this.readersOf(base, MAX_SHARERS)) found.add(reader);
      }
      for (const node of member.results.flat()) for (const reader of this.readersOf(node)) found.add(reader);
    }
    return inOrder([...found].filter((unit) => !this.members.has(unit) && roleOf(unit, this.geometry) !== null));
  }

  /** The first units that read a node, reshapes looked through. */
  private readersOf(node: Node, most = Infinity): Unit[] {
    const found: Unit[] = [];
    for (const reader of this.units.readers(node)) {
      if (found.length >= most) break;
      if (reader.kind === "reshape") found.push(...this.readersOf(reader, most - found.length));
      else found.push(this.units.of(reader));
    }
    return found;
  }

  private readsOf({ work }: Unit): readonly Pick<Viewed, "base">[] {
    if (work.kind === "kernel") return work.reads;
    return work.kind === "fold" ? [{ base: work.operand }] : [];
  }

  private admits(unit: Unit): boolean {
    const { members } = this;
    const joined = new Set([...members, unit]);
    return (
      this.linksSuit(unit, (source) => joined.has(source)) &&
      [...members].every((member) => this.linksSuit(member, (source) => source === unit)) &&
      this.sharesEnough(unit, joined) &&
      !this.isAround(unit, joined) &&
      this.units.isConvex(joined, MAX_SEARCH)
    );
  }

  /** Whether a unit reads values of some others in a way that nests can. */
  private linksSuit(reader: Unit, isSource: (unit: Unit) => boolean): boolean {
    const { work } = reader;
    if (work.kind !== "kernel") return true;
    const role = roleOf(reader, this.geometry);
    return work.reads.every((read) => {
      const source = this.units.of(read.base);
      if (!isSource(source)) return true;
      const isFull = roleOf(source, this.geometry) === "full";
      if (role === "line") return !isFull && isWhole(read);
      return isFull ? isWhole(read) : !this.cut && readsItsLine(read, this.geometry);
    });
  }

  /** Whether the nest reads no more than it may, and a kernel over lines reads what the nest computes. */
  private sharesEnough(unit: Unit, joined: ReadonlySet<Unit>): boolean {
    const reads = [...joined].flatMap((member) => this.readsOf(member));
    const outside = new Set(reads.map(({ base }) => base).filter((base) => !joined.has(this.units.of(base))));
    if (outside.size > MAX_INPUTS) return false;
    if (roleOf(unit, this.geometry) !== "line") return true;
    const isInside = ({ base }: Pick<Viewed, "base">): boolean => this.members.has(this.units.of(base));
    const isRead = unit.results.flat().some((node) => this.readersOf(node).some((reader) => this.members.has(reader)));
    return isRead || this.readsOf(unit).some(isInside);
  }

  /** Whether the order of the graph shows a path between a unit and members that leads out of them. */
  private isAround(unit: Unit, joined: ReadonlySet<Unit>): boolean {
    const leads = (from: Unit, to: Unit): boolean =>
      to.nodes.some(({ inputs }) =>
        inputs.some((input) => {
          const base = belowReshapes(input);
          return !joined.has(this.units.of(base)) && this.units.needsSurely(base, from);
        }),
      );
    return [...this.members].some((member) => leads(unit, member) || leads(member, unit));
  }
}

/** Whether a kernel over all elements reads for each line the element of a value that has one for each. */
function readsItsLine({ base, view }: Viewed, geometry: Geometry): boolean {
  const lines = overLines(view, geometry);
  return lines !== null && isWhole({ base, view: lines });
}

const inOrder = (units: Iterable<Unit>): Unit[] => [...units].sort((a, b) => a.position - b.position);
