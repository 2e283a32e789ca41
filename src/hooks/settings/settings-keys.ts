// Looks at every key of a settings file: none is passed over in silence.
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import type { JsonPath } from "./settings-file.js";
import type { SettingsReader } from "./settings-reader.js";
import { type HonouredKey, isManagedOnly, KNOWN_SETTINGS, SETTINGS_SECTIONS } from "./settings-table.js";

/** Refuses restrictions that nothing enforces, reports what is not known, and lists what has no effect. */
export function checkKeys(reader: SettingsReader, isSandboxed: boolean): void {
  checkObject(reader.file.value, [], reader, isSandboxed);
}

function checkObject(object: JsonObject, at: readonly string[], reader: SettingsReader, isSandboxed: boolean): void {
  for (const [name, value] of Object.entries(object)) {
    const path = [...at, name];
    const key = path.join(".");
    if (SETTINGS_SECTIONS.has(key)) {
      if (isObject(value)) checkObject(value, path, reader, isSandboxed);
      else if (key !== "permissions") reader.restrict(path, "must be an object");
      continue;
    }
    const known = KNOWN_SETTINGS.get(key);
    if (!known) {
      reader.wrong(path, "is not known here: if it restricts something, that restriction does not count");
    } else if (isManagedOnly(key) && reader.source !== "policy") {
      reader.ignored(path, value, "counts in managed settings alone");
    } else if (known.treatment === "ignored") {
      reader.ignored(path, value, known.note);
    } else if (known.treatment === "refused" && isSet(value)) {
      if (at[0] === "sandbox" && !isSandboxed) reader.ignored(path, value, "counts while sandbox.enabled");
      else reader.restrict(path, `restricts, and cannot be enforced here (${known.note}); remove it to open the agent`);
    }
  }
}

function isSet(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** The value of a file under a key of the table; `undefined` where it has none. */
export function settingOf(reader: SettingsReader, key: HonouredKey): JsonValue | undefined {
  let value: JsonValue | undefined = reader.file.value;
  for (const part of keyPathOf(key)) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value ?? undefined;
}

export function keyPathOf(key: HonouredKey): JsonPath {
  return key.split(".");
}

/** A switch. One that is neither on nor off is refused: it may have been meant to restrict. */
export function flagOf(reader: SettingsReader, key: HonouredKey): boolean | undefined {
  const value = settingOf(reader, key);
  if (value === undefined || typeof value === "boolean") return value;
  reader.restrict(keyPathOf(key), "must be true or false");
  return undefined;
}

/** A list of strings; one string is a list of one. What is neither is refused. */
export function textsUnder(reader: SettingsReader, key: HonouredKey): readonly string[] | undefined {
  const value = settingOf(reader, key);
  if (value === undefined) return undefined;
  const list = typeof value === "string" ? [value] : value;
  if (Array.isArray(list) && list.every((item): item is string => typeof item === "string" && item.trim() !== "")) {
    return list.map((item) => item.trim());
  }
  reader.restrict(keyPathOf(key), "must be a list of strings that are not empty");
  return undefined;
}
