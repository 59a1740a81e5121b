/** What the package may have ready. One file mentions it, since a bundle imports a file of the package's `imports` for each that does. */
import { assembled } from "../../assembled";

/** The bytes of a module, or of a table, under its key; made where the package does not have them. */
export const readyBytes = (key: string, make: () => Uint8Array): Uint8Array => assembled(key, make);
