// What a model sends whose programs on the server call tools.
import type { JsonObject } from "../../../src/contracts/json.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { namedSse } from "../../../src/testing/fault-server/index.js";

/** A program that the model has written, its calls, and the end of it. */
export const PROGRAM = {
  type: "server_tool_use",
  id: "srvtoolu_01",
  name: "code_execution",
  input: { code: "await roll()" },
};
export const CALLER = { type: "code_execution_20260120", tool_id: "srvtoolu_01" };
export const CONTAINER = { id: "container_01", expires_at: "2999-11-23T05:43:51Z" };
export const call = (id: string, caller: JsonObject = CALLER): JsonObject => ({
  type: "tool_use",
  id,
  name: "roll",
  input: {},
  caller,
});

/** One response: its reason to stop, its container, and its blocks. */
export function response(stop_reason: string, container: JsonObject | null, ...content: JsonObject[]): string {
  const usage = { input_tokens: 40, output_tokens: 5 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5", content: [], usage };
  return namedSse([
    { type: "message_start", message: { ...message, container: null } },
    ...content.flatMap((content_block, index): JsonObject[] => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, container }, usage },
    { type: "message_stop" },
  ]);
}

export const roll = defineTool({
  name: "roll",
  description: "Rolls a die.",
  permission: "read_only",
  input: { type: "object" },
  execute: async () => "6",
});

export const RESULT = {
  type: "code_execution_tool_result",
  tool_use_id: "srvtoolu_01",
  content: { type: "code_execution_result", stdout: "6\n", stderr: "", return_code: 0, content: [] },
};
export const say = (text: string): JsonObject => ({ type: "text", text });
