import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentEngine, defineTool, type JsonObject, ToolRegistry } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { fakeToolContext } from "loopwright/testing";
import { builtinTools } from "loopwright/tools";
import { expect, test } from "vitest";
import { compileJsonSchema } from "../../src/schema/json-schema-validator.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";

async function openTools(files: Readonly<Record<string, string>>) {
  const { root, workspace } = await temporaryWorkspace();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const registry = new ToolRegistry(builtinTools(workspace));
  await registry.ready();
  /** The value, which has the shape that the tool's definition says. */
  async function dataOf(name: string, args: JsonObject) {
    const { value, output } = await registry.execute({ id: "1", name, arguments: args }, fakeToolContext());
    const validate = await compileJsonSchema(registry.get(name)!.definition().outputSchema!);
    expect(await validate(value), String(output)).not.toHaveProperty("issues");
    return value;
  }
  return { registry, workspace, dataOf };
}

test("the text of a file comes without line numbers, with what there is beside it", async () => {
  const { dataOf } = await openTools({
    "a.txt": "one\ntwo\nthree\n",
    "empty.txt": "",
    "long.txt": `${"x".repeat(3_000)}\ny`,
  });

  expect(await dataOf("read_file", { path: "a.txt", offset: 2, limit: 1 })).toEqual({
    text: "two",
    firstLine: 2,
    lines: 1,
    hasMore: true,
    cutLines: [],
  });
  expect(await dataOf("read_file", { path: "a.txt" })).toMatchObject({ text: "one\ntwo\nthree", hasMore: false });
  expect(await dataOf("read_file", { path: "empty.txt" })).toMatchObject({ text: "", lines: 0 });
  expect(await dataOf("read_file", { path: "long.txt" })).toMatchObject({
    text: `${"x".repeat(2_000)}\ny`,
    cutLines: [1],
  });
  expect(await dataOf("read_file", { path: "long.txt", offset: 1, column: 2_001 })).toMatchObject({
    text: "x".repeat(1_000),
    cutLines: [],
    hasMore: true,
  });
});

test("a command's output is whole, also where a model reads its head and tail", async () => {
  const { dataOf } = await openTools({});

  expect(await dataOf("bash", { command: "echo out; echo err >&2; exit 3" })).toEqual({
    exitCode: 3,
    output: "out\nerr\n",
  });
  const { output } = (await dataOf("bash", { command: "seq 1 100000" })) as { output: string };
  expect(output.split("\n")).toHaveLength(100_001);
  expect(await dataOf("bash", { command: "kill -9 $$" })).toMatchObject({ exitCode: null });
});

test("a search gives what it found as data", async () => {
  const { dataOf } = await openTools({ "a.txt": "one\ntwo\none\n", "d/b.txt": "one\n", "d/c.md": "none" });
  const content = { output_mode: "content", "-C": 1 };

  expect(await dataOf("grep", { pattern: "^one" })).toEqual({ paths: ["a.txt", "d/b.txt"], isCut: false });
  expect(await dataOf("grep", { pattern: "^one", ...content })).toEqual({
    paths: ["a.txt", "d/b.txt"],
    isCut: false,
    matches: [
      { path: "a.txt", line: 1, text: "one" },
      { path: "a.txt", line: 3, text: "one" },
      { path: "d/b.txt", line: 1, text: "one" },
    ],
  });
  expect(await dataOf("grep", { pattern: "one", output_mode: "count", head_limit: 1 })).toEqual({
    paths: ["a.txt"],
    isCut: true,
    counts: [{ path: "a.txt", count: 2 }],
  });
  expect(await dataOf("grep", { pattern: "nothing here" })).toEqual({ paths: [], isCut: false });
  expect(await dataOf("glob", { pattern: "**/*.md" })).toEqual({ paths: ["d/c.md"], total: 1 });
  expect(await dataOf("list_dir", { path: "." })).toEqual({ paths: ["a.txt", "d/", "d/b.txt", "d/c.md"], total: 4 });
  expect(await dataOf("list_dir", { path: "d/" })).toEqual({ paths: ["d/b.txt", "d/c.md"], total: 2 });
});

test("a model is sent no shape of values, and neither events nor session hold a value", async () => {
  const { registry, workspace } = await openTools({ "a.txt": "one\n" });
  const provider = scripted([toolCall("read_file", { path: "a.txt" }), text("Done.")]);
  const engine = new AgentEngine({
    provider,
    tools: registry,
    permissions: { decide: async () => ({ behavior: "allow" }) },
  });

  const run = engine.stream("Read it");
  const events = [];
  for await (const event of run) events.push(event);

  expect(JSON.stringify(provider.requests[0]!.tools)).not.toContain("outputSchema");
  expect(registry.get("read_file")!.definition()).toHaveProperty("outputSchema");
  expect(JSON.stringify(events)).toContain("1\\tone");
  expect(JSON.stringify(events)).not.toContain("firstLine");
  await engine.close();
  await workspace.close();
});

test("a JSON value that a tool returns is its value; what is no JSON is none", async () => {
  const define = (name: string, execute: () => never) =>
    defineTool({ name, description: "x", permission: "none", execute });
  const registry = new ToolRegistry([
    define("plain", () => ({ a: [1] }) as never),
    define("text", () => "text" as never),
    define("odd", () => ({ output: "o", value: () => 1 }) as never),
    define(
      "throwing",
      () =>
        ({
          output: "o",
          get value() {
            throw new Error("no");
          },
        }) as never,
    ),
  ]);
  const call = async (name: string) => registry.execute({ id: "1", name, arguments: {} }, fakeToolContext());

  expect(await call("plain")).toMatchObject({ output: '{"a":[1]}', value: { a: [1] } });
  for (const name of ["text", "odd", "throwing"]) expect(await call(name)).not.toHaveProperty("value");
});
