import fc from "fast-check";
import { expect, test } from "vitest";
import { readSnapshot } from "../../examples/web-chat/session-snapshot.js";
import { createRunHub, type HubRun } from "../../src/http/index.js";
import { AgentEngine, type ProviderRequest } from "../../src/index.js";
import { type ScriptedContent, scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, findPending } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { deploy, look } from "../http/agents.js";
import { runs } from "../runs.js";

// The page has no types: it is plain JavaScript that runs as it is.
const { SessionModel } = await import(new URL("../../examples/web-chat/page/session-model.js", import.meta.url).href);

const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "You are a worker." });
const task = (prompt: string) => toolCall("task", { subagent_type: "worker", description: "It", prompt });

const TURNS: Readonly<Record<string, ScriptedContent>> = {
  looks: ["Let me look.", toolCall("look", { where: "here" })],
  thinks: [{ reasoning: "Hm. I wonder." }, "I see.", toolCall("look")],
  asks: ["May I?", toolCall("deploy", { to: "production" })],
  "looks and asks": [toolCall("look"), "And then", toolCall("deploy"), toolCall("deploy", { to: "staging" })],
  delegates: [task("Look."), task("Deploy.")],
  draws: ["Here:", { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }, "Nice?", toolCall("look")],
  stumbles: { restartAfter: "No, that is", text: "Again.", toolCalls: [toolCall("look")] },
};

/** The main agent plays the turns, one after the other; a worker does the one thing it is asked for. */
function modelOf(turns: readonly string[], chunkSize: number) {
  const turn = ({ messages, system }: ProviderRequest): ScriptedContent => {
    const done = messages.filter(({ role }) => role === "assistant").length;
    const isWorker = system.some((section) => section.text.includes("worker"));
    if (isWorker) {
      const [prompt] = messages;
      const isDeploy = JSON.stringify(prompt).includes("Deploy.");
      return done === 0 ? ["I will.", toolCall(isDeploy ? "deploy" : "look", { n: 1 })] : text("I did.");
    }
    const content = turns[done] === undefined ? text("That is all, and it is enough.") : TURNS[turns[done]]!;
    return [...[content].flat(), { chunkSize, argumentChunkSize: chunkSize }] as ScriptedContent;
  };
  return scripted([turn], { loop: true });
}

// biome-ignore lint/suspicious/noExplicitAny: the page's model has no types
type Any = any;

/** What the page shows of an agent, without what only a moment knows. */
function shown({ blocks }: Any): Any[] {
  return blocks.flatMap((block: Any) => {
    const { kind, text: words, origin, id, name, input, state, result, agents } = block;
    if (kind === "notice" || (words !== undefined && words.trim() === "")) return [];
    if (kind !== "tool") return { kind, words, origin };
    const children = agents.map((agent: Any) => ({ name: agent.name, status: agent.status, blocks: shown(agent) }));
    return { kind, id, name, input, state, output: result?.output, children };
  });
}

const pageOf = (model: Any) => ({
  blocks: shown(model.root),
  status: model.status,
  questions: [...model.questions.keys()].sort(),
  tokens: model.tokens,
});

test("wherever a page reads the session and goes on with the events, it shows what the session says in the end", async () => {
  const turnNames = fc.constantFrom(...Object.keys(TURNS));
  await fc.assert(
    fc.asyncProperty(
      fc.array(turnNames, { maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 3 }),
      fc.constantFrom(10_000, 25),
      async (turns, chunkSize, reloads, maxEvents) => {
        const sessions = createMemorySessionStore();
        const tools = [deploy, look, ...createSubagentTools({ subagents: [worker] })];
        const engine = new AgentEngine({ provider: modelOf(turns, chunkSize), tools, sessions, runaway: false });
        const hub = createRunHub({ engine, maxEvents });
        const model = new SessionModel();
        let seen = 0;
        let isPartial = false;
        let isKept = false;
        const follow = async (run: HubRun): Promise<void> => {
          for await (const event of hub.subscribe(run.id)) {
            if (event.type === "reset") continue;
            if (event.type === "session") {
              model.load(await readSnapshot(sessions, run.sessionId, run.id));
              isPartial = true;
              continue;
            }
            model.event(event);
            // The server says that there is a session once the prompt is in it.
            isKept ||= event.type === "turn-start";
            if (!reloads.includes(seen++) || !isKept) continue;
            model.load(await readSnapshot(sessions, run.sessionId, run.id));
            return follow(run);
          }
        };
        const first = hub.start("Go.", { sessionId: "s" });
        model.say("Go.", false);
        model.begin(first.id);
        await follow(first);
        let { status } = await first.result;
        while (status === "needs-approval") {
          const waiting = await findPending(sessions, "s");
          if (isPartial) model.load(await readSnapshot(sessions, "s", null));
          isPartial = false;
          expect([...model.questions.keys()].sort()).toEqual(waiting.map(({ id }) => id).sort());
          const [question] = waiting;
          const decision = question!.agentPath.length > 0 ? "deny" : "allow";
          const run = await hub.answer({ id: question!.id, decision }, { sessionId: "s" });
          model.begin(run.id);
          await follow(run);
          ({ status } = await run.result);
        }

        const read = new SessionModel();
        read.load(await readSnapshot(sessions, "s", null));
        // Where events are gone, the page reads the session once more at the end.
        if (isPartial) model.load(await readSnapshot(sessions, "s", null));
        expect(pageOf(model)).toEqual(pageOf(read));
        await engine.close();
      },
    ),
    { numRuns: runs(12, 250, 2_000) },
  );
});
