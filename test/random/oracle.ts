/** What random.json holds, and samples as plain numbers. */
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";

export type FloatType = "bf16" | "f16" | "f32" | "f64";
export const FLOAT_TYPES: readonly FloatType[] = ["bf16", "f16", "f32", "f64"];

type Samples = Record<FloatType, number[]>;

export interface KeyCase {
  key: [number, number];
  words: Record<string, number[]>;
  bits64: string[];
  split: Record<string, number[]>;
  foldIn: { data: string[]; keys: number[] };
  uniform: Samples;
  scaled: Samples;
  normal: Samples;
  shifted: Samples;
  gumbel: Samples;
  randint: { type: Nx.DType; min: string; max: string; sample: string[] }[];
  choice: {
    replaced: { type: "s32" | "s64"; count: number; positions: number[] }[];
    weights: number[];
    weighted: { f32: number[]; f64: number[] };
    once: { count: number; positions: number[] }[];
    weightedOnce: number[];
  };
}

export const { keys: KEYS } = readOracle<{ keys: KeyCase[] }>("random.json");

export const keyOf = ({ key }: Pick<KeyCase, "key">): Nx.Tensor => Nx.u32(key);
export const numbersOf = (t: Nx.Tensor): number[] => Nx.toFlatList(t).map(Number);
