// A server that speaks the protocol's revision of July 2026 only, on its standard input and output, for tests.
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const inputSchema = fromJsonSchema({ type: "object", properties: { text: { type: "string" } } });

serveStdio(
  () => {
    const server = new McpServer({ name: "modern", version: "1" }, { instructions: "Be modern." });
    server.registerTool("echo", { description: "Says it again.", inputSchema }, ({ text }) => ({
      content: [{ type: "text", text: `modern ${text}` }],
    }));
    server.registerTool("grow", { description: "Makes a tool.", inputSchema }, () => {
      server.registerTool("late", { description: "Came late.", inputSchema }, () => ({ content: [] }));
      return { content: [{ type: "text", text: "grown" }] };
    });
    return server;
  },
  { legacy: "reject" },
);
