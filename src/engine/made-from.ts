import type { Label } from "../contracts/label.js";
import { joinLabels, NO_LABEL, UNLABELLED } from "../labels/join-labels.js";
import { GIVEN_LABELS } from "./engine-parts.js";
import type { EngineConfig } from "./options/options.js";
import { readAll } from "./session/open-session.js";
import { branchOf } from "./transcript/branch.js";
import { Transcript } from "./transcript/transcript.js";

/**
 * The options of a run whose prompt, or of an `execute` whose call, was made from what was read in these sessions, by their ids, or has
 * these labels. Where the gate uses no labels, no session is read.
 */
export async function madeFrom<T extends object>(
  { gate, store }: Pick<EngineConfig, "gate" | "store">,
  origins: readonly (string | Label)[],
  options: T,
): Promise<T> {
  if (!gate.usesLabels) return options;
  let label = NO_LABEL;
  for (const origin of origins) {
    label = joinLabels(label, typeof origin === "string" ? await labelOfSession(store, origin) : origin);
  }
  if (label !== NO_LABEL) GIVEN_LABELS.set(options, label);
  return options;
}

/** A session that cannot be read may hold anything. */
async function labelOfSession(store: EngineConfig["store"], id: string): Promise<Label> {
  try {
    const transcript = new Transcript();
    for (const entry of branchOf(await readAll(store.read(id)))) transcript.apply(entry);
    return transcript.label;
  } catch {
    return UNLABELLED;
  }
}
