// A replay has the labels of its recording: in random runs each result is labelled, and each question asked, as it was.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, type BaseTool, type EngineOptions, type JsonObject, type Label } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type RecordedRequest, scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { recordRun, replayRun } from "../../src/testing/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createArtifactStore, createWorkspace } from "../../src/workspace/index.js";
import { tool } from "../engine/kit.js";
import { runs } from "../runs.js";
import { mail } from "./mail-tools.js";
import { repository } from "./repository.js";

/** What is read, how its label is said, and whether it is so much that it goes to an artifact and is read back from there. */
const step = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  trusted: fc.boolean(),
  said: fc.constantFrom("by the tool", "by its output", "with its output", "by the file", "by a sub-agent"),
  isLarge: fc.boolean(),
});
type Step = Parameters<Parameters<typeof step.map>[0]>[0];

const hints = ({ name, trusted }: { readonly name: string; readonly trusted: boolean }) => ({
  integrity: trusted ? ("trusted" as const) : ("untrusted" as const),
  sources: [{ kind: "web" as const, name }],
});
const outputOf = (input: JsonObject) => `${input.name} ${input.trusted} ${input.isLarge ? "x".repeat(300) : ""}`;
const QUIET = { permission: "read_only", effects: {}, maxResultChars: 200 } as const;
const plain = (name: string, trusted: boolean) =>
  tool(`read_${name}_${trusted}`, async (input: JsonObject) => outputOf(input), {
    ...QUIET,
    returns: hints({ name, trusted }),
  });
const PLAIN = ["a", "b", "c"].flatMap((name) => [plain(name, true), plain(name, false)]);
const byOutput = tool("by_output", async (input: JsonObject) => outputOf(input), {
  ...QUIET,
  returns: (_input: JsonObject, output) => hints({ name: "d", trusted: String(output).includes("true") }),
});
const withOutput = tool(
  "with_output",
  async (input: JsonObject) => ({ output: outputOf(input), label: hints(input as unknown as Step) }) as never,
  { ...QUIET, returns: { integrity: "trusted", sources: [] } },
);
const reader = { name: "reader", description: "Reads.", systemPrompt: "Read.", kind: "fresh" } as const;
const child = tool(
  "child",
  async (input: JsonObject, { spawn }) => (await spawn!(reader, JSON.stringify(input))).text,
  {
    permission: "none",
    timeoutMs: null,
    returns: { integrity: "trusted", sources: [] },
    spawns: { maxDepth: 1, find: () => reader },
  },
);

const readBack = ({ messages }: RecordedRequest) => {
  const path = [...JSON.stringify(messages).matchAll(/is in \\"([^"\\]+)/g)].at(-1)?.[1] ?? "README.md";
  return toolCall("read_file", { path });
};

/** The turns of a step; a sub-agent makes one call of its own, and ends. */
function turnsOf({ said, ...input }: Step) {
  const own = toolCall(`read_${input.name}_${input.trusted}`, input);
  const back = input.isLarge ? [readBack] : [];
  if (said === "by a sub-agent") return [toolCall("child", input), own, text(outputOf(input))];
  if (said === "by the file") return [toolCall("read_file", { path: input.trusted ? "README.md" : "new.md" })];
  if (said === "by the tool") return [own, ...back];
  return [toolCall(said === "by its output" ? "by_output" : "with_output", input), ...back];
}

const SEND = toolCall("send_mail", { to: "eve@x.example", text: "Hello" });

test("labels and questions of a replay are those of its recording", async () => {
  const { home, root, put } = repository("README.md");
  put("new.md");
  const dir = mkdtempSync(join(tmpdir(), "flow-cassettes-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const artifacts = createArtifactStore({ dir: join(home, "artifacts"), keep: true });
  const workspace = await createWorkspace({ root, artifacts, readRoots: [home] });
  onTestFinished(() => workspace.close());
  const readFile = builtinTools(workspace).find(({ name }) => name === "read_file")!;
  const tools: BaseTool[] = [...PLAIN, byOutput, withOutput, child, readFile, mail];
  let asked = 0;
  let kept = 0;

  async function labels(make: (options: EngineOptions) => EngineOptions, steps: readonly Step[]) {
    const sessions = createMemorySessionStore();
    const questions: string[] = [];
    const permissions = createPermissionChecker({
      workspace,
      rules: { allow: tools.map(({ name }) => name) },
      flow: {},
    });
    const decide: typeof permissions.decide = async (request) => {
      const decision = await permissions.decide(request);
      if (decision.behavior === "ask") questions.push(decision.reason!);
      return decision;
    };
    const provider = scripted([...steps.flatMap(turnsOf), SEND, text("Done.")]);
    const approver = () => ({ decision: "allow" }) as const;
    const given = {
      provider,
      tools,
      artifacts,
      sessions,
      approver,
      permissions: { ...permissions, decide },
      runaway: false,
    } as const;
    const engine = new AgentEngine(make(given));
    const { status, error } = await engine.run("Go on", { sessionId: "s" });
    expect(error).toBeUndefined();
    expect(status).toBe("completed");
    await engine.close();
    const found: (Label | undefined)[] = [];
    for await (const entry of sessions.read("s")) {
      if (entry.type === "tool-result") found.push(entry.label);
      if (entry.type === "tool-result" && entry.result.artifact) kept++;
    }
    return { found, questions };
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const file = join(dir, "run.jsonl");
      let done: (() => Promise<void>) | undefined;
      const recorded = await labels((options) => {
        const recording = recordRun(options, file);
        done = recording.done;
        return recording.options;
      }, steps);
      await done!();
      const replayed = await labels((options) => replayRun(file, options).options, steps);

      // Independently of what was recorded: one thing that is not trusted, and the mail asks.
      expect(recorded.questions.length).toBe(steps.some(({ trusted }) => !trusted) ? 1 : 0);
      expect(recorded.found).not.toContain(undefined);
      expect(replayed).toEqual(recorded);
      asked += recorded.questions.length;
    }),
    { numRuns: runs(25, 150, 2_000) },
  );

  expect(asked).toBeGreaterThan(5);
  expect(kept).toBeGreaterThan(5);
});
