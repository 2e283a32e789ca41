// Ids and names that every vendor accepts. A history written with one provider holds ids that another refuses.

/** Longest id and longest tool name that every vendor accepts. */
const MAX_ID_CHARS = 40;
const MAX_NAME_CHARS = 64;

/**
 * A tool call's id in the alphabet and length that vendors accept: ids that fit stay as they are. The same id always
 * gives the same result, so that a call and its result keep matching.
 */
export function portableCallId(id: string): string {
  if (/^[a-zA-Z0-9_-]+$/.test(id) && id.length <= MAX_ID_CHARS) return id;
  return `call_${fingerprint(id, 0x811c9dc5)}${fingerprint(id, 0x9dc5811c)}`;
}

/** A tool name that vendors accept; models invent others, and the history must stay replayable. */
export function portableToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || "unnamed";
}

/** FNV-1a of the UTF-16 code units: short, the same everywhere, and needs no crypto. */
function fingerprint(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
