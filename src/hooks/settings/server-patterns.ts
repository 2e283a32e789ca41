// The entries of `allowedMcpServers` and `deniedMcpServers`.
import type { JsonObject } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { matchesWildcard } from "../../permissions/rules/command-pattern.js";
import { keyPathOf, settingOf } from "./settings-keys.js";
import type { SettingsReader } from "./settings-reader.js";
import type { HonouredKey } from "./settings-table.js";

/** A server as a file describes it, with its variables filled in. */
export interface ServerToStart {
  readonly name: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

/** One entry: a name, a command with its arguments, or an address in which `*` is any text. */
export type ServerPattern =
  | { readonly serverName: string }
  | { readonly serverCommand: readonly string[] }
  | { readonly serverUrl: string };

/** The patterns of a list; `undefined` where there is no list. An entry that cannot be read is refused. */
export function readServerPatterns(
  reader: SettingsReader,
  key: Extract<HonouredKey, `${string}McpServers`>,
): readonly ServerPattern[] | undefined {
  const value = settingOf(reader, key);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    reader.restrict(keyPathOf(key), "must be a list of servers");
    return undefined;
  }
  return value.flatMap((entry, at): ServerPattern[] => {
    // Names alone are what people write.
    if (typeof entry === "string" && entry !== "") return [{ serverName: entry }];
    const pattern = isObject(entry) ? patternOf(entry) : undefined;
    if (!pattern) reader.restrict([...keyPathOf(key), at], "must have one of serverName, serverCommand and serverUrl");
    return pattern ? [pattern] : [];
  });
}

function patternOf(entry: JsonObject): ServerPattern | undefined {
  const { serverName, serverCommand, serverUrl, ...others } = entry;
  if (Object.keys(others).length > 0 || Object.keys(entry).length !== 1) return undefined;
  if (typeof serverName === "string" && serverName !== "") return { serverName };
  if (typeof serverUrl === "string" && serverUrl !== "") return { serverUrl };
  const isCommand = Array.isArray(serverCommand) && serverCommand.length > 0;
  return isCommand && serverCommand.every((part): part is string => typeof part === "string")
    ? { serverCommand }
    : undefined;
}

/**
 * Whether a list is about a server. In an allow-list that names commands, a program needs one of them, and in one that names
 * addresses, a remote server one of those: a name alone is easily taken.
 */
export function isServerListed(
  { name, command, args = [], url }: ServerToStart,
  patterns: readonly ServerPattern[],
  behavior: "allow" | "deny",
): boolean {
  const about = patterns.filter((pattern) => {
    return (command !== undefined && "serverCommand" in pattern) || (url !== undefined && "serverUrl" in pattern);
  });
  const isByName = patterns.some((pattern) => "serverName" in pattern && pattern.serverName === name);
  if (isByName && (behavior === "deny" || about.length === 0)) return true;
  return about.some((pattern) => {
    if ("serverCommand" in pattern) return isSame([command ?? "", ...args], pattern.serverCommand);
    return "serverUrl" in pattern && isUrlIn(url ?? "", pattern.serverUrl, behavior);
  });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

/** A prohibition without a query is about every query, and about the address with or without its last slash. */
function isUrlIn(url: string, pattern: string, behavior: "allow" | "deny"): boolean {
  if (behavior === "allow") return isAddressLike(url, pattern);
  const bare = (text: string) => (pattern.includes("?") ? text : text.replace(/[?#].*$/s, "")).replace(/\/$/, "");
  return [url, normalized(url)].some((each) => {
    return isLike(each, pattern) || isLike(bare(each), pattern.replace(/\/$/, "")) || isAddressLike(each, pattern);
  });
}

/** As it is sent: without `..`, and with a host in small letters. */
function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** Whether an address matches a pattern whose `*` in the host never reaches into the path. */
export function isAddressLike(url: string, pattern: string): boolean {
  const [host, path] = partsOf(normalized(url));
  const [wantedHost, wantedPath] = partsOf(pattern);
  if (!isLike(host, wantedHost)) return false;
  if (wantedPath === "") return wantedHost.endsWith("*") || path === "/" || path === "";
  return isLike(path, wantedPath);
}

/** Up to the end of the host, and what follows. */
function partsOf(address: string): [string, string] {
  const [, host = "", path = ""] = /^([^/]*(?:\/\/[^/?#]*)?)(.*)$/s.exec(address) ?? [];
  return [host, path];
}

/** In a pattern `*` is any text. Capital letters make no other address. */
function isLike(text: string, pattern: string): boolean {
  return matchesWildcard(pattern.toLowerCase(), text.toLowerCase());
}
