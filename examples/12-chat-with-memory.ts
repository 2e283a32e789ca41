// Shows: a chat that remembers across restarts: each prompt is answered by a process of its own, from one session file.
// Run:   npx tsx examples/12-chat-with-memory.ts
// Expect: the second process knows what was said to the first; the session is a file of JSON lines.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { scripted, type Turn, text } from "loopwright/providers/scripted";
import { createFileSessionStore } from "loopwright/sessions";

/** Answers one prompt, and knows what was said in every process before. */
async function chat(dir: string, prompt: string): Promise<void> {
  // A model that can only say how it was reported the name.
  const answer: Turn = (request) => {
    const name = JSON.stringify(request.messages).match(/I am (\w+)/)?.[1];
    return text(name ? `Hello, ${name}.` : "Who are you?");
  };
  const engine = new AgentEngine({ provider: scripted([answer]), sessions: createFileSessionStore({ dir }) });
  const result = await engine.run(prompt, { sessionId: "chat" });
  console.log(result.text);
}

const [dir, prompt] = process.argv.slice(2);
if (dir && prompt) {
  await chat(dir, prompt);
} else {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-example-"));
  const ask = (prompt: string) =>
    execFileSync(process.execPath, [...process.execArgv, process.argv[1]!, directory, prompt], {
      encoding: "utf8",
    }).trim();

  const answers = ["Good morning!", "I am Ann.", "What is my name?"].map(ask);
  const lines = readFileSync(join(directory, "chat.jsonl"), "utf8").trimEnd().split("\n");
  rmSync(directory, { recursive: true });

  console.log(answers.join("\n"));
  console.log(`${lines.length} entries were kept, the first as ${lines[0]?.slice(0, 60)}…`);
  assert.deepEqual(answers, ["Who are you?", "Hello, Ann.", "Hello, Ann."]);
}
