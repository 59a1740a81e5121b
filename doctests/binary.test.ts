/** Every example of the library, type-checked and run on the binary backend. */

import * as Nx from "nx-numerics";
import { doctest } from "nx-numerics/doctest";
import { EXAMPLES, withFace } from "./library";

await doctest(EXAMPLES, {
  ...withFace(Nx),
  label: "binary",
  around: (run) => Nx.withDefaultBackend("binary", run),
});
