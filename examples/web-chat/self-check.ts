// What `npm run examples` runs: the server as a process, used over HTTP as the page does, killed while it answers and started again.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
const data = mkdtempSync(join(tmpdir(), "loopwright-chat-check-"));
let child: ChildProcess;
let url = "";
let cookie = "";

async function start(): Promise<void> {
  const args = ["--import", "tsx", SERVER, "--port", "0", "--data", data, "--pace", "10"];
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

async function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = { cookie, origin: url, "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response;
}

async function answersIn(id: string): Promise<string[]> {
  const { messages } = (await (await ask("GET", `/chat/${id}`)).json()) as {
    messages: { role: string; parts: { text?: string }[] }[];
  };
  const answers = messages.filter(({ role }) => role === "assistant");
  return answers.map(({ parts }) => parts.map(({ text = "" }) => text).join(""));
}

try {
  await start();
  const page = await fetch(url);
  assert.match(page.headers.get("content-security-policy")!, /default-src 'none'.*script-src 'self'/);
  assert.equal((await fetch(url, { headers: { origin: "http://evil.example" } })).status, 403);
  assert.equal((await fetch(`${url}/chat`)).status, 401);

  cookie = (await ask("POST", "/sign-in", { name: "Ann" })).headers.get("set-cookie")!.split(";", 1)[0]!;
  await (await ask("POST", "/chat", { id: "ann.rivers", input: "A river?" })).text();
  assert.deepEqual(await answersIn("ann.rivers"), ["Answer 1, to message 1: A river?"]);

  const cut = await ask("POST", "/chat", { id: "ann.story", input: "A story" });
  const reader = cut.body!.getReader();
  for (let read = ""; !read.includes("text-delta"); ) read += Buffer.from((await reader.read()).value!).toString();
  await kill();
  await start();
  // It goes on: its stream is there, or it has ended by now.
  await (await ask("GET", "/chat/ann.story/stream")).text();
  const [story] = await answersIn("ann.story");
  assert.equal(story!.match(/And then the river/g)!.length, 60);

  const { sessions } = (await (await ask("GET", "/chat")).json()) as { sessions: { title: string }[] };
  assert.deepEqual(sessions.map(({ title }) => title).sort(), ["A river?", "A story"]);
  console.log("Two chats are there; the run that was cut off went on after a restart.");
} finally {
  await kill();
  rmSync(data, { recursive: true, force: true });
}
