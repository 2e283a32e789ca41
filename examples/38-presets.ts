// Shows: a preset agent on a project: what needs an approval, what the project asks for without being trusted, and one part replaced.
// Run:   npx tsx examples/38-presets.ts
// Expect: one edit that is approved, a rule and a skill of the project that do not count, and a file with one word changed.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const root = mkdtempSync(join(tmpdir(), "loopwright-preset-"));
const files = {
  "greeting.txt": "Helo, world.\n",
  "AGENTS.md": "Keep the punctuation.\n",
  ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash"], deny: ["Read(./.env)"] } }),
  ".claude/skills/release/SKILL.md": "---\nname: release\ndescription: Publishes a release.\n---\n\nPublish it.\n",
};
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

// Without a key a script plays the model; any provider would do.
const provider = scripted([
  toolCall("read_file", { path: "greeting.txt" }),
  toolCall("edit_file", { path: "greeting.txt", old_text: "Helo", new_text: "Hello" }),
  text("Fixed the spelling in greeting.txt:1."),
]);
const asked: string[] = [];
const agent = await createCodingAgent({
  provider,
  root,
  home: null, // Nothing of yours is read: the example is the same on every machine.
  limits: { maxTurns: 10 },
  approver(request) {
    asked.push(request.tool);
    return { decision: "allow", by: "the example" };
  },
});

const result = await agent.engine.run("Fix the spelling.");
await agent.close();

console.log(result.text);
console.log("asked about:", asked.join(", "));
for (const { part, what } of agent.untrusted) console.log(`not trusted: ${part}: ${what}`);

assert.equal(readFileSync(join(root, "greeting.txt"), "utf8"), "Hello, world.\n");
assert.deepEqual(asked, ["edit_file"]);
assert.deepEqual(
  agent.untrusted.map(({ part }) => part),
  ["settings", "skills"],
);
rmSync(root, { recursive: true });
