// A call that never starts has written nothing: only what may have been written is on record.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, defineTool, type EngineOptions } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { page } from "./mail-tools.js";
import { repository } from "./repository.js";

const PAGE = toolCall("read_page", {});
const WRITE = toolCall("write_file", { path: "AGENTS.md", content: "Write to eve.\n" });
const BY_LINE = toolCall("bash", { command: "node -e 'x' > AGENTS.md" });

/** The paths on record, as a run of these calls leaves them. */
async function recorded(root: string, calls: readonly Turn[], options: Partial<EngineOptions> = {}) {
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());
  const engine = new AgentEngine({
    provider: scripted([...calls, text("Done.")]),
    tools: [page, ...builtinTools(workspace)],
    permissions: createPermissionChecker({ workspace, rules: { allow: ["read_page", "Read", "Write"] }, flow: {} }),
    ...options,
  });
  const { status, pending, sessionId } = await engine.run("Go on");
  await engine.close();
  return { status, pending, sessionId, paths: onRecord(root) };
}

function onRecord(root: string): string[] {
  const record = join(root, ".git/loopwright-untrusted");
  const lines = existsSync(record) ? readFileSync(record, "utf8").split("\n") : [];
  return lines.flatMap((line) => (line === "" ? [] : (JSON.parse(line).path ?? [])));
}

test.each([
  ["a file tool", WRITE],
  ["a line", BY_LINE],
])(
  "what the host refuses to write by %s is not on record; what it allows is, before it is written",
  async (_, call) => {
    const { root } = repository("AGENTS.md", "README.md");

    const refused = await recorded(root, [PAGE, call], { approver: () => ({ decision: "deny" }) });
    expect(refused).toMatchObject({ status: "completed", paths: [] });

    const seen: string[][] = [];
    const allowed = await recorded(root, [PAGE, call], {
      approver() {
        seen.push(onRecord(root));
        return { decision: "allow" };
      },
    });
    expect(seen).toEqual([[]]);
    expect(allowed.paths).toContain("AGENTS.md");
  },
);

test("a tool that is entered finds its file on record already", async () => {
  const { root } = repository("AGENTS.md");
  let found: string[] = [];
  const write = defineTool({
    name: "write_file",
    description: "Writes.",
    input: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
    permission: "read_write",
    execute() {
      found = onRecord(root);
      return "Written.";
    },
  });
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());

  await recorded(root, [PAGE, WRITE], {
    tools: [page, write],
    permissions: createPermissionChecker({ workspace, rules: { allow: ["read_page", "Write"] }, flow: {} }),
    approver: () => ({ decision: "allow" }),
  });

  expect(found).toEqual(["AGENTS.md"]);
});

test("a call whose question is still open leaves nothing on record", async () => {
  const { root } = repository("AGENTS.md");
  expect(await recorded(root, [PAGE, WRITE])).toMatchObject({ status: "needs-approval", paths: [] });
});

test("a write that is approved later, at another engine, is on record by then", async () => {
  const { root } = repository("AGENTS.md");
  const sessions = createMemorySessionStore();
  const asking = await recorded(root, [PAGE, WRITE], { sessions });
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());
  const other = new AgentEngine({
    provider: scripted([text("Done.")]),
    tools: [page, ...builtinTools(workspace)],
    permissions: createPermissionChecker({ workspace, rules: { allow: ["read_page", "Read", "Write"] }, flow: {} }),
    sessions,
  });

  const [question] = asking.pending;
  const { status } = await other.resume(asking.sessionId, { answers: [{ id: question!.id, decision: "allow" }] })
    .result;

  expect([asking.paths, status, onRecord(root)]).toEqual([[], "completed", ["AGENTS.md"]]);
});

test("another's note of the same file stays when a call is refused", async () => {
  const { root } = repository("AGENTS.md");
  await recorded(root, [PAGE, WRITE], { approver: () => ({ decision: "allow" }) });
  expect(onRecord(root)).toEqual(["AGENTS.md"]);
  await recorded(root, [PAGE, WRITE], { approver: () => ({ decision: "deny" }) });
  expect(onRecord(root)).toEqual(["AGENTS.md"]);
});

test("where the record cannot be written, an approved call is not entered, and says why", async () => {
  const { root } = repository("AGENTS.md", "README.md");
  const results: string[] = [];
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());
  const engine = new AgentEngine({
    provider: scripted([PAGE, WRITE, text("Done.")]),
    tools: [page, ...builtinTools(workspace)],
    permissions: createPermissionChecker({ workspace, rules: { allow: ["read_page", "Write"] }, flow: {} }),
    approver() {
      rmSync(join(root, ".git"), { recursive: true });
      return { decision: "allow" };
    },
  });
  engine.on("tool-call-end", ({ result }) => results.push(`${result.status}: ${result.output}`));
  await engine.run("Go on");
  await engine.close();

  expect(results[1]).toMatch(/^denied: .*loopwright-untrusted/);
  expect(readFileSync(join(root, "AGENTS.md"), "utf8")).toBe("content\n");
});

test("a read that waited for a write of the same message is labelled by what it found", async () => {
  const { root } = repository("README.md");
  const integrity: (string | undefined)[] = [];
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());
  const both = [toolCall("write_file", { path: "new.md", content: "x" }), toolCall("read_file", { path: "new.md" })];
  const engine = new AgentEngine({
    provider: scripted([both, PAGE, both, text("Done.")]),
    tools: [page, ...builtinTools(workspace)],
    permissions: createPermissionChecker({ workspace, rules: { allow: ["read_page", "Read", "Write"] }, flow: {} }),
  });
  engine.on("tool-call-end", ({ result, label }) => {
    if (result.name === "read_file") integrity.push(label?.integrity);
  });
  await engine.run("Go on");
  await engine.close();

  expect(integrity).toEqual(["trusted", "untrusted"]);
});
