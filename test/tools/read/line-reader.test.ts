import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineIndex, readLines } from "../../../src/tools/read/line-reader.js";

/** Answers as few bytes at a time as it likes, as a network disk may. */
function sourceOf(bytes: Buffer, mostAtOnce: number) {
  const read = async (target: Uint8Array, position: number) =>
    bytes.copy(target, 0, position, position + Math.min(mostAtOnce, target.length));
  return { size: bytes.length, read };
}

test("lines are found whatever their lengths and wherever reading stops in between", async () => {
  const { signal } = new AbortController();
  const lengths = fc.oneof(
    fc.array(fc.nat({ max: 3 }), { maxLength: 400 }),
    fc.array(fc.nat({ max: 200 }), { maxLength: 100 }),
    fc.array(fc.constantFrom(0, 1, 5_000), { maxLength: 40 }),
  );
  const property = fc.asyncProperty(
    lengths,
    fc.boolean(),
    fc.integer({ min: 1, max: 5_000 }),
    fc.array(fc.integer({ min: 1, max: 450 }), { minLength: 1, maxLength: 4 }),
    async (sizes, hasLastBreak, mostAtOnce, firsts) => {
      const wanted = sizes.map((size, index) => String(index).padEnd(size, "x").slice(0, size));
      const text = wanted.join("\n") + (hasLastBreak && wanted.length > 0 ? "\n" : "");
      const expected = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      const bytes = Buffer.from(text);
      const index = createLineIndex(0, bytes);

      for (const first of firsts) {
        const taken: string[] = [];
        const accept = ({ bytes: line }: { bytes: Buffer }) => taken.length < 3 && taken.push(line.toString()) > 0;
        await readLines(sourceOf(bytes, mostAtOnce), index, first, accept, { countAll: true, signal });

        expect(taken).toEqual(expected.slice(first - 1, first + 2));
        expect(index.total).toBe(expected.length);
      }
    },
  );

  await fc.assert(property, { numRuns: process.env.PROVE ? 20_000 : 300 });
});
