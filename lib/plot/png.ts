/**
 * Pixels as PNG in a data URL: an element of SVG for a whole matrix, in every host and without a canvas. (The picture is one of 8
 * bits a channel with alpha, without filters; fflate packs it.)
 */
import { zlibSync } from "fflate";

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const RGBA = 6;

/** Remainders of the polynomial of CRC-32 by byte. */
const TABLE = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let rest = -1;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255]! ^ (rest >>> 8);
  return ~rest >>> 0;
}

/** Length, kind, content and check sum. */
function chunk(kind: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = kind.charCodeAt(i);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, crc32(bytes.subarray(4, content.length + 8)));
  return bytes;
}

function header(width: number, height: number): Uint8Array {
  const content = new Uint8Array(13);
  const view = new DataView(content.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  content.set([8, RGBA], 8);
  return content;
}

/** A PNG of `[height, width, 4]` bytes, the rows from the top. */
function toPng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(height * (4 * width + 1)); // each begins with its filter, 0 for none
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(4 * y * width, 4 * (y + 1) * width), y * (4 * width + 1) + 1);
  }
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header(width, height)),
    chunk("IDAT", zlibSync(rows, { level: 6 })),
    chunk("IEND", new Uint8Array(0)),
  ];
  const png = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (png.set(part, at), at + part.length), 0);
  return png;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digit = (shift: number): string => DIGITS[(word >> shift) & 63]!;
    parts.push(digit(18), digit(12), left > 1 ? digit(6) : "=", left > 2 ? digit(0) : "=");
  }
  return parts.join("");
}

/** The picture as the address of an image. */
export const pngAddress = (pixels: Uint8Array, width: number, height: number): string =>
  `data:image/png;base64,${base64(toPng(pixels, width, height))}`;
