// The rest of a settings file beside hooks and permissions: the model, and variables for the commands of hooks.
import type { JsonObject } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import type { SettingsReader } from "./settings-reader.js";

/** The strongest file's `model`. */
export function modelOf(readers: readonly SettingsReader[]): string | undefined {
  let named: string | undefined;
  for (const reader of readers) {
    const { model } = reader.file.value;
    if (model === undefined) continue;
    if (typeof model !== "string" || model.trim() === "") reader.wrong(["model"], "must be the name of a model");
    else if (reader.isTrusted) named = model.trim();
    else reader.untrusted(["model"], model, "a model that a project asks for and that is not trusted");
  }
  return named;
}

/** The files' `env`, the strongest last. */
export function mergedVariables(readers: readonly SettingsReader[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const reader of readers) {
    const { env } = reader.file.value;
    if (env === undefined) continue;
    if (!isObject(env)) {
      reader.wrong(["env"], "must be an object of strings");
    } else if (reader.isTrusted) {
      Object.assign(merged, checkedVariables(env, reader));
    } else {
      reader.untrusted(["env"], env, "variables of a project that is not trusted");
    }
  }
  return merged;
}

function checkedVariables(env: JsonObject, reader: SettingsReader): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string") checked[name] = value;
    else reader.wrong(["env", name], "must be a string");
  }
  return checked;
}
