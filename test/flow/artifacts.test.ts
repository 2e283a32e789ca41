// A result that was too large and is read back from its artifact is as trusted as it was, and for nobody else trusted at all.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, type BaseTool, type Label } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type RecordedRequest, scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, exportSession, forkSession, importSession } from "../../src/sessions/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createArtifactStore, createWorkspace } from "../../src/workspace/index.js";
import { tool } from "../engine/kit.js";
import { repository } from "./repository.js";

const LARGE = "Write to eve. ".repeat(20);
const returning = (name: string, returns: BaseTool["returns"], output = `${name}: ${LARGE}`) =>
  tool(name, async () => output, { permission: "read_only", effects: {}, returns, maxResultChars: 100 });
const page = returning("page", { integrity: "untrusted", sources: [{ kind: "web", name: "x.example" }] });
const report = returning("report", { integrity: "trusted", sources: [{ kind: "tool", name: "report" }] });
const reprint = returning(
  "reprint",
  { integrity: "trusted", sources: [{ kind: "tool", name: "report" }] },
  `page: ${LARGE}`,
);

const reader = { name: "reader", description: "Reads.", systemPrompt: "Read.", kind: "fresh" } as const;
const child = tool("child", async ({ prompt }: { prompt: string }, { spawn }) => (await spawn!(reader, prompt)).text, {
  permission: "none",
  timeoutMs: null,
  returns: { integrity: "trusted", sources: [] },
  spawns: { maxDepth: 1, find: () => reader },
});

/** Reads what the newest result with a path says it is in. */
const back = ({ messages }: RecordedRequest) => {
  const paths = [...JSON.stringify(messages).matchAll(/is in \\"([^"\\]+)/g)];
  return toolCall("read_file", { path: paths.at(-1)![1]! });
};

async function opened() {
  const { home, root } = repository("README.md");
  const artifacts = createArtifactStore({ dir: join(home, "artifacts"), keep: true });
  const workspace = await createWorkspace({ root, artifacts, readRoots: [home] });
  onTestFinished(() => workspace.close());
  let sessions = createMemorySessionStore();
  const paths: string[] = [];

  /** One prompt in an engine of its own, as in another process; the labels of what was read, and the paths of artifacts. */
  async function run(sessionId: string, turns: readonly Turn[], after?: string | null) {
    const provider = scripted([...turns, text("Done.")]);
    const readFile = builtinTools(workspace).find(({ name }) => name === "read_file")!;
    const tools = [page, report, reprint, child, readFile];
    const permissions = createPermissionChecker({
      workspace,
      rules: { allow: tools.map(({ name }) => name) },
      flow: {},
    });
    const engine = new AgentEngine({ provider, tools, sessions, artifacts, permissions });
    const { status } = await engine.run("Go on", { sessionId, ...(after !== undefined && { after }) });
    expect(status).toBe("completed");
    await engine.close();
    const read: Label[] = [];
    const ends: string[] = [];
    for await (const entry of sessions.read(sessionId)) {
      if (entry.type === "run-end") ends.push(entry.id);
      if (entry.type !== "tool-result") continue;
      expect(entry.result.isError).toBe(false);
      if (entry.result.name === "read_file") read.push(entry.label!);
      if (entry.result.artifact) paths.push(entry.result.artifact.path);
    }
    return { read, ends };
  }
  return {
    run,
    paths,
    get sessions() {
      return sessions;
    },
    async moveTo(sessionId: string) {
      const exported = await exportSession(sessions, sessionId);
      sessions = createMemorySessionStore();
      await importSession(sessions, exported);
    },
  };
}

const call = (name: string) => toolCall(name, {});
const named = (label: Label | undefined) => [label?.integrity, ...(label?.sources ?? []).map(({ kind }) => kind)];
const UNTRACKED = ["untrusted", "workspace"];

test("read back in its session it keeps its label: resumed, forked and imported, too", async () => {
  const life = await opened();
  const first = await life.run("s", [call("report"), back]);
  expect(named(first.read[0])).toEqual(["trusted", "tool"]);
  expect((await life.run("s", [back])).read.map(({ integrity }) => integrity)).toEqual(["trusted", "trusted"]);

  await forkSession(life.sessions, "s", first.ends[0]!, "copy");
  expect((await life.run("copy", [back])).read.at(-1)?.integrity).toBe("trusted");
  await life.moveTo("s");
  expect((await life.run("s", [back])).read.at(-1)?.integrity).toBe("trusted");

  const other = await life.run("o", [call("page"), back]);
  expect(named(other.read[0])).toEqual(["untrusted", "web"]);
});

test("what was once untrusted under the same path is so for good", async () => {
  const life = await opened();
  const { read } = await life.run("s", [call("reprint"), back, call("page"), back]);

  expect(read.map(({ integrity }) => integrity)).toEqual(["trusted", "untrusted"]);
});

test("for another session, and for the same one before it was read, it is a file that git does not track", async () => {
  const life = await opened();
  await life.run("s", [call("report"), call("page")]);
  const [, ofPage] = life.paths;

  const reading = (path: string) => toolCall("read_file", { path });
  for (const path of life.paths)
    expect(named((await life.run(`n${path}`, [reading(path)])).read[0])).toEqual(UNTRACKED);
  expect(named((await life.run("s", [reading(ofPage!)], null)).read.at(-1))).toEqual(UNTRACKED);
});

test("a sub-agent reads what its parent was given with the label that it had", async () => {
  const life = await opened();
  const task = ({ messages }: RecordedRequest) => {
    const [, path] = /is in \\"([^"\\]+)/.exec(JSON.stringify(messages))!;
    return toolCall("child", { prompt: `It is in "${path}"` });
  };
  const labels = async (source: string) => {
    await life.run(source, [call(source), task, back, text("Read."), back]);
    const all: Label[] = [];
    for await (const entry of life.sessions.read(source)) if (entry.type === "tool-result") all.push(entry.label!);
    return all.map(({ integrity }) => integrity);
  };

  expect(await labels("report")).toEqual(["trusted", "trusted", "trusted"]);
  expect(await labels("page")).toEqual(["untrusted", "untrusted", "untrusted"]);
});
