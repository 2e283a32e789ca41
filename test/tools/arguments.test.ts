import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/contracts/json.js";
import { createMemoryWorkspace } from "../../src/testing/workspace/memory-workspace.js";
import { builtinTools } from "../../src/tools/builtin-tools.js";
import { temporaryWorkspace } from "../workspace/temporary-workspace.js";
import { callTool } from "./call-tool.js";

const OPTIONS = { webFetch: {}, webSearch: { search: async () => [] } };
const workspace = await createMemoryWorkspace();
const tools = new Map(builtinTools(workspace, OPTIONS).map((tool) => [tool.name, tool]));

/** For every tool: arguments as they are sent, and as they are meant. */
const SENT: Readonly<Record<string, readonly (readonly [sent: JsonValue, meant: JsonObject])[]>> = {
  read_file: [
    [
      { path: "1", offset: "2", limit: " 30 " },
      { path: "1", offset: 2, limit: 30 },
    ],
    [
      { path: "a", offset: "2", column: "7" },
      { path: "a", offset: 2, limit: 2000, column: 7 },
    ],
    [
      { path: "a", column: null },
      { path: "a", offset: 1, limit: 2000 },
    ],
    ['{"path":"a","limit":"5"}', { path: "a", offset: 1, limit: 5 }],
  ],
  write_file: [
    [
      { path: "a", content: "[1]" },
      { path: "a", content: "[1]" },
    ],
    [
      { path: "a", content: "true" },
      { path: "a", content: "true" },
    ],
  ],
  edit_file: [
    [
      { path: "a", old_text: "1", new_text: "2", replace_all: "true" },
      { path: "a", old_text: "1", new_text: "2", replace_all: true },
    ],
    [
      { path: "a", old_text: null, new_text: null, edits: '[{"old_text":"1","new_text":"2","replace_all":"False"}]' },
      { path: "a", edits: [{ old_text: "1", new_text: "2", replace_all: false }] },
    ],
  ],
  bash: [
    [
      { command: "ls", timeout_ms: "1000", run_in_background: "true" },
      { command: "ls", timeout_ms: 1000, run_in_background: true },
    ],
  ],
  bash_output: [[{ task_id: "1" }, { task_id: "1" }]],
  bash_kill: [['{"task_id":"bash_1"}', { task_id: "bash_1" }]],
  glob: [[{ pattern: "*", path: null }, { pattern: "*" }]],
  grep: [
    [
      { pattern: "true", "-i": "true", "-n": "false", "-C": "2", head_limit: "3", multiline: "TRUE" },
      {
        pattern: "true",
        "-i": true,
        "-n": false,
        "-C": 2,
        head_limit: 3,
        multiline: true,
        output_mode: "files_with_matches",
      },
    ],
  ],
  list_dir: [[{ depth: "3" }, { path: ".", depth: 3 }]],
  create_dir: [[{ path: "7" }, { path: "7" }]],
  todo_write: [
    [
      { todos: '[{"content":"Run the tests","status":"pending","activeForm":null}]' },
      { todos: [{ content: "Run the tests", status: "pending" }] },
    ],
    [{ todos: ['{"content":"a","status":"completed"}'] }, { todos: [{ content: "a", status: "completed" }] }],
  ],
  ask_user: [
    [
      { question: "Which?", options: '["a","b"]', free_text: "false" },
      { question: "Which?", options: ["a", "b"], free_text: false },
    ],
  ],
  web_fetch: [[{ url: "https://example.org" }, { url: "https://example.org" }]],
  web_search: [[{ query: "2" }, { query: "2" }]],
};

/** What a call of each tool needs at least. */
const LEAST: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries(SENT).map(([name, cases]) => [name, cases[0]![1]]),
);

test("every built-in tool is in these tables", () => {
  expect(Object.keys(SENT).sort()).toEqual([...tools.keys()].sort());
});

test.each(Object.keys(SENT))("%s takes what was sent as a string for what it says", async (name) => {
  for (const [sent, meant] of SENT[name]!) expect(await tools.get(name)!.parse!(sent)).toEqual(meant);
});

test.each(Object.keys(SENT))("%s refuses an argument it does not have, and names those it has", async (name) => {
  const tool = tools.get(name)!;
  const parse = async (args: JsonValue) => tool.parse!(args);
  const known = Object.keys(tool.definition().inputSchema.properties as object);

  await expect(parse({ ...LEAST[name], bogus: true })).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
    message: `Tool "${name}" has no argument "bogus". It takes ${known.join(", ")}. Nothing was done.`,
  });
  for (const each of known.filter((each) => each.length > 2)) {
    await expect(parse({ ...LEAST[name], [`${each}s`]: 1 }), each).rejects.toMatchObject({
      message: expect.stringContaining(`Did you mean "${each}"?`),
    });
  }
});

test.each([
  ["write_file", "file_path", "path"],
  ["edit_file", "old_string", "old_text"],
  ["edit_file", "new_str", "new_text"],
  ["edit_file", "replaceAll", "replace_all"],
  ["bash", "cmd", "command"],
  ["bash", "timeout", "timeout_ms"],
  ["grep", "ignore-case", "-i"],
  ["grep", "include", "glob"],
  ["glob", "query", "pattern"],
  ["read_file", "filename", "path"],
  ["read_file", "start_line", "offset"],
])("%s knows what is meant by %s: %s", async (name, sent, meant) => {
  const parse = async () => tools.get(name)!.parse!({ ...LEAST[name], [sent]: "x" });
  await expect(parse()).rejects.toMatchObject({
    message: expect.stringContaining(`no argument "${sent}". Did you mean "${meant}"?`),
    details: { argument: sent, didYouMean: meant },
  });
});

test("an unknown argument inside another is refused, too, with its place", async () => {
  const edits: JsonObject[] = [
    { old_text: "a", new_text: "b" },
    { old_text: "a", newtext: "b" },
  ];
  await expect((async () => tools.get("edit_file")!.parse!({ path: "a", edits }))()).rejects.toMatchObject({
    message: expect.stringMatching(
      /^"edits\[1\]" of tool "edit_file" has no argument "newtext"\. Did you mean "new_text"\?/,
    ),
  });
});

test.each<[string, JsonValue]>([
  ["read_file", { path: "a", offset: "two" }],
  ["read_file", { path: "a", offset: "0x10" }],
  ["read_file", { path: "a", offset: "1.5" }],
  ["read_file", { path: "a", offset: "" }],
  ["read_file", { path: null }],
  ["read_file", { path: 5 }],
  ["edit_file", { path: "a", old_text: "a", new_text: "b", replace_all: "yes" }],
  ["edit_file", { path: "a", edits: "[{]" }],
  ["edit_file", { path: "a", edits: '{"old_text":"a","new_text":"b"}' }],
  ["todo_write", { todos: "none" }],
  ["bash", "ls"],
  ["bash", '["ls"]'],
])("%s: what does not say one thing is refused: %j", async (name, args) => {
  await expect((async () => tools.get(name)!.parse!(args))()).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
});

test("a call with an unknown argument does nothing", async () => {
  const { root, workspace: onDisk } = await temporaryWorkspace();
  await writeFile(join(root, "log"), "one\n");
  const [reader, writer] = builtinTools(onDisk, { names: ["read_file", "write_file"] });
  await callTool(reader!, { path: "log" });

  await expect(callTool(writer!, { path: "log", content: "two\n", append: true })).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
  });
  expect(await readFile(join(root, "log"), "utf8")).toBe("one\n");
});
