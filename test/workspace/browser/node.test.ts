import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { posix as ours } from "../../../src/workspace/browser/node.js";
import { runs } from "../../runs.js";

const path = fc.stringMatching(/^[./ab]{0,12}$/);
const absolute = path.map((each) => `/${each}`);

test("paths in a page are those of Node", () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 3 }), absolute, absolute, (parts, from, to) => {
      expect(ours.join(...parts)).toBe(posix.join(...parts));
      expect(ours.resolve(from, ...parts)).toBe(posix.resolve(from, ...parts));
      expect(ours.relative(from, to)).toBe(posix.relative(from, to));
      expect(ours.dirname(posix.resolve(from))).toBe(posix.dirname(posix.resolve(from)));
      expect(ours.isAbsolute(parts[0]!)).toBe(posix.isAbsolute(parts[0]!));
    }),
    { numRuns: runs(500, 2_000, 100_000) },
  );
});
