import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveAcp } from "../../src/acp/index.js";
import { AgentEngine, defineTool } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createFileSessionStore, createMemorySessionStore } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { openEditor, startProgram } from "./editor.js";

const PROGRAM = new URL("agent-program.ts", import.meta.url);

function temporary(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "acp-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A tool that runs until it is aborted, and what resolves once it runs. */
function waiting() {
  let started = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const tool = defineTool({
    name: "wait",
    description: "Waits.",
    permission: "none",
    execute: (_input, { signal }) => {
      started();
      return new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped")));
    },
  });
  return { tool, running };
}

test("an editor starts an agent as a program, approves its call, and sees nothing but the protocol", async () => {
  const root = temporary();
  const { editor, child, exited, stderr } = await startProgram(PROGRAM, [temporary()]);
  const { sessionId } = await editor.open(root);

  const { stopReason } = await editor.prompt(sessionId, "Make it.");

  expect(stopReason).toBe("end_turn");
  expect(editor.text()).toBe("It is made.");
  expect(readFileSync(join(root, "made.txt"), "utf8")).toBe("made\n");
  expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual([
    "allow_once",
    "reject_once",
    "allow_always",
    "reject_always",
  ]);
  expect(stderr()).toContain("a line that is not of the protocol\nnor is this\n");
  child.stdin.end();
  expect(await exited).toBe(0);
});

/** An engine in whose workspace everything but reading asks. */
async function codingEngine(root: string, turns: Parameters<typeof scripted>[0]) {
  const workspace = await createWorkspace({ root });
  const provider = scripted(turns);
  const engine = new AgentEngine({
    provider,
    tools: builtinTools(workspace),
    permissions: createPermissionChecker({ workspace }),
  });
  onTestFinished(async () => {
    await engine.close();
    await workspace.close();
  });
  return { engine, provider, workspace };
}

test("an agent introduces itself, its modes and what it can do", async () => {
  const { engine } = await codingEngine(temporary(), []);
  const editor = openEditor({ engine, name: "helper", version: "2.0.0" });

  const hello = await editor.initialize();
  const opened = await editor.agent.request("session/new", { cwd: "/tmp", mcpServers: [] });

  expect(hello).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "helper", version: "2.0.0" },
    authMethods: [],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, delete: {}, close: {}, resume: {} },
    },
  });
  expect(opened.modes?.currentModeId).toBe("default");
  expect(opened.modes?.availableModes.map(({ id }) => id)).toEqual([
    "default",
    "acceptEdits",
    "plan",
    "dontAsk",
    "bypassPermissions",
  ]);
});

test("text, thoughts, calls, plans and diffs are updates, in order", async () => {
  const root = temporary();
  writeFileSync(join(root, "a.ts"), "const a = 1;\n");
  const todos = [{ content: "Change a", status: "in_progress" }];
  const { engine, provider } = await codingEngine(root, [
    [
      { type: "reasoning", text: "Let me see." },
      "I look.",
      toolCall("todo_write", { todos }),
      toolCall("read_file", { path: "a.ts" }),
    ],
    toolCall("edit_file", { path: "a.ts", old_text: "a = 1", new_text: "a = 2" }),
    text("Changed."),
  ]);
  const editor = openEditor({ engine });
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Change a to 2.");

  expect(editor.text()).toBe("I look.Changed.");
  expect(editor.text("agent_thought_chunk")).toBe("Let me see.");
  expect(editor.of("plan").at(-1)?.entries).toEqual([
    { content: "Change a", status: "in_progress", priority: "medium" },
  ]);
  const calls = editor.of("tool_call");
  expect(calls.map(({ title, kind, status }) => ({ title, kind, status }))).toEqual([
    { title: "Read a.ts", kind: "read", status: "pending" },
    { title: "Update the plan", kind: "think", status: "pending" },
    { title: "Edit a.ts", kind: "edit", status: "pending" },
  ]);
  expect(calls[0]?.locations).toEqual([{ path: join(root, "a.ts") }]);
  expect(editor.call(calls[2]!.toolCallId)).toMatchObject({
    status: "completed",
    content: [{ type: "diff", path: join(root, "a.ts"), oldText: "a = 1", newText: "a = 2" }],
  });
  expect(editor.asked[0]?.toolCall).toMatchObject({
    toolCallId: calls[2]!.toolCallId,
    title: "Edit a.ts",
    content: [{ type: "diff" }, { type: "content" }],
  });
  expect(editor.of("session_info_update")[0]?.title).toBe("Change a to 2.");
  provider.assertExhausted();
});

test("a call that the user rejects does not run, and the model is told", async () => {
  const root = temporary();
  const { engine, provider } = await codingEngine(root, [
    toolCall("write_file", { path: "a.ts", content: "1" }),
    text("Then not."),
  ]);
  const editor = openEditor({ engine }, { permit: () => "reject_once" });
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Write.");

  expect(() => readFileSync(join(root, "a.ts"))).toThrow("ENOENT");
  expect(editor.call(editor.of("tool_call")[0]!.toolCallId).status).toBe("failed");
  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true });
});

test("what is always allowed is not asked again; what is always rejected neither", async () => {
  const root = temporary();
  const write = (path: string) => toolCall("bash", { command: `touch ${path}` });
  const { engine } = await codingEngine(root, [write("a"), write("a"), text("Done.")]);
  const editor = openEditor({ engine }, { permit: () => "allow_always" });
  const { sessionId } = await editor.open(root);
  await editor.prompt(sessionId, "Touch.");
  expect(editor.asked).toHaveLength(1);
  expect(editor.asked[0]?.options[2]?.name).toBe("Always allow bash(touch:*)");

  const other = await codingEngine(root, [write("b"), write("b"), text("Done.")]);
  const strict = openEditor({ engine: other.engine }, { permit: () => "reject_always" });
  const second = await strict.open(root);
  await strict.prompt(second.sessionId, "Touch.");
  expect(strict.asked).toHaveLength(1);
  expect(other.provider.requests[2]?.lastToolResult).toMatchObject({ isError: true });
});

test("an option that was not offered denies", async () => {
  const root = temporary();
  const { engine } = await codingEngine(root, [toolCall("bash", { command: "touch a" }), text("No.")]);
  const editor = openEditor({ engine }, { permit: () => "yes_to_everything" });
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Touch.");

  expect(() => readFileSync(join(root, "a"))).toThrow("ENOENT");
});

test("two questions of one turn are asked at once, and the run goes on when both are answered", async () => {
  const root = temporary();
  const { engine } = await codingEngine(root, [
    [toolCall("write_file", { path: "a", content: "1" }), toolCall("write_file", { path: "b", content: "2" })],
    text("Both."),
  ]);
  let both = () => {};
  const seen = new Promise<void>((resolve) => {
    both = resolve;
  });
  const editor = openEditor(
    { engine },
    {
      permit: async () => {
        if (editor.asked.length === 2) both();
        await seen;
        return "allow_once";
      },
    },
  );
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Write both.");

  expect(readFileSync(join(root, "a"), "utf8") + readFileSync(join(root, "b"), "utf8")).toBe("12");
});

test("a mode set by the user counts at once, also for the run under way", async () => {
  const root = temporary();
  const { engine } = await codingEngine(root, [
    toolCall("write_file", { path: "a", content: "1" }),
    toolCall("write_file", { path: "b", content: "2" }),
    text("Done."),
  ]);
  const editor = openEditor(
    { engine },
    {
      permit: async ({ sessionId }) => {
        await editor.agent.request("session/set_mode", { sessionId, modeId: "acceptEdits" });
        return "allow_once";
      },
    },
  );
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Write both.");

  expect(editor.asked).toHaveLength(1);
  expect(readFileSync(join(root, "b"), "utf8")).toBe("2");
  await expect(editor.agent.request("session/set_mode", { sessionId, modeId: "yolo" })).rejects.toThrow(
    'There is no mode "yolo"',
  );
});

test("the mode is an option, too, and a gate's own mode is shown", async () => {
  const root = temporary();
  const permissions = createPermissionChecker({ mode: "plan" });
  const engine = new AgentEngine({ provider: scripted([]), permissions });
  const editor = openEditor({ engine, models: { fast: scripted([]), slow: scripted([]) } });
  const { sessionId, modes, configOptions } = await editor.open(root);
  expect(modes?.currentModeId).toBe("plan");
  expect(configOptions?.map(({ id, currentValue }) => ({ id, currentValue }))).toEqual([
    { id: "mode", currentValue: "plan" },
    { id: "model", currentValue: "fast" },
  ]);

  const set = await editor.agent.request("session/set_config_option", {
    sessionId,
    configId: "model",
    value: "slow",
  });

  expect(set.configOptions[1]?.currentValue).toBe("slow");
  await expect(
    editor.agent.request("session/set_config_option", { sessionId, configId: "model", value: "none" }),
  ).rejects.toThrow('Option "model" cannot be "none"');
});

test("a cancelled prompt ends as cancelled: while a tool runs, and while the user is asked", async () => {
  const root = temporary();
  const { tool: deaf, running } = waiting();
  const ask = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: () => "done" });
  const provider = scripted([toolCall("wait"), toolCall("act"), text("Go on.")]);
  const engine = new AgentEngine({ provider, tools: [deaf, ask] });
  let reached = () => {};
  const asking = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const editor = openEditor(
    { engine },
    {
      permit: () => {
        reached();
        return new Promise<string | null>(() => {}); // This editor never answers what was cancelled.
      },
    },
  );
  const { sessionId } = await editor.open(root);

  const first = editor.prompt(sessionId, "Wait.");
  await running;
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await first).toEqual({ stopReason: "cancelled" });
  expect(editor.call(editor.of("tool_call")[0]!.toolCallId).status).toBe("failed");

  const second = editor.prompt(sessionId, "Act.");
  await asking;
  await expect(editor.prompt(sessionId, "And?")).rejects.toThrow("has a prompt under way");
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await second).toEqual({ stopReason: "cancelled" });

  expect(await editor.prompt(sessionId, "Go on.")).toMatchObject({ stopReason: "end_turn" });
  expect(editor.text()).toContain("Go on.");
});

test("a cancel and the outcome of the open question in one packet end the prompt as cancelled", async () => {
  const root = temporary();
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: () => "done" });
  const engine = new AgentEngine({ provider: scripted([toolCall("act"), text("Go on.")]), tools: [act] });
  let session = "";
  const editor = openEditor(
    { engine },
    {
      permit: async () => {
        void editor.agent.notify("session/cancel", { sessionId: session });
        return null;
      },
    },
  );
  session = (await editor.open(root)).sessionId;

  expect(await editor.prompt(session, "Act.")).toEqual({ stopReason: "cancelled" });
  expect(await editor.prompt(session, "Go on.")).toMatchObject({ stopReason: "end_turn" });
});

test("a session is loaded and taken up in the mode that it was in last", async () => {
  const root = temporary();
  const sessions = createFileSessionStore({ dir: temporary() });
  const editorOf = () => openEditor({ engine: new AgentEngine({ provider: scripted([text("Hi.")]), sessions }) });
  const first = editorOf();
  const { sessionId } = await first.open(root);
  await first.agent.request("session/set_mode", { sessionId, modeId: "acceptEdits" });
  await first.prompt(sessionId, "Hi.");
  await first.agent.request("session/set_mode", { sessionId, modeId: "plan" });
  const loaded = await first.agent.request("session/load", { sessionId, cwd: root, mcpServers: [] });
  first.connection.close();

  const again = editorOf();
  await again.initialize();
  const resumed = await again.agent.request("session/resume", { sessionId, cwd: root });

  expect([loaded, resumed].map(({ modes }) => modes?.currentModeId)).toEqual(["plan", "plan"]);
});

test("a session is listed, loaded with all that was said, taken up without it, closed and deleted", async () => {
  const root = temporary();
  const sessions = createFileSessionStore({ dir: temporary() });
  const engineOf = () => {
    const provider = scripted([[text("I look."), toolCall("look")], text("Seen."), text("Again.")]);
    const look = defineTool({ name: "look", description: "Looks.", permission: "none", execute: () => "a view" });
    return new AgentEngine({ provider, tools: [look], sessions });
  };
  const first = openEditor({ engine: engineOf() });
  const { sessionId } = await first.open(root);
  await first.open("/");
  await first.prompt(sessionId, "Look\nat it.");
  first.connection.close();

  const again = openEditor({ engine: engineOf() });
  await again.initialize();
  const { sessions: listed } = await again.agent.request("session/list", {});
  expect(listed).toMatchObject([{ sessionId, cwd: root, title: "Look" }]);
  expect(await again.agent.request("session/list", { cwd: "/elsewhere" })).toEqual({ sessions: [] });

  const loaded = await again.agent.request("session/load", { sessionId, cwd: root, mcpServers: [] });
  expect(loaded.modes?.currentModeId).toBe("default");
  const shown = again.updates.filter(({ sessionUpdate }) => sessionUpdate !== "available_commands_update");
  expect(shown.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "user_message_chunk",
    "agent_message_chunk",
    "tool_call",
    "tool_call_update",
    "agent_message_chunk",
  ]);
  expect(again.call(again.of("tool_call")[0]!.toolCallId)).toMatchObject({
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: "a view" } }],
  });

  await again.agent.request("session/close", { sessionId });
  await expect(again.prompt(sessionId, "?")).rejects.toThrow(/not found/i);
  const before = again.updates.length;
  await again.agent.request("session/resume", { sessionId, cwd: root });
  expect(again.updates.length).toBe(before);
  await again.prompt(sessionId, "Once more.");
  expect(again.text()).toContain("I look.");

  await again.agent.request("session/delete", { sessionId });
  expect(await again.agent.request("session/list", {})).toEqual({ sessions: [] });
  await expect(again.agent.request("session/load", { sessionId, cwd: root, mcpServers: [] })).rejects.toThrow(
    /not found/i,
  );
});

test("questions are choices, forms, or the user's next message, as the editor can", async () => {
  const root = temporary();
  const question = { question: "Which?", options: ["red", "blue"] };
  const turns = () => [toolCall("ask_user", question), text("So be it.")];
  const choosing = await codingEngine(root, turns());
  const editor = openEditor({ engine: choosing.engine }, { permit: () => "blue" });
  await editor.prompt((await editor.open(root)).sessionId, "Ask.");
  expect(editor.asked[0]?.options.map(({ name }) => name)).toEqual(["red", "blue", "Skip"]);
  expect(choosing.provider.requests[1]?.lastToolResult).toMatchObject({ output: "blue" });

  const forms = await codingEngine(root, turns());
  const withForms = openEditor(
    { engine: forms.engine },
    {
      capabilities: { elicitation: { form: {} } },
      elicit: () => ({ action: "accept", content: { choice: "red", answer: "green" } }),
    },
  );
  await withForms.prompt((await withForms.open(root)).sessionId, "Ask.");
  expect(forms.provider.requests[1]?.lastToolResult).toMatchObject({ output: expect.stringContaining("green") });

  const plain = await codingEngine(root, [toolCall("ask_user", { question: "What is its name?" }), text("Nice.")]);
  const simple = openEditor({ engine: plain.engine });
  const { sessionId } = await simple.open(root);
  expect(await simple.prompt(sessionId, "Ask.")).toMatchObject({ stopReason: "end_turn" });
  expect(simple.text()).toContain("What is its name?");
  await simple.prompt(sessionId, "Ada");
  expect(plain.provider.requests[1]?.lastToolResult).toMatchObject({ output: "Ada" });
  expect(simple.text()).toContain("Nice.");
});

test("images, links and embedded files of a prompt reach the model", async () => {
  const provider = scripted([text("Seen.")]);
  const editor = openEditor({ engine: new AgentEngine({ provider }) });
  const { sessionId } = await editor.open("/");

  await editor.prompt(sessionId, [
    { type: "text", text: "Look:" },
    { type: "image", mimeType: "image/png", data: "aWJt" },
    { type: "resource_link", name: "a.ts", uri: "file:///src/a.ts" },
    { type: "resource", resource: { uri: "file:///src/b.ts", text: "let b;" } },
  ]);

  const [message] = provider.requests[0]!.messages;
  expect(message?.content).toEqual([
    { type: "text", text: "Look:" },
    { type: "image", mediaType: "image/png", data: "aWJt" },
    { type: "text", text: "[a.ts](/src/a.ts)" },
    { type: "text", text: '<resource path="/src/b.ts">\nlet b;\n</resource>' },
  ]);
});

test("a run that fails is an error with its code; one that reaches its turns says so", async () => {
  const failing = new AgentEngine({ provider: scripted([]), retry: false });
  const editor = openEditor({ engine: failing });
  const { sessionId } = await editor.open("/");
  await expect(editor.prompt(sessionId, "Go.")).rejects.toMatchObject({ data: { code: expect.any(String) } });

  const look = defineTool({ name: "look", description: "Looks.", permission: "none", execute: () => "a view" });
  const short = new AgentEngine({ provider: scripted([toolCall("look")]), tools: [look], limits: { maxTurns: 1 } });
  const other = openEditor({ engine: short });
  const opened = await other.open("/");
  expect(await other.prompt(opened.sessionId, "Go.")).toMatchObject({ stopReason: "max_turn_requests" });
});

test("commands are offered, and make the prompt", async () => {
  const provider = scripted([text("Reviewed.")]);
  const commands = [
    { name: "review", description: "Reviews a file.", hint: "file", prompt: (file: string) => `Review ${file} well.` },
  ];
  const editor = openEditor({ engine: new AgentEngine({ provider }), commands });
  const { sessionId } = await editor.open("/");

  await editor.prompt(sessionId, "/review a.ts");

  expect(editor.of("available_commands_update")[0]?.availableCommands).toEqual([
    { name: "review", description: "Reviews a file.", input: { hint: "file" } },
  ]);
  expect(provider.requests[0]?.messages[0]?.content).toEqual([{ type: "text", text: "Review a.ts well." }]);
});

test("an engine made for a session gets the editor's servers and directories, and ends with it", async () => {
  const seen: unknown[] = [];
  let closed = 0;
  const engines: AgentEngine[] = [];
  const editor = openEditor({
    sessions: createMemorySessionStore(),
    createEngine: ({ cwd, mcpServers, additionalDirectories, editor: about }) => {
      seen.push({ cwd, mcpServers, additionalDirectories, about });
      const engine = new AgentEngine({ provider: scripted([text("Hi.")]) });
      engines.push(engine);
      return {
        engine,
        close() {
          closed++;
          return engine.close();
        },
      };
    },
  });
  await editor.initialize();
  const { sessionId } = await editor.agent.request("session/new", {
    cwd: "/tmp",
    additionalDirectories: ["/var"],
    mcpServers: [
      { name: "files", command: "files", args: ["-x"], env: [{ name: "A", value: "b" }] },
      { type: "http", name: "web", url: "http://localhost/mcp", headers: [] },
    ],
  });

  expect(seen).toMatchObject([
    {
      cwd: "/tmp",
      additionalDirectories: ["/var"],
      mcpServers: [
        { name: "files", command: "files", args: ["-x"], env: { A: "b" } },
        { name: "web", url: "http://localhost/mcp", headers: {} },
      ],
      about: { readsFiles: false, runsCommands: false },
    },
  ]);
  await editor.agent.request("session/close", { sessionId });
  expect(closed).toBe(1);
  await expect(engines[0]!.run("?")).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await expect(editor.agent.request("session/new", { cwd: "src", mcpServers: [] })).rejects.toThrow(
    '"src" is not an absolute path',
  );
});

test("every engine that was made is closed: of a session loaded twice at once, and of one the editor did not wait for", async () => {
  const sessions = createMemorySessionStore();
  const before = new AgentEngine({ provider: scripted([text("Hi.")]), sessions });
  const { sessionId } = await before.run("Hello.");
  let made = 0;
  let closed = 0;
  let makeLast = () => {};
  const lastIsMade = new Promise<void>((resolve) => {
    makeLast = resolve;
  });
  const editor = openEditor({
    sessions,
    async createEngine() {
      const nth = ++made;
      await (nth > 2 ? lastIsMade : new Promise((resolve) => setImmediate(resolve)));
      const engine = new AgentEngine({ provider: scripted([]), sessions });
      return { engine, close: () => engine.close().then(() => void closed++) };
    },
  });
  await editor.initialize();
  const load = () => editor.agent.request("session/load", { sessionId, cwd: "/", mcpServers: [] });

  await Promise.all([load(), load()]);
  expect({ made, closed }).toEqual({ made: 2, closed: 1 });
  const lost = editor.agent.request("session/new", { cwd: "/", mcpServers: [] }).catch((error: Error) => error);
  await expect.poll(() => made).toBe(3);
  editor.connection.close();
  expect(await lost).toBeInstanceOf(Error);
  makeLast();
  await editor.server.closed;

  expect({ made, closed }).toEqual({ made: 3, closed: 3 });
});

test("when the editor is gone its runs are aborted, and what was said is kept", async () => {
  const sessions = createMemorySessionStore();
  const { tool: wait, running } = waiting();
  const engine = new AgentEngine({ provider: scripted([toolCall("wait"), text("Back.")]), tools: [wait], sessions });
  const editor = openEditor({ engine });
  const { sessionId } = await editor.open("/");
  const lost = editor.prompt(sessionId, "Wait.").catch((error: Error) => error);
  await running;

  editor.connection.close();
  expect(await lost).toBeInstanceOf(Error);
  const again = openEditor({ engine });
  await again.initialize();
  await again.agent.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
  await again.prompt(sessionId, "Still there?");

  expect(again.text("user_message_chunk")).toBe("Wait.");
  expect(again.text()).toBe("Back.");
});

test("sub-agents' calls are shown under their names, and their questions are asked", async () => {
  const root = temporary();
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: () => "acted" });
  const child = scripted([toolCall("act"), text("The child is done.")]);
  const worker = defineSubagent({
    name: "worker",
    description: "Works.",
    systemPrompt: "Work.",
    tools: ["act"],
    model: child,
  });
  const task = { description: "Do it", prompt: "Do it.", subagent_type: "worker" };
  const engine = new AgentEngine({
    provider: scripted([toolCall("task", task), text("All done.")]),
    tools: [act, ...createSubagentTools({ subagents: [worker] })],
  });
  const editor = openEditor({ engine });
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Go.");

  const calls = editor.of("tool_call");
  expect(calls.map(({ title, _meta }) => ({ title, _meta }))).toEqual([
    { title: "worker: Do it", _meta: undefined },
    { title: "worker: act", _meta: { loopwright: { agentPath: ["worker"] } } },
  ]);
  expect(editor.asked[0]?.toolCall).toMatchObject({ toolCallId: calls[1]!.toolCallId, title: "worker: act" });
  expect(calls.map(({ toolCallId }) => editor.call(toolCallId).status)).toEqual(["completed", "completed"]);
  expect(editor.text()).toBe("All done.");
});

test("a model call that is tried again leaves no call open", async () => {
  const look = defineTool({ name: "look", description: "Looks.", permission: "none", execute: () => "a view" });
  const broken = [text("I will"), { name: "look", id: "lost" }];
  const engine = new AgentEngine({
    provider: scripted([
      { restartAfter: broken, text: "I look.", toolCalls: [{ name: "look", id: "kept" }] },
      text("Seen."),
    ]),
    tools: [look],
    eagerTools: false,
  });
  const editor = openEditor({ engine });
  const { sessionId } = await editor.open("/");

  await editor.prompt(sessionId, "Look.");

  expect(editor.text()).toContain("I will\n\n*The connection to the model broke. Trying again.*\n\nI look.");
  const open = editor.of("tool_call").filter(({ toolCallId }) => {
    return !["completed", "failed"].includes(String(editor.call(toolCallId).status));
  });
  expect(open).toEqual([]);
});

test("what of the window is used, and what it has cost, is shown", async () => {
  const usage = { inputTokens: 900, outputTokens: 100 };
  const provider = {
    ...scripted([
      { text: "One.", usage },
      { text: "Two.", usage },
    ]),
    contextWindow: 10_000,
  };
  const engine = new AgentEngine({
    provider,
    prices: () => 0.25,
  });
  const editor = openEditor({ engine });
  const { sessionId } = await editor.open("/");

  await editor.prompt(sessionId, "One?");
  await editor.prompt(sessionId, "Two?");

  expect(editor.of("usage_update").map(({ used, size, cost }) => ({ used, size, cost }))).toEqual([
    { used: 1_000, size: 10_000, cost: { amount: 0.25, currency: "USD" } },
    { used: 1_000, size: 10_000, cost: { amount: 0.5, currency: "USD" } },
  ]);
});

test("with the session's approver the user is asked while the run goes on", async () => {
  const root = temporary();
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: () => "acted" });
  const provider = scripted([toolCall("act"), text("Done.")]);
  const editor = openEditor({
    createEngine: ({ approver }) => new AgentEngine({ provider, tools: [act], approver }),
  });
  const { sessionId } = await editor.open(root);

  await editor.prompt(sessionId, "Act.");

  expect(editor.asked).toHaveLength(1);
  expect(editor.text()).toBe("Done.");
  await expect(editor.agent.request("session/list", {})).rejects.toMatchObject({ code: -32601 });
});

test("a sub-agent's transcript cannot be loaded or deleted", async () => {
  const sessions = createMemorySessionStore();
  await new AgentEngine({ provider: scripted([text("Hi.")]), sessions }).run("Hi.", { sessionId: "sub-1" });
  const editor = openEditor({ engine: new AgentEngine({ provider: scripted([]), sessions }) });
  await editor.initialize();
  const inner = { sessionId: "sub-1", cwd: "/", mcpServers: [] };

  await expect(editor.agent.request("session/load", inner)).rejects.toThrow(/not found/i);
  await editor.agent.request("session/delete", { sessionId: "sub-1" });

  const kept: string[] = [];
  for await (const { id } of sessions.list({ prefix: "sub-" })) kept.push(id);
  expect(kept).toEqual(["sub-1"]);
});

test("garbage on the wire is answered and changes nothing", async () => {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toEditor = new TransformStream<Uint8Array, Uint8Array>();
  const engine = new AgentEngine({ provider: scripted([text("Hi.")]) });
  const server = serveAcp({ engine, input: toAgent.readable, output: toEditor.writable });
  const writer = toAgent.writable.getWriter();
  const lines = toEditor.readable.getReader();
  const send = (line: string) => writer.write(Buffer.from(`${line}\n`));
  const read = async () => JSON.parse(Buffer.from((await lines.read()).value!).toString());

  void send("not json");
  expect(await read()).toMatchObject({ id: null, error: { code: -32700 } });
  void send('{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"x","prompt":[]}}');
  expect(await read()).toMatchObject({ id: 1, error: { code: -32600 } });
  void send('{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":99}}');
  expect(await read()).toMatchObject({ id: 2, result: { protocolVersion: 1 } });
  void send('{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":7}}');
  expect(await read()).toMatchObject({ id: 3, error: { code: -32602 } });
  void send('{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"x","prompt":[]}}');
  expect(await read()).toMatchObject({ id: 4, error: { code: -32002 } });

  await server.close();
  await server.closed;
});
