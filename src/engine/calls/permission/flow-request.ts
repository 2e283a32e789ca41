// The fields of a request for gates that use labels: the call's effects, targets and label.
import type { JsonValue } from "../../../contracts/json.js";
import type { Effects, Label, Target, TracedTarget } from "../../../contracts/label.js";
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

/** A request whose properties are all its own, since a gate may pass a copy on. Its targets are traced when they are read first. */
export class FlowRequest implements PermissionRequest {
  readonly tool: PermissionRequest["tool"];
  readonly input: JsonValue;
  readonly agentPath: PermissionRequest["agentPath"];
  readonly sessionId: PermissionRequest["sessionId"];
  readonly transcriptId: PermissionRequest["transcriptId"];
  readonly hook: PermissionRequest["hook"];
  readonly context: Label;
  readonly origin: (target: Target) => TracedTarget;
  readonly kept: (path: string) => Label | undefined;
  readonly beforeStart: (work: () => Promise<void>) => void;
  readonly task: string;
  readonly effects: Required<Effects>;
  declare readonly targets: readonly TracedTarget[];
  readonly #call: PendingCall;
  #targets: readonly TracedTarget[] | undefined;

  constructor(call: PendingCall, input: JsonValue, hook: PermissionRequest["hook"]) {
    const { run, tool } = call;
    this.#call = call;
    this.tool = tool!;
    this.input = input;
    this.agentPath = run.agentPath;
    this.sessionId = run.sessionId;
    this.transcriptId = run.transcriptId;
    this.hook = hook;
    this.context = labelOfCalls(run) ?? NO_LABEL;
    this.origin = (target) => originOf(run, target);
    this.kept = (path) => labelOfArtifact(run, path);
    call.permission.before = undefined;
    this.beforeStart = (work) => {
      call.permission.before = [...(call.permission.before ?? []), work];
    };
    this.task = run.root.id;
    this.effects = effectsOf(tool!, call.input);
    Object.defineProperty(this, "targets", TARGETS);
  }

  static tracedIn(request: FlowRequest): readonly TracedTarget[] {
    const { tool, input } = request.#call;
    request.#targets ??= Object.freeze(targetsOf(tool!, input).map(request.origin));
    return request.#targets;
  }
}

/** Shared by all requests, which keeps them of one shape and costs least. */
const TARGETS: PropertyDescriptor & ThisType<FlowRequest> = {
  enumerable: true,
  configurable: true,
  get() {
    return FlowRequest.tracedIn(this);
  },
};

function labelOfArtifact(run: RunState, path: string): Label | undefined {
  for (let at: RunState | null = run; at; at = at.setup.parent) {
    const label = at.transcript.labelOf(path);
    if (label) return label;
  }
  return undefined;
}

/** The targets of the calls that the user has approved in a task, by the run of the main agent: they are known from then on. */
const APPROVED = new WeakMap<RunState, Set<string>>();

/** The host has allowed the call as it is. */
export function noteApproval({ run, tool, input }: PendingCall): void {
  const approved = APPROVED.get(run.root) ?? new Set();
  for (const { kind, value } of targetsOf(tool!, input)) approved.add(valueKey(kind, value));
  APPROVED.set(run.root, approved);
}

const VALUES = new WeakMap<Transcript, KnownValues>();

/** The target with the source that named it: read by the run itself, or by the parent of a sub-agent or program. */
function originOf(run: RunState, target: Target): TracedTarget {
  if (APPROVED.get(run.root)?.has(valueKey(target.kind, target.value)))
    return { ...target, known: "prompt", from: { kind: "user", name: "approval" } };
  let best: TracedTarget | undefined;
  for (let at: RunState | null = run; at; at = at.setup.parent) {
    const found = valuesOf(at).find(target);
    if (found && found.known !== "untrusted-result") return found;
    best ??= found;
  }
  return best ?? { ...target, known: "unknown" };
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
      return isMain && !transcript.foreign.has(index) && (origin === undefined || origin === "steering");
    },
  };
}
