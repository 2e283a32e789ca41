// The migrations of the docs, done on a small app: what it was before and what it is after are run on the same model.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MockLanguageModelV3 } from "ai/test";
import { expect, onTestFinished, test } from "vitest";
import { builtPrograms } from "./built-programs.js";
import { blocksOf, readPage } from "./pages.js";

/** The programs of a page, as modules. */
async function modulesOf(page: string): Promise<Record<string, (...args: never[]) => Promise<string>>[]> {
  const blocks = blocksOf(readPage(page)).filter(({ language }) => language === "ts");
  const directory = await builtPrograms(blocks.map(({ code }) => code));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return Promise.all(blocks.map((_, index) => import(join(directory, `${index}.mjs`))));
}

interface Asked {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
}

/** Asks for the weather, then says what it was told. Notes what it was sent. */
function weatherModel() {
  const sent: unknown[] = [];
  const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
  const answer = ({ prompt, tools }: Asked) => {
    sent.push({
      system: prompt[0]!.content,
      roles: prompt.map(({ role }) => role),
      tools: tools?.map(({ name }) => name),
    });
    const { role, content } = prompt.at(-1)!;
    if (role !== "tool")
      return {
        content: [{ type: "tool-call", toolCallId: "c", toolName: "weather", input: '{"city":"Porto"}' }],
        finishReason: { unified: "tool-calls", raw: "x" },
      };
    const [result] = content as readonly { readonly output: { readonly value: string } }[];
    return { content: [{ type: "text", text: result!.output.value }], finishReason: { unified: "stop", raw: "x" } };
  };
  const model = new MockLanguageModelV3({
    doGenerate: (async (asked: Asked) => ({ ...answer(asked), usage, warnings: [] })) as never,
    doStream: (async (asked: Asked) => {
      const { content, finishReason } = answer(asked);
      const pieces = content.flatMap((part): object[] =>
        "text" in part
          ? [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: part.text },
              { type: "text-end", id: "1" },
            ]
          : [part],
      );
      const all = [{ type: "stream-start", warnings: [] }, ...pieces, { type: "finish", finishReason, usage }];
      const start = (stream: ReadableStreamDefaultController) => {
        for (const piece of all) stream.enqueue(piece);
        stream.close();
      };
      return { stream: new ReadableStream({ start }) };
    }) as never,
  });
  return { model, sent };
}

test("an app of the AI SDK gives the same answer after its migration, from the same requests", async () => {
  const [before, after] = await modulesOf("docs/migrate/from-the-ai-sdk.md");
  const runs = [];
  for (const { answer } of [before!, after!]) {
    const { model, sent } = weatherModel();
    runs.push({ text: await answer!(model as never, "Porto?" as never), sent });
  }

  expect(runs[0]).toEqual({
    text: "Rain in Porto.",
    sent: [
      { system: "Answer in one sentence.", roles: ["system", "user"], tools: ["weather"] },
      { system: "Answer in one sentence.", roles: ["system", "user", "assistant", "tool"], tools: ["weather"] },
    ],
  });
  expect(runs[1]).toEqual(runs[0]);
});

test("the loop that the page begins with is one that works", async () => {
  const [before] = await modulesOf("docs/migrate/from-a-loop-of-your-own.md");
  const replies = [
    { text: "", calls: [{ id: "1", name: "weather", arguments: '{"city":"Porto"}' }] },
    { text: "Take an umbrella.", calls: [] },
  ];
  const sent: number[] = [];
  const ask = async (messages: readonly unknown[]) => {
    sent.push(messages.length);
    return replies.shift();
  };
  const tools = { weather: async ({ city }: { readonly city: string }) => `Rain in ${city}.` };

  const text = await before!.loop!(ask as never, tools as never, "Porto tomorrow?" as never);

  expect({ text, sent }).toEqual({ text: "Take an umbrella.", sent: [1, 3] });
});
