// The sources of a transcript's values. Nothing is indexed before a value is first asked for, and each message once.
import type { JsonValue } from "../contracts/json.js";
import type { Label, Source, Target, TracedTarget } from "../contracts/label.js";
import type { Message } from "../contracts/message.js";
import { isAttached } from "./attached-text.js";
import { recordsIn } from "./named-records.js";
import { leavesOf, textParts, valuesIn } from "./value-fields.js";
import { isNamedIn, valueKey } from "./value-names.js";

/** The part of a transcript that values are found in. */
export interface ValuePlace {
  readonly messages: readonly Message[];
  /** The label of a call's result. */
  labelOf(toolCallId: string): Label | undefined;
  /** Whether the user, or the host, has written a user message. */
  isUsers(index: number): boolean;
  /** Whether a message was written with untrusted content at hand. */
  isTainted(index: number): boolean;
}

/** A result that holds values, and how far it is to be believed. */
interface Found {
  readonly known: "trusted-result" | "untrusted-result";
  readonly from: Source;
}

/** Sources that say what something is called, rather than what somebody has written: their values may be targets. */
const VOUCHING: ReadonlySet<string> = new Set(["user", "host", "tool", "mcp"]);
/** Sources that may keep things of the user's. */
const STORES: ReadonlySet<string> = new Set(["tool", "mcp"]);
/** The user's own words beyond this are not searched. Unit: characters. */
const MAX_PROMPT_CHARS = 200_000;
/** The most targets of which it is kept whether the user has said them. */
const MAX_SAID = 1_000;
const USER: Source = Object.freeze({ kind: "user", name: "prompt" });
const UNNAMED: Source = Object.freeze({ kind: "tool", name: "unlabelled" });

/** The values of one transcript. */
export class KnownValues {
  readonly #values = new Map<string, Found>();
  /** The values that were written into the newest calls after untrusted content, by the ids of the calls. */
  readonly #echoes = new Map<string, readonly JsonValue[]>();
  /** The stores of the things with an id, and what they are called there; and the ids of those that are called so. */
  readonly #things = new Map<string, Set<string>>();
  readonly #ids = new Map<string, Set<string>>();
  readonly #said = new Map<string, Pick<Target, "field" | "kind"> & { readonly traced: TracedTarget | undefined }>();
  #words = "";
  #at = 0;
  #wordsAt = 0;

  constructor(private readonly place: ValuePlace) {}

  /** The place that holds a target's value, by what is on record so far; `undefined` for one that nothing here holds. */
  find(target: Target): TracedTarget | undefined {
    this.#readWords();
    const said = this.#saidIn(target);
    if (said) return said;
    this.#read();
    const found = this.#values.get(valueKey(target.kind, target.value));
    if (found?.known === "untrusted-result" && this.#isUsersOwn(target))
      return { ...target, ...found, known: "own-store" };
    return found && { ...target, ...found };
  }

  /** The target as the user has named it; the newest of each value is kept until there are more words. */
  #saidIn(target: Target): TracedTarget | undefined {
    const { field, kind, value } = target;
    const before = this.#said.get(value);
    if (before?.field === field && before.kind === kind) return before.traced;
    const isSaid = isNamedIn(this.#words, target);
    const traced = isSaid ? Object.freeze({ ...target, known: "prompt" as const, from: USER }) : undefined;
    if (this.#said.size < MAX_SAID) this.#said.set(value, { field, kind, traced });
    return traced;
  }

  /** The id of the one thing that has a name which the user has said; where two have it, nobody knows which is meant. */
  #isUsersOwn(target: Target): boolean {
    // The ids of two stores may be the same: the field says which one is meant, and a store what it is of.
    const thing = /^(\w{3,}?)_?id$/i.exec(target.field)?.[1]?.toLowerCase();
    if (target.kind !== "id" || thing === undefined) return false;
    return [...(this.#things.get(target.value.trim()) ?? [])].some((record) => {
      const [store, name] = JSON.parse(record) as [string, string];
      if (!store.includes(thing) || this.#ids.get(name)!.size !== 1) return false;
      return isNamedIn(this.#words, { ...target, kind: "recipient", value: name });
    });
  }

  #read(): void {
    const { messages } = this.place;
    for (; this.#at < messages.length; this.#at++) {
      const message = messages[this.#at]!;
      if (message.role === "assistant") this.#readCalls(message);
      else if (message.role === "tool") for (const result of message.content) this.#readResult(result);
    }
  }

  #readWords(): void {
    const { messages } = this.place;
    for (; this.#wordsAt < messages.length; this.#wordsAt++) {
      const message = messages[this.#wordsAt]!;
      if (message.role !== "user" || !this.place.isUsers(this.#wordsAt)) continue;
      const text = textParts(message.content)
        .filter((part) => !isAttached(part))
        .join("\n");
      if (this.#words.length + text.length > MAX_PROMPT_CHARS) continue;
      this.#words += `\n${text}`;
      this.#said.clear();
    }
  }

  #readCalls({ content }: Extract<Message, { role: "assistant" }>): void {
    this.#echoes.clear();
    if (!this.place.isTainted(this.#at)) return;
    for (const part of content) if (part.type === "tool-call") this.#echoes.set(part.id, leavesOf(part.arguments));
  }

  #readResult({ toolCallId, output }: Extract<Message, { role: "tool" }>["content"][number]): void {
    const label = this.place.labelOf(toolCallId);
    const vouches = label?.integrity === "trusted" && label.sources.length > 0 && label.sources.every(vouchesFor);
    if (label?.integrity === "trusted" && !vouches) return;
    const from = label?.sources[0] ?? UNNAMED;
    // A result of several places, or of a page, is no list of the user's own things.
    const isStore = label?.sources.length === 1 && STORES.has(from.kind);
    for (const { id, name } of isStore ? recordsIn(output) : []) {
      addTo(this.#things, id, JSON.stringify([from.name.toLowerCase(), name.toLowerCase()]));
      addTo(this.#ids, name.toLowerCase(), id);
    }
    const found: Found = { known: vouches ? "trusted-result" : "untrusted-result", from };
    for (const value of valuesIn(output)) {
      if ((vouches || from.kind === "web") && this.#isEcho(toolCallId, value)) continue;
      for (const kind of ["id", "url"] as const) this.#keep(valueKey(kind, value), found);
    }
  }

  /** A result may repeat what its call said, and the call what somebody had written. */
  #isEcho(toolCallId: string, value: string): boolean {
    const low = value.toLowerCase();
    return this.#echoes.get(toolCallId)?.some((said) => overlaps(low, said)) ?? false;
  }

  /** The first who says it counts, and a trusted one before all others. */
  #keep(key: string, found: Found): void {
    const before = this.#values.get(key);
    if (!before || (before.known === "untrusted-result" && found.known === "trusted-result"))
      this.#values.set(key, found);
  }
}

/** What the engine says of a call that it did not run repeats what the model wrote, in whatever form. */
function vouchesFor({ kind, name }: Source): boolean {
  return VOUCHING.has(kind) && !(kind === "host" && name === "engine");
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}

/** A number is the same or another one; a text may be a piece. */
function overlaps(value: string, said: JsonValue): boolean {
  if (typeof said !== "string") return String(said) === value;
  const written = said.trim().toLowerCase();
  return written !== "" && (value.includes(written) || written.includes(value));
}
