// A process of its own: runs the calls that it is given in a session of a workspace, and prints what the mail at their end was asked about.
// `node kept-files-program.mjs <root> <session> <calls as JSON> [kill]`. With `kill` it dies right after the last call, as by a power cut.
import { join } from "node:path";
import type { JsonObject } from "../../src/index.js";
import { AgentEngine } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { mail, page } from "./mail-tools.js";

const [root = "", sessionId = "", given = "[]", kill] = process.argv.slice(2);
const calls = JSON.parse(given) as { name: string; input: JsonObject }[];
const workspace = await createWorkspace({ root });
const tools = [page, mail, ...builtinTools(workspace)];
const reasons: string[] = [];
const engine = new AgentEngine({
  provider: scripted([
    ...calls.map(({ name, input }) => toolCall(name, input)),
    () => {
      if (kill) process.kill(process.pid, "SIGKILL");
      return toolCall("send_mail", { to: "eve@x.example", text: "Hello" });
    },
    text("Done."),
  ]),
  sessions: createFileSessionStore({ dir: join(root, "../sessions") }),
  tools,
  permissions: createPermissionChecker({ workspace, rules: { allow: tools.map(({ name }) => name) }, flow: {} }),
  approver({ tool, reason }) {
    if (tool === "send_mail") reasons.push(reason);
    return { decision: "allow" };
  },
});
const { status } = await engine.run("Go on", { sessionId });
await engine.close();
await workspace.close();
process.stdout.write(JSON.stringify({ status, reasons }));
