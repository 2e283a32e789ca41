// One entry of a configuration file, checked field by field.
import { isObject } from "../../json/is-object.js";
import { nearestNames } from "../../text/nearest-names.js";
import { isServerName, type McpCommandServer, type McpUrlServer } from "../connect-mcp.js";
import { expandVariables } from "./expand-variables.js";

// Serves: `.mcp.json` as Claude Code, VS Code, Cursor, Cline and Gemini CLI write it (read 2026-11). The reader and the reference
// page use this one list.

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

export type Server = McpCommandServer | McpUrlServer;

/** A defect of an entry: its field, and whether the entry can be used all the same. */
export type ReportField = (field: string, message: string) => void;

const COMMAND_TYPES = new Set(["stdio", "local", "command"]);
const URL_TYPES = new Set(["http", "streamable-http", "streamable_http", "streamableHttp", "remote"]);
const KNOWN = [...SERVER_FIELDS].flatMap(([field, { treatment }]) => (treatment === "honoured" ? field : []));

/** Reads an entry as it is written; `null` when it cannot be used, and `report` has said why. */
export function readServerEntry(name: string, entry: unknown, report: ReportField): Server | null {
  if (!isServerName(name))
    return refuse(report, "", "its name must have 1 to 64 letters, digits, spaces and . _ - @ /");
  if (!isObject(entry)) return refuse(report, "", "must be an object with a command or a url");
  for (const key of Object.keys(entry)) if (!SERVER_FIELDS.has(key)) reportUnknown(key, report);
  if (!isSwitch(entry.disabled, false) || !isSwitch(entry.enabled, true)) return refuse(report, "", "is switched off");
  const limiting = Object.keys(entry).find((key) => SERVER_FIELDS.get(key)?.treatment === "refused");
  if (limiting !== undefined) {
    const { note } = SERVER_FIELDS.get(limiting)!;
    return refuse(report, limiting, `restricts, and cannot be enforced here (${note}); the server is not started`);
  }
  const { command, type = entry.transport } = entry;
  const url = entry.url ?? entry.httpUrl ?? entry.serverUrl;
  if (type === "sse")
    return refuse(
      report,
      "type",
      "the transport sse is no longer part of the protocol; use the server's streamable HTTP URL",
    );
  if (type !== undefined && !COMMAND_TYPES.has(String(type)) && !URL_TYPES.has(String(type))) {
    return refuse(report, "type", 'must be "stdio" or "http"');
  }
  if (command !== undefined && url !== undefined)
    return refuse(report, "", "has a command and a url; keep one of them");
  if (command !== undefined) {
    if (URL_TYPES.has(String(type))) return refuse(report, "type", "does not go with a command");
    return readCommand(name, entry, report);
  }
  if (url === undefined) return refuse(report, "", "has neither a command nor a url");
  if (COMMAND_TYPES.has(String(type))) return refuse(report, "type", "does not go with a url");
  if (typeof url !== "string") return refuse(report, "url", "must be a string");
  const headers = readStrings(entry.headers, "headers", report);
  return headers === null ? null : { name, url, ...(headers && { headers }) };
}

/** A switch that is not where it lets the server start is taken as off, whatever it holds. */
function isSwitch(value: unknown, wanted: boolean): boolean {
  return value === undefined || value === null || value === wanted;
}

function readCommand(name: string, entry: Record<string, unknown>, report: ReportField): Server | null {
  const { command, args, cwd } = entry;
  if (typeof command !== "string" || command.trim() === "")
    return refuse(report, "command", "must be a non-empty string");
  if (args !== undefined && !(Array.isArray(args) && args.every((each) => typeof each === "string"))) {
    return refuse(report, "args", "must be an array of strings");
  }
  if (cwd !== undefined && typeof cwd !== "string") return refuse(report, "cwd", "must be a string");
  const env = readStrings(entry.env, "env", report);
  if (env === null) return null;
  return {
    name,
    command,
    ...(args && { args: args as string[] }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** Numbers and booleans are what people write for strings. */
function readStrings(value: unknown, field: string, report: ReportField): Record<string, string> | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return refuse(report, field, "must be an object of strings");
  const wrong = Object.keys(value).find((key) => !["string", "number", "boolean"].includes(typeof value[key]));
  if (wrong !== undefined) return refuse(report, `${field}.${wrong}`, "must be a string");
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
}

/** The entry with its variables replaced; `null` when one of them has no value, and `report` has said which. */
export function expandEntry(
  server: Server,
  env: Readonly<Record<string, string | undefined>>,
  report: ReportField,
): Server | null {
  let isWhole = true;
  const expand = (text: string, field: string): string => {
    const expanded = expandVariables(text, env);
    if ("text" in expanded) return expanded.text;
    if (isWhole) report(field, `${expanded.problem}; the server is left out`);
    isWhole = false;
    return "";
  };
  const all = (values: Readonly<Record<string, string>>, field: string) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(value, `${field}.${key}`)]));
  const expanded: Server =
    "command" in server
      ? {
          ...server,
          command: expand(server.command, "command"),
          ...(server.args && { args: server.args.map((arg, index) => expand(arg, `args[${index}]`)) }),
          ...(server.env && { env: all(server.env, "env") }),
          ...(server.cwd !== undefined && { cwd: expand(server.cwd, "cwd") }),
        }
      : {
          ...server,
          url: expand(server.url, "url"),
          ...(server.headers && { headers: all(server.headers, "headers") }),
        };
  if (!isWhole) return null;
  if ("url" in expanded && !isHttpUrl(expanded.url)) return refuse(report, "url", "must be an http or https URL");
  if ("command" in expanded && expanded.command.trim() === "") return refuse(report, "command", "is empty");
  return expanded;
}

function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function reportUnknown(key: string, report: ReportField): void {
  const [nearest] = nearestNames(key, KNOWN, 1);
  report(key, `is not known and was ignored${nearest === undefined ? "" : `; did you mean "${nearest}"?`}`);
}

function refuse(report: ReportField, field: string, message: string): null {
  report(field, message);
  return null;
}
