export { createMemorySessionStore, type MemorySessionStoreOptions } from "../engine/transcript/memory-session-store.js";
export type { FileRewinder, RewindOptions, RewindReport, RewoundFile } from "./checkpoints/checkpoint-rewind.js";
export type { UnkeptChange } from "./checkpoints/checkpoint-unsaved.js";
export { type CheckpointOptions, type Checkpoints, createCheckpoints } from "./checkpoints/checkpoints.js";
export { exportSession, importSession, type SessionExport } from "./export-session.js";
export { createFileSessionStore, type FileSessionStoreOptions } from "./file-session-store.js";
export { findPending } from "./find-pending.js";
export { forkSession, type RewoundSession, rewindSession } from "./session-tree.js";
export type { Durability } from "./session-writer.js";
