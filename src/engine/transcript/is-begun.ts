import type { SessionStore } from "../../contracts/session.js";

/** Whether a session has entries: one without them does not exist. */
export async function isBegun(store: SessionStore, id: string): Promise<boolean> {
  for await (const _ of store.read(id)) return true;
  return false;
}
