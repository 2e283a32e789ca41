// What tools tell beside their results: reminders before a model call, and notices to hooks.
import { expect, test } from "vitest";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { played, testEngine, tool } from "../kit.js";

test("a tool's reminder reaches the model as a recorded message, each time it says something", async () => {
  const asked: object[] = [];
  const reminding = tool("plan", async () => "noted", {
    reminder(about) {
      const { messages, ...moment } = about;
      asked.push({ ...moment, roles: messages?.().map(({ role }) => role) });
      return about.turn === 2 ? "Two items are open." : null;
    },
  });
  const { engine, provider } = testEngine([toolCall("plan"), toolCall("plan"), text("done")], { tools: [reminding] });

  const result = await engine.run("go", { sessionId: "s" });

  const roles = (turn: number) =>
    ["user", "assistant", "tool", "user", "assistant", "tool"].slice(0, [1, 3, 6][turn - 1]);
  expect(asked).toEqual([1, 2, 3].map((turn) => ({ sessionId: "s", transcriptId: "s", turn, roles: roles(turn) })));
  const reminder = { role: "user", content: [{ type: "text", text: "Two items are open." }], origin: "reminder" };
  expect(provider.requests[1]?.messages.at(-1)).toEqual(reminder);
  expect(result.messages().filter((message) => "origin" in message)).toEqual([reminder]);
});

test("a reminder that throws or answers no text says nothing, and the host is notified of the failure", async () => {
  const broken = tool("broken", async () => "", {
    reminder() {
      throw new Error("out of order");
    },
  });
  const odd = tool("odd", async () => "", { reminder: () => 7 as never });
  const { engine } = testEngine([text("done")], { tools: [broken, odd] });

  const { events, result } = await played(engine.stream("go"));

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(result.messages()).toHaveLength(2);
  expect(events.filter(({ type }) => type === "notice")).toMatchObject([
    { code: "TOOL_REMINDER_FAILED", message: expect.stringContaining("out of order") },
  ]);
});

test("FileChanged is matched by the file's name, and what its hook adds reaches the model", async () => {
  const matched: string[] = [];
  const writer = tool("write", async (_input, { notify }) => {
    notify?.("FileChanged", { filePath: "/app/src/.env", event: "change" });
    notify?.("FileChanged", { filePath: "/app/src/a.ts", event: "add" });
    return "written";
  });
  const { engine, provider } = testEngine([toolCall("write"), text("done")], {
    tools: [writer],
    hooks: {
      FileChanged: [
        {
          matcher: ".env|.envrc",
          run: ({ filePath }) => {
            matched.push(filePath);
            return { additionalContext: "The environment has changed." };
          },
        },
      ],
    },
  });

  const run = engine.stream("go");
  await played(run);
  await run.idle;

  expect(matched).toEqual(["/app/src/.env"]);
  expect(JSON.stringify(provider.requests[1]?.messages)).toContain("The environment has changed.");
});

test("an approval that hangs on what an earlier call changes is asked for again before the call starts", async () => {
  let directory = "inside";
  const asked: string[] = [];
  const ran: string[] = [];
  const shell = tool("shell", async ({ command }) => {
    ran.push(command);
    if (command === "move") directory = "outside";
    return "";
  });
  const { engine, provider } = testEngine(
    [[toolCall("shell", { command: "move" }), toolCall("shell", { command: "write" })], text("done")],
    {
      tools: [shell],
      permissions: {
        decide({ input }) {
          const { command } = input as { command: string };
          asked.push(`${command} ${directory}`);
          if (command === "write" && directory === "outside") return { behavior: "deny", reason: "Not out there." };
          return { behavior: "allow", provisional: true };
        },
      },
    },
  );

  await engine.run("go");

  expect(asked).toEqual(["move inside", "write inside", "write outside"]);
  expect(ran).toEqual(["move"]);
  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true, output: "Not out there." });
});

test("a call that would be asked by now is not run, and its answer says to call it again", async () => {
  let moved = false;
  const ran: string[] = [];
  const shell = tool("shell", async ({ command }) => {
    ran.push(command);
    moved = true;
    return "";
  });
  const { engine, provider } = testEngine(
    [[toolCall("shell", { command: "move" }), toolCall("shell", { command: "write" })], text("done")],
    {
      tools: [shell],
      permissions: { decide: () => (moved ? { behavior: "ask" } : { behavior: "allow", provisional: true }) },
    },
  );

  await engine.run("go");

  expect(ran).toEqual(["move"]);
  expect(provider.requests[1]?.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining("Call it again"),
  });
});
