/** UTF-8 where the host has neither TextDecoder nor TextEncoder is the same, error for error. */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../../lib/io/text";

afterEach(() => void vi.unstubAllGlobals());

const outcome = (fn: () => unknown): unknown => {
  try {
    return fn();
  } catch (error) {
    return String(error);
  }
};

/** What a call gives with the host's coder, and without. */
function both(fn: () => unknown): [unknown, unknown] {
  const native = outcome(fn);
  vi.stubGlobal("TextDecoder", undefined);
  vi.stubGlobal("TextEncoder", undefined);
  const own = outcome(fn);
  vi.unstubAllGlobals();
  return [native, own];
}

/** Bytes that often begin as characters do: those at the bounds of the ranges of UTF-8. */
const BOUNDS = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbb, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff]; // prettier-ignore
const byte = fc.oneof(fc.constantFrom(...BOUNDS), fc.nat(255));

describe("UTF-8 without the host's coders", () => {
  it("decodes what TextDecoder does, and refuses what it refuses", () => {
    const bytes = fc.array(byte, { maxLength: 6 }).map((list) => Uint8Array.from(list));
    fc.assert(
      fc.property(bytes, (given) => {
        const [native, own] = both(() => decodeUtf8(given, "read", "a name"));
        expect(own).toEqual(native);
      }),
      { numRuns: 1000 },
    );
  });

  it("encodes what TextEncoder does, and refuses halves of pairs", () => {
    const unit = fc.oneof(fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff", "\ufeff", "%"), fc.string({ unit: "binary", minLength: 1, maxLength: 2 })); // prettier-ignore
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 5 }), (parts) => {
        const [native, own] = both(() => encodeUtf8(parts.join(""), "write", "a name"));
        expect(own).toEqual(native);
      }),
      { numRuns: 1000 },
    );
  });

  it("says in both cases what is wrong", () => {
    expect(both(() => decodeUtf8(Uint8Array.of(0xed, 0xa0, 0x80), "read", "a name"))).toEqual(
      Array(2).fill("ArgumentError: read: a name is not valid UTF-8"),
    );
    expect(both(() => encodeUtf8("\ud800", "write", "a name"))[1]).toMatch(/holds half of a surrogate pair/);
  });
});
