// A turn that is suspended at random moments, each time continued by another instance over the same store.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { defineTool, type Message } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { runs } from "../../runs.js";
import { newDirectory, newHost, partsOf } from "./hosts.js";

const call = fc.record({ host: fc.boolean(), ms: fc.integer({ min: 0, max: 6 }) });
const plan = fc.record({
  steps: fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
  modelMs: fc.integer({ min: 0, max: 4 }),
  /** How long each instance is left to work. */
  moments: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
});

const callsOf = (messages: readonly Message[]) =>
  messages.flatMap((one) => (one.role === "assistant" ? one.content.filter(({ type }) => type === "tool-call") : []));

test("a turn that is suspended at random moments comes to its end, and makes no call twice", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ steps, modelMs, moments }) => {
      const place = { directory: newDirectory() };
      const done: number[] = [];
      const work = async ({ n, ms }: { n: number; ms: number }) => {
        await sleep(ms);
        done.push(n);
        return `${n} is done`;
      };
      const input = z.object({ n: z.number(), ms: z.number() });
      const act = defineTool({ name: "act", description: "Acts.", input, permission: "execute", execute: work });
      const host_act = tool({ description: "Acts at the host.", inputSchema: input, execute: work });
      let next = 0;
      const numbered = steps.map((calls) => calls.map((one) => ({ ...one, n: next++ })));
      // What a model would do: the first step of which it has made no call yet.
      const model = ({ messages }: { messages: readonly Message[] }) => {
        const made = new Set(callsOf(messages).map((one) => Object(Object(one).arguments).n));
        const step = numbered.find((calls) => calls.every(({ n }) => !made.has(n)));
        const settings = { chunkDelayMs: modelMs, argumentChunkSize: 6, chunkSize: 2 };
        if (!step) return text("Done.", settings);
        return [...step.map(({ host, n, ms }) => toolCall(host ? "host_act" : "act", { n, ms })), settings];
      };
      const instance = () =>
        newHost(place, {
          provider: scripted([model], { loop: true }),
          engine: { tools: [act] },
          agent: { tools: { host_act } },
        }).host;

      let agent = instance();
      let session = await agent.createSession({ sessionId: "s" });
      let result = await agent.stream({ session, prompt: "Work." });
      for (const moment of moments) {
        const reading = partsOf(result);
        const ended = await Promise.race([reading.then(() => true), sleep(moment, false)]);
        if (ended && !session.hasUnfinishedTurn()) break;
        const state = JSON.parse(JSON.stringify(await session.suspendTurn()));
        expect((await reading).filter(({ type }) => type === "error")).toEqual([]);
        agent = instance();
        session = await agent.createSession({ sessionId: "s", continueFrom: state });
        result = await agent.continueStream({ session });
      }
      if (session.hasUnfinishedTurn()) await partsOf(result).catch(() => []);

      expect(await result.text).toBe("Done.");
      expect(done.length).toBe(new Set(done).size);
    }),
    { numRuns: runs(20, 20, 300), timeout: 30_000 },
  );
});
