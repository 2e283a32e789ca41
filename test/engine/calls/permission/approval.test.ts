// Asking the host: in this process through an approver, or by leaving the question in the session.
import { expect, test } from "vitest";
import {
  AgentEngine,
  type Answer,
  type Approver,
  type PermissionGate,
  type PermissionUpdate,
} from "../../../../src/index.js";
import { scripted, text, toolCall } from "../../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../../src/sessions/index.js";
import { ALLOW, deferred, entriesOf, listen, quiet, resultsOf, testEngine, tool } from "../../kit.js";

const ASK = { decide: () => ({ behavior: "ask" as const, reason: "Is that so?" }) };

/** What each run of `act` was given. */
function acting() {
  const inputs: unknown[] = [];
  return {
    inputs,
    act: tool("act", async (input) => {
      inputs.push(input);
      return "acted";
    }),
  };
}

function asking(approver: Approver | undefined, inputs = acting()) {
  const made = testEngine([toolCall("act", { n: 1 }, { id: "a" }), text("done")], {
    tools: [inputs.act],
    permissions: ASK,
    ...(approver && { approver }),
  });
  return { ...made, ...inputs };
}

test("without an approver a call that must be asked suspends the run, and the question says all there is to know", async () => {
  const { engine, inputs, store } = asking(undefined);

  const result = await engine.run("go", { sessionId: "s" });

  expect(result.status).toBe("needs-approval");
  expect(result.pending).toEqual([
    {
      v: 1,
      id: expect.any(String),
      kind: "approval",
      sessionId: "s",
      agentPath: [],
      toolCallId: "a",
      tool: "act",
      input: { n: 1 },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      reason: "Is that so?",
      suggestions: [],
    },
  ]);
  expect(JSON.parse(JSON.stringify(result.pending))).toEqual(result.pending);
  expect((await entriesOf(store, "s")).map(({ type }) => type)).toEqual([
    "run-start",
    "epoch",
    "message",
    "message",
    "pending",
    "run-end",
  ]);
  expect(inputs).toEqual([]);
});

test("by default tools that only read run, and the message about others names the line that would allow them", async () => {
  const { engine } = testEngine([[toolCall("look"), toolCall("note"), toolCall("act")]], {
    tools: [
      tool("look", async () => "seen", { permission: "read_only" }),
      tool("note", async () => "noted", { permission: "none" }),
      tool("act", async () => "acted"),
    ],
    permissions: undefined as never,
  });

  const result = await engine.run("go");

  expect(result.pending.map((request) => request.tool)).toEqual(["act"]);
  expect(result.pending[0]!.reason).toContain("approver: ");
});

test("an approver's allow lets the call run; other calls of the turn are not held up", async () => {
  const answer = deferred<{ decision: "allow" }>();
  const { engine } = testEngine([[toolCall("ask"), toolCall("go")], text("done")], {
    tools: [
      tool("ask", async () => "asked", { claims: () => [] }),
      tool("go", async () => "went", { claims: () => [] }),
    ],
    permissions: {
      decide: ({ tool }) => ({ behavior: (tool as { name: string }).name === "ask" ? "ask" : "allow" }),
    },
    approver: () => answer.promise,
  });
  const ends = listen(engine, "tool-call-end");

  const run = engine.stream("go");
  while (ends.length === 0) await quiet();
  const first = ends[0]!.result.name;
  answer.resolve({ decision: "allow" });
  const result = await run.result;

  expect(first).toBe("go");
  expect(result.status).toBe("completed");
});

test("an approver's deny reaches the model with its reason, and the PermissionDenied hooks", async () => {
  const denied: unknown[] = [];
  const { act, inputs } = acting();
  const { engine } = testEngine([toolCall("act", { n: 1 }, { id: "a" }), text("done")], {
    tools: [act],
    permissions: ASK,
    approver: () => ({ decision: "deny", reason: "not today", by: "Ada" }),
    hooks: { PermissionDenied: [{ run: ({ reason }) => void denied.push(reason) }] },
  });

  const result = await engine.run("go");

  expect(resultsOf(result).a).toEqual({ output: '"act" was denied by Ada: not today', isError: true });
  expect(denied).toEqual(['"act" was denied by Ada: not today']);
  expect(inputs).toEqual([]);
});

test("an approver's updatedInput replaces the input, is validated again and checked against deny", async () => {
  const { act, inputs } = acting();
  const positive = {
    ...act,
    parse: (args: unknown) => {
      if ((args as { n: number }).n < 0) throw new Error("n must be positive");
      return args;
    },
  };
  const answers = [{ n: 2 }, { n: -1 }, { n: 666 }];
  const { engine } = testEngine(
    [[toolCall("act", { n: 0 }), toolCall("act", { n: 0 }), toolCall("act", { n: 0 })], text("done")],
    {
      tools: [positive],
      permissions: {
        decide: ({ input }) => ({ behavior: (input as { n: number }).n === 666 ? "deny" : "ask", reason: "No 666." }),
      },
      approver: () => ({ decision: "allow", updatedInput: answers.shift()! }),
    },
  );

  const result = await engine.run("go");

  expect(inputs).toEqual([{ n: 2 }]);
  expect(Object.values(resultsOf(result)).map(({ output }) => output)).toEqual([
    "acted",
    'Tool "act" failed: n must be positive',
    "No 666.",
  ]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("asleep");
    },
  ],
  ["rejects", () => Promise.reject(new Error("asleep"))],
  ["answers nothing", () => undefined],
  ["answers nonsense", () => ({ decision: "perhaps" })],
  ["answers an approval with a value", () => ({ value: "yes" })],
])("an approver that %s denies", async (_what, approver) => {
  const { engine, inputs } = asking(approver as never);

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(resultsOf(result).a!.isError).toBe(true);
  expect(inputs).toEqual([]);
});

test("a question is kept before its approver is asked, and the answer before the call runs", async () => {
  const kept: string[][] = [];
  const look = async () => void kept.push((await entriesOf(store, "s")).map(({ type }) => type));
  const { engine, store } = testEngine([toolCall("act"), text("done")], {
    tools: [
      tool("act", async () => {
        await look();
        return "acted";
      }),
    ],
    permissions: ASK,
    approver: async () => {
      await look();
      return { decision: "allow" };
    },
  });

  await engine.run("go", { sessionId: "s" });

  expect(kept.map((types) => types.slice(3))).toEqual([
    ["message", "pending"],
    ["message", "pending", "answer", "tool-start"],
  ]);
});

test("what an answer wants remembered reaches the gate", async () => {
  const remembered: unknown[] = [];
  const update: PermissionUpdate = { type: "addRules", behavior: "allow", rules: ["act"], destination: "session" };
  const { engine } = testEngine([toolCall("act"), text("done")], {
    tools: [acting().act],
    permissions: { ...ASK, remember: (updates, about) => void remembered.push(updates, about) },
    approver: () => ({ decision: "allow", remember: [update] }),
  });

  const { runId } = await engine.run("go", { sessionId: "s" });

  expect(remembered).toEqual([[update], { sessionId: "s", task: runId }]);
});

test("a hook's defer suspends the call although there is an approver", async () => {
  let asked = 0;
  const { engine } = testEngine([toolCall("act")], {
    tools: [acting().act],
    approver: () => {
      asked++;
      return { decision: "allow" };
    },
    hooks: { PreToolUse: [{ run: () => ({ permissionDecision: "defer" }) }] },
  });

  const result = await engine.run("go");

  expect({ status: result.status, asked }).toEqual({ status: "needs-approval", asked: 0 });
});

test("a PermissionRequest hook answers in the approver's place", async () => {
  const { act, inputs } = acting();
  const { engine } = testEngine([toolCall("act", { n: 1 }), text("done")], {
    tools: [act],
    permissions: ASK,
    hooks: { PermissionRequest: [{ run: () => ({ permissionDecision: "allow", updatedInput: { n: 9 } }) }] },
  });

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(inputs).toEqual([{ n: 9 }]);
});

test("an abort while the approver thinks answers the call, and what the approver says then is ignored", async () => {
  const answer = deferred<{ decision: "allow" }>();
  let signal: AbortSignal | undefined;
  const { engine, inputs, store } = asking((_request, about) => {
    signal = about.signal;
    return answer.promise;
  });

  const run = engine.stream("go", { sessionId: "s" });
  while (!signal) await quiet();
  run.abort();
  const result = await run.result;
  answer.resolve({ decision: "allow" });
  await run.idle;
  await quiet();

  expect(result.status).toBe("aborted");
  expect(signal.aborted).toBe(true);
  expect(inputs).toEqual([]);
  expect((await entriesOf(store, "s")).at(-1)).toMatchObject({ type: "run-end", status: "aborted" });
});

// ── across processes ────────────────────────────────────────────────────────────────────────────────────────────────

/** Suspends a run in one engine, and resumes it in another one over the same store. */
async function suspended(description = "Acts.") {
  const sessions = createMemorySessionStore();
  const { act, inputs } = acting();
  const first = testEngine([toolCall("act", { n: 1 }, { id: "a" })], { tools: [act], permissions: ASK, sessions });
  const { pending } = await first.engine.run("go", { sessionId: "s" });
  const definition = { name: "act", description, inputSchema: { type: "object" } };
  const tools = [{ ...act, ...(description !== "Acts." && { definition: () => definition }) }];
  const resume = (answers: readonly Answer[], turns = [text("done")]) => {
    const engine = new AgentEngine({ provider: scripted(turns), tools, permissions: ASK, sessions });
    const notices = listen(engine, "notice");
    return engine.resume("s", { answers }).result.then((result) => ({ result, notices, engine }));
  };
  return { id: pending[0]!.id, pending, inputs, resume, sessions };
}

test("an allow resumes the call in another engine over the same store", async () => {
  const { id, resume, inputs } = await suspended();

  const { result } = await resume([{ id, decision: "allow" }]);

  expect(result).toMatchObject({ status: "completed", text: "done", pending: [] });
  expect(inputs).toEqual([{ n: 1 }]);
});

test("a deny resumes the run with an error result", async () => {
  const { id, resume, inputs } = await suspended();

  const { result } = await resume([{ id, decision: "deny", reason: "no" }]);

  expect(resultsOf(result).a).toEqual({ output: '"act" was denied by the host: no', isError: true });
  expect(inputs).toEqual([]);
});

test("an allow with updatedInput runs the call with that input", async () => {
  const { id, resume, inputs } = await suspended();

  await resume([{ id, decision: "allow", updatedInput: { n: 5 } }]);

  expect(inputs).toEqual([{ n: 5 }]);
});

test("an answer to a question nobody asked is ignored with a notice, and the call stays suspended", async () => {
  const { resume, inputs, pending } = await suspended();

  const { result, notices } = await resume([{ id: "somebody else's", decision: "allow" }], []);

  expect(result).toMatchObject({ status: "needs-approval", pending });
  expect(notices.map(({ code }) => code)).toEqual(["ANSWER_IGNORED"]);
  expect(inputs).toEqual([]);
});

test("answers that are not are ignored with a notice each, and the true one among them counts", async () => {
  const { engine, inputs } = asking(undefined);
  const notices = listen(engine, "notice");
  const { pending } = await engine.run("go", { sessionId: "s" });
  const none: readonly unknown[] = [
    null,
    7,
    "x",
    [],
    {},
    { id: {} },
    { id: { toString: 1 } },
    { id: "x".repeat(10_000) },
  ];

  const answers = [...none, { id: pending[0]!.id, decision: "allow" }] as never;
  const result = await engine.resume("s", { answers }).result;

  expect(result.status).toBe("completed");
  expect(inputs).toEqual([{ n: 1 }]);
  expect(notices.map(({ code }) => code)).toEqual(none.map(() => "ANSWER_IGNORED"));
  expect(Math.max(...notices.map(({ message }) => message.length))).toBeLessThan(300);
});

test("of two answers to one question the first counts", async () => {
  const { id, resume, inputs } = await suspended();

  const { result, notices } = await resume([
    { id, decision: "deny" },
    { id, decision: "allow" },
  ]);

  expect(resultsOf(result).a!.isError).toBe(true);
  expect(notices.map(({ code }) => code)).toEqual(["ANSWER_IGNORED"]);
  expect(inputs).toEqual([]);
});

test("answering a finished session again runs nothing again", async () => {
  const { id, resume, inputs } = await suspended();

  await resume([{ id, decision: "allow" }]);
  const { result } = await resume([{ id, decision: "allow" }], []);

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(inputs).toEqual([{ n: 1 }]);
});

test("an allow is void once the tool has changed: the host is asked again", async () => {
  const { id, resume, inputs } = await suspended("Acts, and sends the money elsewhere.");

  const { result } = await resume([{ id, decision: "allow" }], []);

  expect(result.status).toBe("needs-approval");
  expect(result.pending[0]!.id).not.toBe(id);
  expect(inputs).toEqual([]);
});

test("an approval that is answered with a value instead of a decision is denied", async () => {
  const { id, resume, inputs } = await suspended();

  const { result } = await resume([{ id, value: "allow" }]);

  expect(resultsOf(result).a!.isError).toBe(true);
  expect(inputs).toEqual([]);
});

test.each([null, 7, {}, { id: 5 }])("a nonsensical answer (%j) is ignored with a notice", async (answer) => {
  const { resume, inputs } = await suspended();

  const { result, notices } = await resume([answer as never], []);

  expect(result.status).toBe("needs-approval");
  expect(notices.map(({ code }) => code)).toEqual(["ANSWER_IGNORED"]);
  expect(inputs).toEqual([]);
});

test("a deny counts although the gate would allow the call by now", async () => {
  const { id, inputs, sessions } = await suspended();
  const { act } = acting();
  const { engine } = testEngine([text("done")], { tools: [{ ...act, execute: async () => "acted" }], sessions });

  const result = await engine.resume("s", { answers: [{ id, decision: "deny", reason: "no" }] }).result;

  expect(resultsOf(result).a).toMatchObject({ output: expect.stringContaining("no"), isError: true });
  expect(inputs).toEqual([]);
});

test("a deny rule that came after the question beats an allow", async () => {
  const { id, inputs, sessions } = await suspended();
  const { engine } = testEngine([text("done")], {
    tools: [tool("act", async () => "acted")],
    permissions: { decide: () => ({ behavior: "deny", reason: "New rule." }) },
    sessions,
  });

  const result = await engine.resume("s", { answers: [{ id, decision: "allow" }] }).result;

  expect(resultsOf(result).a).toEqual({ output: "New rule.", isError: true });
  expect(inputs).toEqual([]);
});

test("what is answered runs, what is not stays suspended; the next resume needs the rest only", async () => {
  const { act, inputs } = acting();
  const made = testEngine([[toolCall("act", { n: 1 }), toolCall("act", { n: 2 })], text("done")], {
    tools: [{ ...act, claims: () => [] }],
    permissions: ASK,
  });

  const { pending } = await made.engine.run("go", { sessionId: "s" });
  const partly = await made.engine.resume("s", { answers: [{ id: pending[1]!.id, decision: "allow" }] }).result;
  const result = await made.engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;

  expect(partly).toMatchObject({ status: "needs-approval", pending: [pending[0]] });
  expect(result.status).toBe("completed");
  expect(inputs).toEqual([{ n: 2 }, { n: 1 }]);
  expect(Object.keys(resultsOf(result))).toEqual(["call_1", "call_2"]);
});

test("a new prompt on a suspended session denies what was asked and goes on", async () => {
  const { act, inputs } = acting();
  const { engine, provider } = testEngine([toolCall("act", {}, { id: "a" }), text("fine")], {
    tools: [act],
    permissions: ASK,
  });

  await engine.run("go", { sessionId: "s" });
  const result = await engine.run("never mind", { sessionId: "s" });

  expect(result).toMatchObject({ status: "completed", text: "fine" });
  expect(resultsOf(result).a).toEqual({ output: expect.stringContaining("new prompt"), isError: true });
  expect(provider.requests[1]!.lastUserText).toBe("never mind");
  expect(inputs).toEqual([]);
});

// ── questions of tools ──────────────────────────────────────────────────────────────────────────────────────────────

const askUser = (seen: unknown[] = []) =>
  tool(
    "ask_user",
    async (_input, context) => {
      if (context.resumed) {
        seen.push(context.resumed.state);
        const { answer } = context.resumed;
        return "value" in answer ? `The user says: ${answer.value}` : "The user does not say.";
      }
      return context.suspend({ kind: "question", reason: "Which colour?" }, { asked: 1 });
    },
    { permission: "none" },
  );

test("a tool's question is answered by the approver, and the tool is entered again with its state", async () => {
  const seen: unknown[] = [];
  const { engine } = testEngine([toolCall("ask_user", {}, { id: "q" }), text("done")], {
    tools: [askUser(seen)],
    approver: ({ kind, reason }) => ({ value: `${kind}: ${reason} Blue.` }),
  });

  const result = await engine.run("go");

  expect(resultsOf(result).q).toEqual({ output: "The user says: question: Which colour? Blue.", isError: false });
  expect(seen).toEqual([{ asked: 1 }]);
});

test("a tool's question without an approver is answered by a resume in another engine", async () => {
  const sessions = createMemorySessionStore();
  const seen: unknown[] = [];
  const first = testEngine([toolCall("ask_user", {}, { id: "q" })], { tools: [askUser()], sessions });
  const { pending } = await first.engine.run("go", { sessionId: "s" });
  const second = testEngine([text("done")], { tools: [askUser(seen)], sessions });

  const result = await second.engine.resume("s", { answers: [{ id: pending[0]!.id, value: "Red" }] }).result;

  expect(pending[0]).toMatchObject({ kind: "question", reason: "Which colour?", toolCallId: "q" });
  expect(resultsOf(result).q).toEqual({ output: "The user says: Red", isError: false });
  expect(seen).toEqual([{ asked: 1 }]);
});

test("suspending wins even if the tool catches what suspend throws", async () => {
  const catching = tool(
    "catching",
    async (_input, context) => {
      if (context.resumed) return "resumed";
      try {
        context.suspend({ kind: "question", reason: "?" });
      } catch {}
      return "went on";
    },
    { permission: "none" },
  );
  const { engine } = testEngine([toolCall("catching")], { tools: [catching] });

  expect(await engine.run("go")).toMatchObject({ status: "needs-approval" });
});

test("a tool may ask more than once", async () => {
  const twice = tool(
    "twice",
    async (_input, context) => {
      const heard = ((context.resumed?.state as string[]) ?? []).concat(
        context.resumed && "value" in context.resumed.answer ? [String(context.resumed.answer.value)] : [],
      );
      if (heard.length === 2) return heard.join(" and ");
      return context.suspend({ kind: "question", reason: `Number ${heard.length + 1}?` }, heard);
    },
    { permission: "none" },
  );
  const { engine } = testEngine([toolCall("twice", {}, { id: "t" }), text("done")], {
    tools: [twice],
    approver: ({ reason }) => ({ value: reason }),
  });

  expect(resultsOf(await engine.run("go")).t!.output).toBe("Number 1? and Number 2?");
});

test("a question that another one has overtaken waits again once that is answered", async () => {
  const sessions = createMemorySessionStore();
  const seen: unknown[] = [];
  const under = (turns: Parameters<typeof testEngine>[0], permissions: PermissionGate) =>
    testEngine(turns, { tools: [askUser(seen)], sessions, permissions }).engine;
  const asking: PermissionGate = { decide: () => ({ behavior: "ask", reason: "A rule has come since." }) };
  const [question] = (await under([toolCall("ask_user", {}, { id: "q" })], ALLOW).run("go", { sessionId: "s" }))
    .pending;

  const overtaken = await under([], asking).resume("s").result;
  const yes = { id: overtaken.pending[0]!.id, decision: "allow" } as const;
  const waiting = await under([], asking).resume("s", { answers: [yes] }).result;
  const red = { id: waiting.pending[0]!.id, value: "Red" };
  const done = await under([text("done")], asking).resume("s", { answers: [red] }).result;

  expect(overtaken.pending).toMatchObject([{ kind: "approval", reason: "A rule has come since." }]);
  expect(waiting).toMatchObject({ status: "needs-approval", pending: [question] });
  expect(resultsOf(done).q).toEqual({ output: "The user says: Red", isError: false });
});

const MALFORMED: readonly [string, object][] = [
  ["an author that is not text", { decision: "allow", by: { name: "ada" } }],
  ["a reason that is not text", { decision: "allow", reason: 7 }],
  ["updates that are not list", { decision: "allow", remember: "everything" }],
  ["a decision there is not", { decision: "ALLOW" }],
  ["an input that is not JSON", { decision: "allow", updatedInput: { at: () => 1 } }],
];

test.each(MALFORMED)("an answer with %s denies, from an approver as from a resume", async (_what, malformed) => {
  const make = (turns: Parameters<typeof testEngine>[0], more: object = {}) => {
    const inputs: unknown[] = [];
    const act = tool("act", async (input) => `${inputs.push(input)}`);
    const permissions: PermissionGate = { decide: () => ({ behavior: "ask" }) };
    return { inputs, ...testEngine(turns, { tools: [act], permissions, ...more }) };
  };
  const here = make([toolCall("act"), text("done")], { approver: () => malformed as never });
  const first = make([toolCall("act")]);
  const { pending } = await first.engine.run("go", { sessionId: "s" });
  const second = make([text("done")], { sessions: first.store });

  const inProcess = await here.engine.run("go");
  const answers = [{ ...malformed, id: pending[0]!.id } as Answer];
  const resumed = await second.engine.resume("s", { answers }).result;

  for (const result of [inProcess, resumed]) {
    expect(result.status).toBe("completed");
    expect(JSON.stringify(result.messages())).toContain("not understood");
  }
  expect([...here.inputs, ...second.inputs]).toEqual([]);
});

test("what becomes of an answer's object after it was given changes nothing", async () => {
  const sessions = createMemorySessionStore();
  const updatedInput = { version: 1 };
  const inputs: unknown[] = [];
  const { engine } = testEngine([toolCall("act"), text("done")], {
    tools: [tool("act", async (input) => `${inputs.push(input)}`)],
    permissions: { decide: () => ({ behavior: "ask" }) },
    sessions,
    approver: () => ({ decision: "allow", updatedInput }),
  });
  engine.on("approval-answered", () => {
    updatedInput.version = 666;
  });

  await engine.run("go", { sessionId: "s" });

  expect(inputs).toEqual([{ version: 1 }]);
  const answer = (await entriesOf(sessions, "s")).find(({ type }) => type === "answer");
  expect(answer).toMatchObject({ answer: { updatedInput: { version: 1 } } });
});

test("context.suspend without a kind and a reason is a fault of the tool, told to the model", async () => {
  const wrong = tool("wrong", async (_input, context) => context.suspend({ kind: "poll" } as never), {
    permission: "none",
  });
  const { engine } = testEngine([toolCall("wrong", {}, { id: "w" }), text("done")], { tools: [wrong] });

  expect(resultsOf(await engine.run("go")).w!.output).toContain("context.suspend()");
});
