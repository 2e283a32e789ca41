export type { AuditHead, AuditRecord } from "./audit-chain.js";
export type { AuditedType } from "./audit-record.js";
export { type AuditTrail, type AuditTrailOptions, createAuditTrail } from "./audit-trail.js";
export { renderSession, type SessionPageOptions, type SessionPageSource } from "./page/render-session.js";
export { createSessionPage, type LiveSessionPageOptions } from "./page/session-page.js";
export { type AuditFilter, queryAudit } from "./query-audit.js";
export { redact } from "./redact.js";
export { type TraceOptions, traceRun } from "./trace/trace-run.js";
export { type AuditProblem, type AuditVerdict, type VerifyOptions, verifyAudit } from "./verify-audit.js";
