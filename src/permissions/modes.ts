import type { PermissionMode } from "../contracts/permission.js";

export const MODES = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const satisfies readonly PermissionMode[];

export function isMode(value: unknown): value is PermissionMode {
  return MODES.includes(value as PermissionMode);
}
