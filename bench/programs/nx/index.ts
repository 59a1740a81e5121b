/** All programs in nx-numerics. */
import type { Tensor } from "nx-numerics";
import type { Programs } from "../program";
import { arrays } from "./arrays";
import { eager } from "./eager";
import { networks } from "./networks";
import { sequences } from "./sequences";
import { simulations } from "./simulations";

export const nxPrograms: Programs<Tensor, Tensor | Tensor[]> = {
  ...sequences,
  ...simulations,
  ...networks,
  ...arrays,
  ...eager,
};
