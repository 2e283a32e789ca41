import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { connectMcp, createMcpRegistry } from "../../src/mcp/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { callOf, closing, connectPublished, published } from "./servers.js";

test("a server's tools are called in a run, through the gate", async () => {
  const everything = connectPublished("everything");
  await everything.ready;
  const provider = scripted([
    toolCall("mcp__everything__echo", { message: "hello" }),
    toolCall("mcp__everything__get-tiny-image", {}),
    toolCall("mcp__everything__get-sum", { a: 1, b: 2 }),
    text("done"),
  ]);
  const engine = new AgentEngine({
    provider,
    tools: createMcpRegistry([everything]),
    permissions: createPermissionChecker({
      mode: "dontAsk",
      rules: { allow: ["mcp__everything__*"], deny: ["mcp__everything__get-sum"] },
    }),
  });

  const result = await engine.run("echo");

  const outputs = result.messages().flatMap((message) => (message.role === "tool" ? message.content : []));
  expect(outputs.map(({ name, isError }) => ({ name, isError }))).toEqual([
    { name: "mcp__everything__echo", isError: false },
    { name: "mcp__everything__get-tiny-image", isError: false },
    { name: "mcp__everything__get-sum", isError: true },
  ]);
  expect(outputs[0]?.output).toBe("Echo: hello");
  expect(outputs[1]?.output).toContainEqual({ type: "image", mediaType: "image/png", data: expect.any(String) });
  provider.assertExhausted();
});

test("structured content, resources, prompts, progress and instructions of a real server arrive", async () => {
  const everything = connectPublished("everything");
  await everything.ready;

  const structured = await callOf(everything, "get-structured-content", { location: "New York" });
  const resources = await callOf(everything, "list_resources");
  const resource = await callOf(everything, "read_resource", { uri: "demo://resource/static/document/features.md" });
  const prompts = await callOf(everything, "list_prompts");
  const prompt = await callOf(everything, "get_prompt", { name: "args-prompt", arguments: { city: "Paris" } });
  const long = await callOf(everything, "trigger-long-running-operation", { duration: 0.2, steps: 2 });

  expect(structured).toMatchObject({
    isError: false,
    details: { structuredContent: { conditions: expect.any(String) } },
  });
  expect(resources.output).toContain("demo://resource/static/document/features.md");
  expect(resource.output).toContain("features.md");
  expect(prompts.output).toContain("args-prompt(city");
  expect(prompt.output).toContain("Paris");
  expect(long.context.updates).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
  expect(everything.instructions).toContain("Everything Server");
});

test("a server knows nothing of this process's environment that it was not given", async () => {
  process.env.HOST_SECRET_KEY = "hush";
  const server = { command: process.execPath, args: [published("everything")] };
  const everything = closing(connectMcp({ name: "everything", ...server, env: { GIVEN: "yes" } }));
  await everything.ready;

  const { output } = await callOf(everything, "get-env");
  delete process.env.HOST_SECRET_KEY;

  expect(JSON.parse(String(output))).toMatchObject({ GIVEN: "yes" });
  expect(output).not.toContain("hush");
});

test("the file server and the memory server work", async () => {
  const dir = await mkdtemp(join(tmpdir(), "mcp-servers-"));
  await writeFile(join(dir, "a.txt"), "alpha");
  const files = connectPublished("filesystem", [dir]);
  const memory = closing(
    connectMcp({
      name: "memory",
      command: process.execPath,
      args: [published("memory")],
      env: { MEMORY_FILE_PATH: join(dir, "memory.jsonl") },
    }),
  );
  await Promise.all([files.ready, memory.ready]);

  const read = await callOf(files, "read_text_file", { path: join(dir, "a.txt") });
  const outside = await callOf(files, "read_text_file", { path: "/etc/hostname" });
  const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
  await callOf(memory, "create_entities", { entities });
  const found = await callOf(memory, "search_nodes", { query: "programs" });
  await rm(dir, { recursive: true });

  expect(read).toMatchObject({ output: "alpha", isError: false });
  expect(outside).toMatchObject({ isError: true, output: expect.stringContaining("Access denied") });
  expect(found.output).toContain("Ada");
});

test("a server that speaks the latest revision only is understood", async () => {
  const program = fileURLToPath(new URL("modern-server.mjs", import.meta.url));
  const connection = closing(
    connectMcp({ name: "modern", command: process.execPath, args: [program] }, { timeoutMs: 5_000, reconnect: false }),
  );
  await connection.ready;
  expect(await callOf(connection, "echo", { text: "hi" })).toMatchObject({ output: "modern hi" });
  expect(connection.instructions).toBe("Be modern.");

  const changed = new Promise<void>((resolve) => connection.on("tools-changed", resolve));
  await callOf(connection, "grow");
  await changed;
  expect(connection.tools().map(({ name }) => name)).toContain("mcp__modern__late");
});
