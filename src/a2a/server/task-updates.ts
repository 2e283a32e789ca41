// A run's events as updates of its task: the answer as the model writes it, then whatever else the task has when the run is over.
import type { Artifact, StreamResponse, Task } from "@a2a-js/sdk";
import type { EngineEvent } from "../../contracts/event.js";
import { isOfRoot } from "../../http/run-source.js";
import { artifact, textPart } from "../message-parts.js";
import type { TaskAddress } from "./task-address.js";

export class TaskUpdates {
  /** The answer as it is with the client. */
  #sent = "";
  /** The newest piece, which may turn out to be the last. */
  #held = "";
  /** The beginning of an answer that the output limit has cut, or that is written again. */
  #kept = "";
  /** Whether the client has text that the next piece takes the place of. */
  #isStale = true;

  constructor(
    private readonly address: TaskAddress,
    /** The artifacts that the client has. */
    private readonly known: ReadonlySet<string>,
  ) {}

  /** The updates of one event, often none. */
  read(event: EngineEvent): StreamResponse[] {
    if (!isOfRoot(event)) return [];
    if (event.type === "text-delta") {
      const updates = this.#flush(false);
      this.#held = event.text;
      return updates;
    }
    if (event.type === "tool-call-start") return this.#flush(false);
    if (event.type === "model-restart") this.#begin(this.#kept);
    if (event.type !== "turn-end") return [];
    this.#kept = event.transition === "output-limit-continuation" ? this.#sent + this.#held : "";
    const isOver = this.#kept === "" && event.transition !== "completed";
    const updates = isOver ? this.#flush(false) : [];
    if (isOver) this.#begin("");
    return updates;
  }

  /** The updates left to send once the run is over. */
  finish({ id, contextId, artifacts, status }: Task): StreamResponse[] {
    const updates = artifacts
      .filter(({ artifactId }) => !this.known.has(artifactId))
      .flatMap((each) => (this.#isWhole(each) ? this.#flush(true) : [this.#update(each, false, true)]));
    const value = { taskId: id, contextId, status, metadata: undefined };
    return [...updates, { payload: { $case: "statusUpdate", value } }];
  }

  /** Whether the client will have exactly this with the piece that is held back. */
  #isWhole({ artifactId, parts: [part] }: Artifact): boolean {
    const text = part?.content?.$case === "text" ? part.content.value : undefined;
    return artifactId === "answer" && this.#held !== "" && text === this.#sent + this.#held;
  }

  #begin(text: string): void {
    this.#sent = "";
    this.#held = text;
    this.#isStale = true;
  }

  #flush(isLast: boolean): StreamResponse[] {
    if (this.#held === "") return [];
    const update = this.#update(artifact("answer", [textPart(this.#held)]), !this.#isStale, isLast);
    this.#isStale = false;
    this.#sent += this.#held;
    this.#held = "";
    return [update];
  }

  #update(value: Artifact, append: boolean, lastChunk: boolean): StreamResponse {
    const { id: taskId, contextId } = this.address;
    const update = { taskId, contextId, artifact: value, append, lastChunk, metadata: undefined };
    return { payload: { $case: "artifactUpdate", value: update } };
  }
}
