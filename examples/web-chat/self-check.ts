// What `npm run examples` runs: the server as a process, used over HTTP as the page does, killed while the agent works and
// started again.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
const data = mkdtempSync(join(tmpdir(), "loopwright-chat-check-"));
let child: ChildProcess;
let url = "";

async function start(): Promise<void> {
  const args = ["--import", "tsx", SERVER, "--port", "0", "--data", data, "--pace", "1"];
  child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const text of child.stdout!) {
    url = /http:\S+(?=\/)/.exec(String(text))?.[0] ?? "";
    if (url !== "") return;
  }
  throw new Error("The server did not start.");
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON as the server sends it
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

/** Reads a run to its end, or to the first event that is enough. */
async function follow(id: string, runId: string, isEnough = (_type: string) => false): Promise<string[]> {
  const response = await fetch(`${url}/api/sessions/${id}/runs/${runId}/events`);
  const types: string[] = [];
  let rest = "";
  for await (const bytes of response.body!) {
    const lines = (rest + Buffer.from(bytes).toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines.filter((one) => one.startsWith("data: "))) {
      types.push(JSON.parse(line.slice(6)).type);
      if (isEnough(types.at(-1)!)) return types;
    }
  }
  return types;
}

try {
  await start();
  const page = await fetch(url);
  assert.match(page.headers.get("content-security-policy")!, /default-src 'none'.*script-src 'self'/);
  assert.equal((await fetch(url, { headers: { origin: "http://evil.example" } })).status, 403);

  const { sessionId, runId } = await call("POST", "sessions", { input: "Fix the failing tests" });
  await follow(sessionId, runId);
  for (let asked = await call("GET", `sessions/${sessionId}`); asked.questions.length > 0; ) {
    const [{ id, kind, tool, suggestions }] = asked.questions;
    console.log("asked:", kind, tool);
    const answer =
      kind === "approval" ? { id, decision: "allow", remember: suggestions } : { id, value: "Yes, add 1.5h" };
    const next = await call("POST", `sessions/${sessionId}/answers`, { answers: [answer] });
    await follow(sessionId, next.runId);
    asked = await call("GET", `sessions/${sessionId}`);
  }
  assert.match(readFileSync(join(data, "short-duration/src/tokens.js"), "utf8"), /\(\?:\\\.\\d\+\)\?/);

  const second = await call("POST", "sessions", { input: "Explain this repository" });
  await follow(second.sessionId, second.runId, (type) => type === "text-delta");
  await kill();
  await start();
  const restored = await call("GET", `sessions/${second.sessionId}`);
  if (restored.runId) await follow(second.sessionId, restored.runId);
  const { entries } = await call("GET", `sessions/${second.sessionId}`);
  assert.equal(entries.at(-1).status, "completed");
  const sessions = await call("GET", "sessions");
  assert.deepEqual(sessions.map((one: { title: string }) => one.title).sort(), [
    "Explain this repository",
    "Fix the failing tests",
  ]);
  console.log("The tests are fixed; the run that was cut off went on after a restart.");
} finally {
  await kill();
  rmSync(data, { recursive: true, force: true });
}
