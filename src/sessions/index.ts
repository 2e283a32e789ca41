export { createMemorySessionStore, type MemorySessionStoreOptions } from "../engine/memory-session-store.js";
