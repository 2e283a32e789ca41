// One mechanism bounds the results of every tool: what is too long goes to an artifact, and its head and tail stay.
import { expect, test } from "vitest";
import type {
  AgentEngine,
  ArtifactStore,
  BaseTool,
  ContentPart,
  SubagentDefinition,
  ToolOutput,
  ToolResult,
} from "../../../src/index.js";
import { ToolRegistry } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";
import { createBashTool, createReadFileTool } from "../../../src/tools/index.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { played, testEngine, tool } from "../kit.js";

const LINES = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join("\n");

/** The results of a run, by call. */
async function resultsOf(engine: AgentEngine, sessionId = "s"): Promise<Record<string, ToolResult>> {
  const { events } = await played(engine.stream("go", { sessionId }));
  return Object.fromEntries(
    events.flatMap((event) => (event.type === "tool-call-end" ? [[event.result.toolCallId, event.result]] : [])),
  );
}

/** Runs one call of a tool that answers `output`, in an engine with the artifacts of a workspace. */
async function ran(output: ToolOutput, about: Partial<BaseTool> = {}, artifacts?: ArtifactStore | null) {
  const { workspace } = await temporaryWorkspace();
  const { engine } = testEngine([toolCall("long", {}, { id: "c" }), text("ok")], {
    tools: [tool("long", async () => output, about)],
    ...(artifacts !== null && { artifacts: artifacts ?? workspace.artifacts }),
  });
  return { result: (await resultsOf(engine)).c!, workspace };
}

test("an output over the limit leaves its head, its tail, its size and the path of the whole", async () => {
  const { result, workspace } = await ran(LINES);

  const { path } = result.artifact!;
  const [, head, note, tail] = /^(.*)\n\n(\[….*\])\n\n(.*)$/s.exec(result.output as string)!;
  expect(LINES.startsWith(head!)).toBe(true);
  expect(LINES.endsWith(tail!)).toBe(true);
  expect(head!.length + tail!.length).toBe(20_000);
  expect(note).toBe(
    `[… ${LINES.length - 20_000} characters left out. The whole output (${LINES.length} characters) is in "${path}"; read it with read_file, page by page.]`,
  );
  expect(result).toMatchObject({ status: "success", artifact: { bytes: LINES.length, mediaType: "text/plain" } });
  expect(Buffer.from(await workspace.files.read(path)).toString()).toBe(LINES);
});

test("an artifact that the tool itself has made stands in the result, unless a hook has replaced the output", async () => {
  const kept = { id: "1", path: "/kept/1.txt", bytes: 9, mediaType: "text/plain" };
  const own = { output: "head … tail", artifact: { ...kept, more: "x" } };
  const { engine } = testEngine([toolCall("long", {}, { id: "c" }), text("ok")], {
    tools: [tool("long", async () => own)],
    hooks: { PostToolUse: [{ run: () => ({ updatedToolOutput: "nothing to see" }) }] },
  });

  expect((await ran(own)).result.artifact).toEqual(kept);
  expect((await resultsOf(engine)).c).not.toHaveProperty("artifact");
  for (const wrong of [{ ...kept, id: 1 }, { ...kept, bytes: "9" }, "1", null]) {
    expect((await ran({ output: "x", artifact: wrong as never })).result).not.toHaveProperty("artifact");
  }
});

test("the limit itself is not over the limit", async () => {
  expect((await ran("x".repeat(20_000))).result).not.toHaveProperty("artifact");
  expect((await ran("x".repeat(20_001))).result).toHaveProperty("artifact");
});

test("what was moved out is read page by page, with the path the model was reported", async () => {
  const { workspace } = await temporaryWorkspace();
  const { engine, provider } = testEngine(
    [
      toolCall("long"),
      ({ lastToolResult }) => {
        const path = /is in "([^"]+)"/.exec(String(lastToolResult?.output))![1]!;
        return toolCall("read_file", { path, offset: 2_500, limit: 2 });
      },
      text("ok"),
    ],
    { tools: [tool("long", async () => LINES), createReadFileTool(workspace)], artifacts: workspace.artifacts },
  );

  await engine.run("go");

  expect(provider.requests[2]?.lastToolResult?.output).toMatch(/^2500\tline 2500\n2501\tline 2501\n/);
});

test("a tool's own limit wins, and 0 moves everything out", async () => {
  const { result } = await ran("0123456789", { maxResultChars: 6 });
  const nothing = await ran("x", { maxResultChars: 0 });

  expect(result.output).toMatch(/^0123\n\n\[… 4 characters left out\. .*\]\n\n89$/);
  expect(nothing.result.output).toMatch(/^\n\n\[… 1 characters left out\. .*\]\n\n$/);
});

test("text among content parts is bounded, images and files stay", async () => {
  const image: ContentPart = { type: "image", mediaType: "image/png", data: "aGk=" };
  const file: ContentPart = { type: "file", mediaType: "application/pdf", data: "aGk=", name: "a.pdf" };
  const parts: ContentPart[] = [{ type: "text", text: LINES }, image, { type: "text", text: "The end." }, file];

  const { result, workspace } = await ran({ output: parts });

  const shown = result.output as ContentPart[];
  expect(shown).toEqual([{ type: "text", text: expect.stringMatching(/The end\.$/) }, image, file]);
  expect((shown[0] as { text: string }).text.length).toBeLessThan(20_500);
  const whole = Buffer.from(await workspace.files.read(result.artifact!.path)).toString();
  expect(whole).toContain(LINES);
  expect(whole).toContain("The end.");
});

const image = (length: number, letter = "A"): ContentPart => ({
  type: "image",
  mediaType: "image/png",
  data: letter.repeat(length),
});
const MIB = 1024 * 1024;

test("an image that a model can take stays as it is", async () => {
  const { result } = await ran({ output: [image(5 * MIB)] });

  expect(result).toEqual(expect.objectContaining({ output: [image(5 * MIB)] }));
  expect(result).not.toHaveProperty("artifact");
});

test("an image or file that is too large is kept outside, and a string in its place says what and where it is", async () => {
  const file: ContentPart = { type: "file", mediaType: "application/pdf", data: "QUFB".repeat(2 * MIB), name: "a.pdf" };
  const parts: ContentPart[] = [
    { type: "text", text: "first" },
    image(5 * MIB + 4),
    file,
    image(8),
    { type: "text", text: "last" },
  ];

  const { result, workspace } = await ran({ output: parts });

  const [first, large, pdf, small, last] = result.output as ContentPart[];
  expect([first, small, last]).toEqual([parts[0], parts[3], parts[4]]);
  const told = /^\[(.*) was left out: it is too large for the conversation\. It is in "(.*)"\.\]$/;
  const [, whatImage, imagePath] = told.exec((large as { text: string }).text)!;
  const [, whatFile, filePath] = told.exec((pdf as { text: string }).text)!;
  expect([whatImage, whatFile]).toEqual([
    "An image of type image/png, 3932163 bytes,",
    `A file "a.pdf" of type application/pdf, ${6 * MIB} bytes,`,
  ]);
  expect(result.artifact).toMatchObject({ path: imagePath, mediaType: "image/png" });
  expect(Buffer.from(await workspace.files.read(filePath!)).equals(Buffer.alloc(6 * MIB, "AAA"))).toBe(true);
});

test("images that do not fit together, or are too many, are kept outside from there on", async () => {
  const large = await ran({ output: Array.from({ length: 6 }, () => image(4 * MIB)) });
  const many = await ran({ output: Array.from({ length: 102 }, () => image(4)) });

  const kinds = (result: ToolResult) => (result.output as ContentPart[]).map(({ type }) => type);
  expect(kinds(large.result)).toEqual([...Array(5).fill("image"), "text"]);
  expect(kinds(many.result)).toEqual([...Array(100).fill("image"), "text", "text"]);
});

test("an image that cannot be kept is left out, and the output says so", async () => {
  const without = await ran({ output: [image(6 * MIB)] }, {}, null);
  const damaged = await ran({ output: [image(6 * MIB, "!")] });

  for (const { result } of [without, damaged]) {
    expect(result.output).toEqual([
      { type: "text", text: expect.stringMatching(/ 6291456 characters of base64, .* It was not kept\.\]$/) },
    ]);
    expect(result).not.toHaveProperty("artifact");
  }
});

test("an error result is moved out like any other, and a thrown message is cut", async () => {
  const long = await ran({ output: LINES, isError: true, details: { code: "TOOL_FAILED", kept: 1 } });
  const { engine } = testEngine([toolCall("broken", {}, { id: "c" }), text("ok")], {
    tools: [tool("broken", () => Promise.reject(new Error(LINES)))],
    artifacts: long.workspace.artifacts,
  });
  const thrown = (await resultsOf(engine)).c!;

  expect(long.result).toMatchObject({ isError: true, status: "failure", details: { code: "TOOL_FAILED", kept: 1 } });
  expect(long.result.artifact).toBeDefined();
  expect(thrown).toMatchObject({ isError: true, output: expect.stringMatching(/ … \(cut\)$/) });
  expect(String(thrown.output).length).toBeLessThan(4_100);
});

test("an output that a hook put in place of the tool's is bounded, too", async () => {
  const { workspace } = await temporaryWorkspace();
  const { engine } = testEngine([toolCall("short", {}, { id: "c" }), text("ok")], {
    tools: [tool("short", async () => "short")],
    artifacts: workspace.artifacts,
    hooks: { PostToolUse: [{ run: () => ({ updatedToolOutput: LINES }) }] },
  });

  const { artifact, output } = (await resultsOf(engine)).c!;

  expect(Buffer.from(await workspace.artifacts!.get(artifact!.id)).toString()).toBe(LINES);
  expect(String(output).length).toBeLessThan(20_500);
});

test("a sub-agent's results are moved out under the root's session", async () => {
  const { workspace } = await temporaryWorkspace();
  const scout: SubagentDefinition = { name: "scout", description: "Looks.", systemPrompt: "Look." };
  const task = tool("task", async (_input, { spawn }) => (await spawn!(scout, "look")).text, { permission: "none" });
  const { engine, provider } = testEngine([toolCall("task"), toolCall("long"), text("found"), text("done")], {
    tools: [task, tool("long", async () => LINES)],
    artifacts: workspace.artifacts,
  });

  await engine.run("go", { sessionId: "s" });
  const path = /is in "([^"]+)"/.exec(String(provider.requests[2]?.lastToolResult?.output))![1]!;
  const kept = Buffer.from(await workspace.files.read(path)).toString();
  await engine.endSession("s");

  expect(kept).toBe(LINES);
  await expect(workspace.files.read(path)).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});

test("two calls with the same output share one artifact, until their last session ends", async () => {
  const { workspace } = await temporaryWorkspace();
  const calls = [toolCall("long", { n: 1 }, { id: "a" }), toolCall("long", { n: 2 }, { id: "b" })];
  const { engine } = testEngine([calls, text("ok"), calls, text("ok")], {
    tools: [tool("long", async () => LINES)],
    artifacts: workspace.artifacts,
  });

  const { a, b } = await resultsOf(engine, "one");
  const other = Object.values(await resultsOf(engine, "two"));
  await engine.endSession("one");

  expect([b!.artifact, other[0]!.artifact]).toEqual([a!.artifact, a!.artifact]);
  expect((await workspace.artifacts!.get(a!.artifact!.id)).length).toBe(LINES.length);
  await engine.endSession("two");
  await expect(workspace.artifacts!.get(a!.artifact!.id)).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});

test("without a store, and with one that fails, the output is cut and says that the rest is gone", async () => {
  const full: ArtifactStore = { put: () => Promise.reject(new Error("disk full")), get: () => Promise.reject() };

  for (const store of [null, full]) {
    const { result } = await ran(LINES, {}, store);
    expect(result).toMatchObject({ status: "success" });
    expect(result).not.toHaveProperty("artifact");
    expect(result.output).toContain(`The output had ${LINES.length} characters; the rest was not kept.`);
    expect(String(result.output).length).toBeLessThan(20_500);
  }
});

test("a character outside the basic plane is never parted", async () => {
  for (const shift of ["", "x"]) {
    const { result } = await ran(shift + "😀".repeat(20_000));
    expect(String(result.output)).not.toMatch(/\p{Surrogate}/u);
  }
});

test("a call without an engine is bounded the same way", async () => {
  const { workspace } = await temporaryWorkspace();
  const registry = new ToolRegistry([tool("long", async () => LINES)]);
  const context = fakeToolContext({ artifacts: workspace.artifacts, sessionId: "s" });

  const result = await registry.execute({ id: "c", name: "long", arguments: {} }, context);

  expect(Buffer.from(await workspace.artifacts!.get(result.artifact!.id)).toString()).toBe(LINES);
  expect(String(result.output).length).toBeLessThan(20_500);
});

test("an output that its tool has kept whole is cut further, and the whole stays where the tool put it", async () => {
  const { workspace } = await temporaryWorkspace();
  const bash = { ...createBashTool(workspace), maxResultChars: 1_000 };
  const { engine } = testEngine([toolCall("bash", { command: "seq 1 50000" }, { id: "c" }), text("ok")], {
    tools: [bash],
    artifacts: workspace.artifacts,
  });

  const { artifact, output } = (await resultsOf(engine)).c!;
  const whole = Buffer.from(await workspace.artifacts!.get(artifact!.id)).toString();

  expect(whole.split("\n")).toHaveLength(50_001);
  expect(output).toContain(`The whole output (${whole.length} bytes) is in "${artifact!.path}"`);
  expect((output as string).length).toBeLessThan(1_500);
});
