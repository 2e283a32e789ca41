// A session that an earlier process has left behind, and what may still happen in it.
import type { Answer } from "../../src/contracts/approval.js";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { openQuestions } from "../../src/engine/transcript/open-turn.js";
import { SESSION } from "./random-run.js";
import { nameOfCalled } from "./random-tools.js";
import { rebuilt } from "./run-checks.js";
import { World } from "./world.js";

/** What a process that crashed after `count` entries leaves behind. */
export async function crashedAfter(entries: readonly SessionEntry[], count: number): Promise<SessionStore> {
  const store = createMemorySessionStore();
  await store.append(
    SESSION,
    entries.slice(0, count).map((entry) => JSON.parse(JSON.stringify(entry)) as SessionEntry),
  );
  return store;
}

/** A world in which nothing that had been started may be started again, unless its tool says so. */
export function worldAfter(
  entries: readonly SessionEntry[],
  isForbidden: (name: string, wasStarted: boolean) => boolean,
): World {
  const world = new World();
  const { open } = rebuilt(entries);
  const started = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "tool-start") started.add(entry.toolCallId);
    if (entry.type === "pending") started.delete(entry.request.toolCallId);
    if (entry.type === "tool-result") world.forbidden.add(entry.result.toolCallId);
    if (entry.type === "answer") approve(world, entries, entry.answer);
  }
  for (const call of open?.calls ?? [])
    if (isForbidden(nameOfCalled(call), started.has(call.id))) world.forbidden.add(call.id);
  return world;
}

export function approve(world: World, entries: readonly SessionEntry[], answer: Answer): void {
  if ("decision" in answer && answer.decision === "deny") return;
  for (const entry of entries) {
    if (entry.type === "pending" && entry.request.id === answer.id) world.approved.add(entry.request.toolCallId);
  }
}

export function answersTo(entries: readonly SessionEntry[], decide: (n: number) => number): Answer[] {
  return openQuestions(rebuilt(entries).open).flatMap(({ id, kind }, index): Answer[] => {
    const choice = decide(index);
    if (choice === 0) return [];
    if (choice === 1) return [{ id, decision: "deny", reason: "no" }];
    return [kind === "approval" ? { id, decision: "allow" } : { id, value: "this one" }];
  });
}
