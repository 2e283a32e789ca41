// The restrictions of settings beside hooks and permission rules: servers, models, places, skills, and commands outside a sandbox.
// A restriction counts in every file, trusted or not, and a prohibition wins over every permission.
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { isAddressLike, isServerListed, readServerPatterns, type ServerToStart } from "./server-patterns.js";
import { keyOf } from "./settings-file.js";
import { flagOf, keyPathOf, settingOf, textsUnder } from "./settings-keys.js";
import type { SettingsReader } from "./settings-reader.js";
import type { HonouredKey } from "./settings-table.js";

/** Commands are to run in a sandbox. Paths are absolute. */
export interface SandboxSetting {
  /** The file that asks for it. */
  readonly file: string;
  /** Whether an agent must not open where there is no sandbox; otherwise every command asks there. */
  readonly failIfUnavailable: boolean;
  readonly allowedHosts: readonly string[];
  readonly deniedHosts: readonly string[];
  readonly writable: readonly string[];
  readonly unwritable: readonly string[];
  readonly unreadable: readonly string[];
}

/** The readers that a skill is hidden from: the model, or everybody. */
export type SkillVisibility = "user-only" | "off";

/** The restrictions of settings. The presets enforce all of them; a host that wires its own agent asks here. */
export interface Restrictions {
  /** The reason why a server that a file brings along must not be started, with file and key; `null`: it may be. */
  serverRefusal(server: ServerToStart): string | null;
  /** The reason why a model must not be used, with file and key; `null`: it may be. */
  modelRefusal(model: string): string | null;
  readonly sandbox: SandboxSetting | undefined;
  /** Calls that would ask are denied. */
  readonly denyInsteadOfPrompting: boolean;
  /** Allow rules come from managed settings alone. */
  readonly onlyManagedAllowRules: boolean;
  /** Skills that are hidden, by name. */
  readonly hiddenSkills: ReadonlyMap<string, SkillVisibility>;
}

/** Readers of all files, weakest first. */
export function readRestrictions(readers: readonly SettingsReader[]): Restrictions {
  const isOn = (key: HonouredKey) => readers.filter((reader) => flagOf(reader, key) === true).length > 0;
  return {
    serverRefusal: serversOf(readers),
    modelRefusal: modelsOf(readers),
    sandbox: sandboxOf(readers),
    denyInsteadOfPrompting: isOn("permissions.denyInsteadOfPrompting"),
    onlyManagedAllowRules: isOnInManaged(readers, "allowManagedPermissionRulesOnly"),
    hiddenSkills: hiddenSkillsOf(readers),
  };
}

export function isOnInManaged(readers: readonly SettingsReader[], key: HonouredKey): boolean {
  return readers.some((reader) => reader.source === "policy" && flagOf(reader, key) === true);
}

/**
 * The addresses that http hooks may ask, and the variables they may send. Only trusted files count: a project must not take the user's hooks
 * away.
 */
export function httpLimitsOf(readers: readonly SettingsReader[]) {
  const trusted = readers.filter(({ isTrusted }) => isTrusted);
  const urls = allowLists(trusted, "allowedHttpHookUrls", textsUnder)[0];
  const names = allowLists(trusted, "httpHookAllowedEnvVars", textsUnder)[0];
  return {
    urlRefusal: (url: string) =>
      urls && !urls.items.some((pattern) => isAddressLike(url, pattern)) ? `is not in ${urls.place}` : null,
    mayHaveVariable: (name: string) => names === undefined || names.items.includes(name),
  };
}

/** An allow-list, and where it stands. */
interface Allowed<T> {
  readonly items: readonly T[];
  readonly place: string;
  readonly isTrusted: boolean;
}

/** Lists that all have to allow it: those of trusted files joined to one, and each of a project that is not trusted. */
function allowLists<T, K extends HonouredKey>(
  readers: readonly SettingsReader[],
  key: K,
  read: (reader: SettingsReader, key: K) => readonly T[] | undefined,
): Allowed<T>[] {
  const found = readers.flatMap((reader) => {
    const items = read(reader, key);
    return items ? [{ items, place: placeOf(reader, key), isTrusted: reader.isTrusted }] : [];
  });
  const trusted = found.filter(({ isTrusted }) => isTrusted);
  const joined = {
    items: trusted.flatMap(({ items }) => items),
    place: trusted.map(({ place }) => place).join(", "),
    isTrusted: true,
  };
  return [...(trusted.length > 0 ? [joined] : []), ...found.filter(({ isTrusted }) => !isTrusted)];
}

export function placeOf(reader: SettingsReader, key: HonouredKey): string {
  return `${keyOf(keyPathOf(key))} of ${reader.file.path}`;
}

function serversOf(readers: readonly SettingsReader[]): Restrictions["serverRefusal"] {
  const disabled = readers.map((reader) => ({ reader, names: textsUnder(reader, "disabledMcpjsonServers") ?? [] }));
  const enabled = allowLists(readers, "enabledMcpjsonServers", textsUnder);
  const switches = readers.map((reader) => ({ reader, all: flagOf(reader, "enableAllProjectMcpServers") }));
  const off = switches.find(({ all }) => all === false)?.reader;
  const isAll = !off && switches.some(({ reader, all }) => all === true && reader.isTrusted);
  const denied = readers.map((reader) => ({ reader, patterns: readServerPatterns(reader, "deniedMcpServers") ?? [] }));
  const isManaged = isOnInManaged(readers, "allowManagedMcpServersOnly");
  const lenders = isManaged ? readers.filter(({ source }) => source === "policy") : readers;
  const allowed = allowLists(lenders, "allowedMcpServers", readServerPatterns);
  // In a trusted file it opens the lists of trusted files alone.
  const named = isAll ? enabled.filter(({ isTrusted }) => !isTrusted) : enabled;

  return (server) => {
    const forbidding = disabled.find(({ names }) => names.includes(server.name))?.reader;
    if (forbidding) return `is disabled by ${placeOf(forbidding, "disabledMcpjsonServers")}`;
    const denying = denied.find(({ patterns }) => isServerListed(server, patterns, "deny"))?.reader;
    if (denying) return `is denied by ${placeOf(denying, "deniedMcpServers")}`;
    if (off && named.length === 0) return `is not enabled: ${placeOf(off, "enableAllProjectMcpServers")} is false`;
    const unnamed = named.find(({ items }) => !items.includes(server.name));
    if (unnamed) return `is not in ${unnamed.place}`;
    const missing = allowed.find(({ items }) => !isServerListed(server, items, "allow"));
    return missing ? `is not in ${missing.place}` : null;
  };
}

function modelsOf(readers: readonly SettingsReader[]): Restrictions["modelRefusal"] {
  const denied = readers.map((reader) => ({ reader, names: textsUnder(reader, "deniedModels") ?? [] }));
  const allowed = allowLists(readers, "availableModels", textsUnder);
  const isExact = readers.some((reader) => settingOf(reader, "availableModelsMatch") === "exact");
  return (model) => {
    const denying = denied.find(({ names }) => names.some((name) => isModelIn(model, name, "prefix")))?.reader;
    if (denying) return `is denied by ${placeOf(denying, "deniedModels")}`;
    const missing = allowed.find(
      ({ items }) => !items.some((name) => isModelIn(model, name, isExact ? "exact" : "prefix")),
    );
    return missing ? `is not in ${missing.place}` : null;
  };
}

/** Whether any file has commands run in a sandbox. */
export function isSandboxed(readers: readonly SettingsReader[]): boolean {
  return readers.some((reader) => settingOf(reader, "sandbox.enabled") === true);
}

function sandboxOf(readers: readonly SettingsReader[]): SandboxSetting | undefined {
  const asking = readers.filter((reader) => flagOf(reader, "sandbox.enabled") === true).at(-1);
  if (!asking) return undefined;
  const isManaged = isOnInManaged(readers, "sandbox.network.allowManagedDomainsOnly");
  const lenders = isManaged ? readers.filter(({ source }) => source === "policy") : readers;
  const [first, ...others] = allowLists(lenders, "sandbox.network.allowedDomains", textsUnder);
  const isAllowed = (host: string) => others.every(({ items }) => items.includes(host));
  const trusted = readers.filter(({ isTrusted }) => isTrusted);
  return {
    file: asking.file.path,
    failIfUnavailable: readers.filter((reader) => flagOf(reader, "sandbox.failIfUnavailable") === true).length > 0,
    // A project's own list allows nothing: it narrows that of a trusted file, which has to be there.
    allowedHosts: first?.isTrusted ? [...new Set(first.items)].filter(isAllowed) : [],
    deniedHosts: readers.flatMap((reader) => textsUnder(reader, "sandbox.network.deniedDomains") ?? []),
    writable: trusted.flatMap((reader) => pathsIn(reader, "sandbox.filesystem.allowWrite", "wrong")),
    unwritable: readers.flatMap((reader) => pathsIn(reader, "sandbox.filesystem.denyWrite", "restrict")),
    unreadable: readers.flatMap((reader) => pathsIn(reader, "sandbox.filesystem.denyRead", "restrict")),
  };
}

/** `~/` is the home directory, `//` the root of the disk; others are relative to the project, or to the user's file. */
function pathsIn(reader: SettingsReader, key: HonouredKey, report: "wrong" | "restrict"): string[] {
  const base = reader.source === "user" || reader.source === "policy" ? dirname(reader.file.path) : reader.dir;
  return (textsUnder(reader, key) ?? []).flatMap((path, at) => {
    const where = [...keyPathOf(key), at];
    if (/[*?[\]]/.test(path)) {
      reader[report](where, "holds a wildcard, which a sandbox here does not know; name the directory itself");
      return [];
    }
    if (path === "~" || path.startsWith("~/")) return [join(homedir(), path.slice(1))];
    return [isAbsolute(path) ? resolve(path.replace(/^\/\//, "/")) : resolve(base, path)];
  });
}

const VISIBILITY: Readonly<Record<string, SkillVisibility | null>> = {
  on: null,
  "name-only": null,
  "user-invocable-only": "user-only",
  off: "off",
};

function hiddenSkillsOf(readers: readonly SettingsReader[]): ReadonlyMap<string, SkillVisibility> {
  const hidden = new Map<string, SkillVisibility>();
  for (const reader of readers) {
    const overrides: JsonValue | undefined = settingOf(reader, "skillOverrides");
    if (overrides === undefined) continue;
    if (!isObject(overrides)) {
      reader.restrict(["skillOverrides"], "must be an object of skills by name");
      continue;
    }
    for (const [name, value] of Object.entries(overrides)) {
      const visibility = typeof value === "string" && Object.hasOwn(VISIBILITY, value) ? VISIBILITY[value] : undefined;
      if (visibility === undefined) {
        reader.restrict(["skillOverrides", name], `must be one of ${Object.keys(VISIBILITY).join(", ")}`);
      } else if (visibility !== null && hidden.get(name) !== "off") hidden.set(name, visibility);
    }
  }
  return hidden;
}

/**
 * Whether a model is one that a name of `availableModels` or `deniedModels` means: a family (`opus`), a version (`opus-5`) or a
 * whole id. Vendors in front, dates and endings such as `-fast` make no other model. By `prefix` a
 * version without a minor one means those, too: `opus-5` is also `opus-5-5`. By `exact` it does not.
 */
function isModelIn(model: string, name: string, match: "prefix" | "exact"): boolean {
  const parts = partsOf(model);
  const wanted = partsOf(name);
  if (wanted.length === 0) return false;
  return parts.some((_, at) => {
    if (!wanted.every((part, index) => parts[at + index] === part)) return false;
    const next = parts[at + wanted.length];
    const isMinor = next !== undefined && /^\d{1,2}$/.test(next) && /^\d{1,2}$/.test(wanted.at(-1)!);
    return match === "prefix" || !isMinor;
  });
}

function partsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
}
