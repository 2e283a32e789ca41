import type { PagePart } from "../src/observability/page/page-entry.js";
import type { Item, Kind } from "./timeline.js";

/** The reader's search and filters. */
export interface Wanted {
  readonly query: RegExp | null;
  readonly hidden: ReadonlySet<Kind>;
  readonly onlyErrors: boolean;
  readonly withLeft: boolean;
}

/** The search as typed: all of it, letter case aside. */
export function queryOf(typed: string): RegExp | null {
  return typed === "" ? null : new RegExp(typed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi");
}

/** Whether a row is wanted; `null` when all of them are. */
export function matcherOf(
  { query, hidden, onlyErrors, withLeft }: Wanted,
  hasLeft: boolean,
): ((item: Item) => boolean) | null {
  if (!query && hidden.size === 0 && !onlyErrors && (withLeft || !hasLeft)) return null;
  return (item) => {
    if (hidden.has(item.kind) || (item.isLeft && !withLeft)) return false;
    if (onlyErrors && !isError(item)) return false;
    if (!query) return true;
    query.lastIndex = 0;
    return query.test(textOf(item));
  };
}

function isError({ call, note, entry }: Item): boolean {
  if (call) return call.result ? call.result.isError : false;
  if (note) return /deny|blocked|failed/.test(note.outcome) || note.kind === "restart";
  if (entry.type === "run-end") return entry.status !== "completed";
  return entry.type === "unknown";
}

const texts = new WeakMap<Item, { readonly size: number; readonly text: string }>();

/** All that a row can show, as one text. */
function textOf(item: Item): string {
  const { call, entry, part, note } = item;
  const size = call
    ? Number(call.result !== undefined) + call.notes.length + call.asked.length + call.answers.length
    : 0;
  const known = texts.get(item);
  if (known?.size === size) return known.text;
  const text = note
    ? Object.values(note).join(" ")
    : call
      ? [call.name, flat(call.input), flat(call.result), flat(call.notes), flat(call.asked), flat(call.answers)].join(
          "\n",
        )
      : part
        ? partText(part)
        : flat(entry);
  texts.set(item, { size, text });
  return text;
}

function partText(part: PagePart): string {
  return "text" in part ? part.text : flat(part);
}

/** Every string inside a value. */
function flat(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(flat).join("\n");
  if (typeof value !== "object" || value === null) return String(value ?? "");
  // Nobody looks for a word in an image.
  if ("mediaType" in value) return String(value.mediaType);
  return Object.entries(value)
    .map(([key, item]) => `${key} ${flat(item)}`)
    .join("\n");
}
