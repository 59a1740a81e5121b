/** Programs in addresses: compressed, in the fragment, which no server sees. */

const PREFIX = "#program=";

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

const toText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** The fragment of an address that carries a program. */
export async function linkOf(code: string): Promise<string> {
  const bytes = new TextEncoder().encode(code);
  return PREFIX + toText(await through(bytes, new CompressionStream("deflate-raw")));
}

/** The program in the fragment of an address, or null where there is none. */
export async function codeOfLink(hash: string): Promise<string | null> {
  if (!hash.startsWith(PREFIX)) return null;
  try {
    return new TextDecoder().decode(
      await through(toBytes(hash.slice(PREFIX.length)), new DecompressionStream("deflate-raw")),
    );
  } catch {
    return null;
  }
}
