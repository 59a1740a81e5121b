/**
 * What types know of parts of an array: which axes there are, which are dropped, and where a block lies.
 */
import type { AxisTypes, Names, Tensor } from "nx-numerics";
import type { ZarrIndex } from "./checks";

/** A part of an array with axis names `N`: by axis, a position, `[start, end]` or `Nx.range(start, end, step)`. Axes left out are whole. */
export type ZarrPart<N extends Names> = number extends N["length"]
  ? Readonly<Record<string, ZarrIndex>>
  : { readonly [A in Exclude<N[number], null>]?: ZarrIndex } & { readonly [axis: number]: ZarrIndex };

/** Nothing under keys that are no axes. */
export type ZarrOnlyAxes<N extends Names, P> = number extends N["length"]
  ? unknown
  : string extends keyof P
    ? unknown
    : { readonly [A in Exclude<keyof P, keyof ZarrPart<N>>]: never };

/** Whether an index is a position: "yes", "no", or both where types do not tell. */
export type ZarrIsPosition<I> = I extends number ? "yes" : "no";

/** Names of what is read: axes with a position are dropped. */
export type ZarrRead<N extends Names, P> = number extends N["length"]
  ? Names
  : number extends keyof P
    ? Names
    : "both" extends {
          [A in keyof P]: ["yes", "no"] extends [ZarrIsPosition<P[A]>, ZarrIsPosition<P[A]>] ? "both" : never;
        }[keyof P]
      ? Names
      : AxisTypes.Without<N, { [A in keyof P]: P[A] extends number ? A : never }[keyof P]>;

/** Where a block lies: by axis, where it begins and where it ends; axes without a name are said by their position. */
export type ZarrPlace<N extends Names> = {
  readonly [A in number extends N["length"] ? string : Exclude<N[number], null>]: readonly [start: number, end: number];
};

/** A block of an array, and where it lies: by axis, where it begins and where it ends. */
export interface ZarrBlock<N extends Names = Names> {
  readonly block: Tensor<N>;
  readonly where: ZarrPlace<N>;
}
