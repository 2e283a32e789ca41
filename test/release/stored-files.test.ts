import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, type AssistantPart, type ContentPart, type Message, type ToolResultPart } from "loopwright";
import { createFileFactStore } from "loopwright/memory";
import { verifyAudit } from "loopwright/observability";
import { createFileSessionStore, createMemorySessionStore, importSession } from "loopwright/sessions";
import { createFileTaskStore } from "loopwright/tasks";
import { replayRun, scripted, text } from "loopwright/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../docs/pages.js";
import { deploy, writeStoredFiles } from "./stored-files.js";

const RELEASED = join(ROOT, "test/fixtures/stored");
const ANSWERS = ["Deploy version 1.", "Deployed.", "It is deployed.", "And now?", "Now we wait."];
let work: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "loopwright-stored-"));
  await cp(RELEASED, work, { recursive: true });
  await writeStoredFiles(join(work, "this version"));
});

afterAll(() => rm(work, { recursive: true, force: true }));

const said = (messages: readonly Message[]) =>
  messages
    .flatMap<ContentPart | AssistantPart | ToolResultPart>(({ content }) => content)
    .flatMap<unknown>((part) => (part.type === "text" ? part.text : part.type === "tool-result" ? part.output : []));

describe.each(["0.1.0", "this version"])("what %s has written", (version) => {
  const at = (name: string) => join(work, version, name);

  test("its sessions go on", async () => {
    const sessions = createFileSessionStore({ dir: at("sessions") });
    const engine = new AgentEngine({ provider: scripted([text("Now we wait.")]), tools: [deploy], sessions });

    const result = await engine.run("And now?", { sessionId: "stored" });

    expect(said(result.messages())).toEqual(ANSWERS);
  });

  test("its exported sessions are imported, and go on", async () => {
    const sessions = createMemorySessionStore();
    await importSession(sessions, await readFile(at("exported.json"), "utf8"));
    const engine = new AgentEngine({ provider: scripted([text("Now we wait.")]), tools: [deploy], sessions });

    const result = await engine.run("And now?", { sessionId: "stored" });

    expect(said(result.messages())).toEqual(ANSWERS);
  });

  test("its cassettes are replayed", async () => {
    const replay = replayRun(at("cassette.jsonl"), { tools: [deploy], approver: () => ({ decision: "allow" }) });

    const result = await new AgentEngine(replay.options).run("Deploy version 1.", { sessionId: "stored" });

    expect([result.text, replay.verify().ok]).toEqual(["It is deployed.", true]);
  });

  test("its audit trails are verified", async () => {
    expect(await verifyAudit(at("audit.jsonl"))).toMatchObject({ ok: true, records: 11 });
  });

  test("its tasks and facts are there, and keep fields that this version does not know", async () => {
    const file = at("tasks/2.json");
    await writeFile(file, (await readFile(file, "utf8")).replace("{", '{"later": true,'));
    const book = at("facts/facts.jsonl");
    await writeFile(book, (await readFile(book, "utf8")).replace("{", '{"later":true,'));
    const tasks = createFileTaskStore({ dir: at("tasks") });
    const facts = createFileFactStore({ dir: at("facts") });

    await tasks.update("2", { status: "completed" });
    await facts.remember({ text: "Announcements go to everybody." });

    expect(await tasks.list()).toMatchObject([
      { id: "1", status: "completed", result: { version: "1" }, metadata: { size: 2 } },
      { id: "2", status: "completed", description: "To everybody.", blockedBy: ["1"], later: true },
    ]);
    expect(await readFile(book, "utf8")).toMatch(/"later":true[^\n]*Mondays|Mondays[^\n]*"later":true/);
  });
});

test("files of every released version are tested", async () => {
  expect(await readdir(RELEASED)).toEqual(["0.1.0"]);
});
