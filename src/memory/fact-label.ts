import type { Fact } from "../contracts/fact.js";
import type { Label } from "../contracts/label.js";
import { frozenLabel, joinLabels, NO_LABEL } from "../labels/join-labels.js";

const UNKNOWN: Label = frozenLabel("untrusted", "anyone", [{ kind: "fact", name: "unlabelled", untrusted: true }]);

/** The sources of facts, by what they were made from. One of the app is trusted; of others without a label nobody knows. */
export function labelOfFacts(facts: readonly Pick<Fact, "source">[]): Label {
  return facts.reduce(
    (all, { source }) => joinLabels(all, source.label ?? (source.kind === "host" ? NO_LABEL : UNKNOWN)),
    NO_LABEL,
  );
}
