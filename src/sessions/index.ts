export { createMemorySessionStore, type MemorySessionStoreOptions } from "../engine/transcript/memory-session-store.js";
export type { FileRewinder, RewindOptions, RewindReport, RewoundFile } from "./checkpoints/checkpoint-rewind.js";
export type { UnkeptChange } from "./checkpoints/checkpoint-unsaved.js";
export { type CheckpointOptions, type Checkpoints, createCheckpoints } from "./checkpoints/checkpoints.js";
export { deleteSession } from "./delete-session.js";
export { type AtifOptions, exportAtif } from "./export-atif.js";
export { exportMarkdown } from "./export-markdown.js";
export {
  exportSession,
  type ImportOptions,
  type ImportReport,
  importSession,
  type SessionExport,
} from "./export-session.js";
export { createFileSessionStore, type FileSessionStoreOptions } from "./file-session-store.js";
export { findPending } from "./find-pending.js";
export type { ForeignFormat } from "./foreign/foreign-past.js";
export { forkSession } from "./fork-session.js";
export type { Durability } from "./session-file-writer.js";
export { type RewoundSession, rewindSession } from "./session-tree.js";
