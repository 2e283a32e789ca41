// The whole values of calls that a tool makes: in their record, or as an artifact beside it.
import { SessionError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { errorResult } from "./tool-result.js";

/** Larger values are kept as artifacts. Unit: characters of JSON. */
export const MAX_VALUE_CHARS = 65_536;

export class NestedValues {
  /** The values that are artifacts, until they are requested. */
  readonly #large = new Map<string, JsonValue>();

  constructor(
    private readonly artifacts: ArtifactStore | undefined,
    private readonly sessionId: string,
  ) {}

  /** The result with its whole value, or the place of that. A value that cannot be kept is an error that says so. */
  async keep(call: ToolCall, outcome: ToolResult): Promise<ToolResult> {
    const { output, durationMs } = outcome;
    const value = outcome.value ?? (output as JsonValue);
    const text = JSON.stringify(value);
    if (text.length <= MAX_VALUE_CHARS) return { ...outcome, value };
    try {
      if (!this.artifacts) throw new Error(`at most ${MAX_VALUE_CHARS} are kept without an artifact store`);
      const about = { sessionId: this.sessionId, mediaType: "application/json" };
      const valueArtifact = await this.artifacts.put(text, about);
      this.#large.set(call.id, value);
      const { value: _, ...rest } = outcome;
      return { ...rest, valueArtifact };
    } catch (error) {
      const message = `"${call.name}" was run, and its value of ${text.length} characters was not kept: ${describeThrown(error)}. Ask for less.`;
      return errorResult(call, "failure", "TOOL_RESULT_TOO_LARGE", message, { durationMs });
    }
  }

  /** @throws SessionError `SESSION_READ` when its artifact is gone */
  async of({ value, valueArtifact, output, toolCallId }: ToolResult): Promise<JsonValue> {
    if (value !== undefined) return value;
    if (!valueArtifact) return output as JsonValue;
    const large = this.#large.get(toolCallId);
    this.#large.delete(toolCallId);
    if (large !== undefined) return large;
    try {
      const bytes = await this.artifacts!.get(valueArtifact.id);
      return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    } catch (cause) {
      const message = `The value of call "${toolCallId}" cannot be read any more from ${valueArtifact.path}: ${describeThrown(cause)}`;
      throw new SessionError("SESSION_READ", { message, cause });
    }
  }
}
