// A task of another agent, put together from what its agent sends.
import type { Artifact, Message, Part, StreamResponse, Task, TaskStatus } from "@a2a-js/sdk";
import type { A2aClientSdk } from "../a2a-sdk.js";

/** A task's next step. */
export type RemoteState =
  | "working"
  | "completed"
  | "failed"
  | "canceled"
  | "rejected"
  | "input-required"
  | "auth-required";

export class RemoteTask {
  /** Empty as long as the agent has not named one. */
  id = "";
  contextId = "";
  #status: TaskStatus | undefined;
  /** An answer without a task. */
  #message: Message | undefined;
  readonly #artifacts = new Map<string, Part[]>();
  #bytes = 0;

  constructor(private readonly sdk: A2aClientSdk) {}

  /** About what it has made. */
  get bytes(): number {
    return this.#bytes;
  }

  add({ payload }: StreamResponse): void {
    if (payload?.$case === "message") {
      this.#message = payload.value;
      this.contextId = payload.value.contextId || this.contextId;
    }
    if (payload?.$case === "task") this.#replace(payload.value);
    if (payload?.$case === "statusUpdate") {
      this.#name(payload.value.taskId, payload.value.contextId);
      this.#status = payload.value.status;
    }
    if (payload?.$case !== "artifactUpdate" || !payload.value.artifact) return;
    const { append, artifact, taskId, contextId } = payload.value;
    this.#name(taskId, contextId);
    this.#put(artifact, append);
  }

  get state(): RemoteState {
    const { TaskState } = this.sdk;
    switch (this.#status?.state) {
      case TaskState.TASK_STATE_COMPLETED:
        return "completed";
      case TaskState.TASK_STATE_FAILED:
        return "failed";
      case TaskState.TASK_STATE_CANCELED:
        return "canceled";
      case TaskState.TASK_STATE_REJECTED:
        return "rejected";
      case TaskState.TASK_STATE_INPUT_REQUIRED:
        return "input-required";
      case TaskState.TASK_STATE_AUTH_REQUIRED:
        return "auth-required";
      default:
        return this.#message ? "completed" : "working";
    }
  }

  /** The artifacts it has made; without any, its last message. */
  get output(): readonly Part[] {
    const made = [...this.#artifacts.values()].flatMap(joined);
    return made.length > 0 ? made : (this.#message?.parts ?? this.said);
  }

  /** The message about its state. */
  get said(): readonly Part[] {
    return this.#status?.message?.parts ?? [];
  }

  #replace({ id, contextId, status, artifacts }: Task): void {
    this.#name(id, contextId);
    this.#status = status;
    this.#artifacts.clear();
    this.#bytes = 0;
    for (const each of artifacts ?? []) this.#put(each, false);
  }

  #put({ artifactId, parts }: Artifact, append: boolean): void {
    const before = append ? this.#artifacts.get(artifactId) : undefined;
    if (!before) this.#artifacts.set(artifactId, parts);
    for (const part of parts) {
      before?.push(part);
      this.#bytes += bytesIn(part);
    }
  }

  #name(id: string, contextId: string): void {
    this.id = id || this.id;
    this.contextId = contextId || this.contextId;
  }
}

/** Pieces of a text, as an agent has streamed them, become one part. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last?.content?.$case !== "text" || part.content?.$case !== "text") whole.push(part);
    else
      whole[whole.length - 1] = { ...last, content: { $case: "text", value: last.content.value + part.content.value } };
  }
  return whole;
}

/** About what a part takes; an empty one is not for nothing. */
function bytesIn({ content }: Part): number {
  const { value } = content ?? {};
  return (
    64 +
    (typeof value === "string" || value instanceof Uint8Array ? value.length : JSON.stringify(value ?? null).length)
  );
}
