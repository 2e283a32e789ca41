// Shows: a project and a home directory as Claude Code has them, brought over whole: settings, instructions, skill, agent, hook, server,
//        plugin, memory and a session that goes on here.
// Run:   npx tsx examples/48-bring-what-you-have.ts
// Expect: what waits for trust is listed first; with trust everything is there under its own name, and the old session goes on.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMemoryFactStore, importMemory } from "loopwright/memory";
import { createCodingAgent, loadPlugins } from "loopwright/presets";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore, importSession } from "loopwright/sessions";

const place = await mkdtemp(join(tmpdir(), "bring-"));
const [app, home] = [join(place, "app"), join(place, "home")];
const memory = join(home, ".claude/projects/-app/memory");
const plugin = join(home, ".claude/plugins/cache/market/critics/1.0.0");
const session = join(home, ".claude/projects/-app/5f0c.jsonl");
const line = (uuid: string, parentUuid: string | null, type: "user" | "assistant", content: unknown) =>
  `${JSON.stringify({ uuid, parentUuid, type, sessionId: "5f0c", cwd: "/app", timestamp: "2026-10-01T12:00:00Z", message: { id: uuid, role: type, model: "claude-sonnet-5", content } })}\n`;

// A small app, and what its author's Claude Code has.
const files: Readonly<Record<string, string>> = {
  [join(app, "sum.js")]: "export const sum = (a, b) => a - b;\n",
  [join(app, "CLAUDE.md")]: "Use two spaces.\n",
  [join(app, ".claude/settings.json")]: JSON.stringify({
    permissions: { allow: ["Edit(sum.js)"], deny: ["Read(./.env)"] },
    hooks: { PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "echo edited >> log.txt" }] }] },
  }),
  [join(app, ".claude/skills/release/SKILL.md")]: "---\nname: release\ndescription: Makes a release.\n---\nTag it.\n",
  [join(app, ".claude/agents/reviewer.md")]: "---\nname: reviewer\ndescription: Reviews.\n---\nReview the change.\n",
  [join(plugin, ".claude-plugin/plugin.json")]: JSON.stringify({ name: "critics", version: "1.0.0" }),
  [join(plugin, "agents/critic.md")]: "---\nname: critic\ndescription: Finds faults.\n---\nFind faults.\n",
  [join(memory, "MEMORY.md")]: "# Memory\n\n- The tests run with node --test.\n",
  [session]:
    line("u1", null, "user", "Why is 2 + 3 minus one?") +
    line("a1", "u1", "assistant", [{ type: "text", text: "sum.js subtracts." }]),
};
for (const [path, content] of Object.entries(files)) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

// What asks for trust, before any of it counts.
const options = { root: app, home, mcp: false } as const;
const plugins = await loadPlugins([plugin]);
const cautious = await createCodingAgent({ ...options, plugins, provider: scripted([]) });
console.log(cautious.untrusted.map(({ part, what }) => `${part}: ${what.slice(0, 60)}`).join("\n"));
assert.deepEqual(
  [...new Set(cautious.untrusted.map(({ part }) => part))],
  ["settings", "skills", "subagents", "plugins"],
);
await cautious.close();

// The same with trust.
const facts = createMemoryFactStore();
const remembered = await importMemory(facts, memory);
assert.equal(remembered.added, 1);
const sessions = createMemorySessionStore();
const sessionId = await importSession(sessions, await readFile(session, "utf8"));
const provider = scripted([
  toolCall("edit_file", { path: "sum.js", old_text: "a - b", new_text: "a + b" }),
  text("It adds now."),
]);
const agent = await createCodingAgent({
  ...options,
  provider,
  sessions,
  memory: facts,
  trustProject: true,
  plugins: await loadPlugins([plugin], { trusted: plugins.plugins.map(({ digest }) => digest) }),
});
const result = await agent.engine.run("Fix it.", { sessionId });

const { system, messages } = provider.requests[0]!;
const prompt = system.map(({ text: shown }) => shown).join("\n");
assert.equal(result.text, "It adds now.");
assert.match(JSON.stringify(messages), /Why is 2 \+ 3 minus one\?.*sum\.js subtracts\./);
assert.match(prompt, /Use two spaces\./);
assert.match(prompt, /- release: Makes a release\./);
assert.match(prompt, /The tests run with node --test\./);
assert.deepEqual(
  agent.subagents.map(({ name }) => name),
  ["reviewer", "critics:critic"],
);
assert.deepEqual(agent.untrusted, []);
assert.equal(await readFile(join(app, "sum.js"), "utf8"), "export const sum = (a, b) => a + b;\n");
assert.equal(await readFile(join(app, "log.txt"), "utf8"), "edited\n");
await agent.close();
await rm(place, { recursive: true });
console.log(result.text);
