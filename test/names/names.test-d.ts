/** The rows of the table of names are compiled here, so that what `tsc` instantiates for them counts in its budget. */
import { describe, expectTypeOf, it } from "vitest";
import type { Rows } from "./row";
import { TABLE } from "./table";

describe("the table of names", () => {
  it("agrees with the names in types, or its rows do not compile", () => {
    expectTypeOf(TABLE).toEqualTypeOf<Rows>();
  });
});
