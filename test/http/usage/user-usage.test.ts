import { describe, expect, test, vi } from "vitest";
import {
  createRunHub,
  createUsageStore,
  toErrorResponse,
  toResponse,
  type UserLimits,
  type UserUsageOptions,
} from "../../../src/http/index.js";
import { defineTool, type UsageStore } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { usageStoreContract } from "../../../src/testing/index.js";
import { deploy, newEngine } from "../agents.js";
import { Page, serveChat } from "../page-client.js";

describe("in memory", () => {
  for (const { name, run } of usageStoreContract(createUsageStore)) test(name, run);
});

const DAY_MS = 86_400_000;
const NOON = 20_000 * DAY_MS + DAY_MS / 2;
const MIDNIGHT = new Date(20_001 * DAY_MS).toISOString();
const usage = { inputTokens: 50, outputTokens: 10 };
const answer = () => text("Hello.", { usage });

function open(limits: UserUsageOptions["limits"], turns: readonly unknown[], tools = [deploy]) {
  let now = NOON;
  const store = createUsageStore();
  const engine = newEngine({ provider: scripted(turns as never), tools });
  const hub = createRunHub({ engine, usage: { store, limits, now: () => now } });
  const ask = (user: string, sessionId = user) => hub.send({ sessionId, input: "Hi.", answers: [] }, { user });
  const used = async (user: string) => {
    const from = Math.floor(now / DAY_MS) * DAY_MS;
    return (await store.read(user, { from, until: from + DAY_MS })).tokens;
  };
  return { hub, ask, used, engine, pass: (ms: number) => (now += ms) };
}

test("a limit spans a user's runs, and one that is used up is a typed end with the time when it is full again", async () => {
  const { ask, used, pass } = open({ maxTokens: 100 }, [answer(), answer(), answer(), answer()]);
  expect((await (await ask("ann")).result).status).toBe("completed");
  expect(await used("ann")).toBe(60);
  await (await ask("ann")).result;

  const refused = await ask("ann").catch((error: unknown) => error);

  expect(refused).toMatchObject({
    code: "USAGE_LIMIT",
    retryable: true,
    message: `The limit of 100 tokens is used up. It is full again at ${MIDNIGHT}.`,
    details: { user: "ann", limit: "maxTokens", used: 120, max: 100, resetsAt: MIDNIGHT },
  });
  const response = toErrorResponse(refused);
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe(new Date(MIDNIGHT).toUTCString());
  expect((await (await ask("bob")).result).status).toBe("completed");
  pass(DAY_MS / 2);
  expect((await (await ask("ann")).result).status).toBe("completed");
});

test("a run that uses up what was left ends as budget-exceeded with the same error, in each view", async () => {
  for (const format of ["ui-messages", "ag-ui", "events"] as const) {
    const look = { toolCalls: [toolCall("look")], usage };
    const { ask, used } = open(
      { maxTokens: 100 },
      [answer(), look, look, answer()],
      [
        deploy,
        defineTool({ name: "look", description: "Looks.", permission: "read_only", execute: async () => "Seen." }),
      ],
    );
    await (await ask("ann")).result;
    const run = await ask("ann");
    const stream = await toResponse(run, { format }).text();
    const result = await run.result;

    expect(result.status).toBe("budget-exceeded");
    expect(result.error).toMatchObject({ code: "USAGE_LIMIT", details: { resetsAt: MIDNIGHT } });
    expect(stream).toContain(`full again at ${MIDNIGHT}`);
    expect(await used("ann")).toBe(result.usage.inputTokens + result.usage.outputTokens + 60);
  }
});

test("a run's own limit that is used up is not the user's", async () => {
  const { hub } = open({ maxTokens: 1_000 }, [[toolCall("deploy")], answer()]);
  const options = { user: "ann", limits: { maxTokens: 1 }, mode: "bypassPermissions" as const };

  const { status, error } = await (await hub.send({ input: "Hi.", answers: [] }, options)).result;

  expect(status).toBe("budget-exceeded");
  expect(error).toBeUndefined();
});

test("limits can be each user's own, and answers count as well", async () => {
  const limitsOf = async (user: string): Promise<UserLimits> => (user === "ann" ? { maxTokens: 40 } : {});
  const { hub, ask, used } = open(limitsOf, [toolCall("deploy"), answer(), answer()]);
  const asked = await (await ask("bob")).result;
  const before = await used("bob");

  const answers = [{ id: asked.pending[0]!.id, decision: "allow" as const }];
  await (await hub.send({ sessionId: "bob", input: "", answers }, { user: "bob" })).result;

  expect(await used("bob")).toBe(before + 60);
  await (await ask("ann")).result;
  await expect(ask("ann")).rejects.toMatchObject({ code: "USAGE_LIMIT" });
});

test("what a store did not take is added with the next count, and a store that cannot be read refuses", async () => {
  const memory = createUsageStore();
  let failures = 1;
  const store: UsageStore = {
    add: async (...args) => {
      if (failures-- > 0) throw new Error("down");
      return memory.add(...args);
    },
    read: (...args) => (failures > 5 ? Promise.reject(new Error("down")) : memory.read(...args)),
  };
  const hub = createRunHub({
    engine: newEngine({ provider: scripted([answer()]) }),
    usage: { store, now: () => NOON },
  });
  await (await hub.send({ input: "Hi.", answers: [] }, { user: "ann" })).result;

  const period = { from: NOON - DAY_MS / 2, until: NOON + DAY_MS / 2 };
  expect((await memory.read("ann", period)).tokens).toBe(60);
  failures = 10;
  await expect(hub.send({ input: "Hi.", answers: [] }, { user: "ann" })).rejects.toThrow("down");
});

test("a page of useChat says that the limit is used up, and when it is full again", async () => {
  const { hub } = open({ maxTokens: 10 }, [answer()]);
  const page = new Page(await serveChat({ ...hub, send: (prompt) => hub.send(prompt, { user: "ann" }) }));
  await page.say("a");
  expect(page.error).toBeUndefined();

  await page.say("b");

  expect(page.error?.message).toContain("full again at");
});

test("a user's run that the engine refuses rejects once, and nothing is left unhandled", async () => {
  const { engine, ask } = open({ maxTokens: 100 }, []);
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  await engine.close();

  await expect(ask("ann")).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await new Promise((resolve) => setImmediate(resolve));

  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("the memory of periods that are over is given back", async () => {
  const store = createUsageStore();
  const old = { from: 0, until: 10 };
  await store.add("ann", old, { tokens: 1, costUsd: 0 });
  await store.add("ann", { from: 10, until: 20 }, { tokens: 2, costUsd: 0 });

  expect(await store.read("ann", old)).toEqual({ tokens: 0, costUsd: 0 });
});
