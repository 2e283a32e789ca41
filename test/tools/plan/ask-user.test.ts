import { expect, test } from "vitest";
import type { ApproverAnswer } from "../../../src/engine/calls/permission/approval.js";
import { type ScriptedProvider, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { createAskUserTool } from "../../../src/tools/plan/ask-user.js";
import { testEngine } from "../../engine/kit.js";
import { temporaryDirectory } from "../../workspace/temporary-workspace.js";

const QUESTION = { question: "Which database?", options: ["SQLite", "Postgres"] };

const resultOf = (provider: ScriptedProvider, request = 1) => provider.requests[request]?.lastToolResult;

/** What the model reads when an approver answers the question. */
async function answered(answer: ApproverAnswer, args: object = {}) {
  const { engine, provider } = testEngine([toolCall("ask_user", { ...QUESTION, ...args }), text("ok")], {
    tools: [createAskUserTool()],
    approver: () => answer,
  });
  const { status } = await engine.run("go");
  expect(status).toBe("completed");
  return resultOf(provider);
}

test("an approver is asked with the question and its options, and the answer reaches the model", async () => {
  const asked: object[] = [];
  const { engine, provider } = testEngine([toolCall("ask_user", QUESTION), text("ok")], {
    tools: [createAskUserTool()],
    approver(request) {
      asked.push(request);
      return { value: "Postgres" };
    },
  });

  await engine.run("go");

  expect(asked).toMatchObject([{ kind: "question", reason: "Which database?", input: QUESTION, tool: "ask_user" }]);
  expect(resultOf(provider)).toMatchObject({ output: "Postgres", isError: false });
});

test("a question is left in the session and answered by another process", async () => {
  const sessions = () => createFileSessionStore({ dir });
  const dir = await temporaryDirectory();
  const first = testEngine([toolCall("ask_user", QUESTION)], { tools: [createAskUserTool()], sessions: sessions() });
  const asked = await first.engine.run("go", { sessionId: "s" });
  await first.engine.close();

  const second = testEngine([text("Postgres it is.")], { tools: [createAskUserTool()], sessions: sessions() });
  const { pending } = await second.engine.resume("s").result;
  const answers = [{ id: pending[0]!.id, value: "Postgres" }];
  const done = await second.engine.resume("s", { answers }).result;

  expect(asked).toMatchObject({ status: "needs-approval", pending });
  expect(pending).toMatchObject([{ kind: "question", input: QUESTION }]);
  expect(done).toMatchObject({ status: "completed", text: "Postgres it is." });
  expect(resultOf(second.provider, 0)).toMatchObject({ output: "Postgres", isError: false });
});

test("the other calls of the message do not wait for the answer", async () => {
  const { engine } = testEngine(
    [[toolCall("ask_user", QUESTION), toolCall("ask_user", { question: "Why?" })].flat() as never],
    {
      tools: [createAskUserTool()],
    },
  );

  const { status, pending } = await engine.run("go");

  expect(status).toBe("needs-approval");
  expect(pending.map(({ reason }) => reason)).toEqual(["Which database?", "Why?"]);
});

test.each([
  ["free text", { value: "MariaDB" }, "MariaDB"],
  ["several texts", { value: ["SQLite", "Postgres"] }, "SQLite\nPostgres"],
  ["a number", { value: 7 }, "7"],
  ["no, as a value", { value: false }, "false"],
  ["an object", { value: { choice: "SQLite" } }, '{"choice":"SQLite"}'],
] as const)("%s is an answer", async (_what, answer, output) => {
  expect(await answered(answer as ApproverAnswer)).toMatchObject({ output, isError: false });
});

test("an answer beside the options says so when only the options count", async () => {
  const args = { free_text: false };

  expect((await answered({ value: "MariaDB" }, args))?.output).toMatch(
    /^MariaDB\n\n\[This is not one of the options\./,
  );
  expect((await answered({ value: "SQLite" }, args))?.output).toBe("SQLite");
});

test.each([
  ["a refusal", { decision: "deny", reason: "Not now." }, /^The question was not answered: Not now\./],
  ["a refusal without a reason", { decision: "deny" }, /^The question was not answered\./],
  ["an approval", { decision: "allow" }, /answered without a value/],
  ["nothing", { value: null }, /answered without a value/],
  ["whitespace", { value: [" ", ""] }, /answered without a value/],
  ["something else", { verdict: "?" } as never, /not understood/],
] as const)("%s is asked to the model as an error", async (_what, answer, output) => {
  expect(await answered(answer as ApproverAnswer)).toMatchObject({
    output: expect.stringMatching(output),
    isError: true,
  });
});

test("a question waits as long as it takes", async () => {
  const { engine, provider } = testEngine([toolCall("ask_user", QUESTION), text("ok")], {
    tools: [createAskUserTool()],
    limits: { toolTimeoutMs: 5 },
    approver: () => new Promise((resolve) => setTimeout(resolve, 50, { value: "SQLite" })),
  });

  await engine.run("go");

  expect(resultOf(provider)).toMatchObject({ output: "SQLite" });
});

test("an abort while the question waits answers the call", async () => {
  const controller = new AbortController();
  const { engine } = testEngine([toolCall("ask_user", QUESTION)], {
    tools: [createAskUserTool()],
    approver() {
      controller.abort();
      return new Promise(() => {});
    },
  });

  const result = await engine.run("go", { signal: controller.signal });

  expect(result.status).toBe("aborted");
  expect(result.messages().at(-1)).toMatchObject({ role: "tool", content: [{ isError: true }] });
});
