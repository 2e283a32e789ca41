import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswers, readPrompt, toErrorResponse } from "../../../src/http/index.js";
import { isHarnessError } from "../../../src/index.js";
import { runs } from "../../runs.js";

const PIXEL = "iVBORw0KGgo=";

function post(body: unknown): Request {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request("http://127.0.0.1/", { method: "POST", body: text });
}

const user = (...parts: object[]) => ({ id: "m", role: "user", parts });

test.each([
  ["our own", { sessionId: "s", input: "Hi." }, { sessionId: "s", input: "Hi.", answers: [] }],
  ["our own, without a session", { input: "Hi." }, { input: "Hi.", answers: [] }],
  [
    "useChat",
    {
      id: "chat",
      messages: [user({ type: "text", text: "Old." }), user({ type: "text", text: "Hi." })],
      trigger: "submit-message",
    },
    { sessionId: "chat", input: "Hi.", answers: [], shown: [{ role: "user", text: "Old.", parts: [] }] },
  ],
  [
    "useChat that sends one message",
    { id: "chat", message: user({ type: "text", text: "Hi." }), trigger: "submit-message", messageId: "e1" },
    { sessionId: "chat", input: [{ type: "text", text: "Hi." }], answers: [], replaces: "e1" },
  ],
  [
    "useChat that asks again",
    { id: "chat", trigger: "regenerate-message", messageId: "e2" },
    { sessionId: "chat", input: "", answers: [], replaces: "e2" },
  ],
  [
    "useChat with a file",
    {
      id: "chat",
      messages: [
        user(
          { type: "text", text: "See" },
          { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PIXEL}` },
        ),
      ],
    },
    {
      sessionId: "chat",
      input: [
        { type: "text", text: "See" },
        { type: "image", mediaType: "image/png", data: PIXEL },
      ],
      answers: [],
      shown: [],
    },
  ],
  [
    "AG-UI",
    { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi." }], tools: [], context: [] },
    { sessionId: "t", input: "Hi.", answers: [], shown: [] },
  ],
])("a prompt of %s", async (_, body, expected) => {
  expect(await readPrompt(post(body))).toEqual(expected);
});

const ALLOWED = [{ id: "q", decision: "allow" }];

test.each([
  ["our own", { answers: ALLOWED }, ALLOWED],
  ["one alone", { id: "q", decision: "deny", reason: "No." }, [{ id: "q", decision: "deny", reason: "No." }]],
  ["an array", [{ id: "q", value: { a: 1 } }], [{ id: "q", value: { a: 1 } }]],
  [
    "useChat",
    {
      id: "c",
      messages: [
        {
          role: "assistant",
          parts: [{ type: "tool-x", state: "approval-responded", approval: { id: "q", approved: true } }],
        },
      ],
    },
    ALLOWED,
  ],
  [
    "AG-UI",
    { threadId: "t", messages: [], resume: [{ interruptId: "q", status: "resolved", payload: { approved: true } }] },
    ALLOWED,
  ],
  [
    "AG-UI, cancelled",
    { threadId: "t", resume: [{ interruptId: "q", status: "cancelled" }] },
    [{ id: "q", decision: "deny" }],
  ],
  [
    "AG-UI, a value",
    { threadId: "t", resume: [{ interruptId: "q", status: "resolved", payload: "red" }] },
    [{ id: "q", value: "red" }],
  ],
])("answers of %s", async (_, body, expected) => {
  expect(await readAnswers(post(body))).toEqual(expected);
});

test.each([
  ["not JSON", "{"],
  ["not an object", "3"],
  ["empty", {}],
  ["a prototype", '{"input":"x","__proto__":{"a":1}}'],
  ["a prototype further down", '{"answers":[{"id":"q","value":{"__proto__":{}}}]}'],
  ["too deep", `{"input":"x","a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
  ["a session that is no string", { sessionId: 3, input: "x" }],
  ["a session with a control character", { sessionId: "a\u0000b", input: "x" }],
  ["a sub-agent's session", { sessionId: "sub-1", input: "x" }],
  ["a session too long", { sessionId: "x".repeat(513), input: "x" }],
  ["a file elsewhere", { messages: [user({ type: "file", url: "http://169.254.169.254/" })] }],
  ["a file that is not base64", { input: [{ type: "image", mediaType: "image/png", data: "<>" }] }],
  ["an unknown part", { input: [{ type: "video" }] }],
  ["a decision that is none", { answers: [{ id: "q", decision: "yes" }] }],
  ["an answer without an id", { answers: [{ decision: "allow" }] }],
  ["a remember that is no list", { answers: [{ id: "q", decision: "allow", remember: "all" }] }],
  ["a last message of nobody", { messages: [{ role: "system", parts: [] }] }],
])("%s is refused with a 400", async (_, body) => {
  const refusal = await readPrompt(post(body)).catch((error) => error);

  expect(refusal).toMatchObject({ code: "OPTION_INVALID" });
  expect(toErrorResponse(refusal).status).toBe(400);
});

test("a body is read no further than its bound", async () => {
  let pulled = 0;
  let wasCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(1_000).fill(32));
    },
    cancel: () => {
      wasCancelled = true;
    },
  });

  await expect(readPrompt({ body }, { maxBytes: 10_000 })).rejects.toMatchObject({ code: "OPTION_INVALID" });

  expect(pulled).toBeLessThan(20);
  expect(wasCancelled).toBe(true);
});

test("whatever a client sends is read or refused, and no prototype changes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.anything(),
      fc.constantFrom("input", "messages", "answers", "resume", "threadId", "sessionId"),
      async (value, key) => {
        const text = JSON.stringify({ input: "x", [key]: value }) ?? "null";
        const [prompt, answers] = await Promise.allSettled([readPrompt(post(text)), readAnswers(post(text))]);

        for (const one of [prompt, answers]) {
          if (one.status === "rejected") expect(isHarnessError(one.reason, "OPTION_INVALID")).toBe(true);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      },
    ),
    { numRuns: runs(50, 500, 20_000) },
  );
});
