import fc from "fast-check";
import { expect, test } from "vitest";
import type { Label, Source } from "../../src/contracts/label.js";
import { frozenLabel, joinLabels, MAX_SOURCES, NO_LABEL } from "../../src/labels/join-labels.js";
import { readLabel } from "../../src/labels/read-label.js";

const source = fc.record({
  kind: fc.constantFrom("web" as const, "tool" as const),
  name: fc.constantFrom("a", "b", "c"),
});
const label = fc
  .tuple(
    fc.constantFrom("trusted" as const, "untrusted" as const),
    fc.oneof(fc.constant("anyone" as const), fc.uniqueArray(fc.constantFrom("me", "you", "us"))),
    fc.uniqueArray(source, { selector: ({ kind, name }) => kind + name }),
  )
  .map(([integrity, audience, sources]) => frozenLabel(integrity, audience, sources));

const shown = ({ integrity, audience, sources }: Label) => ({
  integrity,
  audience: audience === "anyone" ? audience : [...audience].sort(),
  sources: sources.map(({ kind, name }) => `${kind} ${name}`).sort(),
});

test("a join is untrusted if one is, for those who may see both, from the sources of both", () => {
  const one = frozenLabel("trusted", ["me", "you"], [{ kind: "user", name: "prompt" }]);
  const other = frozenLabel("untrusted", ["you", "us"], [{ kind: "web", name: "a.example", entryId: "e1" }]);

  expect(joinLabels(one, other)).toEqual({
    integrity: "untrusted",
    audience: ["you"],
    sources: [
      { kind: "user", name: "prompt" },
      { kind: "web", name: "a.example", entryId: "e1" },
    ],
  });
});

test("joins do not depend on their order, and the same again adds nothing", () => {
  fc.assert(
    fc.property(label, label, label, (a, b, c) => {
      expect(shown(joinLabels(a, b))).toEqual(shown(joinLabels(b, a)));
      expect(shown(joinLabels(joinLabels(a, b), c))).toEqual(shown(joinLabels(a, joinLabels(b, c))));
      const both = joinLabels(a, b);
      expect(joinLabels(both, b)).toBe(both);
      expect(joinLabels(NO_LABEL, a)).toBe(a);
    }),
  );
});

test("more than 32 sources become one of the kind many, in any order", () => {
  const sources = Array.from({ length: MAX_SOURCES + 1 }, (_, n): Source => ({ kind: "web", name: `host${n}` }));
  const labels = sources.map((each) => frozenLabel("untrusted", "anyone", [each]));
  const all = labels.reduce(joinLabels);

  expect(all.sources.map(({ kind }) => kind)).toEqual(["many"]);
  expect(labels.reduceRight(joinLabels).sources).toEqual(all.sources);
  expect(joinLabels(all, labels[0]!)).toBe(all);
});

test("a label that a session has in another shape counts as none", () => {
  const good = { integrity: "trusted", audience: "anyone", sources: [{ kind: "user", name: "prompt" }] };

  expect(readLabel(good)).toEqual(good);
  for (const bad of [
    null,
    "trusted",
    {},
    { ...good, integrity: "yes" },
    { ...good, audience: "me" },
    { ...good, sources: [{ kind: "friend", name: "x" }] },
  ])
    expect(readLabel(bad)).toBeUndefined();
});
