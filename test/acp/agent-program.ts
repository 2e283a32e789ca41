// An agent as editors start it, for tests: a scripted model, a coding agent's tools, sessions on disk.
import { serveAcp } from "../../src/acp/index.js";
import { AgentEngine, defineTool } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";

const [, , dir = ""] = process.argv;
const sessions = createFileSessionStore({ dir });
const loud = defineTool({
  name: "loud",
  description: "Writes to standard output.",
  permission: "none",
  execute: () => {
    console.log("a line that is not of the protocol");
    process.stdout.write("nor is this\n");
    return "written";
  },
});

const server = serveAcp({
  sessions,
  async createEngine({ cwd, withEditor }) {
    const workspace = withEditor(await createWorkspace({ root: cwd }));
    const engine = new AgentEngine({
      provider: scripted([
        [toolCall("loud"), toolCall("bash", { command: "echo made > made.txt" })],
        text("It is made."),
      ]),
      tools: [...builtinTools(workspace), loud],
      permissions: createPermissionChecker({ workspace }),
      sessions,
    });
    return {
      engine,
      async close() {
        await engine.close();
        await workspace.close();
      },
    };
  },
});
await server.closed;
