import { expect, test } from "vitest";
import { ShownNames } from "../../src/ai-sdk/common-tools.js";
import type { HarnessPart } from "../../src/ai-sdk/index.js";
import { answerOfOutput, questionInput } from "../../src/ai-sdk/questions.js";
import { TurnParts } from "../../src/ai-sdk/turn-parts.js";
import { TurnQuestions } from "../../src/ai-sdk/turn-questions.js";
import type { EngineEvent, PendingRequest } from "../../src/index.js";

function request(id: string, about: Partial<PendingRequest> = {}): PendingRequest {
  const toolCallId = `call-${id}`;
  const base = { v: 1, id, kind: "approval", sessionId: "s", agentPath: [], toolCallId, tool: "act" } as const;
  return { ...base, input: {}, digest: "", reason: "Which one?", suggestions: [], ...about };
}

function open(questions: readonly PendingRequest[]) {
  const shown: HarnessPart[] = [];
  const isHostTool = (name: string) => name === "host";
  const parts = new TurnParts({
    harnessId: "loopwright",
    names: new ShownNames([]),
    isBuiltin: () => true,
    isHostCall: isHostTool,
    isJson: false,
    emit: (part) => shown.push(part),
  });
  const asked = new TurnQuestions(parts, isHostTool, undefined, { questions });
  const show = () => {
    shown.length = 0;
    asked.show(asked.news, true);
    return shown.map((part) => [part.type, "toolCallId" in part && part.toolCallId]);
  };
  return { asked, parts, show, shown };
}

test("calls of the host are shown together, and approvals after them, one by one", () => {
  const host = { kind: "question", tool: "host" } as const;
  const { asked, show } = open([request("a"), request("b"), request("c", host), request("d", host)]);

  expect(show()).toEqual([
    ["tool-call", "call-c"],
    ["tool-call", "call-d"],
  ]);
  expect(show()).toEqual([]);
  asked.submit({ toolCallId: "call-c", output: "c" });
  asked.submit({ toolCallId: "call-d", output: "d" });
  expect(show()).toEqual([
    ["tool-call", "call-a"],
    ["tool-approval-request", "call-a"],
  ]);
  asked.approve({ approvalId: "a", approved: true });
  expect(show()).toEqual([
    ["tool-call", "call-b"],
    ["tool-approval-request", "call-b"],
  ]);
});

test("calls that are open beside an approval have an output meanwhile, as a page of the host waits for one", () => {
  const { parts, show, shown } = open([request("a")]);
  const add = (event: object) => parts.add({ runId: "r", agentPath: [], ...event } as unknown as EngineEvent);
  const begin = (toolCallId: string) => add({ type: "tool-input-delta", json: "{", toolCallId, tool: "act" });
  begin("cut");
  add({ type: "model-restart" });
  parts.showCall({ id: "ended", name: "act", arguments: {} });
  add({ type: "tool-call-end", result: { toolCallId: "ended", name: "act", output: "ok", isError: false } });
  parts.showCall({ id: "asked", name: "act", arguments: {} });
  begin("behind");
  show();

  const outputs = shown.flatMap((part) => (part.type === "tool-result" ? [[part.toolCallId, part.result]] : []));
  expect(outputs).toEqual([
    ["cut", "The call was cut off."],
    ["asked", "Waiting for an approval."],
    ["behind", "Waiting for an approval."],
  ]);
  expect(shown.at(-1)).toMatchObject({ type: "tool-approval-request", toolCallId: "call-a" });
});

test("a second question about a call that was answered is a call of its own", () => {
  const { asked, show } = open([request("a", { toolCallId: "call" })]);
  show();
  asked.approve({ approvalId: "a", approved: true });

  asked.set([request("b", { toolCallId: "call" })]);

  expect(show()).toEqual([
    ["tool-call", "b"],
    ["tool-approval-request", "b"],
  ]);
});

test("a result of the host also answers the same call when it is asked again", () => {
  const about = { kind: "question", tool: "host", toolCallId: "call" } as const;
  const { asked } = open([request("a", about)]);
  asked.submit({ toolCallId: "call", output: "done" });
  expect(asked.takeAnswers()).toHaveLength(1);

  asked.set([request("b", about)]);

  expect(asked.unanswered).toEqual([]);
  expect(asked.takeAnswers()).toEqual([{ id: "b", value: { output: "done", isError: false } }]);
});

test("an answer to what is not open changes nothing", () => {
  const { asked } = open([request("a")]);

  asked.approve({ approvalId: "other", approved: true });
  asked.submit({ toolCallId: "other", output: "x" });

  expect(asked.given).toEqual([]);
});

test("a question with choices is put as the AI SDK puts it, and its answer is the choice or what was written", () => {
  const asked = request("a", { kind: "question", input: { options: ["x", "y"], free_text: false } });
  const input = questionInput(asked);
  const answered = (answer: object) => answerOfOutput(asked, { output: { action: "answered", answers: { answer } } });

  expect(input.questions).toEqual([
    {
      id: "answer",
      question: "Which one?",
      options: [
        { id: "x", label: "x" },
        { id: "y", label: "y" },
      ],
      allowFreeForm: false,
    },
  ]);
  expect(answered({ optionIds: ["y"] })).toEqual({ id: "a", value: "y" });
  expect(answered({ optionIds: [], freeform: "z" })).toEqual({ id: "a", value: "z" });
  expect(answerOfOutput(asked, { output: { action: "declined" } })).toMatchObject({ id: "a", decision: "deny" });
});

test("the form of an MCP server is a question for each of its values, which come back in their types", () => {
  const properties = {
    name: { type: "string", title: "Name" },
    age: { type: "integer" },
    isMember: { type: "boolean", title: "Member?" },
    sizes: { type: "array", items: { enum: ["S", "M"] } },
  };
  const form = request("a", { kind: "elicitation", reason: "Who?", input: { type: "object", properties } });
  const answers = {
    name: { optionIds: [], freeform: "12" },
    age: { optionIds: [], freeform: "41" },
    isMember: { optionIds: ["No"] },
    sizes: { optionIds: ["S"] },
  };

  const { questions } = questionInput(form);

  expect(questions).toMatchObject([
    { id: "name", question: "Who?\nName", allowFreeForm: true },
    { id: "age", allowFreeForm: true },
    { id: "isMember", question: "Who?\nMember?", options: [{ id: "Yes" }, { id: "No" }], allowFreeForm: false },
    { id: "sizes", allowMultiple: true, options: [{ id: "S" }, { id: "M" }] },
  ]);
  expect(answerOfOutput(form, { output: { action: "answered", answers } })).toEqual({
    id: "a",
    value: { name: "12", age: 41, isMember: false, sizes: ["S"] },
  });
  expect(answerOfOutput(form, { output: { action: "cancelled" } })).toEqual({ id: "a", value: null });
  expect(answerOfOutput(form, { output: { action: "declined" } })).toMatchObject({ decision: "deny" });
});

test("an address that a server wants to be opened is confirmed, or the server is told that it was not", () => {
  const page = request("a", { kind: "elicitation", reason: "Sign in:\nhttps://a.example", input: { mode: "url" } });
  const opened = { action: "answered", answers: { answer: { optionIds: ["I have opened it"] } } };

  expect(questionInput(page).questions).toMatchObject([{ question: page.reason, allowFreeForm: false }]);
  expect(answerOfOutput(page, { output: opened })).toEqual({ id: "a", value: {} });
  expect(answerOfOutput(page, { output: { action: "answered", answers: {} } })).toEqual({ id: "a", value: null });
});
