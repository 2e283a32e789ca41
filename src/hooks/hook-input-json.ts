// A hook's input as a command reads it: Claude Code's JSON, in snake_case, with its tool and field names.
import type { HookInput, HookPayloads } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { ReasoningEffort } from "../contracts/provider.js";
import { FUNCTION, PATH } from "../json/check-options.js";
import { theirInput, theirResponse, theirToolName, theirUpdates } from "./dialect.js";

/** The fields of every input beside the event itself. */
export interface WireContext {
  /** The project's directory: `cwd`, and what relative paths of tools start from. Absolute. */
  readonly dir: string;
  /** The machine on which programs run instead, when the project lies on another machine; of files there only the hunks of a change are known. */
  readonly hostDirectory?: string | undefined;
  /** The path of the session's transcript as a file, when it is kept as one. */
  readonly transcriptPath?: ((sessionId: string) => string | undefined) | undefined;
  /** The name that somebody has given the session. */
  readonly sessionTitle?: ((sessionId: string) => string | undefined) | undefined;
}

export const WIRE_OPTIONS = { transcriptPath: FUNCTION, sessionTitle: FUNCTION, hostDirectory: PATH };

/** The JSON a hook command reads on its standard input. */
export function toWire(input: HookInput, context: WireContext): JsonObject {
  const { dir, transcriptPath } = context;
  const { hookEventName, sessionId, runId, agentPath, agentType, permissionMode, effort, ...payload } = input;
  return {
    session_id: sessionId,
    transcript_path: transcriptPath?.(sessionId) ?? "",
    cwd: dir,
    ...(runId !== "" && { prompt_id: runId }),
    permission_mode: permissionMode ?? "default",
    hook_event_name: hookEventName,
    ...(agentPath.length > 0 && { agent_id: agentPath.join("/") }),
    ...(agentType !== undefined && { agent_type: agentType }),
    ...(hasEffort(effort) && { effort: { level: effort } }),
    ...payloadOf(input, payload as JsonObject, context),
  };
}

/** The protocol has no word for a model that does not think. */
export function hasEffort(effort: HookInput["effort"]): effort is Exclude<ReasoningEffort, "none"> {
  return effort !== undefined && effort !== "none";
}

function payloadOf(input: HookInput, payload: JsonObject, context: WireContext): JsonObject {
  const { transcriptPath } = context;
  switch (input.hookEventName) {
    case "PostToolBatch":
      return { tool_calls: input.toolCalls.map((call) => snakeKeys(toolPayload(call as never, context))) };
    case "PermissionRequest":
      return {
        ...snakeKeys(toolPayload(payload, context)),
        permission_suggestions: theirUpdates(input.permissionSuggestions),
      };
    case "UserPromptSubmit":
      return { prompt: input.prompt, source: "user", ...titleOf(input, context) };
    case "SessionStart":
      return { ...snakeKeys(payload), ...titleOf(input, context) };
    case "InstructionsLoaded":
      return { file_path: input.sourceId, memory_type: "Project", load_reason: "session_start" };
    case "PostToolUse": {
      const { toolDetails: _details, ...rest } = payload;
      return snakeKeys(toolPayload(rest, context, input.toolDetails));
    }
    case "Stop":
      return stopPayload(input, payload);
    case "SubagentStop":
      return { ...stopPayload(input, payload), agent_transcript_path: transcriptPath?.(input.agentId) ?? "" };
    case "DirectoryAdded":
      return { directory: input.directory, source: "slash_command" };
    case "PreModelSwitch":
    case "PostModelSwitch":
      return { ...snakeKeys(payload), requested_model: null, source: "sdk" };
    case "Elicitation":
      return { mcp_server_name: "", mode: "form", ...snakeKeys(payload) };
    default:
      return snakeKeys("toolName" in payload ? toolPayload(payload, context) : payload);
  }
}

function titleOf({ sessionId }: HookInput, { sessionTitle }: WireContext): JsonObject {
  const title = sessionTitle?.(sessionId);
  return title === undefined || title === "" ? {} : { session_title: title };
}

/** Nothing wakes a session by itself here. */
function stopPayload({ backgroundTasks }: HookPayloads["Stop"], payload: JsonObject): JsonObject {
  const tasks = backgroundTasks.map((task) => snakeKeys({ ...task }));
  return { ...snakeKeys(payload), background_tasks: tasks, session_crons: [] };
}

/** The server of a tool `mcp__server__tool`. Where its entry is from is not known: the protocol takes any word for "configured". */
function serverOf(tool: string): JsonObject {
  const name = /^mcp__(.+?)__/.exec(tool)?.[1];
  return name === undefined ? {} : { mcpServer: { name, source: "configured" } };
}

function toolPayload(payload: JsonObject, { dir, hostDirectory }: WireContext, details?: JsonValue): JsonObject {
  const tool = String(payload.toolName);
  const toolInput = payload.toolInput ?? null;
  const response = payload.toolResponse;
  return {
    ...payload,
    ...serverOf(tool),
    toolName: theirToolName(tool),
    toolInput: theirInput(tool, toolInput, dir),
    ...(response !== undefined && {
      toolResponse: theirResponse(tool, {
        input: toolInput,
        output: response,
        details,
        root: dir,
        isElsewhere: hostDirectory !== undefined,
      }),
    }),
  };
}

function snakeKeys(payload: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]: [string, JsonValue]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
