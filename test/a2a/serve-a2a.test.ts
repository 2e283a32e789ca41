import { type Task, TaskState } from "@a2a-js/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { newEngine, talking } from "../http/agents.js";
import {
  answered,
  artifactsOf,
  type Binding,
  connect,
  questionsOf,
  said,
  seenOf,
  serveAgent,
  textOf,
} from "./agents.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
async function served(...args: Parameters<typeof serveAgent>) {
  const server = await serveAgent(...args);
  closing.push(() => server.close());
  return server;
}

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_INPUT_REQUIRED } = TaskState;

describe.each<Binding>(["JSONRPC", "HTTP+JSON", "0.3"])("a client of the SDK's over %s", (binding) => {
  test("streams a task to its end: the answer in pieces, then the state", async () => {
    const { url } = await served({ engine: newEngine({ provider: talking(5) }) });
    const client = await connect(url, binding);

    const seen = await seenOf(client.sendMessageStream(said("Go.")));

    expect(seen.states).toEqual([TASK_STATE_WORKING, TASK_STATE_COMPLETED]);
    expect([...seen.artifacts]).toEqual([["answer", "0 1 2 3 4 "]]);
  });

  test("waits for a task, and gets it again with its history", async () => {
    const { url } = await served({ engine: newEngine({ provider: scripted([text("Hello.")]) }) });
    const client = await connect(url, binding);

    const task = (await client.sendMessage(said("Go."))) as Task;
    const again = await client.getTask({ tenant: "", id: task.id });

    expect(task.status?.state).toBe(TASK_STATE_COMPLETED);
    expect([...artifactsOf(task)]).toEqual([["answer", "Hello."]]);
    expect(again.history.map(({ parts }) => textOf(parts))).toEqual(["Go.", "Hello."]);
  });

  test("is asked for an approval, and answers it with the next message of the task", async () => {
    const provider = scripted([toolCall("deploy", { to: "prod" }), text("Live.")]);
    const { url } = await served({ engine: newEngine({ provider }) });
    const client = await connect(url, binding);

    const asked = await seenOf(client.sendMessageStream(said("Deploy.")));
    const [question] = questionsOf(asked.status);
    const done = await seenOf(client.sendMessageStream(answered({ id: question.id, decision: "allow" }, asked.id)));

    expect(asked.states.at(-1)).toBe(TASK_STATE_INPUT_REQUIRED);
    expect(question).toMatchObject({ kind: "approval", tool: "deploy", input: { to: "prod" } });
    expect(done.id).toBe(asked.id);
    expect(done.states).toEqual([TASK_STATE_WORKING, TASK_STATE_COMPLETED]);
    expect([...done.artifacts]).toEqual([["answer", "Live."]]);
  });
});
