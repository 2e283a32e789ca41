// A message as a page shows it, and the session's beside it.
import type { ContentPart } from "../../contracts/content.js";
import type { ChatTurn } from "./stored-chat.js";

/** A message of a page, in as much as it is compared with the session's. */
export interface ShownMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** The user's files, as URLs, or the ids of the assistant's tool calls. */
  readonly parts: readonly string[];
  /** The runs that have written it, where their ids are all that names it for certain: AG-UI cannot take back what is void. */
  readonly runs?: readonly string[];
}

export function fileUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}

export function shownTurn(turn: ChatTurn): ShownMessage {
  if (turn.role === "user") return shownContent(turn.content);
  let text = "";
  const calls = new Set<string>(); // A run that goes on announces again what is open.
  for (const event of turn.runs.flatMap(({ events }) => events)) {
    const isOfRoot = event.agentPath.length === 0;
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "tool-call-start" && isOfRoot) calls.add(event.call.id);
    else if (event.type === "approval-requested" && !isOfRoot) calls.add(event.request.id);
  }
  return { role: "assistant", text, parts: [...calls], runs: turn.runs.map(({ runId }) => runId) };
}

function shownContent(content: readonly ContentPart[]): ShownMessage {
  const files = content.flatMap((part) => (part.type === "text" ? [] : [fileUrl(part.mediaType, part.data)]));
  return { role: "user", text: content.map((part) => (part.type === "text" ? part.text : "")).join(""), parts: files };
}

/** Nothing was said: as by a run that failed before its first word. */
export function isEmpty({ role, text, parts }: ShownMessage): boolean {
  return role === "assistant" && text === "" && parts.length === 0;
}

/**
 * Whether a page's message is the session's: `exact`; or `partly`, where the page has read only the beginning of an answer, or where a
 * picture was made smaller on its way. `null`: they differ.
 */
export function compareShown(page: ShownMessage, stored: ShownMessage): "exact" | "partly" | null {
  if (page.role !== stored.role) return null;
  const hasParts = page.parts.length <= stored.parts.length && page.parts.every((part) => stored.parts.includes(part));
  const isWhole = page.text === stored.text && page.parts.length === stored.parts.length;
  if (isWhole && hasParts) return "exact";
  if (page.role === "user") return isWhole ? "partly" : null;
  const isByIts = page.runs?.every((id) => stored.runs?.includes(id)) ?? stored.text.startsWith(page.text);
  return hasParts && isByIts ? "partly" : null;
}

export type Compare = typeof compareShown;

/** The same, where a part alone is nothing alike. */
export const compareWhole: Compare = (page, stored) => (compareShown(page, stored) === "exact" ? "exact" : null);

/** Messages of one side as one. */
export function joinShown(all: readonly ShownMessage[]): ShownMessage {
  const isNamed = all.every(({ runs }) => runs !== undefined);
  return {
    role: all[0]?.role ?? "user",
    text: all.map(({ text }) => text).join(""),
    parts: all.flatMap(({ parts }) => parts),
    ...(isNamed && { runs: all.flatMap(({ runs = [] }) => runs) }),
  };
}

/** A page's messages without the calls that tools have made, which are in no message of the session: their ids begin with their caller's. */
export function withoutInnerCalls(shown: readonly ShownMessage[]): ShownMessage[] {
  const ids = new Set(shown.flatMap(({ role, parts }) => (role === "assistant" ? parts : [])));
  const isInner = (id: string) => ids.has(/^(.+)\.\d+\.\d+$/s.exec(id)?.[1] ?? "");
  return shown.map((message) => {
    const isOwn = message.role === "user" || !message.parts.some(isInner);
    return isOwn ? message : { ...message, parts: message.parts.filter((id) => !isInner(id)) };
  });
}
