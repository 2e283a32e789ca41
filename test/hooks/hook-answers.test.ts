// What a hook says is found between what its start prints, and an answer that cannot be read is no silence.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text, toolCall } from "loopwright/providers/scripted";
import { expect, onTestFinished, test } from "vitest";
import { type AskedPoint, answerOfText, UnreadableAnswer } from "../../src/hooks/hook-output.js";
import { readVerdict } from "../../src/hooks/prompt-hook.js";
import { onEvent, play, project } from "./kit.js";

const PRE: AskedPoint = { point: "PreToolUse", tool: "bash" };
const PROMPT: AskedPoint = { point: "UserPromptSubmit" };
const DENY = { permissionDecision: "deny", permissionDecisionReason: "No." };
const ANSWER = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...DENY } });
const PRETTY = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...DENY } }, null, 2);

test.each([
  ["alone", ANSWER],
  ["behind a line of noise", `nvm: using node 22\n${ANSWER}`],
  ["behind noise with line endings of Windows", `using node\r\n${ANSWER}\r\n`],
  ["behind a progress line that is written over", `50 %\r100 %\r${ANSWER}`],
  ["behind a byte order mark", `\ufeff${ANSWER}`],
  ["in colour", `\u001b[32m${ANSWER}\u001b[0m\n`],
  ["behind colour and a title", `\u001b]0;guard\u0007\u001b[1mchecking\u001b[0m\n\u001b[31m${ANSWER}\u001b[0m`],
  ["over many lines behind noise", `starting\n${PRETTY}\n`],
  ["indented", `starting\n    ${ANSWER}`],
  ["before noise", `${ANSWER}\ndone in 3 ms\n`],
  ["before noise on its line", `${ANSWER} done\n`],
  ["behind lines of a JSON log", `{"level":30,"msg":"start"}\n{"level":30,"msg":"}{"}\n${ANSWER}`],
  ["before lines of a JSON log", `${ANSWER}\n{"level":30,"msg":"end"}`],
  ["behind an object on its line", `{"level":30}${ANSWER}`],
  ["behind another answer", `{"continue":true}\n${ANSWER}`],
  ["behind noise that begins with a brace", `{worker 1} is up\n${ANSWER}`],
  ["behind noise with braces", `checking {file}\n${ANSWER}`],
  ["beside the object it belongs into", JSON.stringify(DENY)],
  ["behind a great deal of noise", `${"{ noise\n".repeat(20_000)}${ANSWER}`],
])("a deny is read %s", (_where, said) => {
  expect(answerOfText(said, PRE)).toEqual(DENY);
});

test.each([
  "checking {file}",
  "all fine",
  "",
  'a set is {"a", "b"}',
  "starting\n{}\n",
  'starting\n{"level":30,"msg":"decision pending"}',
  "decision: {ok}",
])("%j is no decision before a call, as text without an answer is none", (said) => {
  expect(answerOfText(said, PRE)).toEqual({});
  expect(answerOfText(said, { point: "PermissionRequest", tool: "bash" })).toEqual({});
});

test.each([
  "{broken",
  `noise\n${ANSWER.slice(0, -3)}`,
  `noise\n${PRETTY.slice(0, -3)}`,
  `noise ${ANSWER}`,
  `noise\n{'decision': 'block'}`,
  `{"decision":"approve"}\n{"decision":"blo`,
  '{\n  "list": [\n  {"decision":"approve"},\n  oops\n',
  JSON.stringify(ANSWER),
  '{"decision":"nope"}',
  '{"decision":7}',
  '{"continue":"false"}',
  '{"hookSpecificOutput":{"permissionDecision":"never"}}',
  '{"hookSpecificOutput":"deny"}',
  '{"hookSpecificOutput":{"hookEventName":"Stop"}}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUSe","permissionDecision":"deny"}}',
])("%j holds an answer that cannot be read", (said) => {
  expect(() => answerOfText(said, PRE)).toThrow(UnreadableAnswer);
});

test.each(['{"hookSpecificOutput":{"decision":"deny"}}', '{"hookSpecificOutput":{"decision":{"behavior":"no"}}}'])(
  "%s, an answer to a question about a permission, cannot be read",
  (said) => {
    expect(() => answerOfText(said, { point: "PermissionRequest", tool: "bash" })).toThrow(UnreadableAnswer);
  },
);

test("plain text is context for a prompt, with the JSON and the braces it quotes", () => {
  for (const said of [
    "The branch is main.",
    'package.json:\n{\n  "name": "x"\n}\n',
    "site.css:\n{ color: red }",
    "tsconfig.json:\n{\n  // comment\n",
  ]) {
    expect(answerOfText(said, PROMPT)).toEqual({ additionalContext: said.trim() });
  }
  expect(answerOfText('noise\n{"decision":"block","reason":"No."}', PROMPT)).toEqual({
    decision: "block",
    reason: "No.",
  });
  expect(() => answerOfText('noise\n{"decision":"block","rea', PROMPT)).toThrow(UnreadableAnswer);
});

test("the verdict of a model is found behind braces and sentences", () => {
  const no = { decision: "block", reason: "Friday." };
  for (const reply of [
    '{"ok": false, "reason": "Friday."}',
    'I looked at {file}. {"ok": false, "reason": "Friday."} That is all {really}.',
    'The event was {"a":1}\n```json\n{\n  "reason": "Friday.",\n  "ok": false\n}\n```',
  ]) {
    expect(readVerdict(reply, "PreToolUse"), reply).toEqual(no);
  }
});

test.each([
  ["is not valid JSON", "echo '{broken'"],
  ["is not known", `echo starting; echo '{"decision":"nope"}'`],
  ["is for another event", `echo '${ANSWER.replace("PreToolUse", "PostToolUse")}'`],
  [
    "was too long to be found",
    `head -c 900000 /dev/zero | tr '\\0' x; echo; echo '${ANSWER}'; head -c 900000 /dev/zero | tr '\\0' x`,
  ],
])(
  "an answer of a command that %s blocks the call, with a notice, unless onFailure says continue",
  async (_, command) => {
    const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command) });
    const open = await project({ ".claude/settings.json": onEvent("PreToolUse", command, { onFailure: "continue" }) });
    const turns = () => [toolCall("bash", { command: "echo ran" }), text("done")];

    const blocked = await play(dir, turns());
    const continued = await play(open, turns());

    expect(blocked.provider.requests[1]?.lastToolResult).toMatchObject({ isError: true });
    expect(blocked.events).toContainEqual(expect.objectContaining({ type: "notice", code: "HOOK_FAILED" }));
    expect(continued.provider.requests[1]?.lastToolResult).toMatchObject({ isError: false, output: "ran\n" });
    expect(continued.events).toContainEqual(expect.objectContaining({ type: "notice", code: "HOOK_FAILED" }));
  },
);

test("an answer that cannot be read goes on where nothing is guarded", async () => {
  const dir = await project({ ".claude/settings.json": onEvent("PostToolUse", "echo '{broken'") });

  const { provider, events } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")]);

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: false });
  expect(events).toContainEqual(expect.objectContaining({ type: "notice", code: "HOOK_FAILED" }));
});

test("a deny behind more output than is kept is read from its end", async () => {
  const command = `yes '{' | head -c 3000000; echo; echo '${ANSWER}'`;
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command) });

  const { provider } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")]);

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true, output: "No." });
});

test.each(["{", '{"decision":"nope"}', `noise\n{`])("the answer %j of a web service blocks", async (said) => {
  const server = createServer((_request, response) => response.end(said));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = await project({
    ".claude/settings.json": { hooks: { PreToolUse: [{ hooks: [{ type: "http", url }] }] } },
  });

  const { provider, events } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")]);

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true });
  expect(events).toContainEqual(expect.objectContaining({ code: "HOOK_FAILED" }));
});

test("a notice names the settings file of the answer that cannot be read", async () => {
  const dir = await project({ ".claude/settings.json": onEvent("UserPromptSubmit", `echo '{"decision":"nope"}'`) });

  const { result, events } = await play(dir, [text("done")]);

  expect(result.status).not.toBe("completed");
  const [failure] = events.flatMap((event) => (event.type === "notice" ? event.message : []));
  expect(failure).toContain(`the answer's "decision" is none of approve, block, deny`);
  expect(failure).toContain(join(dir, ".claude/settings.json"));
});
