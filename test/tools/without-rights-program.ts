// Runs tool calls in a directory, for a process of another user: `node program.mjs <root>`, the calls as JSON on stdin.
import { readFileSync } from "node:fs";
import { builtinTools } from "../../src/tools/builtin-tools.js";
import { createWorkspace } from "../../src/workspace/create-workspace.js";
import { callTool } from "./call-tool.js";

const [root = "."] = process.argv.slice(2);
const workspace = await createWorkspace({ root });
const tools = builtinTools(workspace, {
  names: ["read_file", "list_dir", "create_dir", "glob", "grep", "write_file", "edit_file"],
});
const answers: string[] = [];
for (const [name, args] of JSON.parse(readFileSync(0, "utf8"))) {
  const tool = tools.find((each) => each.name === name)!;
  const answer = await callTool(tool, args).then(
    ({ text }) => text,
    (error) => `${error.code}: ${error.message}`,
  );
  answers.push(answer.replaceAll(workspace.root, "ROOT"));
}
await workspace.close();
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), answers }));
