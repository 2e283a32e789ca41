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

  const { sessionId, runId } = await post("sessions", { input: "My lamp came broken. Please check my orders." });
  await follow(`sessions/${sessionId}/runs/${runId}/events`, "tool-call-start");
  process.kill(first, "SIGKILL");
  console.log("killed a worker while the agent was at work");
  const events = await follow(`sessions/${sessionId}/runs/${runId}/events`, "run-end");

  const [question] = await questionsOf(sessionId);
  console.log("asked:", question!.tool, question!.input);
  const { runId: next } = await post(`sessions/${sessionId}/answers`, {
    answers: [{ id: question!.id, decision: "allow" }],
  });
  const rest = await follow(`sessions/${sessionId}/runs/${next}/events`, "run-end");
  const answer = rest.map(({ type, text }) => (type === "text-delta" ? text : "")).join("");
  console.log("answer:", answer);

  assert.match(answer, /49 EUR are paid back/);
  assert.deepEqual(
    [...events, ...rest].map(({ seq }) => seq),
    [...events, ...rest].map((_, at) => at + 1),
  );
  process.kill(second, 0);
} finally {
  main.kill("SIGTERM");
  await new Promise((resolve) => main.once("exit", resolve));
}

/** What the agent asks, once it waits. */
async function questionsOf(sessionId: string): Promise<{ id: string; tool: string; input: unknown }[]> {
  for (;;) {
    const { runId, questions } = await (
      await fetch(`${await said(/open (http:\S+)\//)}/api/sessions/${sessionId}`)
    ).json();
    if (runId === null) return questions;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON as the server sends it
async function post(path: string, body: object): Promise<any> {
  const response = await fetch(`${await said(/open (http:\S+)\//)}/api/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

/** The events of a run from the beginning to the first of a type. */
async function follow(path: string, last: string): Promise<{ type: string; seq: number; text?: string }[]> {
  const response = await fetch(`${await said(/open (http:\S+)\//)}/api/${path}`);
  const events: { type: string; seq: number; text?: string }[] = [];
  let rest = "";
  for await (const bytes of response.body!) {
    const lines = (rest + Buffer.from(bytes).toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines.filter((one) => one.startsWith("data: "))) {
      events.push(JSON.parse(line.slice(6)));
      if (events.at(-1)!.type === last) return events;
    }
  }
  return events;
}
