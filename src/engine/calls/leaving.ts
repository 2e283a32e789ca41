import type { NestedCalls } from "../../contracts/tool-call.js";

/**
 * Resolves when a call that a tool has made waits for the host, so that the tool is left: before `run` says so, which waits until the
 * tool's sub-agents are quiet. For a sub-agent that itself waits for the call.
 */
export const LEAVING = new WeakMap<NestedCalls, Promise<void>>();
