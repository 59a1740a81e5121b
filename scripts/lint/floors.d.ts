/** The floors of `lib/` from the ground up. */
export declare const FLOORS: readonly { readonly name: string; readonly parts: readonly string[] }[];
