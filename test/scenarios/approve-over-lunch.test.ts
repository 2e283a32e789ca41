// A bot asks before it publishes; the process that hears the answer is another one.
import { expect, test } from "vitest";
import { AgentEngine, type SessionStore, validateTranscript } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { entriesOf, tool } from "../engine/kit.js";

/** The bot as each process builds it. */
function bot(sessions: SessionStore, published: string[], turns: Parameters<typeof scripted>[0]) {
  const provider = scripted(turns);
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: [
      tool("read_file", async () => "draft", { permission: "read_only" }),
      tool(
        "publish",
        async ({ to }: { to: string }) => {
          published.push(to);
          return `published to ${to}`;
        },
        {
          permission: "execute",
        },
      ),
    ],
  });
  return { engine, provider };
}

test("a question asked in one process is answered in another, and the call runs once", async () => {
  const sessions = createMemorySessionStore();
  const published: string[] = [];

  const monday = bot(sessions, published, [
    [toolCall("read_file", { path: "post.md" }), toolCall("publish", { to: "blog" })],
  ]);
  const asked = await monday.engine.run("Publish the post.", { sessionId: "post" });
  await monday.engine.close();
  const tuesday = bot(sessions, published, [text("It is out.")]);
  const [question] = asked.pending;
  const result = await tuesday.engine.resume("post", { answers: [{ id: question!.id, decision: "allow", by: "Ada" }] })
    .result;
  const again = await tuesday.engine.resume("post").result;

  expect(asked).toMatchObject({ status: "needs-approval", pending: [{ tool: "publish", input: { to: "blog" } }] });
  expect(result).toMatchObject({ status: "completed", text: "It is out." });
  expect(again.text).toBe("It is out.");
  expect(published).toEqual(["blog"]);
  expect(validateTranscript(result.messages())).toEqual([]);
  expect(tuesday.provider.requests[0]!.lastToolResults.map(({ output }) => output)).toEqual([
    "draft",
    "published to blog",
  ]);
  expect((await entriesOf(sessions, "post")).filter(({ type }) => type === "tool-start")).toHaveLength(1);
});
