import type { Audience, Label, LabelHints, Source, SourceKind } from "../contracts/label.js";
import { isObject } from "../json/is-object.js";
import { clip } from "../text/cut.js";
import { frozenLabel, isOwnLabel, joinLabels, MAX_SOURCES, NO_LABEL, UNLABELLED } from "./join-labels.js";

const KINDS: { readonly [K in SourceKind]: true } = {
  user: true,
  host: true,
  workspace: true,
  command: true,
  web: true,
  mcp: true,
  tool: true,
  subagent: true,
  fact: true,
  program: true,
  many: true,
};
/** Unit: characters. */
const MAX_NAME_CHARS = 500;

/** A label as a session or a tool has it; `undefined` for what is not one, which then counts as not labelled. */
export function readLabel(value: unknown): Label | undefined {
  if (isOwnLabel(value)) return value;
  const hints = readHints(value);
  if (!hints?.integrity || !hints.audience || !hints.sources) return undefined;
  return frozenLabel(hints.integrity, hints.audience, hints.sources);
}

/** Hints as somebody gave them; `undefined` when one of them is not understood. */
export function readHints(value: unknown): LabelHints | undefined {
  if (!isObject(value)) return undefined;
  const { integrity, audience, sources } = value as { readonly [Key in keyof LabelHints]?: unknown };
  if (integrity !== undefined && integrity !== "trusted" && integrity !== "untrusted") return undefined;
  if (audience !== undefined && !isAudience(audience)) return undefined;
  if (sources !== undefined && !(Array.isArray(sources) && sources.length <= MAX_SOURCES && sources.every(isSource)))
    return undefined;
  return { integrity, audience, sources: sources?.map(ownSource) };
}

function isAudience(value: unknown): value is Audience {
  return value === "anyone" || (Array.isArray(value) && value.every((name) => typeof name === "string"));
}

function isSource(value: unknown): value is Source {
  if (!isObject(value)) return false;
  const { kind, name, entryId, untrusted } = value;
  if (untrusted !== undefined && untrusted !== true) return false;
  const isKind = typeof kind === "string" && Object.hasOwn(KINDS, kind);
  return isKind && typeof name === "string" && (entryId === undefined || typeof entryId === "string");
}

function ownSource({ kind, name, untrusted, entryId }: Source): Source {
  return {
    kind,
    name: clip(name, MAX_NAME_CHARS),
    ...(untrusted && { untrusted }),
    ...(entryId !== undefined && { entryId }),
  };
}

/** The whole label, where hints leave out what `fallback` says. */
export function labelFrom(hints: LabelHints, fallback: Label): Label {
  const { integrity = fallback.integrity, audience = fallback.audience, sources = fallback.sources } = hints;
  if (integrity === "trusted") return frozenLabel(integrity, audience, sources);
  // A label without a source could not say what made it untrusted.
  const named = sources.length > 0 ? sources : UNLABELLED.sources;
  const isKnown = named.some(({ untrusted }) => untrusted);
  return frozenLabel(integrity, audience, isKnown ? named : named.map((source) => ({ ...source, untrusted: true })));
}

/** The label of what a tool has said, by what is known of that; by default it is untrusted, and from the tool. */
export function labelOfTool(name: string, known: LabelHints = {}): Label {
  const kind = name.startsWith("mcp__") ? "mcp" : "tool";
  return labelFrom(known, frozenLabel("untrusted", "anyone", [{ kind, name }]));
}

/** The same label, whose sources without an entry came in with this one. */
export function broughtBy(label: Label, entryId: string): Label {
  if (label.sources.every((source) => source.entryId !== undefined)) return label;
  const sources = label.sources.map((source) => (source.entryId === undefined ? { ...source, entryId } : source));
  return frozenLabel(label.integrity, label.audience, sources);
}

/** The stricter of two hints about one content, part by part; an absent one leaves the other. */
export function stricterHints(one: LabelHints | undefined, other: LabelHints | undefined): LabelHints | undefined {
  if (!one || !other) return one ?? other;
  const isTrusted = one.integrity === "trusted" && other.integrity === "trusted";
  const { audience, sources } = joinLabels(labelFrom(one, NO_LABEL), labelFrom(other, NO_LABEL));
  return { integrity: isTrusted ? "trusted" : "untrusted", audience, sources };
}
