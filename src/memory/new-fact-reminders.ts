// Facts that came after a session's prompt was made: the prompt stays as it is, and the memory tools remind the model once.
import type { FactStore } from "../contracts/fact.js";

const waiting = new WeakMap<FactStore, Map<string, string>>();
/** Sessions that wait to be reminded; the oldest gives way. */
const MAX_SESSIONS = 1_000;

/** Leaves a reminder for the next turn of an agent whose tools use this store. */
export function leaveNews(store: FactStore, transcriptId: string, text: string): void {
  const news = waiting.get(store) ?? new Map<string, string>();
  waiting.set(store, news);
  news.delete(transcriptId);
  news.set(transcriptId, text);
  const [oldest] = news.keys();
  if (news.size > MAX_SESSIONS && oldest !== undefined) news.delete(oldest);
}

/** The reminder, once. */
export function takeNews(store: FactStore, transcriptId: string): string | null {
  const text = waiting.get(store)?.get(transcriptId) ?? null;
  if (text !== null) waiting.get(store)?.delete(transcriptId);
  return text;
}
