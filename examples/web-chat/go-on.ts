// What an earlier process was cut off from goes on: a run that has begun in its session and not ended there.
import type { SessionStore } from "loopwright";
import type { RunHub } from "loopwright/http";

export async function goOn(hub: RunHub, sessions: SessionStore): Promise<void> {
  for await (const { id } of sessions.list()) {
    if (!/^[a-z]+\./.test(id) || !(await isCutOff(sessions, id))) continue;
    try {
      await hub.answer([], { sessionId: id, user: id.split(".", 1)[0] });
    } catch (error) {
      console.error(`Chat ${id} does not go on:`, error);
    }
  }
}

async function isCutOff(sessions: SessionStore, id: string): Promise<boolean> {
  let isUnderWay = false;
  for await (const { type } of sessions.read(id)) {
    if (type === "run-start" || type === "run-end") isUnderWay = type === "run-start";
  }
  return isUnderWay;
}
