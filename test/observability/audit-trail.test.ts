// The audit trail: what it records, what it hides, and what its chain notices.
import { spawn, spawnSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentEngine, type Approver, defineTool, type EngineOptions, type SessionEntry } from "loopwright";
import {
  type AuditRecord,
  type AuditTrailOptions,
  createAuditTrail,
  queryAudit,
  verifyAudit,
} from "loopwright/observability";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { bundled } from "../bundled.js";
import { runs } from "../runs.js";

const ABOUT = { runId: "r", sessionId: "s", turn: 1, agentPath: [], at: 1_000, seq: 1 } as const;
const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

async function trailFile(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "audit-test-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return join(dir, "audit", "trail.jsonl");
}

const write = defineTool({
  name: "write",
  description: "Writes.",
  input: z.object({ path: z.string(), token: z.string() }),
  permission: "read_write",
  execute: async ({ path }) => `wrote ${path}`,
});

/** One run with an approval, a denial and a failure, under a trail. */
async function recorded(options: Partial<AuditTrailOptions> = {}) {
  const file = options.file ?? (await trailFile());
  const audit = await createAuditTrail({ file, ...options });
  const engine = new AgentEngine({
    provider: scripted([
      toolCall("write", { path: "a", token: SECRET }),
      toolCall("write", { path: "forbidden", token: "x" }),
      toolCall("write", { path: 7 }),
      text("done"),
    ]),
    tools: [write],
    hooks: { PreToolUse: [{ run: () => undefined }] },
    permissions: {
      decide: ({ input }) =>
        (input as { path: string }).path === "forbidden"
          ? {
              behavior: "deny",
              reason: `Never, with password=hunter22.`,
              rule: { rule: "write(forbidden)", behavior: "deny", source: "policy" },
            }
          : { behavior: "ask", reason: "Sure?" },
    },
    approver: () => ({ decision: "allow", by: "ada" }),
  });
  audit.watch(engine);
  await engine.run("go", { sessionId: "s" });
  await engine.close();
  await audit.close();
  return { file, head: audit.head };
}

async function recordsOf(file: string, filter = {}): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const record of queryAudit(file, filter)) found.push(record);
  return found;
}

test("each decision says call, digest, rule, source and who approved", async () => {
  const { file } = await recorded();
  const json = JSON.stringify({ path: "a", token: SECRET });

  const decisions = await recordsOf(file, { type: "permission-decision" });

  const inputDigest = createHash("sha256").update(json).digest("hex");
  expect(decisions).toMatchObject([
    { toolCallId: "call_1", tool: "write", inputDigest, inputChars: json.length, behavior: "ask", reason: "Sure?" },
    { toolCallId: "call_1", behavior: "allow", by: "ada" },
    { toolCallId: "call_2", behavior: "deny", rule: { rule: "write(forbidden)" }, source: "policy" },
  ]);
  expect((await recordsOf(file)).map(({ type }) => type)).toEqual([
    "run-start",
    "epoch",
    "model-call-end",
    "tool-call-start",
    "hook-outcome",
    "permission-decision",
    "approval-requested",
    "approval-answered",
    "permission-decision",
    "tool-call-end",
    "model-call-end",
    "tool-call-start",
    "hook-outcome",
    "permission-decision",
    "tool-call-end",
    "model-call-end",
    "tool-call-start",
    "tool-call-end",
    "model-call-end",
    "run-end",
  ]);
});

test("records of calls that a tool makes say within which call", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file });
  const copy = defineTool({
    name: "copy",
    description: "Writes twice.",
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    execute: async (_input, { calls }) => {
      const [result] = await calls!.run([{ name: "write", input: { path: "a", token: "t" } }]);
      return String(result!.output);
    },
  });
  const engine = new AgentEngine({
    provider: scripted([toolCall("copy", {}), text("done")]),
    tools: [copy, write],
    permissions: { decide: () => ({ behavior: "allow" }) },
  });
  audit.watch(engine);
  await engine.run("go");
  await engine.close();
  await audit.close();

  const calls = (await recordsOf(file)).filter(({ toolCallId }) => toolCallId !== undefined);

  const inside = calls.filter(({ tool }) => tool === "write");
  expect(inside.map(({ type, within }) => `${type} ${within}`)).toEqual([
    "tool-call-start call_1",
    "permission-decision call_1",
    "tool-call-end call_1",
  ]);
  expect(calls.filter(({ tool }) => tool === "copy").every((record) => !("within" in record))).toBe(true);
});

const askUser = defineTool({
  name: "ask_user",
  description: "Asks.",
  permission: "none",
  execute: async (_input, context) =>
    context.resumed ? "heard" : context.suspend({ kind: "question", reason: `Which token? password=hunter22` }),
});

/** A run whose tool asks, and what answers it: an approver, a resume, or an answer a crashed process has left behind. */
async function answered(
  how: "approver" | "resume" | "left behind",
  options: Partial<AuditTrailOptions> = {},
  by = "ada",
) {
  const [sessions, value] = [createMemorySessionStore(), { token: SECRET, colour: "vermilion" }];
  const engineWith = (turns: Parameters<typeof scripted>[0], more: Partial<EngineOptions> = {}) =>
    new AgentEngine({ provider: scripted(turns), tools: [askUser], sessions, ...more });
  const file = await trailFile();
  const audit = await createAuditTrail({ file, ...options });
  const approver: Approver = () => ({ value, by });
  const first = engineWith(
    [toolCall("ask_user", {}, { id: "q" }), text("done")],
    how === "approver" ? { approver } : {},
  );
  audit.watch(first);
  const { pending } = await first.run("go", { sessionId: "s" });
  const second = engineWith([text("done")]);
  audit.watch(second);
  const answers = pending.map(({ id }) => ({ id, value, by }));
  if (how === "left behind") {
    let last: SessionEntry | undefined;
    for await (const entry of sessions.read("s")) last = entry;
    const { v, id: parent, runId, turn } = last!;
    const release = await sessions.lock("s");
    await sessions.append("s", [{ v, id: "x", parent, at: 1, runId, turn, type: "answer", answer: answers[0]! }]);
    await release();
  }
  await second.resume("s", how === "resume" ? { answers } : {}).result;
  await audit.close();
  return { records: await recordsOf(file, { type: "approval-answered" }), lines: await readFile(file, "utf8"), value };
}

test.each(["approver", "resume", "left behind"] as const)(
  "who answered a tool's question is recorded, and what as its digest (%s)",
  async (how) => {
    const { records, lines, value } = await answered(how);

    const json = JSON.stringify(value);
    const valueDigest = createHash("sha256").update(json).digest("hex");
    expect(records).toMatchObject([
      { kind: "question", toolCallId: "q", tool: "ask_user", by: "ada", valueDigest, valueChars: json.length },
    ]);
    expect(lines).not.toContain("vermilion");
    expect(lines).not.toContain("hunter22");
  },
);

test("the value of an answer is written without its secrets, when content is", async () => {
  const { records, lines } = await answered("resume", { content: "redacted" });

  expect(records).toMatchObject([{ value: { colour: "vermilion", token: "[redacted value]" } }]);
  expect(lines).not.toContain(SECRET);
});

test("an author that is not text, as somebody may write it into a session, does not keep the answer out of the trail", async () => {
  const { records } = await answered("left behind", {}, { name: "ada" } as never);

  expect(records).toMatchObject([{ by: '{"name":"ada"}' }]);
});

test("an answer's decision, reason, new input and what it allows for good are recorded", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file });
  const engine = new AgentEngine({
    provider: scripted([toolCall("write", { path: "a", token: "t" }), text("done")]),
    tools: [write],
    approver: () => ({
      decision: "allow",
      reason: `It said password=hunter22.`,
      by: "ada",
      updatedInput: { path: "b", token: "t" },
      remember: [{ type: "addRules", behavior: "allow", rules: ["write(b)"], destination: "session" }],
    }),
  });
  audit.watch(engine);
  await engine.run("go");
  await audit.close();

  const [record] = await recordsOf(file, { type: "approval-answered" });

  expect(record).toMatchObject({
    kind: "approval",
    by: "ada",
    decision: "allow",
    reason: expect.stringMatching(/^It said password=\[redacted/),
    updatedInputDigest: createHash("sha256").update('{"path":"b","token":"t"}').digest("hex"),
    remember: '[{"type":"addRules","behavior":"allow","rules":["write(b)"],"destination":"session"}]',
  });
});

test("by default neither inputs nor outputs are in the file, and never a secret", async () => {
  const { file } = await recorded();
  const full = await recorded({ content: "redacted" });

  const [lines, fullLines] = [await readFile(file, "utf8"), await readFile(full.file, "utf8")];

  expect(lines).not.toContain("wrote a");
  expect(fullLines).toContain("wrote a");
  for (const written of [lines, fullLines]) {
    expect(written).not.toContain(SECRET);
    expect(written).not.toContain("hunter22");
  }
  if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("content that is too long is cut, and its digest is of the whole", async () => {
  const { file } = await recorded({ content: "redacted", maxContentChars: 10 });

  const [first] = await recordsOf(file, { type: "tool-call-start" });

  expect(first).toMatchObject({ input: '{"path":"…', inputChars: 63 });
});

test("a trail is continued where it ended, also over a line that a crash left half written", async () => {
  const { file, head } = await recorded();
  await appendFile(file, '{"v":1,"seq":21,"at"');
  expect(await verifyAudit(file)).toMatchObject({ ok: true, torn: true, records: 20 });

  await recorded({ file });

  expect(await verifyAudit(file, { expectHead: head })).toMatchObject({ ok: true, torn: false, records: 40 });
});

const TAMPERINGS: readonly [string, (lines: string[]) => string[]][] = [
  ["a changed line", (lines) => lines.with(5, lines[5]!.replace('"ask"', '"all"'))],
  ["a changed space", (lines) => lines.with(5, lines[5]!.replace("Sure?", "Sure ?"))],
  ["a removed line", (lines) => lines.toSpliced(6, 1)],
  ["a removed first line", (lines) => lines.slice(1)],
  ["two lines in another order", (lines) => lines.with(3, lines[4]!).with(4, lines[3]!)],
  ["a line that stands twice", (lines) => lines.toSpliced(3, 0, lines[3]!)],
  ["a line of another trail", (lines) => lines.toSpliced(3, 0, '{"v":1}')],
  ["an emptied line", (lines) => lines.with(4, "")],
  ["text after the hash", (lines) => lines.with(4, `${lines[4]} `)],
];

test.each(TAMPERINGS)("verifyAudit notices %s", async (_what, tamper) => {
  const { file } = await recorded();
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");

  await writeFile(file, `${tamper(lines).join("\n")}\n`);

  const verdict = await verifyAudit(file);
  expect(verdict.ok).toBe(false);
  expect(verdict.problems[0]?.line).toBeGreaterThan(0);
});

test("lines cut off at the end are noticed with the head of an earlier check", async () => {
  const { file, head } = await recorded();
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");

  await writeFile(file, `${lines.slice(0, -2).join("\n")}\n`);

  expect((await verifyAudit(file)).ok).toBe(true);
  expect((await verifyAudit(file, { expectHead: head })).ok).toBe(false);
});

test("a trail with a key is worth nothing to whoever does not have it", async () => {
  const { file } = await recorded({ key: "k1" });

  expect((await verifyAudit(file, { key: "k1" })).ok).toBe(true);
  expect((await verifyAudit(file)).ok).toBe(false);
  expect((await verifyAudit(file, { key: "k2" })).ok).toBe(false);
});

test("a trail has one writer, and a file that is not a trail is left alone", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file });
  const other = join(file, "..", "notes.txt");
  await writeFile(other, "dear diary\n");

  await expect(createAuditTrail({ file })).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(createAuditTrail({ file: other })).rejects.toMatchObject({ code: "SESSION_CORRUPT" });
  await audit.close();
  await (await createAuditTrail({ file })).close();

  expect(await readFile(other, "utf8")).toBe("dear diary\n");
});

test.each([
  ["a note without a line break", "dear diary"],
  ["JSON in one line", '{"v":1,"name":"mine"}'],
])("%s is not a trail that a crash cut off: it is left alone", async (_what, content) => {
  const file = join(await trailFile(), "..", "..", "mine");
  await writeFile(file, content);

  await expect(createAuditTrail({ file })).rejects.toMatchObject({ code: "SESSION_CORRUPT" });

  expect(await readFile(file, "utf8")).toBe(content);
});

test("a trail that was cut off within its first record begins again", async () => {
  for (const torn of ['{"v"', '{"v":1,"seq":1,"at":17']) {
    const file = await trailFile();
    await (await createAuditTrail({ file })).close();
    await writeFile(file, torn);

    await recorded({ file });

    expect(await verifyAudit(file)).toMatchObject({ ok: true, torn: false });
  }
});

test("a trail that is moved away while it is written goes on, and lets go when it is closed", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file });
  await rename(file, `${file}.1`);

  audit.record({ ...ABOUT, type: "notice", code: "INTERNAL", message: "moved" });
  await audit.close();
  await (await createAuditTrail({ file })).close();

  expect((await recordsOf(`${file}.1`)).map(({ message }) => message)).toEqual(["moved"]);
});

test("no digest of a content signs a line, though the content be one", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file, key: "k" });
  audit.record({ ...ABOUT, type: "notice", code: "INTERNAL", message: "first" });
  const forged = `${audit.head.hash}\n{"v":1,"seq":2}`;
  audit.record({ ...ABOUT, type: "tool-call-start", call: { id: "1", name: "echo", arguments: forged } } as never);
  await audit.close();

  const [, start] = await recordsOf(file);

  expect(start?.inputDigest).not.toBe(createHmac("sha256", "k").update(forged).digest("hex"));
});

test("a call whose arguments were never JSON is recorded, and huge names are cut", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file, onError: (error) => expect.unreachable(error.message) });
  const call = { id: "1", name: "x".repeat(6_000_000), arguments: undefined, malformed: '{"a' };
  audit.record({ ...ABOUT, type: "tool-call-start", call } as never);
  await audit.close();

  expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 1 });
  expect(await recordsOf(file)).toMatchObject([{ inputChars: 3, tool: `${"x".repeat(1_999)}…` }]);
});

test("a clock that goes backwards changes nothing of the order", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file });
  for (const at of [3_000, 1_000, 2_000]) audit.record({ ...ABOUT, at, type: "epoch", cause: "x" });
  await audit.close();

  expect(await verifyAudit(file)).toMatchObject({ ok: true, records: 3 });
  expect((await recordsOf(file, { since: 1_500 })).map(({ seq }) => seq)).toEqual([1, 3]);
});

test("a file that cannot grow any more keeps its whole records, and the run goes on", async () => {
  const program = fileURLToPath(new URL("./audit-full-program.ts", import.meta.url));
  const file = await trailFile();
  await mkdir(join(file, ".."), { recursive: true });
  // A limit on the size of files represents a full disk: a write is cut short, the next one fails.
  const command = 'ulimit -f 8; exec "$0" --import tsx "$1" "$2"';

  const { stdout } = spawnSync("bash", ["-c", command, process.execPath, program, file], { encoding: "utf8" });

  const { missing, statuses } = JSON.parse(stdout);
  const verdict = await verifyAudit(file);
  expect(verdict).toMatchObject({ ok: true, torn: false });
  expect(verdict.records).toBeGreaterThan(3);
  expect((await stat(file)).size).toBeLessThanOrEqual(8 * 1024);
  expect(missing).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set(["completed"]));
});

test("a trail that cannot be written tells the host, and the run goes on", async () => {
  const told: string[] = [];
  const engine = new AgentEngine({ provider: scripted([text("done")]) });
  const audit = await createAuditTrail({ file: await trailFile(), onError: ({ message }) => told.push(message) });
  audit.watch(engine);

  // A record that cannot be turned into JSON represents any failure of writing.
  audit.record({ type: "notice", code: "INTERNAL", message: 7n as never } as never);
  const result = await engine.run("go");
  await audit.close();

  expect(await verifyAudit(audit.file)).toMatchObject({ ok: true });
  expect(result.status).toBe("completed");
  expect(told).toEqual([expect.stringContaining("could not be written")]);
});

test("what was recorded before a kill -9 is in the file and fits together", async () => {
  const program = await bundled(new URL("./audit-program.ts", import.meta.url));
  const file = await trailFile();

  for (let round = 0; round < runs(3, 5, 100); round++) {
    const child = spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "inherit"] });
    let announced = 0;
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        announced = Number(chunk.toString().trim().split("\n").at(-1)) || announced;
        if (announced >= 20 + round * 7) child.kill("SIGKILL");
      });
      child.once("close", () => resolve());
    });

    const verdict = await verifyAudit(file);
    expect(verdict.problems).toEqual([]);
    expect(verdict.head.seq).toBeGreaterThanOrEqual(announced);
  }
});

test("a result's record says whether it is trusted, and from where, without a command or a path", async () => {
  const file = await trailFile();
  const audit = await createAuditTrail({ file });
  const source = (kind: "web" | "command", name: string) => ({ kind, name, untrusted: true }) as const;
  const sources = [source("web", "x.example"), source("command", "cat secret.txt")];
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    permission: "read_only",
    returns: { integrity: "untrusted", sources },
    execute: async () => "seen",
  });
  const engine = new AgentEngine({
    provider: scripted([toolCall("look", {}), text("done")]),
    tools: [look],
    permissions: { usesLabels: true, decide: () => ({ behavior: "allow" }) },
  });
  audit.watch(engine);
  await engine.run("go");
  await engine.close();
  await audit.close();

  expect(await recordsOf(file, { type: "tool-call-end" })).toMatchObject([
    { integrity: "untrusted", from: "web:x.example, command" },
  ]);
  expect(await readFile(file, "utf8")).not.toContain("secret.txt");
});
