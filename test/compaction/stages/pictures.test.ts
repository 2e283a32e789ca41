import { AgentEngine, type ArtifactStore, type Message } from "loopwright";
import { createCompactionPipeline, estimateTokens, pictures, reactive, snip } from "loopwright/compaction";
import { scripted } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { saidIn } from "../../../src/compaction/recall/recall-text.js";
import { countMessage } from "../../../src/compaction/token-count.js";
import { budget, Session, textIn, tokensOf } from "../kit.js";

const PNG = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

/** Pictures, each with a prompt and an answer. */
function drawn(count: number): Session {
  const session = new Session();
  for (let n = 0; n < count; n++) session.user(`Draw ${n}.`).says({ type: "text", text: `Here is ${n}.` }, PNG);
  return session;
}

const imagesIn = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content.filter(({ type }) => type === "image")).length;

test("the oldest pictures go first, with a note of the user's side, and those of the newest turns stay", async () => {
  const session = drawn(6);

  session.apply(await pictures()(session.view(), budget({ targetTokens: 5_000, keepTurns: 2 })));

  const { view } = session.transcript;
  expect(imagesIn(view)).toBe(3);
  expect(tokensOf(view)).toBeLessThanOrEqual(5_000);
  expect(view[1]).toMatchObject({ role: "assistant", content: [{ type: "text", text: "Here is 0." }] });
  expect(view[2]).toEqual({
    role: "user",
    origin: "reminder",
    content: [{ type: "text", text: "[Left out to save room: an image of type image/png that you made here.]" }],
  });
  expect(imagesIn(session.transcript.messages)).toBe(6);
});

test("a message that is nothing but a picture leaves the note, and a turn keeps its calls and results together", async () => {
  const session = new Session()
    .user("Draw.")
    .says(PNG)
    .says(PNG, { type: "tool-call", id: "c", name: "look", arguments: {} })
    .add({
      type: "tool-result",
      result: { toolCallId: "c", name: "look", output: "seen", isError: false, status: "success", durationMs: 1 },
    })
    .user("And?")
    .answer("Done.");

  session.apply(await pictures()(session.view(), budget({ targetTokens: 10, keepTurns: 1 })));

  const { view } = session.transcript;
  expect(view.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool", "user", "user", "assistant"]);
  expect(imagesIn(view)).toBe(0);
});

test("with an artifact store the note says where the picture is", async () => {
  const put: { content: unknown; mediaType: string | undefined }[] = [];
  const artifacts = {
    async put(content: unknown, { mediaType = "" }: { mediaType?: string | undefined }) {
      put.push({ content, mediaType });
      return { id: "1", path: "/kept/1.png", bytes: 8, mediaType };
    },
    get: async () => undefined,
  } as unknown as ArtifactStore;
  const session = drawn(2);

  session.apply(await pictures()(session.view(), budget({ targetTokens: 10, keepTurns: 1, artifacts })));

  const [{ content, mediaType } = { content: undefined, mediaType: "" }] = put;
  expect(content).toEqual(new Uint8Array(Buffer.from(PNG.data, "base64")));
  expect(mediaType).toBe("image/png");
  expect(textIn(session.transcript.view)).toContain('that you made here. It is in \\"/kept/1.png\\".]');
});

test("pictures are the first to go in the default ladder, so that words stay", async () => {
  const provider = {
    ...scripted([...Array.from({ length: 7 }, (_, n) => [`Picture ${n}.`, PNG] as const)]),
    contextWindow: 9_000,
  };
  const engine = new AgentEngine({ provider, compaction: createCompactionPipeline({ keepTurns: 2 }) });
  const stages: string[] = [];
  engine.on("compaction", ({ report }) => stages.push(report.stage));

  for (let n = 0; n < 7; n++) await engine.run(`Draw ${n}.`, { sessionId: "s" });

  expect(new Set(stages)).toEqual(new Set(["pictures"]));
  expect(textIn(provider.requests.at(-1)!.messages)).toContain("Picture 0.");
});

test("a turn with a picture is not spent", () => {
  const session = new Session().user("Draw.").says(PNG);
  for (let n = 0; n < 5; n++) session.turn([["bash", { command: "npm test" }, "silent"]]);

  session.apply(snip({ turns: "spent" })(session.view(), budget({ targetTokens: 1, keepTurns: 1 })) as never);

  expect(imagesIn(session.transcript.view)).toBe(1);
});

test("the last resort names a picture that it cannot keep", () => {
  const session = new Session().user("Draw.").says({ type: "text", text: "Here." }, PNG);

  session.apply(reactive()(session.view(), budget({ targetTokens: 60, keepTurns: 1 })) as never);

  expect(imagesIn(session.transcript.view)).toBe(0);
  expect(textIn(session.transcript.view)).toContain("[image]");
});

test("a picture counts as one, whatever its size, and is recalled by its kind", async () => {
  const large = { ...PNG, data: "A".repeat(1_000_000) };
  const session = new Session().user("Draw.").says({ type: "text", text: "Here." }, large);
  const [, entry] = session.entries;

  expect(countMessage(session.transcript.view[1]!, estimateTokens)).toBeLessThan(1_600);
  expect((await saidIn(entry!, "recall", undefined))?.text).toBe("Here.\n[image]");
});
