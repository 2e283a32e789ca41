// What the client sends and what the server keeps are one conversation: the laws of prefix, replay and resume, in both states.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Message } from "../../src/index.js";
import { scripted, text } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, forkSession, rewindSession } from "../../src/sessions/index.js";
import { runs } from "../runs.js";
import { bundled, idsOf, startChild } from "../sessions/kit.js";
import { type KeepingOptions, type KeepingServer, keepingServer, VENDORS, type Vendor } from "./keeping-server.js";
import { answerTo, engineOf, providerOf, type State } from "./server-state.js";

const STATES = ["client", "server"] as const;

type Step = "run" | "rewind" | "fork" | "forget" | "process" | "provider";

/** A long session, with everything that a server cannot go on after. */
const LONG: readonly Step[] = Array.from({ length: runs(100, 300, 500) }, (_, at) => {
  if (at % 23 === 11) return "rewind";
  if (at % 29 === 13) return "fork";
  if (at % 31 === 17) return "forget";
  if (at % 37 === 19) return "process";
  return at % 41 === 23 ? "provider" : "run";
});

interface Lived {
  readonly server: KeepingServer;
  readonly transcripts: string;
  readonly causes: string[];
}

async function live(
  vendor: Vendor,
  state: State,
  steps: readonly Step[],
  broken?: KeepingOptions,
  contextWindow?: number,
): Promise<Lived> {
  const server = await keepingServer(vendor, answerTo, broken);
  onTestFinished(() => server.close());
  const sessions = createMemorySessionStore();
  const causes: string[] = [];
  const transcripts: (readonly Message[])[] = [];
  let sessionId = "s0";
  let forks = 0;
  const begin = () => {
    const engine = engineOf(providerOf(vendor, server.url, state), sessions, contextWindow);
    engine.on("notice", ({ code, details }) => {
      if (code === "SERVER_STATE") causes.push(String((details as { cause?: string }).cause));
    });
    return engine;
  };
  let engine = begin();
  let atPrompt: string | undefined;
  for (const [at, step] of steps.entries()) {
    if (step === "forget") server.forget();
    if (step === "process") engine = begin();
    if (step === "rewind" && atPrompt) await rewindSession(sessions, sessionId, atPrompt);
    if (step === "fork") {
      const fork = `s${++forks}`;
      await forkSession(sessions, sessionId, (await idsOf(sessions, sessionId)).at(-1)!, fork);
      sessionId = fork;
    }
    atPrompt = (await idsOf(sessions, sessionId).catch(() => [])).at(-1);
    const provider = step === "provider" ? scripted([text(`Other ${at}.`)]) : undefined;
    const result = await engine.run(`Prompt ${at}.`, { sessionId, ...(provider && { provider }) });
    expect(result.error).toBeUndefined();
    transcripts.push(result.messages());
  }
  return { server, transcripts: JSON.stringify(transcripts), causes };
}

/** A whole request as `"client"` would have sent it. */
function asClients(vendor: Vendor, sent: string): string {
  return vendor === "anthropic"
    ? sent.replace(',"thread":{"type":"create"}', "")
    : sent.replace('"store":true', '"store":false');
}

const isPart = (sent: string) => /"previous_(?:message|response)_id":/.test(sent);
const bytesOf = ({ sent }: KeepingServer) => sent.reduce((sum, one) => sum + Buffer.byteLength(one), 0);

describe.each(VENDORS)("%s", { timeout: 1_800_000 }, (vendor) => {
  test("a long session with forks, rewinds, losses and another provider is the same in both states", async () => {
    const [client, server] = await Promise.all(STATES.map((state) => live(vendor, state, LONG)));

    expect(server!.transcripts).toBe(client!.transcripts);
    expect(server!.server.wholes).toEqual(client!.server.wholes);
    expect(client!.causes).toEqual([]);
    const told = (cause: string) => server!.causes.filter((one) => one === cause).length;
    const of = (step: Step) => LONG.filter((one) => one === step).length;
    expect([told("changed"), told("elsewhere"), told("lost"), told("provider")]).toEqual([
      of("rewind"),
      of("fork") + of("process"),
      of("forget"),
      // Where the next run has a cause of its own, it is told that one.
      LONG.filter((one, at) => one === "provider" && LONG[at + 1] === "run").length,
    ]);
    expect(new Set(server!.causes).size).toBe(4);
    expect(server!.server.refusals).toHaveLength(of("forget"));
    expect(bytesOf(server!.server)).toBeLessThan(bytesOf(client!.server) / 3);
  });

  test("the same with a server that sums up: same transcripts, same views, and each summary goes back as it came", async () => {
    const [client, server] = await Promise.all(STATES.map((state) => live(vendor, state, LONG, undefined, 1_000)));

    expect(server!.transcripts).toBe(client!.transcripts);
    expect(server!.server.wholes).toEqual(client!.server.wholes);
    expect(server!.server.summaries).toEqual(client!.server.summaries);
    expect(client!.server.summaries.length).toBeGreaterThan(5);
    expect(client!.server.refusals).toEqual([]);
    const longest = Math.max(...client!.server.sent.map((one) => one.length));
    expect(longest).toBeLessThan(client!.transcripts.length / 20);
  });

  test("a whole request is byte for byte what the client state sends, also after a loss", async () => {
    const steps: Step[] = ["run", "run", "forget", "run", "rewind", "fork", "run"];
    const [client, server] = await Promise.all(STATES.map((state) => live(vendor, state, steps)));

    const whole = server!.server.sent.filter((one) => !isPart(one));
    expect(whole.length).toBeGreaterThan(3);
    for (const one of whole) expect(client!.server.sent).toContain(asClients(vendor, one));
  });

  test("a server that does not know the field, or keeps nothing, is asked as a client, which is said once", async () => {
    const client = await live(vendor, "client", ["run", "run", "run"]);
    for (const [broken, causes] of [
      ["fields", ["refused"]],
      ["rights", ["refused"]],
      ["nothing", ["lost", "forgetful"]],
    ] as const) {
      const server = await live(vendor, "server", ["run", "run", "run"], { broken });

      expect(server.causes).toEqual(causes);
      expect(server.transcripts).toBe(client.transcripts);
      expect(server.server.sent.slice(-4)).toEqual(client.server.sent.slice(-4));
    }
  });
});

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./server-state-program.ts", import.meta.url));
});

test.each(VENDORS)(
  "%s: a session that is killed at any moment goes on the same in both states",
  { timeout: 600_000 },
  async (vendor) => {
    const lived: string[] = [];
    let kills = 0;
    for (const state of STATES) {
      const ends: string[] = [];
      for (const moments of [
        [3, 1],
        [4, 5],
        [6, 2],
      ]) {
        const dir = mkdtempSync(join(tmpdir(), "server-state-"));
        onTestFinished(() => rmSync(dir, { recursive: true }));
        const server = await keepingServer(vendor, answerTo);
        let line: string | null = null;
        for (const killAt of [...moments, 0]) {
          const child = startChild(program, [dir, vendor, server.url, state, String(killAt)]);
          line = await child.line();
          await child.ended;
          if (line !== null) break;
          expect(child.process.signalCode).toBe("SIGKILL");
          kills++;
        }
        ends.push(line!, server.wholes.at(-1)!);
        expect(server.summaries.length).toBeGreaterThan(0);
        await server.close();
      }
      lived.push(JSON.stringify(ends));
    }
    expect(lived[0]).toBe(lived[1]);
    expect(lived[0]).toContain("Third.");
    expect(kills).toBeGreaterThanOrEqual(8);
  },
);
