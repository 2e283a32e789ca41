export { type MigrateOptions, type Migration, migrate } from "./migrate.js";
export type { PostgresOptions } from "./options.js";
export type { PostgresClient, PostgresPool, PostgresQueryable, PostgresResult } from "./pool.js";
export {
  type ApprovalFilterOptions,
  createPostgresApprovals,
  type DamagedSession,
  type PostgresApprovals,
  type PostgresApprovalsOptions,
} from "./postgres-approvals.js";
export { createPostgresFactStore, type PostgresFactStoreOptions } from "./postgres-fact-store.js";
export { createPostgresSessionStore, type PostgresSessionStoreOptions } from "./postgres-session-store.js";
export { createPostgresTaskStore, type PostgresTaskStoreOptions } from "./postgres-task-store.js";
export { createPostgresUsageStore } from "./postgres-usage-store.js";
