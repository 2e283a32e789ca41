import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, defineTool } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { type FileSystem, nodeFiles } from "../../../src/sessions/file-system.js";
import { createCheckpoints, createMemorySessionStore, rewindSession } from "../../../src/sessions/index.js";
import { createMemoryWorkspace } from "../../../src/testing/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { agentIn, openAgent, place, SESSION, treeOf } from "../checkpoint-kit.js";
import { collect } from "../kit.js";

test("files go back to what they were at an entry, created ones and their directories go, and undo brings all back", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  writeFileSync(join(root, "run.sh"), "echo 1\n", { mode: 0o755 });
  chmodSync(join(root, "run.sh"), 0o755);
  writeFileSync(join(root, "mine"), "uncommitted");
  const start = await mark();
  const atStart = treeOf(root);
  await call("read", { path: "run.sh" });
  await call("edit", { path: "run.sh", old_text: "1", new_text: "2" });
  const middle = await call("write", { path: "deep/er/new.txt", content: "new" });
  const inTheMiddle = treeOf(root);
  await call("edit", { path: "run.sh", old_text: "2", new_text: "3" });
  await call("mkdir", { path: "empty/one" });
  const atEnd = treeOf(root);

  const dry = await rewinder.rewindFiles(SESSION, start, { dryRun: true });
  expect(treeOf(root)).toEqual(atEnd);
  const report = await rewinder.rewindFiles(SESSION, start);
  expect(treeOf(root)).toEqual(atStart);
  await rewinder.undoRewind(SESSION);
  expect(treeOf(root)).toEqual(atEnd);
  await rewinder.rewindFiles(SESSION, middle);
  expect(treeOf(root)).toEqual(inTheMiddle);

  expect(dry).toEqual({ ...report, id: null });
  expect(report.files.map(({ path, kind, action }) => `${action} ${kind} ${path.slice(root.length + 1)}`)).toEqual([
    "remove file deep/er/new.txt",
    "write file run.sh",
    "remove directory empty/one",
    "remove directory empty",
    "remove directory deep/er",
    "remove directory deep",
  ]);
});

test("a rewind is itself undone by going to a later entry, and undoing twice redoes", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  const start = await mark();
  const end = await call("write", { path: "a", content: "1" });
  await rewinder.rewindFiles(SESSION, start);
  const afterRewind = await mark();

  await rewinder.rewindFiles(SESSION, end);
  expect(treeOf(root)).toEqual({ a: "644 1" });
  await rewinder.undoRewind(SESSION);
  expect(treeOf(root)).toEqual({});
  await rewinder.undoRewind(SESSION);
  expect(treeOf(root)).toEqual({ a: "644 1" });
  await rewinder.rewindFiles(SESSION, afterRewind);
  expect(treeOf(root)).toEqual({});
});

test("a file that somebody else changed stops the whole rewind, naming each file and why, until told otherwise", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  for (const name of ["a", "b", "c"]) writeFileSync(join(root, name), "old");
  const start = await mark();
  for (const path of ["a", "b", "c"]) {
    await call("read", { path });
    await call("write", { path, content: "agent" });
  }
  await call("write", { path: "d", content: "agent" });
  writeFileSync(join(root, "a"), "mine");
  rmSync(join(root, "b"));
  writeFileSync(join(root, "d"), "mine");
  const before = treeOf(root);

  const dry = await rewinder.rewindFiles(SESSION, start, { dryRun: true });
  await expect(rewinder.rewindFiles(SESSION, start)).rejects.toMatchObject({
    code: "REWIND_REFUSED",
    details: {
      files: [
        { path: join(root, "a"), why: "it was changed by a command or by others since the session changed it" },
        { path: join(root, "b"), why: "it was removed by a command or by others since the session changed it" },
        { path: join(root, "d"), why: "it was changed by a command or by others since the session changed it" },
      ],
    },
  });
  expect(treeOf(root)).toEqual(before);
  expect(dry.wouldRefuse).toBe(true);

  await rewinder.rewindFiles(SESSION, start, { onConflict: "skip" });
  expect(treeOf(root)).toEqual({ ...before, c: "644 old" });
  await rewinder.rewindFiles(SESSION, start, { onConflict: "overwrite" });
  expect(treeOf(root)).toEqual({ a: "644 old", b: "644 old", c: "644 old" });
  await rewinder.undoRewind(SESSION);
  expect(treeOf(root)).toEqual({ ...before, c: "644 old" });
});

test("what somebody wrote between two changes of the agent is not rewound away", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  writeFileSync(join(root, "a"), "1\n");
  const start = await mark();
  await call("read", { path: "a" });
  await call("edit", { path: "a", old_text: "1", new_text: "2" });
  writeFileSync(join(root, "a"), "2\nmine\n");
  const mine = await call("read", { path: "a" });
  await call("edit", { path: "a", old_text: "2", new_text: "3" });

  await expect(rewinder.rewindFiles(SESSION, start)).rejects.toMatchObject({ code: "REWIND_REFUSED" });
  await rewinder.rewindFiles(SESSION, mine);

  expect(readFileSync(join(root, "a"), "utf8")).toBe("2\nmine\n");
});

test("a file a command removed and the agent wrote again goes back to what it was", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  writeFileSync(join(root, "a"), "old");
  const start = await mark();
  await call("read", { path: "a" });
  await call("write", { path: "a", content: "1" });
  await call("bash", { command: "rm a" });
  await call("write", { path: "a", content: "2" });

  await rewinder.rewindFiles(SESSION, start);

  expect(treeOf(root)).toEqual({ a: "644 old" });
});

test("parallel calls of one turn are kept apart: each goes back by its own result", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  const start = await mark();
  const paths = Array.from({ length: 12 }, (_, i) => `new/${i % 3}/${i}`);
  await Promise.all(paths.map((path) => call("write", { path, content: path })));
  const atEnd = treeOf(root);

  await rewinder.rewindFiles(SESSION, start);
  expect(treeOf(root)).toEqual({});
  await rewinder.undoRewind(SESSION);
  expect(treeOf(root)).toEqual(atEnd);
});

test("changes by commands are found: restorable where a file tool had changed the file, reported otherwise", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  writeFileSync(join(root, "edited"), "1");
  writeFileSync(join(root, "read"), "1");
  writeFileSync(join(root, "gone"), "1");
  writeFileSync(join(root, "unknown"), "1");
  writeFileSync(join(root, "left alone"), "1");
  // Times of files come from a clock of coarse steps.
  const earlier = Date.now() / 1_000 - 10;
  for (const name of readdirSync(root)) utimesSync(join(root, name), earlier, earlier);
  const start = await mark(Date.now() - 1_000);
  for (const path of ["edited", "read", "gone"]) await call("read", { path });
  await call("write", { path: "edited", content: "2" });
  await call("bash", {
    command: "echo 3 > edited; echo 3 > read; rm gone; echo 3 > unknown; mkdir m; echo 3 > m/made",
  });

  const { notKept, files } = await rewinder.rewindFiles(SESSION, start, { dryRun: true });
  await rewinder.rewindFiles(SESSION, start, { onConflict: "overwrite" });

  expect([...notKept].sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: join(root, "gone"), change: "unlink" },
    { path: join(root, "m/made"), change: "change" },
    { path: join(root, "read"), change: "change" },
    { path: join(root, "unknown"), change: "change" },
  ]);
  expect(files).toMatchObject([{ action: "keep", path: join(root, "edited") }]);
  expect(treeOf(root)).toEqual({
    edited: "644 1",
    "left alone": "644 1",
    m: "directory",
    "m/made": "644 3\n",
    read: "644 3\n",
    unknown: "644 3\n",
  });
});

test("links stay links, modes stay, and a directory that holds anything else stays", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  mkdirSync(join(root, "real"));
  writeFileSync(join(root, "real/file"), "1", { mode: 0o600 });
  symlinkSync("real/file", join(root, "link"));
  const start = await mark();
  await call("read", { path: "link" });
  await call("write", { path: "link", content: "2" });
  await call("write", { path: "made/by/agent", content: "x" });
  await call("mkdir", { path: "kept" });
  writeFileSync(join(root, "made/mine"), "mine");
  symlinkSync("nowhere", join(root, "kept/link"));
  chmodSync(join(root, "real/file"), 0o700);

  const { files } = await rewinder.rewindFiles(SESSION, start);

  expect(treeOf(root)).toEqual({
    real: "directory",
    "real/file": "700 1",
    link: "-> real/file",
    made: "directory",
    "made/mine": "644 mine",
    kept: "directory",
    "kept/link": "-> nowhere",
  });
  expect(files.filter(({ action }) => action === "keep")).toEqual([
    { path: join(root, "made"), kind: "directory", action: "keep", why: "it holds something else" },
    { path: join(root, "kept"), kind: "directory", action: "keep", why: "it holds something else" },
  ]);
});

test("a link that now stands in the place of a file, or on its way, is never followed", async () => {
  const { base, root, rewinder, call, mark } = await agentIn();
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside/file"), "2");
  mkdirSync(join(root, "directory"));
  writeFileSync(join(root, "directory/file"), "1");
  writeFileSync(join(root, "plain"), "1");
  const start = await mark();
  for (const path of ["directory/file", "plain"]) {
    await call("read", { path });
    await call("write", { path, content: "2" });
  }
  rmSync(join(root, "directory"), { recursive: true });
  symlinkSync(join(base, "outside"), join(root, "directory"));
  rmSync(join(root, "plain"));
  symlinkSync(join(base, "outside/file"), join(root, "plain"));

  await expect(rewinder.rewindFiles(SESSION, start)).rejects.toMatchObject({ code: "REWIND_REFUSED" });
  await rewinder.rewindFiles(SESSION, start, { onConflict: "overwrite" });

  expect(readFileSync(join(base, "outside/file"), "utf8")).toBe("2");
  expect(lstatSync(join(root, "plain")).isSymbolicLink()).toBe(true);
});

test("a change whose file could not be kept is not made", async () => {
  const { base, root } = place();
  writeFileSync(join(base, "checkpoints"), "a file in the way");
  const agent = await openAgent({ root, dir: join(base, "other") });
  const stopped = createCheckpoints({ dir: join(base, "checkpoints"), sessions: agent.sessions });
  const change = { sessionId: SESSION, turn: 1, path: join(root, "a"), before: Buffer.from("1"), mode: 0o644 };

  await expect(stopped.before(change)).rejects.toMatchObject({ code: "SESSION_WRITE" });
  await agent.close();
});

test("a tool that does not say what it leaves is believed nothing", async () => {
  const { root, checkpoints, rewinder, mark } = await agentIn();
  writeFileSync(join(root, "a"), "2");
  const start = await mark();
  await checkpoints.before({
    sessionId: SESSION,
    turn: 1,
    path: join(root, "a"),
    before: Buffer.from("1"),
    mode: 0o644,
  });

  const { files } = await rewinder.rewindFiles(SESSION, start, { dryRun: true });

  expect(files).toMatchObject([{ action: "keep", why: "the tool that changed it did not report the result" }]);
});

test("a session that takes over the id of a deleted one goes back to its own beginning", async () => {
  const { root, sessions, rewinder, call, mark } = await agentIn();
  await call("write", { path: "a", content: "of the deleted one" });
  await sessions.delete(SESSION);
  const start = await mark(Date.now() + 1_000);

  const { files } = await rewinder.rewindFiles(SESSION, start);

  expect(files).toEqual([]);
  expect(treeOf(root)).toEqual({ a: "644 of the deleted one" });
});

test("an undo after a rewind that had nothing to do does nothing, too", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  const start = await mark();
  await call("write", { path: "a", content: "1" });
  await rewinder.rewindFiles(SESSION, start);
  await rewinder.rewindFiles(SESSION, start);

  const { files } = await rewinder.undoRewind(SESSION);

  expect(files).toEqual([]);
  expect(treeOf(root)).toEqual({});
});

test("what is kept is bounded: the oldest contents go, and their files are refused", async () => {
  const { root, dir, rewinder, call, mark } = await agentIn({ maxBytes: 250 });
  const start = await mark();
  for (const path of ["a", "b", "c"]) {
    writeFileSync(join(root, path), path.repeat(100));
    await call("read", { path });
    await call("write", { path, content: "new" });
  }

  const { files } = await rewinder.rewindFiles(SESSION, start, { dryRun: true });

  expect(files.map(({ action, why }) => why ?? action)).toEqual(["what it held then is not kept", "write", "write"]);
  const kept = readdirSync(join(dir, "kept", SESSION)).map((name) => statSync(join(dir, "kept", SESSION, name)).size);
  expect(kept.sort((a, b) => a - b)).toEqual(["new".length, 100, 100]);
});

test("the same content is kept once, only for the user to read, and forget removes it all", async () => {
  const { root, dir, checkpoints, rewinder, call, mark } = await agentIn();
  const start = await mark();
  for (const path of ["a", "b"]) {
    writeFileSync(join(root, path), "same");
    await call("read", { path });
    await call("write", { path, content: "same afterwards" });
  }
  const kept = readdirSync(join(dir, "kept", SESSION)).map((name) => join(dir, "kept", SESSION, name));

  expect(kept.map((file) => readFileSync(file, "utf8")).sort()).toEqual(["same", "same afterwards"]);
  for (const file of kept) expect(statSync(file).mode & 0o77).toBe(0);
  await checkpoints.forget(SESSION);
  expect(readdirSync(join(dir, "kept", SESSION))).toEqual([]);
  expect(await rewinder.rewindFiles(SESSION, start, { dryRun: true })).toEqual({
    id: null,
    files: [],
    wouldRefuse: false,
    notKept: [],
  });
});

test("wrong options, unknown sessions and entries, and a session in use are refused", async () => {
  const { sessions, rewinder, call } = await agentIn();
  const entry = await call("write", { path: "a", content: "1" });

  expect(() => createCheckpoints({ dir: "", sessions })).toThrow("the path of a");
  expect(() => createCheckpoints({ dir: "x", sessions: {} as never })).toThrow('Option "sessions"');
  expect(() => createCheckpoints({ dir: "x", sessions, maxBytes: 0 })).toThrow("bytes, at least 1");
  expect(() => createCheckpoints({ dir: "x", sessions, durability: "none" as never })).toThrow("durability");
  await expect(rewinder.rewindFiles("other", entry)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(rewinder.rewindFiles(SESSION, "no")).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(rewinder.undoRewind(SESSION)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(rewinder.rewindFiles(SESSION, entry, { onConflict: "ask" as never })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
  const release = await sessions.lock(SESSION);
  await expect(rewinder.rewindFiles(SESSION, entry)).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await release();
});

test("with an engine, files and conversation go back together or apart, over several runs", async () => {
  const { root, dir } = place();
  const sessions = createMemorySessionStore();
  const checkpoints = createCheckpoints({ dir, sessions });
  const workspace = await createWorkspace({ root, journal: checkpoints });
  const rewinder = await checkpoints.open(workspace);
  const write = (content: string) => toolCall("write_file", { path: "a.txt", content });
  const provider = scripted([write("1"), text("One."), write("2"), text("Two."), write("3"), text("Three.")]);
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: builtinTools(workspace),
    permissions: { decide: () => ({ behavior: "allow" }) },
  });
  for (const prompt of ["one", "two", "three"]) await engine.run(prompt, { sessionId: SESSION });
  const prompts: string[] = [];
  for await (const entry of sessions.read(SESSION))
    if (entry.type === "message" && entry.message.role === "user") prompts.push(entry.id);
  const now = () => treeOf(root)["a.txt"];

  expect(now()).toBe("644 3");
  await rewinder.rewindFiles(SESSION, prompts[2]!);
  expect(now()).toBe("644 2");
  await rewindSession(sessions, SESSION, prompts[1]!);
  await rewinder.rewindFiles(SESSION, prompts[1]!);
  expect(now()).toBe("644 1");
  await rewinder.rewindFiles(SESSION, prompts[0]!);
  expect(now()).toBeUndefined();
  await workspace.close();
});

test("what a sub-agent changed goes back with the call that started it", async () => {
  const { root, checkpoints, rewinder, mark } = await agentIn();
  const start = await mark(Date.now() - 1_000);
  const change = {
    sessionId: SESSION,
    transcriptId: "child",
    runId: "child-run",
    toolCallId: "call_1",
    turn: 1,
    mode: 0,
  };
  writeFileSync(join(root, "a"), "1");
  await checkpoints.before({ ...change, path: join(root, "a"), before: null, after: Buffer.from("1") });
  const end = await mark(Date.now() + 1_000);

  expect((await rewinder.rewindFiles(SESSION, end, { dryRun: true })).files).toEqual([]);
  await rewinder.rewindFiles(SESSION, start);

  expect(treeOf(root)).toEqual({});
});

test("where a sub-agent's change belongs is reported by the call it works for, not by a clock", async () => {
  const { dir, root } = place();
  const sessions = createMemorySessionStore();
  const checkpoints = createCheckpoints({ dir, sessions });
  const workspace = await createWorkspace({ root, journal: checkpoints });
  const delegate = defineTool({
    name: "delegate",
    description: "Has another agent do it.",
    input: { type: "object" },
    permission: "none",
    execute: async (_input, context) => {
      const model = scripted([toolCall("write_file", { path: "a", content: "1" }), text("Written.")]);
      return (await context.spawn!({ name: "writer", description: "Writes.", systemPrompt: "Write.", model }, "go"))
        .text;
    },
  });
  const engine = new AgentEngine({
    provider: scripted([toolCall("delegate", {}), text("Done.")]),
    sessions,
    tools: [delegate, ...builtinTools(workspace)],
    permissions: { decide: () => ({ behavior: "allow" }) },
    runtime: { now: () => 1 }, // All entries are older than every change.
  });
  await engine.run("go", { sessionId: SESSION });
  const entries = await collect(sessions.read(SESSION));
  const prompt = entries.find(({ type }) => type === "message")!.id;
  const result = entries.find(({ type }) => type === "tool-result")!.id;
  const rewinder = await checkpoints.open(workspace);

  expect((await rewinder.rewindFiles(SESSION, result)).files).toEqual([]);
  expect(treeOf(root)).toEqual({ a: "644 1" });
  await rewinder.rewindFiles(SESSION, prompt);

  expect(treeOf(root)).toEqual({});
  await workspace.close();
});

test("a workspace in memory is rewound like one on disk", async () => {
  const sessions = createMemorySessionStore();
  const checkpoints = createCheckpoints({ dir: place().dir, sessions });
  const workspace = await createMemoryWorkspace({ files: { a: "1" }, journal: checkpoints });
  const rewinder = await checkpoints.open(workspace);
  const provider = scripted([
    toolCall("read_file", { path: "a" }),
    toolCall("write_file", { path: "a", content: "2" }),
    toolCall("write_file", { path: "b/c", content: "2" }),
    text("Done."),
  ]);
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: builtinTools(workspace),
    permissions: { decide: () => ({ behavior: "allow" }) },
  });
  const { sessionId } = await engine.run("go");
  const [first] = await collect(sessions.read(sessionId));
  expect(workspace.texts()).toEqual({ a: "2", "b/c": "2" });

  await rewinder.rewindFiles(sessionId, first!.id);

  expect(workspace.texts()).toEqual({ a: "1" });
  await expect(workspace.files.stat("b")).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});

test("a rewind is on disk, the names in every directory too, before anything says that it is done", async () => {
  const steps: string[] = [];
  const { root, dir } = place();
  const files: FileSystem = {
    ...nodeFiles,
    open: async (path, ...rest) => {
      const file = await nodeFiles.open(path, ...rest);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        steps.push(`sync ${relative(dirname(root), String(path))}`);
        await sync();
      };
      return file;
    },
    unlink: async (path) => {
      steps.push(`unlink ${dirname(relative(dir, String(path)))}`);
      await nodeFiles.unlink(path);
    },
  };
  const agent = await openAgent({ root, dir, files, durability: "power" });
  onTestFinished(() => agent.close());
  writeFileSync(join(root, "a"), "old");
  const start = await agent.mark();
  await agent.call("edit", { path: "a", old_text: "old", new_text: "new" });
  await agent.call("write", { path: "made/deep/b", content: "b" });
  steps.length = 0;

  await agent.rewinder.rewindFiles(SESSION, start);

  const removed = steps.indexOf("unlink rewinding");
  const before = steps.slice(0, removed);
  expect(removed).toBeGreaterThan(0);
  expect(before).toContain("sync root");
  expect(treeOf(root)).toEqual({ a: "644 old" });
});

test("directories that come back with a file are in the report, and an undo takes them away again", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  mkdirSync(join(root, "p/q"), { recursive: true });
  writeFileSync(join(root, "p/q/f"), "old");
  const start = await mark();
  await call("edit", { path: "p/q/f", old_text: "old", new_text: "new" });
  rmSync(join(root, "p"), { recursive: true });

  const { files } = await rewinder.rewindFiles(SESSION, start, { onConflict: "overwrite" });
  const rewound = treeOf(root);
  await rewinder.undoRewind(SESSION);

  expect(files.map(({ action, kind, path }) => `${action} ${kind} ${relative(root, path)}`)).toEqual([
    "write file p/q/f",
    "make directory p/q",
    "make directory p",
  ]);
  expect(rewound).toEqual({ p: "directory", "p/q": "directory", "p/q/f": "644 old" });
  expect(treeOf(root)).toEqual({});
});
