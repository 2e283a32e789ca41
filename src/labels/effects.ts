import type { JsonValue } from "../contracts/json.js";
import type { EffectName, Effects, Target, TargetKind } from "../contracts/label.js";
import type { BaseTool } from "../contracts/tool.js";
import { fieldsOf, isObject } from "../json/is-object.js";
import { leavesOf } from "./value-fields.js";

/** Each effect there is. */
export const EFFECTS: readonly EffectName[] = ["writes", "sends", "deletes", "runs", "remembers"];

const KINDS: { readonly [K in TargetKind]: true } = { recipient: true, url: true, path: true, id: true, amount: true };

/** Effects as somebody declares them. */
export function isEffects(value: unknown): value is Effects {
  if (!isObject(value)) return false;
  return Object.keys(value).every((effect) => {
    const has = value[effect];
    return EFFECTS.includes(effect as EffectName) && (has === undefined || typeof has === "boolean");
  });
}

/** Every effect, none, and that of asking somebody elsewhere. */
export const ALL = effectsIn({ writes: true, sends: true, deletes: true, runs: true, remembers: true });
export const NONE = effectsIn({});
const ONLY_SENDS = effectsIn({ sends: true });

/** The effects of a call, as its tool declares them; each one of a tool that does not, or whose declaration is not understood. */
export function effectsOf(
  { effects, permission }: Pick<BaseTool, "effects" | "permission">,
  input: unknown,
): Readonly<Required<Effects>> {
  if (effects === undefined) return permission === "none" ? NONE : permission === "read_only" ? ONLY_SENDS : ALL;
  try {
    const said: unknown = typeof effects === "function" ? effects(input) : effects;
    return isEffects(said) ? effectsIn(said) : ALL;
  } catch {
    return ALL;
  }
}

function effectsIn({ writes, sends, deletes, runs, remembers }: Effects): Readonly<Required<Effects>> {
  const each = { writes: !!writes, sends: !!sends, deletes: !!deletes, runs: !!runs, remembers: !!remembers };
  return Object.freeze(each);
}

/**
 * The targets of a call; none of a tool that declares none, or whose declaration is not understood or names what is no value of its
 * field: a tool that says another recipient than it was given is not believed.
 */
export function targetsOf({ targets }: Pick<BaseTool, "targets">, input: unknown): readonly Target[] {
  try {
    const said: unknown = targets?.(input) ?? [];
    return Array.isArray(said) && said.every((each) => isTarget(each) && isIn(each, input)) ? said : [];
  } catch {
    return [];
  }
}

/** Whether a target is a value of its field of the call's input. */
export function isIn({ field, value }: Pick<Target, "field" | "value">, input: unknown): boolean {
  return leavesOf((fieldsOf(input)[field] ?? null) as JsonValue).some((leaf) => String(leaf) === value);
}

function isTarget(value: unknown): value is Target {
  if (!isObject(value)) return false;
  const { field, kind, value: named } = value;
  return (
    typeof field === "string" && typeof kind === "string" && Object.hasOwn(KINDS, kind) && typeof named === "string"
  );
}
