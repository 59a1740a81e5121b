/**
 * Where bytes of modules come from. The package has this file by itself, and its `imports` choose: bundlers and browsers get this one, which
 * assembles whatever it is asked for, and Node the function of `node/dependencies`, which has modules that were assembled when the package was built.
 */

/** The bytes of the module of a key, which is made of all that they depend on. */
export const assembled = (_key: string, assemble: () => Uint8Array): Uint8Array => assemble();
