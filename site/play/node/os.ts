/** What programs of the playground ask `node:os`. */
export const tmpdir = (): string => "/tmp";
