import { collapse, micro, offload, reactive, sessionMemory, snip } from "loopwright/compaction";
import { expect, test } from "vitest";
import { budget, Session, textIn, tokensOf } from "./kit.js";

const long = (word: string, times = 400) => `${word} `.repeat(times);

/** A session of `turns` reads, each of a file of its own. */
function reads(turns: number): Session {
  const session = new Session().user("Find the leak.");
  for (let turn = 0; turn < turns; turn++) {
    session.turn([["read_file", { path: `src/${turn}.ts` }, long(`line${turn}`)]], `Reading ${turn}.`);
  }
  return session;
}

test("snip drops the oldest turns whole and keeps the first prompt and the newest turns", () => {
  const session = reads(20);

  session.apply(snip()(session.view(), budget({ targetTokens: 4_000, keepTurns: 3 })) as never);

  const { view } = session.transcript;
  expect(view[0]).toMatchObject({ role: "user", content: [{ text: "Find the leak." }] });
  expect(textIn(view.slice(-6))).toContain("Reading 17.");
  expect(textIn(view)).not.toContain("Reading 0.");
  expect(tokensOf(view)).toBeLessThanOrEqual(4_000);
});

test("snip of spent turns drops a silent call that was made again, and nothing else", () => {
  const session = new Session()
    .user("Make the tests pass.")
    .turn([["bash", { command: "npm test" }, "silent and repeated"]])
    .turn([["bash", { command: "npm test" }, "repeated with a word"]], "Again.")
    .turn([["bash", { command: "npm test" }, "error in src/a.ts:12"]])
    .turn([["edit_file", { path: "a.ts" }, "done"]])
    .turn([["bash", { command: "npm test" }, "0 failed"]])
    .answer("They pass.");

  session.apply(snip({ turns: "spent" })(session.view(), budget({ targetTokens: 1, keepTurns: 1 })) as never);

  const text = textIn(session.transcript.view);
  expect(text).not.toContain("silent and repeated");
  for (const kept of ["repeated with a word", "error in src/a.ts:12", "0 failed"]) expect(text).toContain(kept);
});

test("micro clears a read of a file that was changed later first, and says what to do", () => {
  const session = new Session()
    .user("Fix a.ts.")
    .turn([["read_file", { path: "b.ts" }, long("kept")]])
    .turn([["read_file", { path: "a.ts" }, long("stale")]])
    .turn([["edit_file", { path: "a.ts", old_text: "x", new_text: "y" }, "done"]])
    .turn([["bash", { command: "npm test" }, "ok"]]);

  const edits = micro()(session.view(), budget({ targetTokens: tokensOf(session.transcript.view) - 10, keepTurns: 1 }));
  session.apply(edits as never);

  const text = textIn(session.transcript.view);
  expect(text).toContain(
    "[Cleared to save room: the result of read_file a.ts (2400 characters). The file was changed later; read it again for what it is now.]",
  );
  expect(text).toContain(long("kept"));
});

test("micro quotes of an old result what says most, and tells the artifact that has the whole", () => {
  const session = new Session().user("Look around.");
  const output = `${long("noise")}\nERROR in src/pay.ts:42: timeout, ticket PAY-913\n${long("noise")}\n[… The whole output (9 characters) is in "/artifacts/f1.txt"; read it with read_file, page by page.]`;
  session.turn([["bash", { command: "make" }, output]]);
  for (let turn = 0; turn < 9; turn++) session.turn([["glob", { pattern: `*${turn}` }, "none"]]);

  session.apply(micro()(session.view(), budget({ targetTokens: 1, keepTurns: 2 })) as never);

  const text = textIn(session.transcript.view);
  expect(text).toContain(
    'The whole is in \\"/artifacts/f1.txt\\"; read it with read_file. It said: ERROR in src/pay.ts:42',
  );
  expect(text).not.toContain("noise");
});

test("collapse shows a finished todo item and an answered prompt as notes, and keeps what users said", () => {
  const todos = (status: string) => ({ todos: [{ content: "Rename the flag", status }] });
  const session = new Session()
    .user("Rename the flag, then explain.")
    .turn([["todo_write", todos("in_progress"), "ok"]])
    .turn([["edit_file", { path: "src/flag.ts" }, long("diff")]], "I decided to keep the old name as an alias.")
    .turn([["bash", { command: "npm test" }, `${long("log")}\nexit code: 1`]])
    .turn([["todo_write", todos("completed"), "ok"]])
    .answer("Renamed.")
    .user("And the docs? Please use British spelling.")
    .turn([["read_file", { path: "docs/a.md" }, long("docs")]])
    .turn([["edit_file", { path: "docs/a.md" }, long("docs")]])
    .answer("Done, too.")
    .user("Thanks. What is left?")
    .turn([["glob", { pattern: "*" }, "x"]]);

  session.apply(collapse()(session.view(), budget({ targetTokens: 1, keepTurns: 1 })) as never);

  const { view } = session.transcript;
  expect(view.map(({ role }) => role)).toEqual([
    ..."user user assistant user user assistant user assistant tool".split(" "),
  ]);
  expect(textIn([view[1]!])).toContain('[Finished: todo \\"Rename the flag\\". The 4 calls');
  expect(textIn([view[1]!])).toContain("Changed: src/flag.ts");
  expect(textIn([view[1]!])).toContain("Failed: npm test: exit code");
  expect(textIn([view[1]!])).toContain("I decided to keep the old name as an alias.");
  expect(textIn(view)).toContain("British spelling");
});

test("session memory keeps goal, wishes, decisions, files, failures and facts, and carries earlier notes on", async () => {
  const session = new Session()
    .user("Move billing to the new API.")
    .user("Never touch migrations/0042_lock.sql. My customer id is CUS-88231.", "steering")
    .turn([["read_file", { path: "src/billing.ts" }, long("code")]])
    .turn([["bash", { command: "env" }, `${long("noise")}\nRETRY_LIMIT=7`]])
    .turn([["bash", { command: "npm run e2e" }, `exit code: 2\nError: connect ECONNREFUSED 10.0.0.7:8443`]])
    .turn(
      [["edit_file", { path: "src/billing.ts" }, long("diff")]],
      "Decision: we use idempotency keys instead of locks.",
    )
    .turn([["todo_write", { todos: [{ content: "Write the changelog", status: "pending" }] }, "ok"]]);
  for (let turn = 0; turn < 4; turn++) session.turn([["grep", { pattern: `p${turn}` }, long("hit")]]);
  const room = budget({ targetTokens: 3_000, keepTurns: 1 });

  session.apply(await sessionMemory()(session.view(), room));
  for (let turn = 0; turn < 4; turn++) session.turn([["grep", { pattern: `q${turn}` }, long("hit", 900)]]);
  session.apply(await sessionMemory()(session.view(), room));

  const { view } = session.transcript;
  expect(view.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool"]);
  const [notes] = view[1]!.content as unknown as [{ text: string }];
  for (const fact of [
    "Never touch migrations/0042_lock.sql. My customer id is CUS-88231.",
    "Decision: we use idempotency keys instead of locks.",
    "## Files changed\n- src/billing.ts",
    "- npm run e2e: exit code 2: Error: connect ECONNREFUSED 10.0.0.7:8443",
    "RETRY_LIMIT=7",
    "- Write the changelog (pending)",
  ])
    expect(notes.text).toContain(fact);
});

test("session memory takes the host's notes instead, when there are any", async () => {
  const session = reads(10);
  const told: number[] = [];
  const stage = sessionMemory({
    notes: ({ messages, sessionId }) => {
      told.push(messages.length);
      return `The host's notes on ${sessionId}.`;
    },
  });

  session.apply(await stage(session.view(), budget({ targetTokens: 3_000, keepTurns: 2 })));

  expect(textIn(session.transcript.view)).toContain("The host's notes on s.");
  expect(told).toEqual([16]);
});

test("offload moves the largest results to the store until the target is met, and leaves a preview", async () => {
  const kept: string[] = [];
  const artifacts = {
    put: async (content: string | Uint8Array) => {
      kept.push(String(content));
      return { id: "1", path: `/artifacts/${kept.length}.txt`, bytes: 1, mediaType: "text/plain" };
    },
    get: async () => new Uint8Array(),
  };
  const session = new Session()
    .user("Go.")
    .turn([["bash", { command: "a" }, long("small", 900)]])
    .turn([["bash", { command: "b" }, long("large", 3_000)]])
    .turn([["bash", { command: "c" }, long("newest", 5_000)]]);
  const target = tokensOf(session.transcript.view) - 1_000;

  session.apply(await offload({ artifacts })(session.view(), budget({ targetTokens: target })));

  expect(kept).toEqual([long("large", 3_000)]);
  expect(textIn(session.transcript.view)).toContain('is in \\"/artifacts/1.txt\\"; read it with read_file');
  expect(textIn(session.transcript.view)).toContain(long("newest", 5_000));
  expect(await offload()(session.view(), budget({ targetTokens: 1 }))).toEqual([]);
});

test("reactive takes the mildest view that meets the target, and cuts prompts last", () => {
  const sizes = [6_000, 1_500, 300, 60].map((targetTokens) => {
    const session = reads(20).user(`Now this: ${long("why", 600)}`);
    session.apply(reactive()(session.view(), budget({ targetTokens })) as never);
    return { targetTokens, tokens: tokensOf(session.transcript.view), messages: session.transcript.view.length };
  });

  for (const { targetTokens, tokens } of sizes) expect(tokens).toBeLessThanOrEqual(targetTokens);
  expect(sizes[0]!.messages).toBeGreaterThan(sizes[3]!.messages);
});

test("pinned messages and the calls they belong to stay in every stage", async () => {
  const isPinned = (message: { role: string }) => JSON.stringify(message).includes("line5");
  for (const stage of [snip(), micro({ keepResults: 0 }), sessionMemory(), reactive()]) {
    const session = reads(12);
    const pinned = session.transcript.view.filter((message) => isPinned(message));

    session.apply(await stage(session.view(), budget({ targetTokens: 1, keepTurns: 1, isPinned })));

    expect(session.transcript.view.filter((message) => isPinned(message))).toEqual(pinned);
  }
});
