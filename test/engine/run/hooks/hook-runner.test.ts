// Hooks of one point run together, and what they answer combines by fixed rules.
import { expect, test } from "vitest";
import { checkedDispatcher } from "../../../../src/engine/run/hooks/hook-dispatcher.js";
import { HOOK_POINTS, type Hook, type HookInput, type HookMap, HookRunner } from "../../../../src/index.js";
import { deferred } from "../../kit.js";

const base = { sessionId: "s", runId: "r", agentPath: [] };
const use = (toolName = "bash"): HookInput<"PreToolUse"> => ({
  ...base,
  hookEventName: "PreToolUse",
  toolName,
  toolInput: {},
  toolUseId: "t",
});
const stop: HookInput<"Stop"> = {
  ...base,
  hookEventName: "Stop",
  stopHookActive: false,
  backgroundTasks: [],
  lastAssistantMessage: "",
};
const signal = new AbortController().signal;
const answering = (...answers: unknown[]) =>
  new HookRunner({ PreToolUse: answers.map((answer) => ({ run: () => answer as never })) });
const run = (hooks: HookRunner) => hooks.run(use(), { signal, matchValue: "bash" });

test("a point without hooks is known to have none", () => {
  const hooks = new HookRunner({ Stop: [{ run: () => undefined }], PreToolUse: [] });

  expect(HOOK_POINTS.filter((point) => hooks.has(point))).toEqual(["Stop"]);
});

test.each([
  [["allow", "ask"], "ask"],
  [["ask", "deny"], "deny"],
  [["deny", "allow"], "deny"],
  [["defer", "allow"], "defer"],
  [["defer", "ask"], "ask"],
  [[undefined, "allow"], "allow"],
  [[undefined, undefined], undefined],
])("permissions %j combine to %s", async (permissions, expected) => {
  const hooks = answering(...permissions.map((permissionDecision) => permissionDecision && { permissionDecision }));

  expect((await run(hooks)).permission).toBe(expected);
});

test("block counts as deny and approve as allow", async () => {
  expect((await run(answering({ decision: "approve" }))).permission).toBe("allow");
  expect(await run(answering({ decision: "block", reason: "no" }, { decision: "approve" }))).toMatchObject({
    permission: "deny",
    permissionReason: "no",
    blocked: true,
    reason: "no",
  });
});

test("the last registered update wins, contexts and messages keep their order, whichever hook ends first", async () => {
  const first = deferred();
  const hooks = new HookRunner({
    PreToolUse: [
      {
        run: async () => {
          await first.promise;
          return { updatedInput: { n: 1 }, additionalContext: "one", systemMessage: "A", updatedToolOutput: "x" };
        },
      },
      {
        run: () => {
          first.resolve();
          return { updatedInput: { n: 2 }, additionalContext: "two", systemMessage: "B" };
        },
      },
      { run: () => ({ additionalContext: "" }) },
    ],
  });

  expect(await run(hooks)).toMatchObject({
    updatedInput: { n: 2 },
    updatedToolOutput: "x",
    additionalContext: ["one", "two"],
    systemMessages: ["A", "B"],
    failures: [],
  });
});

test("any hook may stop the run, and says why", async () => {
  expect(await run(answering({}, { continue: false, stopReason: "enough" }))).toMatchObject({
    continue: false,
    stopReason: "enough",
  });
});

test.each([
  ["*", ["bash", "edit_file"]],
  ["", ["bash", "edit_file"]],
  ["bash", ["bash"]],
  ["bash|edit_file", ["bash", "edit_file"]],
  ["bash | edit_file", ["bash", "edit_file"]],
  ["edit_.*", ["edit_file"]],
  ["^b", ["bash"]],
  ["bas", []],
])("the matcher %j matches %j", async (matcher, expected) => {
  const matched: string[] = [];
  const hooks = new HookRunner({ PreToolUse: [{ matcher, run: ({ toolName }) => void matched.push(toolName) }] });

  for (const name of ["bash", "edit_file"]) await hooks.run(use(name), { signal, matchValue: name });

  expect(matched).toEqual(expected);
});

const FAULTY: Record<string, Hook["run"]> = {
  throws: () => {
    throw new Error("boom");
  },
  rejects: () => Promise.reject(new Error("boom")),
  "throws what is not an error": () => {
    throw null;
  },
  "answers a string": () => "allow" as never,
  "answers null": () => null as never,
  "answers an array": () => [] as never,
  "answers a wrong field": () => ({ permissionDecision: "maybe" }) as never,
  "answers with a getter that throws": () =>
    Object.defineProperty({}, "decision", {
      get: () => {
        throw new Error("boom");
      },
    }),
};

test.each(Object.keys(FAULTY))("a guarding hook that %s blocks", async (fault) => {
  const outcome = await run(new HookRunner({ PreToolUse: [{ run: FAULTY[fault]! }] }));

  expect(outcome).toMatchObject({ permission: "deny", blocked: true, continue: true });
  expect(outcome.failures).toHaveLength(1);
});

test.each(Object.keys(FAULTY))("a hook elsewhere that %s changes nothing", async (fault) => {
  const outcome = await new HookRunner({ Stop: [{ run: FAULTY[fault]! }] }).run(stop, { signal });

  expect(outcome).toMatchObject({ blocked: false, continue: true });
  expect(outcome.failures).toHaveLength(1);
});

test.each<[string, unknown]>([
  ['"hookSpecificOutput"', { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }],
  ['"permisionDecision"', { permisionDecision: "deny" }],
  ['"permission_decision"', { permission_decision: "deny" }],
  ['"behavior"', { behavior: "deny", message: "No." }],
  ['"note"', { permissionDecision: "allow", note: "theirs" }],
])("a guarding hook that answers with %s, which nobody reads, blocks", async (name, answer) => {
  const outcome = await run(answering(answer));

  expect(outcome).toMatchObject({ permission: "deny", blocked: true });
  expect(outcome.failures).toEqual([expect.stringContaining(name)]);
});

test("what else a hook says counts where a field that nobody reads does not block", async () => {
  const answer = { decision: "block", reason: "Run the tests.", desicion: "block", absent: undefined } as never;
  const hooks = new HookRunner({
    Stop: [{ run: () => answer }],
    PreToolUse: [{ onFailure: "continue", run: () => answer }],
  });

  for (const outcome of [await hooks.run(stop, { signal }), await run(hooks)]) {
    expect(outcome).toMatchObject({ blocked: true, reason: "Run the tests." });
    expect(outcome.failures).toEqual([expect.stringContaining('"desicion"')]);
  }
});

test("a no in a field that decides nothing at the point blocks a prompt, and is reported elsewhere", async () => {
  const run = () => ({ permissionDecision: "deny" }) as const;
  const hooks = new HookRunner({ UserPromptSubmit: [{ run }], Stop: [{ run }] });
  const prompt = { ...base, hookEventName: "UserPromptSubmit", prompt: "Hi.", source: "prompt" } as never;

  expect((await hooks.run(prompt, { signal })).blocked).toBe(true);
  expect(await hooks.run(stop, { signal })).toMatchObject({ blocked: false, failures: [expect.any(String)] });
});

test.each([{ permissionDecision: "deny" }, { decision: "block" }, { blocked: "yes" }, { continue: "no" }])(
  "a dispatcher that returns %j, which is no outcome, blocks a call and is reported",
  async (outcome) => {
    const hooks = checkedDispatcher({ has: () => true, run: async () => outcome as never });

    await expect(hooks.run(use(), { signal })).rejects.toThrow(Object.keys(outcome)[0]);
  },
);

test("elsewhere a dispatcher's outcome counts, and the field that nobody reads is reported", async () => {
  const hooks = checkedDispatcher({ has: () => true, run: async () => ({ continue: false, note: 1 }) as never });

  const outcome = await hooks.run(stop, { signal });

  expect(outcome).toMatchObject({ continue: false, failures: [expect.stringContaining('"note"')] });
});

test("onFailure overrules the point's default both ways", async () => {
  const boom = FAULTY.throws!;
  const hooks = new HookRunner({
    PreToolUse: [{ onFailure: "continue", run: boom }],
    Stop: [{ onFailure: "block", run: boom }],
  });

  expect(await run(hooks)).toMatchObject({ permission: undefined, blocked: false });
  expect(await hooks.run(stop, { signal })).toMatchObject({ blocked: true });
});

test.each(["PreToolUse", "PermissionRequest", "UserPromptSubmit"] as const)("%s is a guarding point", async (point) => {
  const hooks = new HookRunner({ [point]: [{ run: FAULTY.throws! }] });

  expect((await hooks.run({ ...base, hookEventName: point } as never, { signal })).blocked).toBe(true);
});

test("a hook that gives no answer in time is aborted and counts as failed", async () => {
  let given: AbortSignal | undefined;
  const hooks = new HookRunner({
    PreToolUse: [
      {
        timeoutMs: 5,
        run: (_input, about) => {
          given = about.signal;
          return new Promise(() => {});
        },
      },
    ],
  });

  const outcome = await run(hooks);

  expect(outcome.failures).toEqual([expect.stringContaining("did not finish within 5 ms")]);
  expect(outcome.permission).toBe("deny");
  expect(given?.aborted).toBe(true);
});

test("an abort of the run releases whoever waits for hooks", async () => {
  const controller = new AbortController();
  const hooks = new HookRunner({ PreToolUse: [{ run: () => new Promise(() => {}) }] });

  const outcome = hooks.run(use(), { signal: controller.signal, matchValue: "bash" });
  controller.abort();

  expect((await outcome).failures).toEqual([expect.stringContaining("the run ended")]);
});

test("a hook that fails does not keep the others from being heard", async () => {
  const outcome = await run(
    new HookRunner({
      PreToolUse: [{ onFailure: "continue", run: FAULTY.throws! }, { run: () => ({ permissionDecision: "ask" }) }],
    }),
  );

  expect(outcome.permission).toBe("ask");
});

test.each([
  [{ PreToolCall: [] }, "PreToolCall"],
  [{ Stop: {} }, "array"],
  [{ Stop: [null] }, "`run`"],
  [{ Stop: [{}] }, "`run`"],
  [{ Stop: [{ run() {}, timeoutMs: 0 }] }, "timeoutMs"],
  [{ Stop: [{ run() {}, timeoutMs: Number.NaN }] }, "timeoutMs"],
  [{ Stop: [{ run() {}, timeoutMs: 2 ** 31 }] }, "timeoutMs"],
  [{ Stop: [{ run() {}, onFailure: "ignore" }] }, "onFailure"],
  [{ Stop: [{ run() {}, matcher: "(" }] }, "matcher"],
  [{ Stop: [{ run() {}, matcher: 7 }] }, "matcher"],
])("wrong hooks are refused at construction: %j", (hooks, named) => {
  expect(() => new HookRunner(hooks as unknown as HookMap)).toThrow(named);
  expect(() => new HookRunner(hooks as unknown as HookMap)).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID" }),
  );
});
