/**
 * Computations that run as a kernel each: traced and fused once for each key text, types and shapes.
 */
import { defn } from "../defn";
import type { Tensor } from "../tensor";

/** A function of tensors that a text stands for: two with the same text do the same. */
export class Recipe {
  constructor(
    readonly text: string,
    readonly compute: (...tensors: Tensor[]) => Tensor,
  ) {}

  equals(other: unknown): boolean {
    return other instanceof Recipe && other.text === this.text;
  }

  hashCode(): number {
    let hash = 0;
    for (let i = 0; i < this.text.length; i++) hash = (Math.imul(hash, 31) + this.text.charCodeAt(i)) | 0;
    return hash;
  }
}

/** Which operand is given up, so that the result may be written over it. */
export type Donated = "left" | "right";

const ofOne = (recipe: Recipe, x: Tensor): Tensor => recipe.compute(x);
const ofTwo = (recipe: Recipe, x: Tensor, y: Tensor): Tensor => recipe.compute(x, y);
const ofSame = (recipe: Recipe, x: Tensor): Tensor => recipe.compute(x, x);
/** Types are the kernels' own affair, so no policy has a say in them. */
const RECIPE = { staticArgs: [0], promotion: "nx" } as const;

const runOne = defn(ofOne, RECIPE);
const runTwo = defn(ofTwo, RECIPE);
const runOverLeft = defn(ofTwo, { ...RECIPE, donate: [1] });
const runOverRight = defn(ofTwo, { ...RECIPE, donate: [2] });
const runOverSame = defn(ofSame, { ...RECIPE, donate: [1] });

/** Runs a recipe on one tensor. */
export const cook = (recipe: Recipe, x: Tensor): Tensor => runOne(recipe, x);

/** Runs a recipe on two tensors, one of which may be given up. */
export function cookTwo(recipe: Recipe, x: Tensor, y: Tensor, donated: Donated | undefined): Tensor {
  if (donated === undefined) return runTwo(recipe, x, y);
  if (x === y) return runOverSame(recipe, x);
  return donated === "left" ? runOverLeft(recipe, x, y) : runOverRight(recipe, x, y);
}
