// The names of `availableModels` and `deniedModels`: a family (`opus`), a version (`opus-5`) or a whole id.

/**
 * Whether a model is one that a name means. Vendors in front, dates and endings such as `-fast` make no other model. By `prefix` a
 * version without a minor one means those, too: `opus-5` is also `opus-5-5`. By `exact` it does not.
 */
export function isModelIn(model: string, name: string, match: "prefix" | "exact"): boolean {
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
