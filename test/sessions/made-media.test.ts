// A picture that a model has made survives what a session goes through.
import { expect, test } from "vitest";
import { AgentEngine, type Message } from "../../src/index.js";
import { scripted } from "../../src/providers/scripted/index.js";
import { createFileSessionStore, exportSession, forkSession, importSession } from "../../src/sessions/index.js";
import { idsOf, temporaryDirectory } from "./kit.js";

const image = (bytes: number) => ({
  type: "image" as const,
  mediaType: "image/png",
  data: Buffer.alloc(bytes, 7).toString("base64"),
  providerData: { signature: "c2ln" },
});

async function nextRequest(dir: string, sessionId: string): Promise<readonly Message[]> {
  const provider = scripted(["Done."]);
  const sessions = createFileSessionStore({ dir, durability: "process" });
  const { status, error } = await new AgentEngine({ provider, sessions }).run("And now?", { sessionId });
  expect({ status, error }).toEqual({ status: "completed" });
  return provider.requests[0]!.messages;
}

test.each([30, 20 * 1024 * 1024])(
  "an image of %i bytes is in the file, its copy, its fork and the next request",
  async (bytes) => {
    const dir = temporaryDirectory();
    const part = image(bytes);
    const sessions = createFileSessionStore({ dir, durability: "process" });
    const engine = new AgentEngine({ provider: scripted([["Here:", part]]), sessions });
    const drawn = await engine.run("Draw.", { sessionId: "s" });
    expect({ status: drawn.status, error: drawn.error }).toEqual({ status: "completed" });
    expect(drawn.messages().map(({ content }) => content.length)).toEqual([1, 2]);

    await importSession(sessions, await exportSession(sessions, "s"), "copy");
    const fork = await forkSession(sessions, "s", (await idsOf(sessions, "s")).at(-1)!);

    for (const id of ["s", "copy", fork]) {
      const [, said] = await nextRequest(dir, id);
      expect(said!.content[1]!.type).toBe("image");
      expect(JSON.stringify(said!.content[1]) === JSON.stringify(part)).toBe(true);
    }
  },
);
