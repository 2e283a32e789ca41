import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentEngine } from "../../src/engine/engine.js";
import { commandHook, createTranscriptFiles } from "../../src/hooks/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { ALLOW, tool } from "../engine/kit.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

const act = tool("bash", async ({ command }) => `ran ${command}`);

async function linesOf(path: string | undefined) {
  const lines = (await readFile(path!, "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as { type: string; message: Record<string, never> });
}

test("a Stop hook's script finds the session so far, its last answer included, as Claude Code writes it", async () => {
  const dir = await temporaryDirectory();
  const files = createTranscriptFiles({
    sessions: createMemorySessionStore(),
    dir: join(dir, "transcripts"),
    cwd: dir,
  });
  const script = join(dir, "last.mjs");
  await writeFile(
    script,
    `import { readFileSync, writeFileSync } from "node:fs";
    const { transcript_path } = JSON.parse(readFileSync(0, "utf8"));
    const lines = readFileSync(transcript_path, "utf8").trim().split("\\n").map((line) => JSON.parse(line));
    const said = lines.filter(({ type }) => type === "assistant").at(-1).message.content;
    writeFileSync("last.txt", said.map(({ text }) => text).join(""));`,
  );
  const { transcriptPath } = files;
  const engine = new AgentEngine({
    provider: scripted([toolCall("bash", { command: "ls", timeout_ms: 5 }, { id: "c" }), text("All done.")]),
    tools: [act],
    permissions: ALLOW,
    sessions: files.sessions,
    hooks: { Stop: [commandHook({ command: `node ${script}`, dir, transcriptPath })] },
  });

  await engine.run("Look.", { sessionId: "s" });

  expect(await readFile(join(dir, "last.txt"), "utf8")).toBe("All done.");
  expect(await linesOf(transcriptPath("s"))).toMatchObject([
    {
      type: "user",
      sessionId: "s",
      cwd: dir,
      parentUuid: expect.anything(),
      message: { role: "user", content: "Look." },
    },
    {
      type: "assistant",
      timestamp: expect.stringMatching(/^\d{4}-/),
      message: {
        content: [{ type: "tool_use", id: "c", name: "Bash", input: { command: "ls", timeout: 5 } }],
        stop_reason: "tool_use",
      },
    },
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "c", content: "ran ls", is_error: false }] },
    },
    { type: "assistant", message: { content: [{ type: "text", text: "All done." }], stop_reason: "end_turn" } },
  ]);
});

test("a session that began without a file gets its past, each has its own, and deleting one removes it", async () => {
  const inner = createMemorySessionStore();
  const dir = join(await temporaryDirectory(), "transcripts");
  const plain = (sessions: typeof inner, answer: string) =>
    new AgentEngine({ provider: scripted([answer]), tools: [act], sessions });
  await plain(inner, "One.").run("first", { sessionId: "S/../x" });
  const { sessions, transcriptPath } = createTranscriptFiles({ sessions: inner, dir });

  expect(transcriptPath("S/../x")).toBeUndefined();
  await plain(sessions, "Two.").run("second", { sessionId: "S/../x" });
  await plain(sessions, "Three.").run("third", { sessionId: "s/../x" });

  expect((await linesOf(transcriptPath("S/../x"))).map(({ type }) => type)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(transcriptPath("S/../x")!.startsWith(`${dir}/`)).toBe(true);
  expect(transcriptPath("S/../x")!.toLowerCase()).not.toBe(transcriptPath("s/../x")!.toLowerCase());
  await sessions.delete("S/../x");
  expect(transcriptPath("S/../x")).toBeUndefined();
});

test("a file that cannot be written costs the session nothing", async () => {
  const dir = await temporaryDirectory();
  await rm(join(dir, "transcripts"), { force: true });
  await writeFile(join(dir, "transcripts"), "in the way");
  const { sessions } = createTranscriptFiles({ sessions: createMemorySessionStore(), dir: join(dir, "transcripts") });

  const result = await new AgentEngine({ provider: scripted(["Fine."]), sessions }).run("hi");

  expect(result).toMatchObject({ status: "completed", text: "Fine." });
});

test("a picture that the model makes is in the file as an image block", async () => {
  const dir = await temporaryDirectory();
  const files = createTranscriptFiles({
    sessions: createMemorySessionStore(),
    dir: join(dir, "transcripts"),
    cwd: dir,
  });
  const png = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

  await new AgentEngine({ provider: scripted([["Here:", png]]), sessions: files.sessions }).run("Draw.", {
    sessionId: "s",
  });

  const lines = await linesOf(files.transcriptPath("s"));
  expect(lines.at(-1)?.message.content).toEqual([
    { type: "text", text: "Here:" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: png.data } },
  ]);
});
