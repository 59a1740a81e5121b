/**
 * Where bytes of modules come from. The package has two files of such functions, which its `imports` choose (`io/dependencies` and
 * `node/dependencies`): this one assembles whatever it is asked for, as bundlers and browsers want it, and the one for Node has modules
 * that were assembled when the package was built.
 */

/** The bytes of the module of a key, which is made of all that they depend on. */
export const assembled = (_key: string, assemble: () => Uint8Array): Uint8Array => assemble();
