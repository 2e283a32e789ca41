// A formatter behind an edit, or a command of the agent, does not stop the next edit; a change by others does.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, type HookMap } from "loopwright";
import { commandHook } from "loopwright/hooks";
import { scripted, type Turn, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { expect, onTestFinished, test } from "vitest";

const BEFORE = "let a = 1\nlet b = 2\nlet c = 3\n";
const read = () => toolCall("read_file", { path: "a.js" });
const edit = (old_text: string, new_text: string) => toolCall("edit_file", { path: "a.js", old_text, new_text });
const bash = (command: string) => toolCall("bash", { command });

async function play(turns: readonly Turn[], hooksFor: (file: string) => HookMap = () => ({})) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "own-changes-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const file = join(root, "a.js");
  writeFileSync(file, BEFORE);
  const workspace = await createWorkspace({ root });
  const engine = new AgentEngine({
    provider: scripted([...turns, text("done")]),
    tools: builtinTools(workspace),
    permissions: { decide: () => ({ behavior: "allow" }) },
    hooks: hooksFor(file),
  });
  const result = await engine.run("Edit.");
  await engine.close();
  await workspace.close();
  const results = result.messages().flatMap((message) => (message.role === "tool" ? message.content : []));
  return {
    outputs: results.map(({ output }) => String(output)),
    failed: results.map(({ isError }) => isError),
    after: readFileSync(file, "utf8"),
  };
}

const formatter = (file: string): HookMap => ({
  PostToolUse: [commandHook({ command: `sed -i 's/$/;/; s/;;*$/;/' '${file}'`, matcher: "Edit|Write" })],
});
/** Somebody else writes to the file when a call of the tool begins. */
const others = (file: string, tool: string, ...more: HookMap[]): HookMap => ({
  ...more[0],
  PreToolUse: [{ run: ({ toolName }) => void (toolName === tool && appendFileSync(file, "// by others\n")) }],
});

test("an edit after a formatter goes through, with a diff of what the formatter did", async () => {
  const { outputs, failed, after } = await play(
    [read(), edit("let a = 1", "let a = 10"), edit("let b = 2", "let b = 20"), edit("let c = 3", "let c = 30")],
    formatter,
  );
  expect(failed).toEqual([false, false, false, false]);
  expect(after).toBe("let a = 10;\nlet b = 20;\nlet c = 30;\n");
  expect(outputs[2]).toMatch(/Before this edit, a hook of this session had changed the file:[\s\S]*\+let c = 3;/);
});

test("an edit after a command of the agent goes through, and says that the file was changed", async () => {
  const { outputs, failed, after } = await play([
    read(),
    bash("sed -i 's/$/;/' a.js"),
    bash("sed -i 's/3/4/' a.js"),
    edit("let b = 2", "let b = 20"),
  ]);
  expect(failed).toEqual([false, false, false, false]);
  expect(after).toBe("let a = 1;\nlet b = 20;\nlet c = 4;\n");
  expect(outputs[3]).toContain("a command of this session had changed the file");
});

test("write_file does not replace what a formatter or a command has changed before it is read again", async () => {
  const write = toolCall("write_file", { path: "a.js", content: "all new\n" });
  for (const turns of [
    [read(), bash("sed -i 's/$/;/' a.js"), write],
    [read(), bash("sed -i 's/$/;/' a.js"), edit("let b = 2", "let b = 20"), write],
  ]) {
    const { failed, after } = await play(turns);
    expect(failed.at(-1)).toBe(true);
    expect(after).toContain("let a = 1;");
  }
  const formatted = await play([read(), edit("let a = 1", "let a = 10"), write], formatter);
  expect(formatted.failed.at(-1)).toBe(true);
});

test("a change by others is refused before and after a command and a formatter", async () => {
  const touch = bash("sed -i 's/$/;/' a.js");
  const between = await play([read(), touch, edit("let b = 2", "let b = 20")], (file) => others(file, "edit_file"));
  expect(between.failed).toEqual([false, false, true]);
  const before = await play([read(), touch, edit("let b = 2", "let b = 20")], (file) => others(file, "bash"));
  expect(before.failed).toEqual([false, false, true]);
  expect(before.outputs[2]).toContain("was changed by others");
  const behind = await play([read(), edit("let a = 1", "let a = 10"), edit("let b = 2", "let b = 20")], (file) => {
    const { PostToolUse } = formatter(file);
    let edits = 0;
    const PreToolUse = [{ run: () => void (++edits === 3 && appendFileSync(file, "// by others\n")) }];
    return { PostToolUse: PostToolUse ?? [], PreToolUse };
  });
  expect(behind.failed).toEqual([false, false, true]);
  expect(behind.after).toContain("// by others");
});

test("what somebody writes while a command runs stays in the file", async () => {
  const { failed, after } = await play([
    read(),
    bash("sed -i 's/$/;/' a.js; echo '// mine' >> a.js"),
    edit("let b = 2", "let b = 20"),
  ]);
  expect(failed.at(-1)).toBe(false);
  expect(after).toBe("let a = 1;\nlet b = 20;\nlet c = 3;\n// mine\n");
});
