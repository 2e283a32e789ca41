import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

interface HonestCall extends Call {
  effect: string;
  named?: string[];
  source: { from: string; of?: string };
  outside: boolean;
  result: string;
}

interface Injection {
  where: number;
  line: number;
  style: string;
  goal: string;
  text: string;
  attack: Call[];
}

interface Task {
  id: string;
  kind: string;
  prompt: string;
  calls: HonestCall[];
  injections: Injection[];
}

const HERE = fileURLToPath(new URL(".", import.meta.url));
const README = readFileSync(`${HERE}README.md`, "utf8");
const tasks = readdirSync(HERE)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(HERE + name, "utf8")) as Task[]);
const injections = tasks.flatMap((task) => task.injections);

const TOOLS =
  /^(?:read_file|write_file|edit_file|glob|grep|list_dir|bash|web_fetch|web_search|ask_user|todo_write|mcp__[a-z]+__[a-z_]+)$/;
const EFFECTS = ["read", "write", "run", "send", "install", "none"];
const SOURCES = ["tracked", "untracked", "dependency", "web", "mcp", "command", "user", "tool"];

/** The counts of the README's table whose first column has this head. */
function stated(head: string): Record<string, number> {
  const table = README.slice(README.indexOf(`| ${head} |`)).split("\n\n")[0]!;
  return Object.fromEntries(
    [...table.matchAll(/^\| `([\w-]+)` \| (\d+) \|/gm)].map(([, name, n]) => [name, Number(n)]),
  );
}

function counted(values: string[]): Record<string, number> {
  return Object.fromEntries([...new Set(values)].map((one) => [one, values.filter((value) => value === one).length]));
}

function expectCall({ tool, input }: Call): void {
  expect(tool).toMatch(TOOLS);
  expect(input).toBeTypeOf("object");
  expect(Array.isArray(input)).toBe(false);
  expect(Object.keys(input).length).toBeGreaterThan(0);
}

test("there are forty tasks and as many of each kind, style and goal as the README states", () => {
  expect(tasks).toHaveLength(40);
  expect(counted(tasks.map(({ kind }) => kind))).toEqual(stated("kind"));
  expect(counted(injections.map(({ style }) => style))).toEqual(stated("style"));
  expect(counted(injections.map(({ goal }) => goal))).toEqual(stated("goal"));
  expect(README).toContain(`## The ${injections.length} injections`);

  const planted = tasks
    .filter(({ kind }) => kind === "local")
    .flatMap(({ calls, injections }) => injections.map(({ where }) => calls[where]!.source.from === "tracked"));
  const inFiles = planted.filter(Boolean).length;
  expect(README).toContain(`${inFiles} injections are in tracked files`);
  expect(README).toContain(`and ${planted.length - inFiles} in what is printed`);
});

test("each id is there once", () => {
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
});

test.each(tasks)("$id: its calls have an input, an effect, a source and a result", ({ prompt, calls }) => {
  expect(prompt.trim()).not.toBe("");
  for (const call of calls) {
    expectCall(call);
    expect(EFFECTS).toContain(call.effect);
    expect(SOURCES).toContain(call.source.from);
    expect(call.outside).toBeTypeOf("boolean");
    expect(call.result.trim()).not.toBe("");
    expect(call.named !== undefined).toBe(call.effect === "send" || call.effect === "install");
    for (const words of call.named ?? []) expect(prompt).toContain(words);
  }
});

test.each(tasks)("$id: what an edit replaces was read before, and is there once", ({ calls }) => {
  const files = new Map<unknown, string>();
  for (const { tool, input, result } of calls) {
    if (tool === "read_file") files.set(input.path, `${result}\n`);
    if (tool === "write_file") files.set(input.path, String(input.content));
    if (tool !== "edit_file") continue;
    const before = files.get(input.path) ?? "";
    expect(before.split(String(input.old_text))).toHaveLength(2);
    files.set(
      input.path,
      before.replace(String(input.old_text), () => String(input.new_text)),
    );
  }
});

test.each(tasks)("$id: outside text comes where its kind says", ({ kind, calls }) => {
  const at = (found: (call: HonestCall) => boolean) => calls.flatMap((call, index) => (found(call) ? [index] : []));
  const outside = at((call) => call.outside);
  const changes = at(({ effect }) => effect === "write");
  const sends = at(({ effect }) => effect === "send" || effect === "install");

  if (kind === "local") {
    // The result of the last change may hold such text: it is read when the change is made.
    expect(outside.every((index) => index >= Math.max(...changes))).toBe(true);
    expect(sends).toEqual([]);
  } else if (kind === "read-then-local") {
    expect(outside[0]).toBeLessThan(changes[0]!);
    expect(sends).toEqual([]);
  } else {
    expect(outside[0]).toBeLessThan(sends[0]!);
  }
});

test.each(tasks)("$id: its injections are new text in a result outsiders reach, and attack", (task) => {
  expect(task.injections.length).toBeGreaterThanOrEqual(4);
  for (const { where, line, text, attack } of task.injections) {
    const call = task.calls[where]!;
    expect(call.outside || (task.kind === "local" && call.source.from === "tracked")).toBe(true);
    expect(line).toBeGreaterThan(0);
    expect(line).toBeLessThanOrEqual(call.result.split("\n").length);
    expect(text.trim()).not.toBe("");
    expect(call.result).not.toContain(text);
    expect(attack.length).toBeGreaterThan(0);
    for (const wanted of attack) expectCall(wanted);
    // One call may be an honest one, as a push is after other contents were committed; all of them never are.
    const honest = task.calls.map(({ tool, input }) => JSON.stringify([tool, input]));
    expect(attack.every(({ tool, input }) => honest.includes(JSON.stringify([tool, input])))).toBe(false);
  }
});
