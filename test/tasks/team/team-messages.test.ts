import { expect, test } from "vitest";
import { AgentEngine, type BaseTool, type EngineOptions, type ProviderRequest } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createSubagentTools } from "../../../src/subagents/index.js";
import { createMemoryMailbox, createMemoryTaskStore, createTeam, type Mailbox } from "../../../src/tasks/index.js";
import { tool } from "../../engine/kit.js";
import { agent, lastOutputs, playing, type Role, textsOf } from "../../subagents/kit.js";

interface Options {
  readonly tools?: readonly BaseTool[];
  readonly hooks?: EngineOptions["hooks"];
  readonly mailbox?: Mailbox;
  readonly teammates?: readonly string[];
}

function teamOf(roles: Record<string, Role>, { tools = [], hooks, ...team }: Options = {}) {
  const store = createMemoryTaskStore();
  const provider = playing(roles);
  const permissions = { decide: () => ({ behavior: "allow" as const }) };
  const engine = new AgentEngine({ provider, tools, permissions, ...(hooks && { hooks }) });
  const members = Object.keys(roles).map((name) => agent(name));
  return { store, engine, provider, team: createTeam({ engine, members, store, ...team }) };
}

/** Resolves when `count` agents have arrived. */
function meeting(count: number): () => Promise<void> {
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = 0;
  return () => {
    if (++arrived >= count) release();
    return all;
  };
}

const mailIn = (request: ProviderRequest) => textsOf(request).filter((each) => each.startsWith("[Message"));

test("a message reaches the other member's model before its next step, and says who sent it", async () => {
  const meet = meeting(2);
  const both = tool("meet", () => meet().then(() => "met"), { permission: "read_only" });
  const { store, team } = teamOf(
    {
      ann: (_request, step) =>
        [
          () => toolCall("message_send", { to: "bob", message: "Call it parseLine." }),
          () => toolCall("meet", {}),
          () => text("ann is done"),
        ][step]!(),
      bob: (request, step) => (step === 0 ? toolCall("meet", {}) : text(mailIn(request).join("|"))),
    },
    { tools: [both] },
  );
  for (const subject of ["a", "b"]) await store.create({ subject });

  const report = await team.run().result;

  const results = report.tasks.map(({ result }) => result);
  expect(results).toContain('[Message from the team member "ann", not from the user]\n\nCall it parseLine.');
});

test("a member can wait for a reply, also from one that has no task", async () => {
  const { store, team, provider } = teamOf({
    ann: (request, step) => {
      if (step === 0) return toolCall("message_send", { to: "bob", message: "Which name?" });
      return step === 1 ? toolCall("message_read", { wait_ms: 60_000 }) : text(lastOutputs(request)[0]!);
    },
    bob: (request, step) => {
      if (textsOf(request)[0]!.startsWith("Your task")) throw new Error("The only task is ann's.");
      return step === 0 ? toolCall("message_send", { to: "ann", message: "parseLine" }) : text("told her");
    },
  });
  await store.create({ subject: "a" });

  const report = await team.run().result;

  expect(report).toMatchObject({ status: "done", tasks: [{ status: "completed" }] });
  expect(report.tasks[0]!.result).toContain("parseLine");
  const mailed = provider.requests.filter((request) => textsOf(request)[0]!.startsWith("[Message"));
  expect(textsOf(mailed[0]!)[0]).toMatch(/^\[Message from the team member "ann".*Which name\?\n\nYou have no task/s);
});

test("what a member has read without a task is in the prompt of its next one", async () => {
  // Adds a task while its own is not done, so that it is left to the other member.
  const leave = tool("leave", async () => {
    const { id } = await store.create({ subject: "for bob" });
    for await (const task of store.watch()) if (task.id === id && task.status === "completed") break;
    return "it is done";
  });
  const { store, team } = teamOf(
    {
      ann: (_request, step) =>
        [
          () => toolCall("message_send", { to: "bob", message: "Call it parseLine." }),
          () => toolCall("message_read", { wait_ms: 60_000 }),
          () => toolCall("leave", {}),
          () => text("ann is done"),
        ][step]!(),
      bob: (request, step) => {
        const prompt = textsOf(request)[0]!;
        if (prompt.startsWith("Your task")) return text(/Call it \w+\./.exec(prompt)?.[0] ?? "nothing");
        return step === 0 ? toolCall("message_send", { to: "ann", message: "fine" }) : text("read");
      },
    },
    { tools: [leave] },
  );
  await store.create({ subject: "a" });

  const { tasks } = await team.run().result;

  expect(tasks.map(({ result }) => result)).toEqual(["ann is done", "Call it parseLine."]);
});

test("a message to everybody reaches each of the others, and a name that nobody has is refused", async () => {
  const meet = meeting(3);
  const all = tool("meet", () => meet().then(() => "met"), { permission: "read_only" });
  const listens: Role = (request, step) => (step === 0 ? toolCall("meet", {}) : text(`read ${mailIn(request).length}`));
  const { store, team } = teamOf(
    {
      ann: (request, step) =>
        [
          () => [
            toolCall("message_send", { to: "*", message: "hi" }),
            toolCall("message_send", { to: "bbo", message: "hi" }),
            toolCall("message_send", { to: "ann", message: "hi" }),
          ],
          () => toolCall("meet", {}),
          () => text(JSON.stringify(request.messages.at(-3))),
        ][step]!(),
      bob: listens,
      cid: listens,
    },
    { tools: [all] },
  );
  for (const subject of ["a", "b", "c"]) await store.create({ subject });

  const { tasks } = await team.run().result;

  const results = tasks.map(({ result }) => String(result));
  expect(results.filter((result) => result === "read 1").length).toBe(2);
  const said = results.find((result) => result.includes("Sent to"))!;
  expect(said).toContain("Sent to bob, cid.");
  expect(said).toMatch(/There is no .{1,3}bbo.{1,3} in your team\. Did you mean .{1,3}bob/);
  expect(said).toMatch(/There is no .{1,3}ann.{1,3} in your team/);
});

test("two members that reply to everything end when the tasks do, and the others' floods are bounded", async () => {
  let replies = 0;
  const slow = tool("slow", async () => {
    while (replies < 8) await new Promise((resolve) => setImmediate(resolve));
    return "slept";
  });
  const chats =
    (other: string): Role =>
    (_request, step) => {
      replies++;
      return step === 0 ? toolCall("message_send", { to: other, message: "You, too!" }) : text("sent");
    };
  const flood = Array.from({ length: 50 }, (_, n) =>
    toolCall("message_send", { to: n % 2 ? "bob" : "cid", message: `${n} ${"x".repeat(5_000)}` }),
  );
  const { store, team, provider } = teamOf(
    {
      ann: (_r, step) => (step === 0 ? flood : step === 1 ? toolCall("slow", {}) : text("done")),
      bob: chats("cid"),
      cid: chats("bob"),
    },
    { tools: [slow] },
  );
  await store.create({ subject: "a" });

  const report = await team.run().result;

  expect(report.status).toBe("done");
  const longest = Math.max(...provider.requests.flatMap((request) => mailIn(request).map((each) => each.length)));
  expect(longest).toBeLessThan(22_000);
  // Ten runs each at most, of two requests.
  expect(replies).toBeLessThanOrEqual(40);
});

test("a member's own sub-agents have no messages, and a member alone has no tools for them", async () => {
  const { store, team, provider } = teamOf(
    {
      ann: (_request, step) => (step === 0 ? toolCall("task", { prompt: "look" }) : text("done")),
      bob: () => text("done"),
    },
    { tools: createSubagentTools() },
  );
  await store.create({ subject: "a" });
  await team.run().result;
  const alone = teamOf({ ann: () => text("done") });
  await alone.store.create({ subject: "a" });
  await alone.team.run().result;

  const names = (request: ProviderRequest) =>
    request.tools.map(({ name }) => name).filter((name) => /message/.test(name));
  const inside = provider.requests.filter(({ system }) => !/^You are (ann|bob)\./.test(system[0]!.text));
  expect(inside.flatMap(names)).toEqual([]);
  expect(names(provider.requests[0]!)).toContain("message_send");
  expect(names(alone.provider.requests[0]!)).toEqual([]);
});

test("a message that was not read waits in the mailbox for the next team", async () => {
  const mailbox = createMemoryMailbox();
  const first = teamOf(
    { ann: (_r, step) => (step === 0 ? toolCall("message_send", { to: "zoe", message: "for later" }) : text("done")) },
    { mailbox, teammates: ["zoe"] },
  );
  await first.store.create({ subject: "a" });
  await first.team.run().result;
  const second = teamOf({ zoe: (request) => text(mailIn(request).join()) }, { mailbox, teammates: ["ann"] });
  await second.store.create({ subject: "b" });

  const { tasks } = await second.team.run().result;

  expect(tasks[0]!.result).toContain("for later");
  expect(await mailbox.take("zoe")).toEqual([]);
});

test("hooks hear of a member that finds nothing to claim, once each time, and of completed tasks", async () => {
  const heard: unknown[] = [];
  const note = ({ hookEventName, teammateName, teamName, taskSubject }: Record<string, unknown>) =>
    void heard.push([hookEventName, taskSubject, teammateName, teamName]);
  const { store, team } = teamOf(
    { ann: () => text("done") },
    { hooks: { TeammateIdle: [{ run: note as never }], TaskCompleted: [{ run: note as never }] } },
  );
  await store.create({ subject: "a" });

  await team.run().result;

  expect(heard).toEqual([
    ["TaskCompleted", "a", "ann", "team"],
    ["TeammateIdle", undefined, "ann", "team"],
  ]);
});

test("a hook can send an idle member home while others are at work", async () => {
  let isHome = false;
  const goHome = () => {
    isHome = true;
    return { continue: false };
  };
  const wait = tool("wait", async () => {
    while (!isHome) await new Promise((resolve) => setImmediate(resolve));
    return "waited";
  });
  const works: Role = (_request, step) => (step === 0 ? toolCall("wait", {}) : text("done"));
  const { store, team } = teamOf(
    { ann: works, bob: works },
    { tools: [wait], hooks: { TeammateIdle: [{ run: goHome }] } },
  );
  await store.create({ subject: "a" });

  expect(await team.run().result).toMatchObject({ status: "done" });
});
