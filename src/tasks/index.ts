export { createFileTaskStore, type FileTaskStoreOptions } from "./file-task-store.js";
export { createMemoryTaskStore, type MemoryTaskStoreOptions } from "./memory-task-store.js";
export { createTaskTools, type TaskToolsOptions } from "./task-tools.js";
export { createFileMailbox, type FileMailboxOptions } from "./team/file-mailbox.js";
export { createMemoryMailbox, type Mailbox, type MailboxOptions, type TeamMessage } from "./team/mailbox.js";
export {
  createTeam,
  type Team,
  type TeamOptions,
  type TeamReport,
  type TeamRun,
} from "./team/team.js";
export type { TeamEngine } from "./team/team-member.js";
