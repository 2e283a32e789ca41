export { createMemorySessionStore, type MemorySessionStoreOptions } from "../engine/memory-session-store.js";
export type { FileRewinder, RewindOptions, RewindReport, RewoundFile } from "./checkpoint-rewind.js";
export type { UnkeptChange } from "./checkpoint-unkept.js";
export { type CheckpointOptions, type Checkpoints, createCheckpoints } from "./checkpoints.js";
export { exportSession, importSession, type SessionExport } from "./export-session.js";
export { createFileSessionStore, type FileSessionStoreOptions } from "./file-session-store.js";
export { findPending } from "./find-pending.js";
export { forkSession, rewindSession } from "./session-tree.js";
export type { Durability } from "./session-writer.js";
