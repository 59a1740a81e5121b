/** The versions of the packages that were bundled, known when the site is built. */
declare const PEER_VERSIONS: Readonly<Record<string, string>>;

export const versionOf = (name: string): string => PEER_VERSIONS[name] ?? "?";
