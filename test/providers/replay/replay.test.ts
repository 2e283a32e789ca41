// A history made with any adapter goes to any other. Histories are made by real runs; what the next adapter sends is
// checked against the rules of its API.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { DRAWN, REASONING, TEXT, VENDORS, type Vendor } from "./vendors.js";

const PAGE = fileURLToPath(new URL("../../../docs/reference/provider-replay.md", import.meta.url));
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SHOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const look = defineTool({
  name: "look",
  description: "Looks at a picture.",
  permission: "none",
  input: { type: "object", properties: { path: { type: "string" } } },
  execute: async () => ({
    output: [
      { type: "text" as const, text: "A picture:" },
      { type: "image" as const, mediaType: "image/png", data: SHOT },
    ],
  }),
});
const fail = defineTool({
  name: "fail",
  description: "Fails.",
  permission: "none",
  input: { type: "object" },
  execute: async () => {
    throw new Error("no such file");
  },
});

async function historyOf(vendor: Vendor, model?: string): Promise<readonly Message[]> {
  const peer = await vendor.connect(true, model);
  const engine = new AgentEngine({ provider: peer.provider, tools: [look, fail], systemPrompt: "Be brief." });
  const prompt = [
    { type: "text" as const, text: "What is this?" },
    { type: "image" as const, mediaType: "image/png", data: PIXEL },
  ];
  const result = await engine.run(prompt);
  await peer.close();
  expect(result).toMatchObject({ status: "completed", text: "Done.", turns: 2 });
  return result.messages();
}

/** What `vendor` is sent when it goes on with a history. */
async function sentOn(vendor: Vendor, history: readonly Message[], model?: string): Promise<string> {
  const peer = await vendor.connect(false, model);
  const engine = new AgentEngine({ provider: peer.provider, tools: [look, fail], systemPrompt: "Be brief." });
  const result = await engine.run("And now?", { history });
  await peer.close();
  expect(result).toMatchObject({ status: "completed", text: "Done." });
  const [body] = peer.sent();
  expect(vendor.refusal(JSON.parse(body!)), `sent to ${vendor.name}: ${body}`).toBeNull();
  return body!;
}

function reasoningIn(body: string, source: Vendor): string {
  if (source.signature !== null && body.includes(source.signature)) return "kept, signed";
  return body.includes(REASONING) ? "kept" : "left out";
}

/** Where the image is that the model of `source` has made. */
function imageIn(body: string, source: Vendor): string {
  if (!source.draws) return "–";
  const count = body.split(DRAWN).length - 1;
  if (count !== 1) return `sent ${count} times`;
  return body.includes("In your last message you made") ? "shown by the user" : "the model's own";
}

for (const source of VENDORS) {
  for (const target of VENDORS) {
    test(`a history of ${source.name} goes to ${target.name}`, async () => {
      const history = await historyOf(source);

      const body = await sentOn(target, history);

      expect(body).toContain(TEXT);
      expect(body).toContain("no such file");
      expect(body).toContain(PIXEL);
      expect(body).toContain(SHOT);
      const isOwn = source === target;
      const takesAny = target.name === "scripted";
      if (source.draws) expect(imageIn(body, source)).toBe(isOwn || takesAny ? "the model's own" : "shown by the user");
      if (target.name !== "scripted") {
        const hasSignature = source.signature !== null && body.includes(source.signature);
        expect(hasSignature, "signatures go to their own provider alone").toBe(isOwn && source.signature !== null);
        if (!isOwn) expect(body).not.toContain(REASONING);
      }
    });
  }
}

for (const vendor of VENDORS.filter(({ signature, name }) => signature !== null && name !== "openai chat")) {
  test(`a signature of ${vendor.name} does not go to another of its models`, async () => {
    const history = await historyOf(vendor, `${vendor.name === "google" ? "gemini-3" : "an-older"}-model`);

    const body = await sentOn(vendor, history);

    expect(body).toContain(TEXT);
    expect(body).not.toContain(vendor.signature);
  });
}

/** What no well-behaved adapter writes, and a host's own history or another library may hold. */
const ODD: readonly Message[] = [
  assistant({ type: "text", text: "Welcome." }),
  { role: "user", content: [{ type: "text", text: "" }] },
  {
    role: "user",
    content: [
      { type: "text", text: "One half: \ud83d" },
      { type: "text", text: " \n" },
    ],
  },
  { role: "user", content: [{ type: "file", mediaType: "text/plain", data: btoa("notes"), name: "n.txt" }] },
  assistant({ type: "text", text: "" }),
  assistant(
    { type: "reasoning", text: "Mine.", provider: "anthropic", providerData: { signature: "foreign" } },
    { type: "reasoning", text: "", provider: "google", providerData: { thoughtSignature: "foreign", on: "call" } },
    { type: "tool-call", id: "a/b c", name: "look", arguments: { deep: ["\ud83d"] } },
    { type: "tool-call", id: "x".repeat(200), name: "not a.tool!", arguments: {}, malformed: '{"half' },
    { type: "tool-call", id: "3", name: "9lives", arguments: "a string" },
  ),
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "a/b c", name: "look", output: "", isError: false },
      { type: "tool-result", toolCallId: "x".repeat(200), name: "not a.tool!", output: "", isError: true },
      {
        type: "tool-result",
        toolCallId: "3",
        name: "9lives",
        output: [{ type: "image", mediaType: "image/png", data: SHOT }],
        isError: true,
      },
    ],
  },
  assistant({ type: "text", text: "First." }),
  assistant({ type: "text", text: "Second." }, { type: "reasoning", text: "After.", provider: "x" }),
];

function assistant(...content: Extract<Message, { role: "assistant" }>["content"][number][]): Message {
  return { role: "assistant", content, finishReason: "stop", provider: "another", model: "another-model" };
}

for (const target of VENDORS) {
  test(`an odd history goes to ${target.name}`, async () => {
    const body = await sentOn(target, ODD);

    for (const text of ["Welcome.", "First.", "Second.", "One half"]) expect(body).toContain(text);
    if (target.name === "scripted") return;
    expect(body).not.toContain("foreign");
    expect(body).not.toMatch(/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i);
  });
}

test.each([
  ["pairs", VENDORS, reasoningIn],
  ["images", VENDORS.filter(({ draws }) => draws), imageIn],
] as const)("the reference has the table %s of all pairs, as measured here", async (mark, sources, cellOf) => {
  const rows: string[] = [];
  for (const source of sources) {
    const history = await historyOf(source);
    const cells: string[] = [];
    for (const target of VENDORS) cells.push(cellOf(await sentOn(target, history), source));
    rows.push(`| ${source.name} | ${cells.join(" | ")} |`);
  }
  const names = VENDORS.map(({ name }) => name);
  const table = [
    `| from ↓ to → | ${names.join(" | ")} |`,
    `| --- |${names.map(() => " --- |").join("")}`,
    ...rows,
  ].join("\n");
  const page = readFileSync(PAGE, "utf8");
  const updated = page.replace(
    new RegExp(`(<!-- ${mark}:start -->\n)[\\s\\S]*?(<!-- ${mark}:end -->)`),
    `$1${table}\n$2`,
  );
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, updated);

  expect(updated).toContain(table);
  expect(process.env.UPDATE_DOCS ? updated : page).toBe(updated);
});
