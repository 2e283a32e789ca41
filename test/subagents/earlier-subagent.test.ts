import { expect, test } from "vitest";
import { AgentEngine, type BaseTool, defineTool, type ProviderRequest } from "../../src/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { subagentSessionId } from "../../src/subagents/index.js";
import { deferred, issuesOf, resultsOf, tool } from "../engine/kit.js";
import { agent, playing, type Role, subagentEngine, textsOf } from "./kit.js";

const START = toolCall("task", { prompt: "dig", subagent_type: "digger", run_in_background: true }, { id: "t" });
const idIn = (request: ProviderRequest) => /sub-[0-9a-f]{12}/.exec(JSON.stringify(request.messages))![0];
const ends = (request: ProviderRequest) =>
  textsOf(request).filter((said) => /^\[Sub-agent .* has completed\]/.test(said));
const isTold = ({ messages }: ProviderRequest, what: string) => {
  const last = messages.at(-1)!;
  return last.role === "user" && last.content.some((part) => part.type === "text" && part.text === what);
};

/** Starts a digger in its first run, and writes to it in the next. */
const main: Role = (request, step) => {
  if (step === 0) return START;
  if (isTold(request, "go on"))
    return toolCall("subagent_message", { id: idIn(request), message: "dig deeper" }, { id: "m" });
  return text(ends(request).length > 0 ? `heard ${ends(request).length}` : "waiting");
};
const digger: Role = (request) => text(textsOf(request).at(-1) === "dig" ? "gold at 3 m" : "gold at 9 m");

test("a sub-agent that has ended goes on with a message, in another process too, with all that it knew", async () => {
  const store = createMemorySessionStore();
  const first = subagentEngine({ main, digger }, [agent("digger")], { sessions: store });
  await first.engine.run("go", { sessionId: "s" });
  const { engine, provider } = subagentEngine({ main, digger }, [agent("digger")], { sessions: store });

  const result = await engine.run("go on", { sessionId: "s" });

  const asked = provider.requests.filter(({ system }) => system[0]?.text === "You are digger.");
  expect(asked.map(textsOf)).toEqual([["dig", "gold at 3 m", "dig deeper"]]);
  expect(String(resultsOf(result).m!.output)).toMatch(/^It had ended, and goes on from there as sub-[0-9a-f]{12}\. /);
  expect([result.status, result.text, issuesOf(result)]).toEqual(["completed", "heard 2", []]);
  expect(ends(provider.requests.at(-1)!).at(-1)).toMatch(/gold at 9 m$/);
});

test("its first id means the newest that goes on from it, and all are listed", async () => {
  const talkative: Role = (request, step) => {
    if (step === 0) return START;
    const id = idIn(request);
    if (isTold(request, "go on") || isTold(request, "and on"))
      return toolCall("subagent_message", { id, message: "deeper" }, { id: `m${step}` });
    if (isTold(request, "list")) return toolCall("subagent_output", {}, { id: "l" });
    if (isTold(request, "read")) return toolCall("subagent_output", { id }, { id: "r" });
    return text("waiting");
  };
  const { engine, provider } = subagentEngine({ main: talkative, digger }, [agent("digger")]);
  for (const prompt of ["go", "go on", "and on"]) await engine.run(prompt, { sessionId: "s" });

  const listed = await engine.run("list", { sessionId: "s" });
  const read = await engine.run("read", { sessionId: "s" });

  const asked = provider.requests.filter(({ system }) => system[0]?.text === "You are digger.");
  expect(textsOf(asked.at(-1)!)).toEqual(["dig", "gold at 3 m", "deeper", "gold at 9 m", "deeper"]);
  expect(String(resultsOf(listed).l!.output).split("\n")).toEqual(
    Array(3).fill(expect.stringMatching(/^sub-[0-9a-f]{12} "digger": completed$/)),
  );
  expect(String(resultsOf(read).r!.output)).toMatch(/is completed\.\n\nIts result has reached you already\.$/);
});

test("two messages to one that has ended do not make two of it", async () => {
  const twice: Role = (request, step) => {
    if (step === 0) return START;
    const message = (id: string) => toolCall("subagent_message", { id: idIn(request), message: "deeper" }, { id });
    return isTold(request, "go on") ? [message("a"), message("b")] : text("waiting");
  };
  const gate = deferred();
  const dig = tool("dig", () => gate.promise.then(() => "dug"), { permission: "read_only" });
  const slow: Role = (request) => {
    const last = request.messages.at(-1)!;
    return last.role === "tool" || textsOf(request).at(-1) === "dig" ? text("gold") : toolCall("dig", {});
  };
  const { engine } = subagentEngine({ main: twice, digger: slow }, [agent("digger")], { tools: [dig] });
  await engine.run("go", { sessionId: "s" });
  setTimeout(() => gate.resolve(), 50);

  const result = await engine.run("go on", { sessionId: "s" });

  const outputs = Object.values(resultsOf(result)).map(({ output }) => String(output));
  const goingOn = outputs.filter((output) => output.includes("goes on from there"));
  expect(goingOn).toHaveLength(1);
  const refused = outputs.filter((output) => /has not ended, or its result has not reached you yet/.test(output));
  const read = outputs.filter((output) => output === "It reads the message before its next step.");
  expect(refused.length + read.length).toBe(1);
  expect(engine.subagents("s")).toHaveLength(2);
});

test("a sub-agent that is not defined any more says so, and one whose session is lost ends as failed", async () => {
  const store = createMemorySessionStore();
  await subagentEngine({ main, digger }, [agent("digger")], { sessions: store }).engine.run("go", { sessionId: "s" });
  const other = subagentEngine({ main, digger }, [], { sessions: store });
  const undefinedNow = await other.engine.run("go on", { sessionId: "s" });
  expect(resultsOf(undefinedNow).m).toMatchObject({ isError: true, output: expect.stringContaining("no sub-agent") });

  const { engine, provider } = subagentEngine({ main, digger }, [agent("digger")], { sessions: store });
  await store.delete(subagentSessionId("s", "t"));
  const lost = await engine.run("go on", { sessionId: "s" });
  expect(lost.status).toBe("completed");
  expect(textsOf(provider.requests.at(-1)!).at(-1)).toMatch(
    /ended as failed\]\n\n.*Start a new one with the whole task/s,
  );
});

test("a tool of a host continues a child that was stopped in the middle of a call", async () => {
  const seen: string[] = [];
  const store = createMemorySessionStore();
  let earlier = "";
  const spawning = defineTool({
    name: "spawning",
    description: "Spawns a sub-agent.",
    permission: "none",
    spawns: { maxDepth: 1 },
    async execute(_input, { spawn }) {
      const options = earlier === "" ? {} : { continues: earlier };
      const result = await spawn!(agent("digger"), earlier === "" ? "dig" : "what was it?", options);
      earlier = result.sessionId;
      return result.text;
    },
  }) as BaseTool;
  const stuck = tool("stuck", () => new Promise(() => {}), { permission: "read_only" });
  const provider = playing({
    main: (request) => (request.messages.at(-1)!.role === "tool" ? text("end") : toolCall("spawning", {})),
    digger: (request) => {
      if (textsOf(request).at(-1) === "dig") return toolCall("stuck", {});
      seen.push(JSON.stringify(request.messages));
      return text("a call");
    },
  });
  const options = { provider, sessions: store, tools: [spawning, stuck], limits: { abandonMs: 50 } };
  const engine = new AgentEngine({
    ...options,
    permissions: { decide: () => ({ behavior: "allow" }) },
    systemPrompt: "You are main.",
  });
  const run = engine.stream("go", { sessionId: "s" });
  while (engine.subagents("s").length === 0) await new Promise((resolve) => setImmediate(resolve));
  earlier = engine.subagents("s")[0]!.id;
  setTimeout(() => run.abort("enough"), 30);
  await run.result;
  await run.idle;

  const result = await engine.run("again", { sessionId: "s" });

  expect(result.status).toBe("completed");
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatch(/"tool-result".*"stuck".*what was it\?/s);
});
