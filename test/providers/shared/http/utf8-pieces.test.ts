import fc from "fast-check";
import { expect, test } from "vitest";
import { Utf8Pieces } from "../../../../src/providers/shared/http/utf8-pieces.js";
import { runs } from "../../../runs.js";

function decode(packets: readonly Uint8Array[]): string {
  const pieces = new Utf8Pieces();
  return packets.map((packet) => pieces.decode(packet)).join("");
}

/** The platform's decoder, which keeps state; what is not whole at the end is dropped. */
function expected(packets: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return packets.map((packet) => decoder.decode(packet, { stream: true })).join("");
}

/** In packets of the given sizes; the last one takes the rest. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    packets.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...packets, bytes.subarray(at)];
}

test("a text cut at every byte is the same text", () => {
  const text = "aé\u20ac😀\ufeff\u0000z";
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at <= bytes.length; at++) expect(decode(cut(bytes, [at]))).toBe(text);
  expect(decode([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(text);
});

test("bytes of any kind, in packets of any size, are read as the platform reads them", () => {
  const hostile = fc.constantFrom(
    0x61,
    0x7f,
    0x80,
    0xbf,
    0xc0,
    0xc3,
    0xe0,
    0xe2,
    0x82,
    0xac,
    0xed,
    0xa0,
    0xf0,
    0x9f,
    0xf5,
    0xff,
  );
  const bytes = fc.array(hostile, { maxLength: 24 }).map((list) => Uint8Array.from(list));
  const sizes = fc.array(fc.nat({ max: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(bytes, sizes, (all, cuts) => {
      // An ASCII character at the end makes whole what came before it, in both.
      const packets = [...cut(all, cuts), Uint8Array.of(0x2e)];
      expect(decode(packets)).toBe(expected(packets));
    }),
    { numRuns: runs(500, 5_000, 100_000) },
  );
});

test("a packet that is used again by its sender does not change what is held of it", () => {
  const pieces = new Utf8Pieces();
  const packet = Buffer.of(0xe2, 0x82); // Its `slice` is not a copy.
  expect(pieces.decode(packet)).toBe("");
  packet.fill(0x61);
  expect(pieces.decode(Uint8Array.of(0xac))).toBe("\u20ac");
});
