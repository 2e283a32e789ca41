// The server under test of `@modelcontextprotocol/conformance`: prints its URL, and serves until its input ends.
import { type BaseTool, type ContentPart, defineTool, ToolRegistry } from "../../../src/index.js";
import { serveMcp } from "../../../src/mcp/index.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const image: ContentPart = { type: "image", mediaType: "image/png", data: PNG };
const resource: ContentPart = {
  type: "file",
  mediaType: "text/plain",
  data: btoa("This is an embedded resource content."),
  name: "embedded",
};

function tool(name: string, execute: BaseTool["execute"]): BaseTool {
  return defineTool({ name, description: `Tests ${name}.`, permission: "none", execute });
}

const tools = [
  tool("test_simple_text", () => "This is a simple text response for testing."),
  tool("test_image_content", () => ({ output: [image] })),
  tool("test_audio_content", () => ({ output: [{ type: "file", mediaType: "audio/wav", data: WAV }] })),
  tool("test_embedded_resource", () => ({ output: [resource] })),
  tool("test_multiple_content_types", () => ({
    output: [{ type: "text", text: "Multiple content types test:" }, image, resource],
  })),
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  tool("test_tool_with_progress", async function* () {
    for (const progress of [0, 50, 100]) {
      yield { progress, total: 100 };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return "done";
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    permission: "none",
    input: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    execute: () => "done",
  }),
];

const server = await serveMcp(new ToolRegistry(tools), { transport: { port: Number(process.argv[2] ?? 0) } });
console.log(server.url);
process.stdin.on("end", () => void server.close()).resume();
