// Programs that the files of another machine name, started there where the host says so.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type CodingAgentOptions, createCodingAgent } from "../../src/presets/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { createMachineWorkspace, localMachine } from "../../src/workspace/index.js";
import { processesWith } from "../workspace/shell/open-shell.js";
import { directoryWith } from "./kit.js";

const SERVER = fileURLToPath(new URL("../mcp/modern-server.mjs", import.meta.url));
const MARK = `there-${process.pid}-${Date.now()}`;

const hooks = (point: string, command: string) => ({ [point]: [{ hooks: [{ type: "command", command }] }] });
const serving = (more: object = {}) => ({
  command: "sh",
  args: ["-c", `echo "$PLACE $OWN" > served-in.txt; exec "${process.execPath}" "${SERVER}"`],
  env: { OWN: "own" },
  ...more,
});

/** An agent on a machine that has these files, and whose programs have `PLACE`. */
async function open(
  files: Readonly<Record<string, object | string>>,
  options: Partial<CodingAgentOptions> & Pick<CodingAgentOptions, "provider">,
) {
  const root = directoryWith(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === "string" ? content : JSON.stringify(content),
      ]),
    ),
  );
  const machine = localMachine({ prefix: ["env", "PLACE=there", `TEST_MARK=${MARK}`], name: "m" });
  const workspace = await createMachineWorkspace({ machine, root });
  onTestFinished(() => workspace.close());
  const agent = await createCodingAgent({ workspace, home: null, runProjectProgramsIn: "machine", ...options });
  onTestFinished(() => agent.close());
  return { agent, root, read: (name: string) => readFileSync(join(root, name), "utf8") };
}

test("hooks and servers of the machine's files run there, and are not in untrusted", async () => {
  const provider = scripted([toolCall("mcp__machine-modern__echo", { text: "hello" }), text("Done.")]);
  const { agent, read } = await open(
    {
      ".claude/settings.json": { hooks: hooks("Stop", 'cat > stopped.json; echo "$PLACE" > stopped-in.txt') },
      ".mcp.json": { mcpServers: { modern: serving() } },
    },
    { provider, approver: () => ({ decision: "allow" }) },
  );
  await agent.connections[0]!.ready;

  await agent.engine.run("Go.");

  expect(agent.untrusted).toEqual([]);
  expect(agent.connections.map(({ name }) => name)).toEqual(["machine-modern"]);
  expect(provider.requests[1]!.lastToolResult).toMatchObject({ output: "modern hello", isError: false });
  expect([read("served-in.txt"), read("stopped-in.txt")]).toEqual(["there own\n", "there\n"]);
  expect(JSON.parse(read("stopped.json"))).toMatchObject({ hook_event_name: "Stop" });
});

test("what such a hook says forbids, and allows and changes nothing", async () => {
  const says = (answer: object) =>
    `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } })}'`;
  const ask = async (answer: object) => {
    const provider = scripted([toolCall("bash", { command: "touch made" }), text("Done.")]);
    const asked: unknown[] = [];
    const { agent, root } = await open(
      { ".claude/settings.json": { hooks: hooks("PreToolUse", says(answer)) } },
      {
        provider,
        approver: ({ input }) => {
          asked.push(input);
          return { decision: "deny" };
        },
      },
    );
    await agent.engine.run("Go.");
    return { asked, isMade: existsSync(join(root, "made")), output: provider.requests[1]!.lastToolResult!.output };
  };

  const allowed = await ask({ permissionDecision: "allow", updatedInput: { command: "touch other" } });
  const denied = await ask({ permissionDecision: "deny", permissionDecisionReason: "Not here." });

  expect(allowed).toMatchObject({ asked: [{ command: "touch made" }], isMade: false });
  expect(denied).toMatchObject({ asked: [], isMade: false, output: expect.stringContaining("Not here.") });
});

test("no variable of this machine is filled in for them, and a server at a URL stays in untrusted", async () => {
  process.env.HOST_SECRET = "secret";
  onTestFinished(() => void delete process.env.HOST_SECRET);
  const { agent, root } = await open(
    {
      ".claude/settings.json": { hooks: hooks("Stop", 'echo "[$HOST_SECRET]" > hook.txt') },
      ".mcp.json": {
        mcpServers: {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
          modern: serving({ env: { OWN: "${HOST_SECRET}" } }),
          far: { url: "http://127.0.0.1:1/mcp" },
        },
      },
    },
    { provider: scripted([text("Done.")]) },
  );
  await agent.engine.run("Go.");

  expect(readFileSync(join(root, "hook.txt"), "utf8")).toBe("[]\n");
  expect(existsSync(join(root, "served-in.txt"))).toBe(false);
  expect(agent.problems.map(({ message }) => message).join()).toContain("HOST_SECRET");
  expect(agent.untrusted.map(({ what }) => what)).toEqual(["far: http://127.0.0.1:1/mcp"]);
});

test("a server is gone with its agent, also one that does not end by itself", async () => {
  const { agent } = await open(
    { ".mcp.json": { mcpServers: { deaf: serving({ args: ["-c", "trap '' TERM; sleep 1000 & sleep 1000"] }) } } },
    { provider: scripted([]) },
  );
  const sleeping = () => processesWith(MARK).length;
  await expect.poll(sleeping, { timeout: 20_000 }).toBeGreaterThan(2);
  await agent.close();
  await agent.workspace.close();
  await expect.poll(sleeping, { timeout: 60_000 }).toBe(0);
});

test("the server of an agent's file runs there when its agent starts, if the project is trusted", async () => {
  const file = `---\nname: served\ndescription: Has a server.\nmcpServers:\n  - tool: ${JSON.stringify(serving())}\n---\n\nGo.\n`;
  const provider = scripted([
    toolCall("task", { prompt: "Echo.", subagent_type: "served" }),
    toolCall("mcp__machine-tool__echo", { text: "hello" }),
    ({ lastToolResult }) => text(String(lastToolResult?.output)),
    text("Done."),
  ]);
  const { agent, read } = await open(
    { ".claude/agents/served.md": file },
    { provider, trustProject: true, approver: () => ({ decision: "allow" }) },
  );

  await agent.engine.run("Go.");

  expect(String(provider.requests.at(-1)!.lastToolResult?.output)).toContain("modern hello");
  expect([read("served-in.txt"), agent.untrusted]).toEqual(["there own\n", []]);
});

test("without a workspace on another machine the option is refused", async () => {
  const provider = scripted([]);
  const opening = createCodingAgent({ provider, root: directoryWith(), home: null, runProjectProgramsIn: "machine" });
  await expect(opening).rejects.toThrow("unless workspace is one on another machine");
});
