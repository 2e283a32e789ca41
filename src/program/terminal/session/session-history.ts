// A session for a person: its prompts to go back to, and its messages to be shown again.

import type { Message } from "../../../contracts/message.js";
import type { SessionEntry, SessionStore } from "../../../contracts/session.js";
import type { ToolResult } from "../../../contracts/tool-call.js";
import { branchOf } from "../../../engine/transcript/branch.js";
import { REWIND } from "../../../engine/transcript/rewind.js";
import { fieldsOf } from "../../../json/is-object.js";
import { PLAN_NOTE } from "./plan-tool.js";

/** A prompt of the session that one can go back to. */
export interface PastPrompt {
  readonly entryId: string;
  readonly at: number;
  readonly text: string;
}

type Recorded = Extract<SessionEntry, { type: "message" }>;

/** One message, or one tool result, in the order in which they were recorded. */
export type PastItem =
  | { readonly kind: "message"; readonly message: Message; readonly descriptions?: Recorded["descriptions"] }
  | { readonly kind: "result"; readonly result: ToolResult };

/** The entries that count: those that lead to where the session stands. */
export async function readBranch(store: SessionStore, id: string): Promise<readonly SessionEntry[]> {
  return branchIn(await entriesOf(store, id));
}

export async function entriesOf(store: SessionStore, id: string): Promise<readonly SessionEntry[]> {
  const all: SessionEntry[] = [];
  for await (const entry of store.read(id)) all.push(entry);
  return all;
}

/** The same, of all entries. */
export function branchIn(all: readonly SessionEntry[]): readonly SessionEntry[] {
  const branch = branchOf(all);
  const last = branch.at(-1);
  if (last?.type !== "custom" || last.name !== REWIND) return branch;
  const { before } = fieldsOf(last.data);
  if (before === null) return [];
  if (typeof before !== "string") return branch;
  return branch.slice(0, branch.findIndex((entry) => entry.id === before) + 1);
}

/** The person's prompts, oldest first. */
export function promptsIn(branch: readonly SessionEntry[]): readonly PastPrompt[] {
  return branch.flatMap((entry) => {
    const text = promptOf(entry);
    return text === null ? [] : [{ entryId: entry.id, at: entry.at, text }];
  });
}

/** Messages and results, oldest first. */
export function itemsIn(branch: readonly SessionEntry[]): readonly PastItem[] {
  return branch.flatMap((entry): PastItem[] => {
    if (entry.type === "message")
      return [{ kind: "message", message: entry.message, descriptions: entry.descriptions }];
    return entry.type === "tool-result" ? [{ kind: "result", result: entry.result }] : [];
  });
}

/** Whether the session was left in the middle: a crash, a kill, or a question without an answer. */
export function isUnfinished(branch: readonly SessionEntry[]): boolean {
  // Messages about a command of the person's own are part of no run.
  const last = branch.findLast((entry) => /^run-/.test(entry.type) || promptOf(entry) !== null);
  if (!last) return false;
  return last.type !== "run-end" || last.status === "needs-approval";
}

/** The text that a person typed; `null` for any other entry. Additions of the program are left out. */
function promptOf(entry: SessionEntry): string | null {
  return entry.type === "message" ? typedText(entry.message) : null;
}

/** The text of a message that a person typed; `null` when nobody did. */
export function typedText(message: Message): string | null {
  if (message.role !== "user") return null;
  const { origin = "user", content } = message;
  if (origin !== "user" && origin !== "steering") return null;
  const texts = content.flatMap((part) => (part.type === "text" && part.text !== PLAN_NOTE ? [part.text] : []));
  return texts.length === 0 ? null : texts.join("\n");
}
