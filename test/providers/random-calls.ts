import fc from "fast-check";

/** Calls of tools with any arguments; short, for an SDK may read all of them again for each piece. */
export const randomCall = fc.record({
  name: fc.constantFrom("read_file", "write_file", "bash"),
  arguments: fc
    .dictionary(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }))
    .filter((value) => JSON.stringify(value).length < 4_000),
});
