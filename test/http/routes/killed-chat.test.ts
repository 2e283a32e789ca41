// A page of useChat's own client, the routes over files, and a process that is killed: after each step the page shows what is stored, and
// each answer on it came from a model that was sent what stands above it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { UIMessage } from "ai";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { bundled } from "../../bundled.js";
import { runs } from "../../runs.js";
import { temporaryDirectory } from "../../sessions/kit.js";
import { joined, Page, type Said, saidOf } from "../page-client.js";

let program = "";
beforeAll(async () => {
  program = await bundled(new URL("chat-program.ts", import.meta.url));
});

class Chat {
  readonly #directory = temporaryDirectory();
  #child: ChildProcess | undefined;
  #port = 0;
  page = new Page("");

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [program, this.#directory, String(this.#port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    for await (const text of child.stdout!) {
      this.#port = Number(/ready (\d+)/.exec(String(text))?.[1] ?? 0);
      if (this.#port > 0) break;
    }
    await this.reload();
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child!.once("exit", resolve));
    this.#child!.kill("SIGKILL");
    await ended;
  }

  async stored(): Promise<UIMessage[]> {
    const response = await fetch(`${this.url}/chat/chat-1`);
    return response.ok ? ((await response.json()) as { messages: UIMessage[] }).messages : [];
  }

  /** As a browser does it: what is stored, and the stream of the run under way. */
  async reload(): Promise<void> {
    this.page = new Page(this.url, await this.stored());
    await this.page.resumeStream();
  }

  stop(): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    return fetch(`${this.url}/chat/chat-1/stop`, { method: "POST", headers, body: "{}" });
  }

  async compare(): Promise<void> {
    const shown = saidOf(this.page.messages);
    expect(saidOf(await this.stored())).toEqual(shown);
    const file = join(this.#directory, "heard");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const heard = new Map(
      lines.map((line) => {
        const { number, said } = JSON.parse(line) as { number: string; said: Said[] };
        return [number, joined(said)];
      }),
    );
    for (const [index, { role, text }] of shown.entries()) {
      if (role === "assistant") expect(heard.get(/^\[([\d.]+)\]/.exec(text)![1]!)).toEqual(shown.slice(0, index));
    }
  }
}

const steps = fc.array(
  fc.record({ kind: fc.constantFrom("say", "edit", "again", "stop", "reload", "kill", "kill"), pick: fc.nat(100) }),
  { minLength: 3, maxLength: 8 },
);

test("whatever is edited, asked again, stopped, reloaded or killed, page, model and store say the same", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const chat = new Chat();
      await chat.start();
      try {
        let said = 0;
        for (const { kind, pick } of all) {
          const mine = chat.page.messages.filter(({ role }) => role === "user");
          const one = mine[pick % Math.max(1, mine.length)];
          const words = `Said ${++said}. `;
          if (kind === "edit" && one) await chat.page.say(words, one.id);
          else if (kind === "again" && one) await chat.page.regenerate({ messageId: one.id });
          else if (kind === "reload") await chat.reload();
          else if (kind === "stop" || kind === "kill") {
            const sent = chat.page.say(words);
            await sleep(pick % 60);
            if (kind === "stop") await chat.stop();
            else await chat.kill();
            await sent;
            if (kind === "kill") await chat.start();
            // What was stopped before its turn came was not sent, as the page is told, and says again.
            else if (chat.page.error?.message.includes("was not sent")) await chat.page.regenerate();
          } else await chat.page.say(words);
          if (kind !== "kill") expect(chat.page.error).toBeUndefined();
          await chat.compare();
        }
      } finally {
        await chat.kill();
      }
    }),
    { numRuns: runs(3, 10, 200) },
  );
}, 600_000);
