/** All programs as loops written by hand. */
import type { Plain, PlainResult, Programs } from "../program";
import { arrays } from "./arrays";
import { eager } from "./eager";
import { networks } from "./networks";
import { sequences } from "./sequences";
import { simulations } from "./simulations";

export const handPrograms: Programs<Plain, PlainResult> = {
  ...sequences,
  ...simulations,
  ...networks,
  ...arrays,
  ...eager,
};
