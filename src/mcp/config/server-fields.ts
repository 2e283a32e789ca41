// Every field of a server's entry that is known, and what becomes of it. The reader and the reference page use this one list.
// Serves: `.mcp.json` as Claude Code, VS Code, Cursor, Cline and Gemini CLI write it (read 2026-11).

/** `honoured`: it counts. `refused`: the server is not started. `ignored`: without it nothing more is allowed. */
type Treatment = "honoured" | "refused" | "ignored";

const ROWS: readonly (readonly [fields: string, treatment: Treatment, note: string])[] = [
  ["type transport command args env cwd url serverUrl httpUrl headers", "honoured", "how the server is reached"],
  ["disabled", "honoured", "anything but `false`: the server is not started"],
  ["enabled", "honoured", "anything but `true`: the server is not started"],
  [
    "includeTools excludeTools enabledTools disabledTools enabled_tools disabled_tools tools",
    "refused",
    "the server would offer more tools; write a deny rule such as `mcp__server__tool` instead",
  ],
  ["alwaysAllow autoApprove trust", "ignored", "its calls go through the gate all the same"],
  ["timeout", "ignored", "is an option of `connectMcp`"],
  ["description name icon", "ignored", "is for people"],
];

export const SERVER_FIELDS: ReadonlyMap<string, { readonly treatment: Treatment; readonly note: string }> = new Map(
  ROWS.flatMap(([fields, treatment, note]) => fields.split(" ").map((field) => [field, { treatment, note }] as const)),
);
