// Points about what the user typed and is shown, fields of answers that count for nothing, and typed inputs.
import { AgentEngine, defineTool, type EngineEvent, type HookMap, isHookInputFor } from "loopwright";
import { commandHook } from "loopwright/hooks";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

async function eventsOf(hooks: HookMap, turns = [text("The key is 1234.")]): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = [];
  const engine = new AgentEngine({ provider: scripted(turns), hooks });
  for await (const event of engine.stream("go")) events.push(event);
  return events;
}

const shown = (events: readonly EngineEvent[]) => events.flatMap((one) => (one.type === "text-delta" ? one.text : []));

test("observers get what a display hook returns, and the result keeps the text", async () => {
  const engine = new AgentEngine({
    provider: scripted([text("The key is 1234.")]),
    hooks: { MessageDisplay: [{ run: ({ delta }) => ({ displayContent: delta.replace(/\d/g, "*") }) }] },
  });
  const run = engine.stream("go");
  const events: EngineEvent[] = [];
  for await (const event of run) events.push(event);

  expect(shown(events)).toEqual(["The key is ****."]);
  expect((await run.result).text).toBe("The key is 1234.");
});

test("a display hook that fails hides nothing, and without hooks text comes as it is written", async () => {
  const broken = { MessageDisplay: [{ run: () => Promise.reject(new Error("no")) }] };

  expect(shown(await eventsOf(broken)).join("")).toBe("The key is 1234.");
  expect(shown(await eventsOf({})).join("")).toBe("The key is 1234.");
});

test("a command's display content is read", async () => {
  const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: "MessageDisplay", displayContent: "hidden" } });

  expect(shown(await eventsOf({ MessageDisplay: [commandHook({ command: `echo '${answer}'` })] }))).toEqual(["hidden"]);
});

test("a hook may block an expansion, and one that fails blocks it, however long it takes", async () => {
  const about = { expansionType: "slash_command", commandName: "deploy", commandArgs: "", prompt: "Deploy." } as const;
  const ask = (run: () => unknown) =>
    new AgentEngine({
      provider: scripted([]),
      limits: { abandonMs: 1 },
      hooks: { UserPromptExpansion: [{ run: run as never }] },
    }).notify("UserPromptExpansion", about, "s");
  const later = (value: unknown) => () => new Promise((resolve) => setTimeout(resolve, 50, value));

  expect(await ask(later({ decision: "block", reason: "Not today." }))).toMatchObject({
    blocked: true,
    reason: "Not today.",
  });
  expect(await ask(later({ additionalContext: "On Friday." }))).toMatchObject({
    blocked: false,
    additionalContext: ["On Friday."],
  });
  expect(await ask(() => Promise.reject(new Error("no")))).toMatchObject({ blocked: true });
});

test("a field without effect is reported once for each hook", async () => {
  const specific = { hookEventName: "PostToolUse", permisionDecision: "deny", classifierContext: "x" };
  const command = `echo '${JSON.stringify({ hookSpecificOutput: specific, "\u001b[2J": 1 })}'`;
  const look = defineTool({ name: "look", description: "Looks.", permission: "none", execute: async () => "seen" });
  const engine = new AgentEngine({
    provider: scripted([[toolCall("look")], [toolCall("look")], text("done")]),
    tools: [look],
    hooks: { PostToolUse: [commandHook({ command })] },
  });
  const notices: string[] = [];
  for await (const event of engine.stream("go")) if (event.type === "notice") notices.push(event.message);

  expect(notices).toEqual([
    'A PostToolUse hook answered with "\\u001b[2J", "permisionDecision", "classifierContext", which has no effect there.',
  ]);
});

test("an input is about a call of a tool, and has the type of its input", async () => {
  const erase = defineTool({
    name: "erase",
    description: "Erases a file.",
    input: z.object({ path: z.string() }),
    permission: "none",
    execute: async () => "gone",
  });
  const paths: string[] = [];
  const engine = new AgentEngine({
    provider: scripted([[toolCall("erase", { path: "a.txt" })], text("done")]),
    tools: [erase],
    hooks: {
      PreToolUse: [
        {
          run(input) {
            if (!isHookInputFor(input, erase)) return;
            expectTypeOf(input.toolInput.path).toEqualTypeOf<string>();
            expectTypeOf(input.toolUseId).toEqualTypeOf<string>();
            paths.push(input.toolInput.path);
          },
        },
      ],
      PostToolBatch: [
        {
          run({ toolCalls }) {
            for (const call of toolCalls) if (isHookInputFor(call, erase)) paths.push(call.toolInput.path);
          },
        },
      ],
      Stop: [{ run: (input) => void expect(isHookInputFor(input, erase)).toBe(false) }],
    },
  });
  await engine.run("go");

  expect(paths).toEqual(["a.txt", "a.txt"]);
});
