import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeCall } from "../../../src/engine/transcript/describe-call.js";
import { createMemorySessionStore } from "../../../src/engine/transcript/memory-session-store.js";
import {
  AgentEngine,
  defineTool,
  type EventOf,
  type JsonValue,
  type PendingRequest,
  type SessionEntry,
} from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";

const saying = (said: unknown) => ({ describe: () => said as never });

test("title and kind are enough, and what is undefined counts as left out", () => {
  const described = describeCall(saying({ title: "Look", kind: "search", paths: [undefined], command: undefined }), {});

  expect(described).toEqual({ title: "Look", kind: "search" });
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a string", "Read a.ts"],
  ["no title", { kind: "read" }],
  ["a title that is no string", { title: 3, kind: "read" }],
  ["an empty title", { title: " \n\u0000 ", kind: "read" }],
  ["no kind", { title: "Read a.ts" }],
  ["a kind that only reads like one", { title: "Read a.ts", kind: ["read"] }],
  ["a kind that is not one", { title: "Read a.ts", kind: "toString" }],
])("of a describe that returns %s nothing is shown", (_, said) => {
  expect(describeCall(saying(said), {})).toBeUndefined();
});

test("the failure of a describe that is asynchronous ends nothing", () => {
  const tool = { describe: () => Promise.reject(new Error("late")) as never };

  expect(describeCall(tool, {})).toBeUndefined();
});

test("a describe that throws, and a title whose reading throws, are dropped", () => {
  const throwing = () => {
    throw new Error("boom");
  };

  expect(describeCall({ describe: throwing }, {})).toBeUndefined();
  expect(describeCall(saying({ kind: "read", get title() { return throwing(); } }), {})).toBeUndefined(); // biome-ignore format: one line
  expect(describeCall(undefined, {})).toBeUndefined();
});

test("a title of a megabyte, paths and commands without end are bounded, and no title holds a control character", () => {
  const described = describeCall(
    saying({
      title: `a\u001b[31m\u202eb\n\tc${"🙂".repeat(500_000)}`,
      kind: "read",
      paths: ["x".repeat(5_000), "a\u0000b", 7, ...Array.from({ length: 1_000 }, (_, index) => `p${index}`)],
      command: "y".repeat(1_000_000),
      line: 0,
    }),
    {},
  )!;

  expect(described.title).toMatch(/^a \[31m b c🙂/u);
  expect(described.title.length).toBeLessThanOrEqual(200);
  expect(described.title).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
  expect(described.paths).toHaveLength(17);
  expect(described.paths![0]).toBe("p0");
  expect(described.command).toHaveLength(2_000);
  expect(described).not.toHaveProperty("line");
});

test("describe gets an object whatever the model has sent, and cannot change the arguments", () => {
  const given: unknown[] = [];
  const tool = { describe: (input: object) => given.push(input) as never };
  for (const input of [null, "text", 3, ["a"]] satisfies JsonValue[]) describeCall(tool, input);

  expect(given).toEqual([{}, {}, {}, {}]);
});

test("whatever describe returns, a view gets a bounded description or none", () => {
  const piece = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.anything());
  const said = fc.record(
    { title: piece, kind: fc.oneof(fc.constantFrom("read", "edit", "other"), piece), paths: fc.oneof(fc.array(piece), piece), line: piece, command: piece },
    { requiredKeys: [] },
  ); // biome-ignore format: one table

  fc.assert(
    fc.property(fc.oneof(said, fc.anything()), (returned) => {
      const described = describeCall(saying(returned), {});
      if (!described) return;
      expect(described.title).toMatch(/^\S/);
      expect(described.title.length).toBeLessThanOrEqual(200);
      expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    }),
  );
});

const cut = defineTool<{ track: string }>({
  name: "cut_track",
  description: "Cuts a track.",
  input: { type: "object", properties: { track: { type: "string" } }, required: ["track"] },
  permission: "read_write",
  checkPermission: () => ({ behavior: "ask", reason: "It cannot be put back." }),
  describe: ({ track = "a track" }) => ({ title: `Cut ${track}`, kind: "edit", paths: [track] }),
  execute: async ({ track }) => `${track} is cut.`,
});
const CUT = { title: "Cut a.wav", kind: "edit", paths: ["a.wav"] };

test("how a call looks comes with its event, its question and its message in the session", async () => {
  const sessions = createMemorySessionStore();
  const requests: PendingRequest[] = [];
  const starts: EventOf<"tool-call-start">[] = [];
  const engine = new AgentEngine({
    provider: scripted([toolCall("cut_track", { track: "a.wav" }), text("Done.")]),
    tools: [cut],
    sessions,
    approver: (request) => {
      requests.push(request);
      return { decision: "allow" };
    },
  });
  engine.on("tool-call-start", (event) => starts.push(event));
  const { sessionId } = await engine.run("Cut it.");

  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(sessionId)) entries.push(entry);
  expect(starts).toMatchObject([{ description: CUT }]);
  expect(requests).toMatchObject([{ description: CUT }]);
  const toolCallId = starts[0]!.call.id;
  expect(entries.flatMap((entry) => (entry.type === "message" ? (entry.descriptions ?? []) : []))).toEqual([
    { toolCallId, ...CUT },
  ]);
});

test("a question shows the input that hooks have left, and a tool without describe is shown by its name alone", async () => {
  const seen: PendingRequest[] = [];
  const { describe: _how, ...plain } = cut;
  for (const tool of [cut, plain]) {
    const engine = new AgentEngine({
      provider: scripted([toolCall("cut_track", { track: "a.wav" }), text("Done.")]),
      tools: [tool],
      hooks: { PreToolUse: [{ run: () => ({ updatedInput: { track: "b.wav" } }) }] },
      approver: (request) => {
        seen.push(request);
        return { decision: "allow" };
      },
    });
    await engine.run("Cut it.");
  }

  expect(seen[0]?.description?.title).toBe("Cut b.wav");
  expect(seen[1]).not.toHaveProperty("description");
});
