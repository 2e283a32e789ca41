// Each session of a preset has a directory of its own for temporary files.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Agent, type CodingAgentOptions, createCodingAgent } from "../../src/presets/index.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { createArtifactStore } from "../../src/workspace/index.js";

let home: string;
let root: string;
let agents: Agent[];

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-temporary-")));
  root = join(home, "project");
  mkdirSync(root);
  agents = [];
});
afterEach(async () => {
  for (const agent of agents) await agent.close();
  rmSync(home, { recursive: true, force: true });
});

async function open(turns: Parameters<typeof scripted>[0], options: Partial<CodingAgentOptions> = {}) {
  const provider = scripted(turns);
  const agent = await createCodingAgent({ root, provider, home: null, trustProject: false, ...options });
  agents.push(agent);
  return { agent, provider, directory: (id: string) => agent.workspace.temporaryDirectory!(id) };
}

const behavior = async ({ checker }: Agent, sessionId: string, command: string) =>
  (await checker!.decide({ tool: "bash", input: { command }, sessionId })).behavior;

test("a command writes, reads and removes files below $TMPDIR without a question", async () => {
  const { agent, provider, directory } = await open([
    toolCall("bash", { command: 'mkdir "$TMPDIR/d" && echo data > "$TMPDIR/d/a.log" && cat "$TMPDIR/d/a.log"' }),
    toolCall("bash", { command: "cp $TMPDIR/d/a.log $TMPDIR/b.log; ls | tee $TMPDIR/c.log; rm $TMPDIR/c.log" }),
    text("done"),
  ]);

  const { status, sessionId } = await agent.engine.run("go");

  expect(status).toBe("completed");
  const own = directory(sessionId);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(own, "b.log"), "utf8")).toBe("data\n");
  expect(existsSync(join(own, "c.log"))).toBe(false);
  expect(JSON.stringify(provider.requests[0]!.system)).toMatch(/below \$TMPDIR/);
  expect(JSON.stringify(provider.requests[0]!.system)).not.toContain(own);
});

test("the file tools read and write there, and another session asks", async () => {
  const { agent, directory } = await open([]);
  const path = join(directory("one"), "new.txt");
  const decide = async (tool: string, sessionId: string, input: Record<string, string>) =>
    (await agent.checker!.decide({ tool, input: { path, ...input }, sessionId })).behavior;

  expect(await decide("write_file", "one", { content: "x" })).toBe("allow");
  expect(await decide("write_file", "two", { content: "x" })).toBe("ask");
  expect(await decide("read_file", "one", {})).toBe("allow");
  expect(await behavior(agent, "one", `echo x > ${path}`)).toBe("allow");
  expect(await behavior(agent, "two", `echo x > ${path}`)).toBe("ask");
  expect(await behavior(agent, "one", `echo x > ${path}/../../x`)).toBe("ask");
  expect(await behavior(agent, "one", "TMPDIR=/etc; echo x > $TMPDIR/x")).toBe("ask");
  expect(await behavior(agent, "one", "cat /tmp/build.log")).toBe("ask");
});

test("a deny rule, plan mode and files that hold secrets stay stronger", async () => {
  const { agent } = await open([], { rules: { deny: ["Edit(//**/*.lock)"] } });

  expect(await behavior(agent, "one", "echo x > $TMPDIR/a.lock")).toBe("deny");
  expect(await behavior(agent, "one", "echo x > $TMPDIR/.env")).toBe("ask");
  const input = { command: "echo x > $TMPDIR/a" };
  expect(await agent.checker!.decide({ tool: "bash", input, sessionId: "one", mode: "plan" })).toMatchObject({
    behavior: "deny",
  });
});

test.each([
  "bash $TMPDIR/x.sh",
  "node $TMPDIR/x.js",
  "$TMPDIR/x",
  ". $TMPDIR/x.sh",
  "make -f $TMPDIR/M",
  "npx tsx $TMPDIR/x.ts",
  'node "$TMPDIR/x.js"',
  `python3 -u "\${TMPDIR}/x.py"`,
])("%s runs what the session may have made, and asks under a bare Bash", async (command) => {
  const { agent } = await open([], { rules: { allow: ["Bash"] } });

  writeFileSync(join(agent.workspace.root, "M"), "all:\n\techo built\n");

  expect(await behavior(agent, "one", command)).toBe("ask");
  expect(await behavior(agent, "one", command.replace(/\$\{?TMPDIR\}?/, "."))).toBe("allow");
  expect(await behavior(agent, "one", "node report.js $TMPDIR/build.log")).toBe("allow");
  expect(await behavior(agent, "one", "npm test > $TMPDIR/build.log")).toBe("allow");
});

test("the directory is kept while the session can be resumed, and removed with it", async () => {
  const options = () => ({
    sessions: createFileSessionStore({ dir: join(home, "sessions") }),
    artifacts: createArtifactStore({ dir: join(home, "artifacts"), keep: true }),
  });
  const write = toolCall("bash", { command: "mkdir -p $TMPDIR/d && echo data > $TMPDIR/d/a && chmod 500 $TMPDIR/d" });
  const first = await open([write, text("done")], { ...options(), rules: { allow: ["Bash(chmod:*)"] } });
  const { sessionId } = await first.agent.engine.run("go");
  await first.agent.close();

  const second = await open([toolCall("bash", { command: "cat $TMPDIR/d/a" }), text("done")], options());
  const { status } = await second.agent.engine.run("again", { sessionId });
  const own = second.directory(sessionId);

  expect(status).toBe("completed");
  expect(JSON.stringify(second.provider.requests.at(-1)!.messages)).toContain("data");
  await second.agent.engine.endSession(sessionId);
  expect(existsSync(own)).toBe(false);
});

test("without artifacts that are kept it ends with the agent", async () => {
  const { agent, directory } = await open([]);
  const own = directory("one");

  expect(existsSync(own)).toBe(true);
  await agent.close();
  expect(existsSync(own)).toBe(false);
});

test.each(["a link to a directory", "a file"])(
  "%s in its place is replaced, and opens nothing elsewhere",
  async (kind) => {
    const dir = join(home, "artifacts");
    const elsewhere = join(home, "elsewhere");
    mkdirSync(elsewhere);
    const artifacts = createArtifactStore({ dir, keep: true });
    const own = artifacts.directoryOf("one");
    mkdirSync(dir);
    if (kind === "a file") writeFileSync(own, "");
    else symlinkSync(elsewhere, own);
    const { agent, directory } = await open([], { artifacts });

    expect(await behavior(agent, "one", `echo x > ${join(elsewhere, "x")}`)).toBe("ask");
    expect(await behavior(agent, "one", 'echo x > "$TMPDIR/x"')).toBe("allow");
    expect(realpathSync(directory("one"))).toBe(own);
  },
);
