// What a gate that uses labels reads of a call, beside its input. Worked out when the gate reads it, at most once.
import type { Label, Target, TracedTarget } from "../../../contracts/label.js";
import type { UserMessage } from "../../../contracts/message.js";
import type { PermissionRequest } from "../../../contracts/permission.js";
import { effectsOf, targetsOf } from "../../../labels/effects.js";
import { NO_LABEL } from "../../../labels/join-labels.js";
import { KnownValues, type ValuePlace } from "../../../labels/known-values.js";
import { valueKey } from "../../../labels/value-names.js";
import type { RunState } from "../../run/run-state.js";
import type { Transcript } from "../../transcript/transcript.js";
import { labelOfCalls } from "../call-label.js";
import type { PendingCall } from "../pending-call.js";

type Worked = Pick<PermissionRequest, "effects" | "targets" | "context">;

/** What was worked out for a request, by the request: shared getters keep requests of one shape, which costs least. */
const WORKED = new WeakMap<
  object,
  { readonly call: PendingCall; readonly made: { -readonly [K in keyof Worked]: Worked[K] } }
>();

function getter<K extends keyof Worked>(name: K, make: (call: PendingCall) => Worked[K]): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: object) {
      const { call, made } = WORKED.get(this)!;
      made[name] ??= make(call);
      return made[name];
    },
  };
}

const GETTERS: PropertyDescriptorMap = {
  effects: getter("effects", ({ tool, input }) => Object.freeze(effectsOf(tool!, input))),
  targets: getter("targets", ({ run, tool, input }) => {
    return Object.freeze(targetsOf(tool!, input).map((target) => originOf(run, target)));
  }),
  context: getter("context", ({ run }) => labelOfCalls(run) ?? NO_LABEL),
};

/** Adds `effects`, `targets`, `context`, `origin` and `kept`, as properties of the request's own. */
export function addFlow(request: PermissionRequest, call: PendingCall): void {
  const { run } = call;
  WORKED.set(request, { call, made: {} });
  Object.defineProperties(request, GETTERS);
  const origin = (target: Target) => originOf(run, target);
  Object.assign(request, { origin, kept: (path: string) => labelOfArtifact(run, path), task: run.root.id });
}

function labelOfArtifact(run: RunState, path: string): Label | undefined {
  for (let at: RunState | null = run; at; at = at.setup.parent) {
    const label = at.transcript.labelOf(path);
    if (label) return label;
  }
  return undefined;
}

/** What the user has approved in a task, by the run of the main agent: the targets of those calls are known from then on. */
const APPROVED = new WeakMap<RunState, Set<string>>();

/** The host has allowed the call as it is. */
export function noteApproval({ run, tool, input }: PendingCall): void {
  const approved = APPROVED.get(run.root) ?? new Set();
  for (const { kind, value } of targetsOf(tool!, input)) approved.add(valueKey(kind, value));
  APPROVED.set(run.root, approved);
}

const VALUES = new WeakMap<Transcript, KnownValues>();

/** What a sub-agent, or a program, has not read itself, its parent may have. */
function originOf(run: RunState, target: Target): TracedTarget {
  if (APPROVED.get(run.root)?.has(valueKey(target.kind, target.value)))
    return { ...target, known: "prompt", from: { kind: "user", name: "approval" } };
  let best: TracedTarget = { ...target, known: "unknown" };
  for (let at: RunState | null = run; at; at = at.setup.parent) {
    const found = valuesOf(at).find(target);
    if (found && found.known !== "untrusted-result") return found;
    if (found && best.known === "unknown") best = found;
  }
  return best;
}

function valuesOf(run: RunState): KnownValues {
  const { transcript } = run;
  let values = VALUES.get(transcript);
  if (!values) {
    values = new KnownValues(placeOf(run));
    VALUES.set(transcript, values);
  }
  return values;
}

function placeOf(run: RunState): ValuePlace {
  const { transcript, agentPath, setup } = run;
  const isMain = agentPath.length === 0 && !setup.nested;
  const isProgramTainted = () => setup.nested !== undefined && labelOfCalls(setup.parent!)?.integrity === "untrusted";
  return {
    messages: transcript.messages,
    labelOf: (toolCallId) => transcript.labelOf(toolCallId),
    isTainted: (index) => index >= transcript.untrustedFrom || isProgramTainted(),
    // A sub-agent's prompt is its parent's text, whatever that had read.
    isUsers(index) {
      const { origin } = transcript.messages[index] as UserMessage;
      return isMain && (origin === undefined || origin === "steering");
    },
  };
}
