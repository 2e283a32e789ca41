import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type AcpSubagentOptions, acpSubagent } from "../../../src/acp/index.js";
import {
  AgentEngine,
  type Approver,
  type EngineOptions,
  type PendingRequest,
  type ToolResult,
} from "../../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";

const TSX = join(process.cwd(), "node_modules/tsx/dist/loader.mjs");
const PROGRAM = join(import.meta.dirname, "other-agent.ts");

interface Settings {
  readonly prompt: string;
  readonly approver?: Approver;
  readonly permissions?: Partial<PermissionCheckerOptions>;
  readonly agent?: Partial<AcpSubagentOptions>;
  readonly engine?: Partial<EngineOptions>;
  readonly directory?: string;
}

async function engineWith({ prompt, approver, permissions, agent, engine, directory = newDirectory() }: Settings) {
  const workspace = await createWorkspace({ root: directory });
  onTestFinished(() => workspace.close());
  const other = acpSubagent({
    name: "other",
    description: "Works elsewhere.",
    command: process.execPath,
    args: ["--import", TSX, PROGRAM, directory],
    cwd: directory,
    ...agent,
  });
  const provider = scripted([toolCall("other", { prompt }), text("Done.")]);
  const made = new AgentEngine({
    provider,
    tools: [...builtinTools(workspace), other],
    permissions: createPermissionChecker({ workspace, ...permissions }),
    ...(approver && { approver }),
    ...engine,
  });
  return { engine: made, provider, directory };
}

function newDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-subagent-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const ALLOW: Approver = () => ({ decision: "allow" });

async function run(settings: Settings) {
  const asked: PendingRequest[] = [];
  const approver = settings.approver ?? ALLOW;
  const made = await engineWith({
    ...settings,
    approver: (request, options) => {
      asked.push(request);
      return approver(request, options);
    },
  });
  const result = await made.engine.run("Go.");
  const last = made.provider.requests[1]?.lastToolResult;
  return { ...made, asked, result, output: String(last?.output), isError: last?.isError };
}

test("an agent of somebody else works on a task, and its answer is the result of the call", async () => {
  const { output, isError, asked, result } = await run({ prompt: "say It is done." });

  expect([output, isError, result.status]).toEqual(["It is done.", false, "completed"]);
  expect(asked).toMatchObject([{ tool: "other", kind: "approval" }]);
});

test("what it reads, writes and runs by its host are calls of the engine's tools", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "a.txt"), "one\ntwo\n");
  const prompt = `read ${directory}/a.txt\nwrite ${directory}/b.txt written\nrun cat b.txt`;
  const { output, asked } = await run({ prompt, directory });

  expect(output).toContain("one\ntwo\n");
  expect(output).toContain("0: written");
  expect(readFileSync(join(directory, "b.txt"), "utf8")).toBe("written");
  expect(asked.map(({ tool, within }) => [tool, within?.tool])).toEqual([
    ["other", undefined],
    ["write_file", "other"],
  ]);
});

test("a rule of the host denies what it asks its host to do, and the agent reads why", async () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "secret.txt"), "the secret");
  const { output } = await run({
    prompt: `read ${directory}/secret.txt\nrun rm secret.txt\nwrite /etc/passwd x`,
    directory,
    permissions: { rules: { deny: ["read_file(secret.txt)", "bash(rm *)"] } },
    agent: { ownTools: "accepted" },
  });

  expect(output).not.toContain("the secret");
  expect(output.match(/failed: /g)?.length).toBe(2);
  expect(output).toContain("126: ");
  expect(existsSync(join(directory, "secret.txt"))).toBe(true);
});

test.each([
  ["yes", ALLOW],
  ["no", (({ tool }) => ({ decision: tool === "other" ? "allow" : "deny" })) satisfies Approver],
])("its own question reaches the approver, and %s comes back to it", async (answer, approver) => {
  const { output, asked } = await run({ prompt: "ask rm -rf build", approver });

  expect(output).toBe(answer);
  expect(asked[1]).toMatchObject({
    tool: "other_permission",
    agentPath: ["other"],
    input: { title: "rm -rf build", kind: "execute" },
  });
});

test("its question waits in the session where nobody answers, and another process takes the agent up with the answer", async () => {
  const directory = newDirectory();
  const sessions = createMemorySessionStore();
  const permissions = { rules: { allow: ["other"] } };
  const settings = { prompt: "ask deploy", directory, permissions, engine: { sessions } };
  const first = await engineWith(settings);
  const asked = await first.engine.run("Go.", { sessionId: "s" });
  expect(asked).toMatchObject({ status: "needs-approval", pending: [{ tool: "other_permission" }] });

  const second = await engineWith(settings);
  const provider = scripted([text("Done.")]);
  const answers = [{ id: asked.pending[0]!.id, decision: "allow" as const }];
  const result = await second.engine.resume("s", { answers, provider }).result;

  expect(result.text).toBe("Done.");
  expect(provider.requests[0]?.lastToolResult?.output).toBe("You were started again. deploy: allowed. Go on with it.");
});

test("one that cannot load its sessions says what is missing when its question is answered elsewhere, and what to do", async () => {
  const directory = newDirectory();
  const sessions = createMemorySessionStore();
  const permissions = { rules: { allow: ["other"] } };
  const agent = { args: ["--import", TSX, PROGRAM, directory, "nothing"] };
  const settings = { prompt: "ask deploy", directory, permissions, agent, engine: { sessions } };
  const asked = await (await engineWith(settings)).engine.run("Go.", { sessionId: "s" });
  const second = await engineWith(settings);
  const provider = scripted([text("Done.")]);
  const answers = [{ id: asked.pending[0]!.id, decision: "allow" as const }];
  const ends: (ToolResult | undefined)[] = [];
  second.engine.on("tool-call-end", ({ result }) => ends.push(result));
  await second.engine.resume("s", { answers, provider }).result;

  const missing = 'the capability "loadSession" of the Agent Client Protocol';
  expect(ends.at(-1)?.details).toMatchObject({ code: "SUBAGENT_GONE", missing });
  const { output } = provider.requests[0]!.lastToolResult!;
  expect(output).toContain(`that needs ${missing}, which it does not have`);
  expect(output).toContain("give it what is left as a new task");
  expect(output).toContain("a rule allows other_permission");
});

test("a call by its host that waits for an answer elsewhere is made then, and the agent is not started a second time", async () => {
  const directory = newDirectory();
  const sessions = createMemorySessionStore();
  const permissions = { rules: { allow: ["other"] } };
  const settings = { prompt: `write ${directory}/b.txt x`, directory, permissions, engine: { sessions } };
  const first = await engineWith(settings);
  const asked = await first.engine.run("Go.", { sessionId: "s" });
  expect(asked).toMatchObject({
    status: "needs-approval",
    pending: [{ tool: "write_file", within: { tool: "other" } }],
  });

  const second = await engineWith(settings);
  const provider = scripted([text("Done.")]);
  const answers = [{ id: asked.pending[0]!.id, decision: "allow" as const }];
  await second.engine.resume("s", { answers, provider }).result;

  expect(readFileSync(join(directory, "b.txt"), "utf8")).toBe("x");
  expect(provider.requests[0]?.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining("cannot be taken up again"),
  });
});

test("its usage and cost count in the run, and in its budget", async () => {
  const { result } = await run({ prompt: "use 5000\nsay ok" });
  const stopped = await run({ prompt: "use 5000\nsay ok", engine: { limits: { maxTokens: 4_000 } } });

  expect(result.usage.inputTokens).toBe(5_000 + 20);
  expect(stopped.result.status).toBe("budget-exceeded");
});

test("a long answer is bounded", async () => {
  const { output } = await run({ prompt: `say ${"x".repeat(50_000)}` });

  expect(output.length).toBeLessThan(7_000);
});

test("an agent that dies is an error that says how", async () => {
  const { output, isError, result } = await run({ prompt: "die" });

  expect(isError).toBe(true);
  expect(output).toContain("exit code 3: I cannot go on.");
  expect(result.status).toBe("completed");
});

test("a program that is not there is an error that names it", async () => {
  const { output, isError } = await run({ prompt: "say x", agent: { command: "no-such-agent", args: [] } });

  expect(isError).toBe(true);
  expect(output).toContain('"no-such-agent" was not found');
});

test("an abort ends the agent, and what it has started", async () => {
  const directory = newDirectory();
  const { engine } = await engineWith({ prompt: "hang", directory, approver: ALLOW });
  const handle = engine.stream("Go.");
  await expect.poll(() => existsSync(join(directory, "pids")), { timeout: 30_000 }).toBe(true);
  handle.abort();
  await handle.idle;

  const pids = readFileSync(join(directory, "pids"), "utf8").split(" ").map(Number);
  // One that nobody has waited for is dead as well.
  const isAlive = (pid: number) => {
    try {
      return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  };
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test.each([
  ["in mode plan", { mode: "plan" as const }, "plan"],
  ["where a command is denied", { rules: { deny: ["bash(git push *)"] } }, 'the rule "bash(git push *)" denies'],
  ["where a path is denied", { rules: { deny: ["Read(./secrets/**)"] } }, "denies"],
  [
    "where settings keep it inside the workspace",
    { sources: [{ source: "user" as const, blockReadsOutside: true }] },
    "settings",
  ],
])("it is not started %s", async (_, permissions, why) => {
  const { output, asked, isError } = await run({ prompt: "say x", permissions });

  expect([isError, asked]).toEqual([true, []]);
  expect(output).toContain(why);
});

test("a host that accepts its own tools starts it beside deny rules, and explain() says what was decided", async () => {
  const rules = { deny: ["bash(git push *)"] };
  const { output } = await run({ prompt: "say x", permissions: { rules }, agent: { ownTools: "accepted" } });
  const other = acpSubagent({ name: "other", description: "x", command: "x" });
  const explained = await createPermissionChecker({ rules }).explain({ tool: other, input: { prompt: "x" } });

  expect(output).toBe("x");
  expect(explained).toMatchObject({ step: "own-tools", decision: { behavior: "deny" } });
  expect(explained.text).toContain('ownTools: "accepted"');
});

test("without services it has only its own tools", async () => {
  const directory = newDirectory();
  const { output } = await run({ prompt: `write ${directory}/b.txt x`, directory, agent: { services: [] } });

  expect(output).toContain("failed: ");
  expect(existsSync(join(directory, "b.txt"))).toBe(false);
});

test("this library's own server is an agent for it: its question is answered here, and its command runs here", async () => {
  const directory = newDirectory();
  const program = join(import.meta.dirname, "../agent-program.ts");
  const { output, asked } = await run({
    prompt: "Make it.",
    directory,
    agent: { args: ["--import", TSX, program, join(directory, "sessions")] },
  });

  expect(output).toBe("It is made.");
  expect(asked.map(({ tool }) => tool)).toEqual(["other", "other_permission", "bash"]);
  expect(readFileSync(join(directory, "made.txt"), "utf8")).toBe("made\n");
});
