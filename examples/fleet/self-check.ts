// What `npm run examples` runs: the example as its README says, used over HTTP as the page does, with a worker killed while the
// agent works.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = spawn(process.execPath, ["--import", "tsx", fileURLToPath(new URL("main.ts", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
  env: { ...process.env, PORT: "0" },
});
let output = "";
main.stdout.setEncoding("utf8").on("data", (text: string) => {
  output += text;
});
const said = async (what: RegExp) => {
  for (;;) {
    const match = what.exec(output);
    if (match) return match[1]!;
    assert.equal(main.exitCode, null, output);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

try {
  const url = await said(/open (http:\S+)\//);
  const first = Number(await said(/worker (\d+) is at work/));
  const second = Number(await said(/worker \d+ is at work[\s\S]*worker (\d+) is at work/));
  assert.match(await (await fetch(url)).text(), /<html/i);

  const id = "you.lamp";
  const asking = await post("chat", { id, input: "My lamp came broken. Please check my orders." });
  await follow(asking, "tool-output-available");
  process.kill(first, "SIGKILL");
  console.log("killed a worker while the agent was at work");
  const stored = await messagesOf(id);
  // As a page that was reloaded: the session, and the stream of the run under way.
  const whole = await follow(await fetch(`${url}/chat/${id}/stream`), "finish");
  const looked = whole.filter(({ type }) => type === "tool-output-available").map(({ toolCallId }) => toolCallId);
  assert.deepEqual([stored.map(({ role }) => role), new Set(looked).size, looked.length], [["user"], 3, 3]);

  const question = (await messagesOf(id)).at(-1)!.parts.find(({ state }) => state === "approval-requested")!;
  console.log("asked:", question.type, question.input);
  const rest = await follow(
    await post(`chat/${id}/answer`, { id: question.approval!.id, decision: "allow" }),
    "finish",
  );
  const answer = rest.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join("");
  console.log("answer:", answer);

  assert.match(answer, /49 EUR are paid back/);
  assert.deepEqual(
    (await messagesOf(id)).map(({ role }) => role),
    ["user", "assistant"],
  );
  process.kill(second, 0);
} finally {
  main.kill("SIGTERM");
  await new Promise((resolve) => main.once("exit", resolve));
}

interface Message {
  readonly role: string;
  readonly parts: readonly {
    readonly type: string;
    readonly state?: string;
    readonly input?: unknown;
    readonly approval?: { readonly id: string };
  }[];
}

async function messagesOf(id: string): Promise<readonly Message[]> {
  const response = await fetch(`${await said(/open (http:\S+)\//)}/chat/${id}`);
  return ((await response.json()) as { messages: Message[] }).messages;
}

async function post(path: string, body: object): Promise<Response> {
  const response = await fetch(`${await said(/open (http:\S+)\//)}/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response;
}

interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly toolCallId?: string;
}

/** The chunks of a stream to the first of a type. */
async function follow(response: Response, last: string): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let rest = "";
  for await (const bytes of response.body!) {
    const lines = (rest + Buffer.from(bytes).toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines.filter((one) => one.startsWith("data: {"))) {
      chunks.push(JSON.parse(line.slice(6)));
      if (chunks.at(-1)!.type === last) return chunks;
    }
  }
  return chunks;
}
