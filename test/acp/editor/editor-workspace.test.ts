import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EditorUse } from "../../../src/acp/index.js";
import { AgentEngine, type Workspace } from "../../../src/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { type EditorOptions, openEditor } from "../editor.js";

const FILES = { fs: { readTextFile: true, writeTextFile: true } };

interface Setup {
  readonly turns: Parameters<typeof scripted>[0];
  readonly editor?: EditorOptions;
  readonly use?: EditorUse;
  readonly files?: Record<string, string | Buffer>;
  readonly buffers?: Record<string, string>;
}

/** A session whose workspace is the editor's, with a directory of files of which some have unsaved changes. */
async function open({ turns, editor: options = {}, use, files = {}, buffers = {} }: Setup) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "acp-editor-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const unsaved = new Map(Object.entries(buffers).map(([name, content]) => [join(root, name), content]));
  const provider = scripted(turns);
  let workspace!: Workspace;
  const editor = openEditor(
    {
      mode: "bypassPermissions",
      createEngine: async ({ cwd, withEditor }) => {
        const own = withEditor(await createWorkspace({ root: cwd }), use);
        workspace = own;
        const engine = new AgentEngine({
          provider,
          tools: builtinTools(own),
          permissions: createPermissionChecker({ workspace: own }),
        });
        return { engine, close: () => engine.close().then(() => own.close()) };
      },
    },
    { capabilities: { ...FILES, terminal: true }, buffers: unsaved, ...options },
  );
  const { sessionId } = await editor.open(root);
  return { root, editor, provider, unsaved, workspace, prompt: () => editor.prompt(sessionId, "Go."), sessionId };
}

const outputs = (provider: ReturnType<typeof scripted>) =>
  provider.requests.slice(1).map(({ lastToolResult }) => String(lastToolResult?.output));

test("what the user has not saved is read and edited, and written through the editor", async () => {
  const { root, editor, provider, prompt } = await open({
    files: { "a.ts": "saved\n" },
    buffers: { "a.ts": "not saved\n", "new.ts": "never saved\n" },
    turns: [
      toolCall("read_file", { path: "a.ts" }),
      toolCall("edit_file", { path: "a.ts", old_text: "not saved", new_text: "edited" }),
      toolCall("read_file", { path: "new.ts" }),
      toolCall("write_file", { path: "deep/b.ts", content: "made\n" }),
      text("Done."),
    ],
  });

  await prompt();

  expect(outputs(provider)[0]).toContain("not saved");
  expect(outputs(provider)[2]).toContain("never saved");
  expect(editor.written).toEqual([join(root, "a.ts"), join(root, "deep/b.ts")]);
  expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("edited\n");
  expect(readFileSync(join(root, "deep/b.ts"), "utf8")).toBe("made\n");
});

test("an edit notices that the user has typed since the file was read", async () => {
  const { root, unsaved, provider, prompt } = await open({
    files: { "a.ts": "one\n" },
    buffers: { "a.ts": "one\n" },
    turns: [
      toolCall("read_file", { path: "a.ts" }),
      () => {
        unsaved.set(join(root, "a.ts"), "one, and more\n");
        return toolCall("edit_file", { path: "a.ts", old_text: "one", new_text: "two" });
      },
      text("Done."),
    ],
  });

  await prompt();

  expect(outputs(provider)[1]).toContain("was changed by others since this session read it");
});

test("a file keeps its line endings and byte order mark where the editor leaves them out", async () => {
  const { root, prompt } = await open({
    files: { "a.txt": "\ufeffone\r\ntwo\r\n", "b.txt": "\ufeffone\r\ntwo\r\n" },
    buffers: { "a.txt": "one\ntwo\n", "b.txt": "one\ntwo\nthree\n" },
    turns: [
      toolCall("edit_file", { path: "a.txt", old_text: "two", new_text: "2" }),
      toolCall("edit_file", { path: "b.txt", old_text: "two", new_text: "2" }),
      text("Done."),
    ],
  });

  await prompt();

  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("\ufeffone\r\n2\r\n");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("\ufeffone\r\n2\r\nthree\r\n");
});

test("what is not text, and what the editor does not have, comes from the disk", async () => {
  const { provider, prompt } = await open({
    files: { "a.bin": Buffer.from([0, 1, 2, 255]), "b.ts": "on disk\n" },
    buffers: { "a.bin": "nonsense" },
    turns: [toolCall("read_file", { path: "a.bin" }), toolCall("read_file", { path: "b.ts" }), text("Done.")],
  });

  await prompt();

  expect(outputs(provider)[0]).toContain("not a text file");
  expect(outputs(provider)[1]).toContain("on disk");
});

test("the sandbox decides before the editor is asked", async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "acp-outside-")));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "secret"), "secret\n");
  const { root, editor, workspace } = await open({
    turns: [],
    editor: { capabilities: FILES, buffers: new Map([[join(outside, "secret"), "secret"]]) },
  });
  symlinkSync(outside, join(root, "link"));
  mkdirSync(join(root, ".git"));

  const refused = [
    workspace.files.read("link/secret"),
    workspace.files.read("../secret"),
    workspace.files.write("link/secret", Buffer.from("x")),
    workspace.files.write(".git/config", Buffer.from("x")),
  ];

  for (const each of refused) await expect(each).rejects.toMatchObject({ name: "SandboxError" });
  expect(editor.written).toEqual([]);
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret\n");
});

test("a file that the user replaces is shown with what it held", async () => {
  const { root, editor, prompt } = await open({
    files: { "a.ts": "before\n" },
    turns: [
      toolCall("read_file", { path: "a.ts" }),
      toolCall("write_file", { path: "a.ts", content: "after\n" }),
      text("Done."),
    ],
  });

  await prompt();

  expect(editor.call(editor.of("tool_call")[1]!.toolCallId)).toMatchObject({
    status: "completed",
    content: [{ type: "diff", path: join(root, "a.ts"), oldText: "before\n", newText: "after\n" }],
  });
});

test("commands run in terminals of the editor, which are shown and released", async () => {
  const { editor, provider, root, prompt } = await open({
    turns: [toolCall("bash", { command: "pwd; echo err >&2; exit 3" }), text("Done.")],
  });

  await prompt();

  expect(outputs(provider)[0]).toContain(`${root}\nerr`);
  expect(outputs(provider)[0]).toContain("3");
  const { toolCallId } = editor.of("tool_call")[0]!;
  expect(editor.call(toolCallId)).toMatchObject({
    status: "completed",
    content: [{ type: "terminal", terminalId: "terminal-1" }],
  });
  expect(editor.released).toEqual(["terminal-1"]);
});

test("a command that takes too long, or whose prompt is cancelled, is killed", async () => {
  const { editor, provider, prompt, sessionId } = await open({
    turns: [
      toolCall("bash", { command: "sleep 30", timeout_ms: 100 }),
      toolCall("bash", { command: "sleep 31" }),
      text("Not reached."),
    ],
  });

  const ended = prompt();
  await expect.poll(() => editor.terminals.size).toBe(2);
  await editor.agent.notify("session/cancel", { sessionId });

  expect(await ended).toEqual({ stopReason: "cancelled" });
  expect(outputs(provider)[0]).toContain("Timed out after 0.1 s");
  await expect.poll(() => editor.released).toEqual(["terminal-1", "terminal-2"]);
  expect([...editor.terminals.values()].map(({ exit }) => exit?.signal)).toEqual(["SIGKILL", "SIGKILL"]);
});

test("the host may leave the editor's terminals and files alone", async () => {
  const { editor, provider, prompt } = await open({
    use: { terminal: false, files: false },
    files: { "a.ts": "saved\n" },
    buffers: { "a.ts": "not saved\n" },
    turns: [[toolCall("bash", { command: "echo here" }), toolCall("read_file", { path: "a.ts" })], text("Done.")],
  });

  await prompt();

  expect(editor.terminals.size).toBe(0);
  expect(String(provider.requests[1]?.lastToolResult?.output)).toContain("saved");
  expect(editor.text()).toBe("Done.");
});
