import type { Audience, Label, LabelHints, Source } from "../contracts/label.js";

/** A label names at most so many sources. */
export const MAX_SOURCES = 32;

const OWN = new WeakSet<object>();

/** The label of nothing: joined with another, it is that one. */
export const NO_LABEL: Label = frozenLabel("trusted", "anyone", []);

/** Results that nobody has labelled: they may hold anything. */
export const UNLABELLED: Label = frozenLabel("untrusted", "anyone", [
  { kind: "tool", name: "unlabelled", untrusted: true },
]);

/** For tools whose results say nothing but what they have done themselves, or what is in the transcript anyway. */
export const OWN_WORDS: LabelHints = Object.freeze({ integrity: "trusted", sources: Object.freeze([]) });

/** A label that nobody can change. */
export function frozenLabel(integrity: Label["integrity"], audience: Audience, sources: readonly Source[]): Label {
  const own = sources.map((source) => Object.freeze({ ...source }));
  const label = Object.freeze({
    integrity,
    audience: audience === "anyone" ? audience : Object.freeze([...audience]),
    sources: Object.freeze(own),
  });
  OWN.add(label);
  return label;
}

/** Whether a label was made here, so that it need not be read again. */
export function isOwnLabel(value: unknown): value is Label {
  return typeof value === "object" && value !== null && OWN.has(value);
}

/**
 * The label of what was made from both: untrusted if one is, for those who may see both, from the sources of both. More than 32 sources
 * become one of the kind `many`. Returns the first label itself where the second adds nothing.
 */
export function joinLabels(one: Label, other: Label): Label {
  if (one === other || other === NO_LABEL) return one;
  if (one === NO_LABEL) return other;
  const integrity = one.integrity === "untrusted" ? one.integrity : other.integrity;
  const audience = sharedAudience(one.audience, other.audience);
  const sources = joinSources(one.sources, other.sources);
  const isFirst = integrity === one.integrity && audience === one.audience && sources === one.sources;
  return isFirst ? one : frozenLabel(integrity, audience, sources);
}

function sharedAudience(one: Audience, other: Audience): Audience {
  if (other === "anyone") return one;
  if (one === "anyone") return other;
  const shared = one.filter((name) => other.includes(name));
  return shared.length === one.length ? one : shared;
}

const MANY: readonly Source[] = Object.freeze([
  Object.freeze({ kind: "many", name: `more than ${MAX_SOURCES}`, untrusted: true }),
]);

function joinSources(one: readonly Source[], other: readonly Source[]): readonly Source[] {
  if (one[0]?.kind === "many") return one;
  const added = other.filter((source) => !one.some((known) => isSameSource(known, source)));
  if (added.length === 0) return one;
  if (other[0]?.kind === "many" || one.length + added.length > MAX_SOURCES) return MANY;
  return [...one, ...added];
}

/** Two entries may have brought in the same source, and one source may be trusted for one thing alone. */
export function isSameSource(one: Source, other: Source): boolean {
  return one.kind === other.kind && one.name === other.name && one.untrusted === other.untrusted;
}
