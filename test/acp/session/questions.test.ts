import { expect, test } from "vitest";
import { AgentEngine, defineTool, type PermissionMode } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { openEditor } from "../editor.js";

const name = toolCall("ask_user", { question: "What is its name?" });
const age = toolCall("ask_user", { question: "How old is it?" });

test("one text answers one question; of two open questions it answers neither", async () => {
  const provider = scripted([[name, age], text("I see."), text("Well.")]);
  const editor = openEditor({ engine: new AgentEngine({ provider, tools: [createAskUserTool()] }) });
  const { sessionId } = await editor.open("/");

  await editor.prompt(sessionId, "Ask.");
  expect(editor.text()).toContain("What is its name?");
  expect(editor.text()).toContain("How old is it?");
  await editor.prompt(sessionId, "Seven");

  const results = provider.requests[1]!.messages.filter(({ role }) => role === "tool");
  expect(JSON.stringify(results)).not.toContain("Seven");
  expect(JSON.stringify(provider.requests[1]!.messages.at(-1))).toContain("Seven");
});

test("a question of a session that is loaded again is answered by the user's next message", async () => {
  const sessions = createMemorySessionStore();
  const editorOf = (provider: ReturnType<typeof scripted>) =>
    openEditor({ engine: new AgentEngine({ provider, tools: [createAskUserTool()], sessions }) });
  const first = editorOf(scripted([name]));
  const { sessionId } = await first.open("/");
  await first.prompt(sessionId, "Ask.");
  first.connection.close();

  const provider = scripted([text("Nice.")]);
  const again = editorOf(provider);
  await again.initialize();
  await again.agent.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
  await again.prompt(sessionId, "Ada");

  expect(again.text()).toContain("What is its name?");
  expect(provider.requests[0]?.lastToolResult).toMatchObject({ output: "Ada", isError: false });
});

test.each([
  [{ answer: "  ", choice: "red" }, "red"],
  [{ answer: "green", choice: "red" }, "green"],
  [{ answer: " \n" }, "The answer is empty."],
])("a form that is filled with %j gives the answer in words, then the choice", async (content, output) => {
  const provider = scripted([
    toolCall("ask_user", { question: "Which?", options: ["red", "blue"] }),
    text("So be it."),
  ]);
  const editor = openEditor(
    { engine: new AgentEngine({ provider, tools: [createAskUserTool()] }) },
    { capabilities: { elicitation: { form: {} } }, elicit: () => ({ action: "accept", content }) },
  );
  await editor.prompt((await editor.open("/")).sessionId, "Ask.");

  expect(String(provider.requests[1]?.lastToolResult?.output)).toContain(output);
});

test("sessions are listed page by page, each once, and those of a directory are not those of its neighbours", async () => {
  const provider = scripted(Array.from({ length: 53 }, () => text("Hi.")));
  const editor = openEditor({ engine: new AgentEngine({ provider, sessions: createMemorySessionStore() }) });
  await editor.initialize();
  const made: string[] = [];
  for (let n = 0; n < 53; n++) {
    const cwd = n < 51 ? "/work/app" : `/work/app-${n}`;
    const { sessionId } = await editor.agent.request("session/new", { cwd, mcpServers: [] });
    await editor.prompt(sessionId, "Hi.");
    if (n < 51) made.push(sessionId);
  }

  const listed: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await editor.agent.request("session/list", { cwd: "/work/app", ...(cursor && { cursor }) });
    listed.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
  } while (cursor);

  expect(listed).toHaveLength(51);
  expect(new Set(listed)).toEqual(new Set(made));
});

test("a mode that the user sets counts for the next prompt where the gate keeps none", async () => {
  const modes: (PermissionMode | undefined)[] = [];
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: () => "acted" });
  const editor = openEditor({
    engine: new AgentEngine({
      provider: scripted([toolCall("act"), text("Done."), toolCall("act"), text("Done.")]),
      tools: [act],
      permissions: {
        decide: ({ mode }) => {
          modes.push(mode);
          return { behavior: "allow" };
        },
      },
    }),
  });
  const { sessionId } = await editor.open("/");

  await editor.prompt(sessionId, "Act.");
  await editor.agent.request("session/set_mode", { sessionId, modeId: "acceptEdits" });
  await editor.prompt(sessionId, "Act.");

  expect(modes.at(-1)).toBe("acceptEdits");
  expect(modes[0]).not.toBe("acceptEdits");
});
