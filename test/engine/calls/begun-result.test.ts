import { expect, test } from "vitest";
import {
  AgentEngine,
  type Answer,
  type BaseTool,
  type EngineOptions,
  outcomeOf,
  type PermissionGate,
  type RunResult,
  ToolError,
  type ToolOutput,
  ToolRegistry,
  type ToolResult,
} from "../../../src/index.js";
import { withPrograms } from "../../../src/programs/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { ALLOW, entriesOf, tool } from "../kit.js";

const UNANSWERED = "The call was not answered: the user sent a new prompt instead.";
const BEGUN = (name: string) =>
  `"${name}" had been started before, and its outcome is not known. Check what it did before you repeat it.`;

/** A session whose one call `c`, of the tool `name`, waits in its middle, and other engines that go on with it. */
async function leftAtAQuestion(tools: readonly BaseTool[], name: string, permissions: PermissionGate = ALLOW) {
  const sessions = createMemorySessionStore();
  const make = (options: Partial<EngineOptions> = {}) =>
    new AgentEngine({ provider: scripted([text("done")]), sessions, tools, permissions, ...options });
  const asking = make({ provider: scripted([toolCall(name, {}, { id: "c" }), text("done")]) });
  const { status, pending } = await asking.run("go", { sessionId: "s" });
  expect(status).toBe("needs-approval");
  const answers: Answer[] = pending.map(({ id }) => ({ id, decision: "allow" }));
  const ended = async (going: Promise<RunResult>) => {
    await going;
    const results = (await entriesOf(sessions, "s")).filter((entry) => entry.type === "tool-result");
    expect(results).toHaveLength(1);
    const { result, calls } = results[0]!;
    return { result, calls, outcome: outcomeOf(result), output: String(result.output) };
  };
  return { make, asking, answers, ended, sessions };
}

const asksAbout = (asked: string): PermissionGate => ({
  decide: ({ tool: called }) => ({ behavior: Object(called).name === asked ? "ask" : "allow" }),
});
const denies = (name: string): PermissionGate => ({
  decide: ({ tool: called }) =>
    Object(called).name === name ? { behavior: "deny", reason: "No more of it." } : { behavior: "allow" },
});

/** A tool that has paid, and waits for leave to read a secret. */
function payingAndAsking() {
  const paid: string[] = [];
  const pay = tool("pay", async () => `paid ${paid.push("pay")}`);
  const secret = tool("secret", async () => "secret");
  const execute: BaseTool["execute"] = async (_input, { calls }) => {
    await calls!.run([{ name: "pay", input: {} }]);
    return String((await calls!.run([{ name: "secret", input: {} }]))[0]!.output);
  };
  const compose = tool("compose", execute, { permission: "none", timeoutMs: null, onUnknown: "retry" });
  return { paid, tools: [compose, pay, secret] };
}

test.each(["run", "endSession, then run"])(
  "a new prompt (%s): a call that has made others is unknown, and names them",
  async (how) => {
    const { paid, tools } = payingAndAsking();
    const { asking, ended } = await leftAtAQuestion(tools, "compose", asksAbout("secret"));

    if (how !== "run") await asking.endSession("s");
    const { result, calls, outcome, output } = await ended(asking.run("what did you do?", { sessionId: "s" }));

    expect({ status: result.status, outcome }).toEqual({ status: "denied", outcome: "unknown" });
    expect(output).toBe(`${UNANSWERED} ${BEGUN("compose")} Its calls on record: pay (success), secret (denied).`);
    expect(calls).toMatch(/^sub-/);
    expect(paid).toEqual(["pay"]);
  },
);

test.each([
  ["its tool is gone", { tools: [] }, "failure", "TOOL_UNKNOWN", 'There is no tool "compose". No tools are available.'],
  ["the gate denies it", { permissions: denies("compose") }, "denied", "PERMISSION_DENIED", "No more of it."],
] as const)("resumed where %s, such a call is unknown, and names them", async (_why, options, status, code, why) => {
  const { paid, tools } = payingAndAsking();
  const { make, answers, ended } = await leftAtAQuestion(tools, "compose", asksAbout("secret"));

  const { result, calls, outcome, output } = await ended(make(options).resume("s", { answers }).result);

  expect(result).toMatchObject({ status, details: { code } });
  expect(outcome).toBe("unknown");
  expect(output).toBe(`${why} ${BEGUN("compose")} Its calls on record: pay (success), secret (open).`);
  expect(calls).toMatch(/^sub-/);
  expect(paid).toEqual(["pay"]);
});

test("a run that is aborted before it can go on with such a call leaves it unknown", async () => {
  const { tools } = payingAndAsking();
  const { make, answers, ended } = await leftAtAQuestion(tools, "compose", asksAbout("secret"));
  const engine = make();
  const denied = answers.map(({ id }): Answer => ({ id, decision: "deny" }));
  const run = engine.resume("s", { answers: denied });
  engine.on("run-start", () => run.abort("enough"));

  const { outcome, output } = await ended(run.result);

  expect(outcome).toBe("unknown");
  expect(output).not.toContain("before it had started");
});

/** A tool with effects that asks in the middle of its work, as the call of an MCP server does; `again` is what it does then. */
function eliciting(again: () => ToolOutput): BaseTool {
  return tool("elicit", async (_input, context) =>
    context.resumed ? again() : context.suspend!({ kind: "elicitation", reason: "Your mail?" }, {}),
  );
}

test.each([
  ["after a new prompt", undefined, "denied", `${UNANSWERED} `],
  ["resumed without its tool", { tools: [] }, "failure", 'There is no tool "elicit". No tools are available. '],
  ["resumed with a gate that denies it", { permissions: denies("elicit") }, "denied", "No more of it. "],
] as const)("%s, a call that asked in its middle is unknown", async (_how, options, status, why) => {
  const { make, answers, ended } = await leftAtAQuestion([eliciting(() => "done")], "elicit");

  const next = options ? make(options).resume("s", { answers }).result : make().run("well?", { sessionId: "s" });
  const { result, outcome, output } = await ended(next);

  expect({ status: result.status, outcome, output }).toEqual({
    status,
    outcome: "unknown",
    output: `${why}${BEGUN("elicit")}`,
  });
});

test("entered again, a tool may say so in content parts", async () => {
  const shown = { type: "text" as const, text: "Gone." };
  const gone = () => ({ output: [shown], isError: true, details: { outcome: "not-started" } });
  const { make, answers, ended } = await leftAtAQuestion([eliciting(gone)], "elicit");

  const { result, outcome } = await ended(make().resume("s", { answers }).result);

  expect(outcome).toBe("unknown");
  expect(result.output).toEqual([shown, { type: "text", text: BEGUN("elicit") }]);
});

test("entered again, a tool that was not started this time had been before", async () => {
  const gone = () => {
    throw new ToolError("MCP_FAILED", { message: "The server is gone.", details: { outcome: "not-started" } });
  };
  const { make, answers, ended } = await leftAtAQuestion([eliciting(gone)], "elicit");

  const { outcome, output } = await ended(make().resume("s", { answers }).result);

  expect({ outcome, output }).toEqual({ outcome: "unknown", output: `The server is gone. ${BEGUN("elicit")}` });
});

test("a question that a tool without effects has put to the user is denied by a new prompt", async () => {
  const { make, ended } = await leftAtAQuestion(
    [{ ...createAskUserTool(), name: "elicit", parse: () => ({ question: "Which?" }) }],
    "elicit",
  );

  const { result, output } = await ended(make().run("never mind", { sessionId: "s" }));

  expect(result.status).toBe("denied");
  expect(output).toBe(UNANSWERED);
});

test("a program that the host runs, and whose question nobody answers, says what it has called", async () => {
  const { paid, tools } = payingAndAsking();
  const registry = withPrograms(new ToolRegistry(tools.slice(1)));
  const engine = new AgentEngine({ provider: scripted([]), tools: registry, permissions: asksAbout("secret") });
  const program = "await tools.pay({}); await tools.secret({})";

  const result: ToolResult = await engine.execute({ id: "c", name: "run_program", arguments: { program } });

  expect(result).toMatchObject({ status: "denied", outcome: "unknown" });
  expect(result.output).toMatch(
    /There is nobody to ask: .*\nUntil then:\n\[1 call: pay; under way: 1 call: secret\]$/s,
  );
  expect(paid).toEqual(["pay"]);
});
