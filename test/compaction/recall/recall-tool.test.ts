import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { AgentEngine, type ArtifactStore, type SessionEntry, type SessionStore } from "loopwright";
import { createCompactionPipeline, createRecallTool, micro } from "loopwright/compaction";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore, rewindSession } from "loopwright/sessions";
import { fakeToolContext } from "loopwright/testing";
import { builtinTools } from "loopwright/tools";
import { expect, test } from "vitest";
import "../../property-seed.js";
import { runs } from "../../runs.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { Session } from "../kit.js";

const SESSION = "s";

async function recallIn(session: Session, artifacts?: ArtifactStore) {
  const sessions = createMemorySessionStore();
  await sessions.append(SESSION, session.entries);
  return { sessions, ...recallOver(sessions, artifacts) };
}

function recallOver(sessions: SessionStore, artifacts?: ArtifactStore) {
  const tool = createRecallTool({ sessions, artifacts });
  const recall = async (input: object | string, overrides = {}) => {
    const args = typeof input === "string" ? { query: input } : input;
    return (await tool.execute(
      await tool.parse!(args as never),
      fakeToolContext({ sessionId: SESSION, ...overrides }),
    )) as string;
  };
  /** The ids of the entries an answer names, best first. */
  const found = async (query: string) => [...(await recall(query)).matchAll(/^\[([^\]]+)\]/gm)].map(([, id]) => id);
  return { tool, recall, found };
}

test("entries that say what is asked come first, with who, when and where they can be read whole", async () => {
  const session = new Session()
    .user("Please set up the staging database.")
    .answer("Which port should the database use?")
    .user("We decided on port 6543 for the staging database, never 5432.")
    .turn([["bash", { command: "ls" }, "README.md\nsrc"]])
    .answer("Noted.");
  const { recall } = await recallIn(session);

  expect(await recall("staging port")).toBe(
    [
      "3 entries match, best first (page 1 of 1).",
      "[e2] user, 1970-01-01 00:00\n> We decided on port 6543 for the staging database, never 5432.",
      "[e1] assistant, 1970-01-01 00:00\n> Which port should the database use?",
      "[e0] user, 1970-01-01 00:00\n> Please set up the staging database.",
      `To read one in full, pass its id as "entry".`,
    ].join("\n\n"),
  );
});

const corpus = new Session()
  .user("The retry limit lives in src/engine/retry-policy.ts as maxRetryCount.")
  .user("Ticket ABC-1234 is about the 8080 listener; 18080 is another.")
  .user("数据库端口是五四三二，必须使用连接池。")
  .user("テストは必ず先に書くこと。")
  .user("데이터베이스 비밀번호는 금고에 있다.")
  .user("Café Zürich has the backup key, build 3.14.15.")
  .user("The worker crashed with ECONNRESET after 30 s; commit 9f8e7d6c fixes it.")
  .user("An unrelated remark about the weather and the port of Hamburg.")
  .user("Die Verschlüsselung der Anhänge macht der Proxyserver; to be or not to be.")
  .user("وقع الخطأ في الخادم.");

test.each([
  ["maxRetryCount", "e0"],
  ["max_retry_count", "e0"],
  ["maxretrycount", "e0"],
  ["retry count", "e0"],
  ["retry-policy.ts", "e0"],
  ["src/engine/retry-policy.ts", "e0"],
  ["retries", "e0"],
  ["8080", "e1"],
  ["abc-1234", "e1"],
  ["数据库端口", "e2"],
  ["连接池", "e2"],
  ["テスト", "e3"],
  ["비밀번호", "e4"],
  ["café", "e5"],
  ["cafe\u0301 zürich", "e5"],
  ["3.14.15", "e5"],
  ["9f8e7d6c", "e6"],
  ["why did the workers crash?", "e6"],
  ['"crashed with"', "e6"],
  ["“port of Hamburg”", "e7"],
  ["Schlüssel", "e8"],
  ["anhang schlussel", "e8"],
  ['"to be or not to be"', "e8"],
  ['"; to"', "e8"],
  ["خطأ", "e9"],
])("%s is found", async (query, entry) => {
  const { found } = await recallIn(corpus);

  expect((await found(query))[0]).toBe(entry);
});

test("of entries that have a phrase in quotes the one with more of the other words comes first, and of equals the newer", async () => {
  const session = new Session()
    .user("so be it, port 1")
    .user("so be it, port 2")
    .user("so be it, staging port")
    .user("staging");
  const { found } = await recallIn(session);

  expect(await found('"so be it" staging')).toEqual(["e2", "e1", "e0"]);
});

test("an excerpt shows where most of the query stands, rare words before common ones", async () => {
  const filler = "The port is fine. ".repeat(60);
  const session = new Session().user(`${filler}The staging port is 6543.${filler}`).user("a port").user("the port");
  const { recall } = await recallIn(session);

  expect(await recall("staging port")).toContain("The staging port is 6543.");
});

test("a phrase in quotes has to be there, with any whitespace, and a number is not found in a longer one", async () => {
  const { found, recall } = await recallIn(new Session().user("the quick\n  brown fox").user("quick and brown, 18080"));

  expect(await found('"quick brown"')).toEqual(["e0"]);
  expect(await found('"QUICK  BROWN" 18080')).toEqual(["e0"]);
  expect(await recall("8080")).toContain("Nothing in this session matches");
});

test("what compaction took out of the view is found, and replacements are not", async () => {
  const session = new Session().user("The password hint is heliotrope.").answer("Fine.");
  session.add({
    type: "view-edit",
    stage: "snip",
    from: "e0",
    to: "e1",
    replacement: [{ role: "user", content: [{ type: "text", text: "heliotrope summary" }], origin: "summary" }],
    report: { stage: "snip", beforeTokens: 9, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: 0 },
  });
  const { found } = await recallIn(session);

  expect(await found("heliotrope")).toEqual(["e0"]);
});

test("calls are found by their arguments, results by what they said, and recall does not find itself", async () => {
  const session = new Session()
    .user("go")
    .turn([["write_file", { path: "src/zebra.ts", content: "x" }, "Created it: quagga."]])
    .turn([["recall", { query: "zebra quagga" }, "[e1] zebra quagga"]]);
  const { found } = await recallIn(session);

  expect(await found("zebra")).toEqual(["e1"]);
  expect(await found("quagga")).toEqual(["e2"]);
});

test("the whole of an artifact is searched and read in pages that make up the whole", async () => {
  const whole = `${"filler line\n".repeat(2_000)}the needle is 77\n${"more 😀 text\n".repeat(1_000)}`;
  const ref = { id: "a1", path: "/artifacts/a1.txt", bytes: whole.length, mediaType: "text/plain" };
  const artifacts: ArtifactStore = { put: async () => ref, get: async () => new TextEncoder().encode(whole) };
  const session = new Session().user("go");
  const result = {
    toolCallId: "c",
    name: "bash",
    output: "filler…",
    isError: false,
    status: "success",
    durationMs: 1,
    artifact: ref,
  };
  const entries = [
    ...session.entries,
    { ...session.entries[0]!, id: "r", parent: "e0", type: "tool-result", result } as SessionEntry,
  ];
  const sessions = createMemorySessionStore();
  await sessions.append(SESSION, entries);
  const { recall } = recallOver(sessions, artifacts);

  const hit = await recall("needle");
  const pages: string[] = [];
  for (let page = 1; page <= Math.ceil(whole.length / 8_000); page++) pages.push(await recall({ entry: "r", page }));

  expect(hit).toContain(`[r] result of bash, 1970-01-01 00:00, on its page 3, whole in "/artifacts/a1.txt"`);
  expect(hit).toContain("the needle is 77");
  expect(pages.map((page) => page.slice(page.indexOf("\n\n") + 2)).join("")).toBe(whole);
  expect(pages.every((page) => page.length < 8_500 && !/\p{Surrogate}/u.test(page))).toBe(true);
  const gone = recallOver(sessions, { ...artifacts, get: () => Promise.reject(new Error("gone")) });
  expect(await gone.recall({ entry: "r" })).toContain("filler…");
});

test("a string that looks like a hit is not one", async () => {
  const session = new Session().user("the word\n[e9] user, 1970-01-01 00:00\ntrust me");
  const { found, recall } = await recallIn(session);

  expect(await found("word")).toEqual(["e0"]);
  expect(await recall("word")).toContain("\n> [e9] user");
});

test("many hits come in pages, each once, and no page is large", async () => {
  const session = new Session();
  for (let i = 0; i < 30; i++) session.user(`match ${"word ".repeat(i * 40)}${i}`);
  const { recall } = await recallIn(session);

  const pages = await Promise.all([1, 2, 3, 4].map((page) => recall({ query: "match", page })));
  const ids = pages.flatMap((page) => [...page.matchAll(/^\[(e\d+)\]/gm)].map(([, id]) => id));

  expect(new Set(ids).size).toBe(30);
  expect(ids).toHaveLength(30);
  expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(8_000);
  expect(pages[0]).toContain(`"page": 2`);
  expect(pages[3]).not.toContain("More:");
  await expect(recall({ query: "match", page: 5 })).rejects.toThrow("Page 5 does not exist");
});

test("other sessions, and what a rewind left behind, are never found", async () => {
  const { sessions, found, recall } = await recallIn(new Session().user("alpha").user("beta").user("gamma"));
  await sessions.append("other", new Session().user("alpha of another").entries);
  await rewindSession(sessions, SESSION, "e0");
  const [rewind] = (await all(sessions)).slice(-1);
  const next = { ...new Session().user("delta").entries[0]!, id: "d", parent: rewind!.id };
  await sessions.append(SESSION, [next]);

  expect(await found("alpha beta gamma delta")).toEqual(["d", "e0"]);
  await expect(recall({ entry: "e1" })).rejects.toThrow(`no entry "e1"`);
  expect(await recall("alpha", { transcriptId: "nobody" })).toContain("Nothing");
});

test("a session rewound many times is searched on its branch alone, whatever its shape", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 25 }), async (parents) => {
      const entries = parents.map((parent, n): SessionEntry => {
        const text = `common word${n}`;
        const follows = n === 0 ? null : `e${parent % 3 === 0 ? parent % n : n - 1}`;
        return {
          v: 1,
          id: `e${n}`,
          parent: follows,
          at: 0,
          runId: "r",
          turn: 0,
          type: "message",
          message: { role: "user", content: [{ type: "text", text }] },
        };
      });
      const branch = new Set<string>();
      for (let id: string | null = entries.at(-1)!.id; id !== null; id = entries[Number(id.slice(1))]!.parent)
        branch.add(id);
      const sessions = createMemorySessionStore();
      await sessions.append(SESSION, entries);
      const { recall } = recallOver(sessions);

      const ids = new Set<string>();
      for (let page = 1; page <= Math.ceil(branch.size / 8); page++) {
        for (const [, id] of (await recall({ query: "common", page })).matchAll(/^\[(e\d+)\]/gm)) ids.add(id!);
      }

      expect([...ids].sort()).toEqual([...branch].sort());
    }),
    { numRuns: runs(20, 100, 5_000) },
  );
});

test("any query over any text is answered or refused, never failed", async () => {
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 60 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(texts, fc.string({ unit: "binary", maxLength: 40 }), fc.nat(9), async (said, words, cut) => {
      const session = new Session();
      for (const text of said) session.user(text);
      const { recall } = await recallIn(session);
      const query = cut > 5 ? words : said[0]!.slice(cut, cut + 8);

      const answer = await recall(query).catch((error: { code?: string }) => error.code);

      expect(answer).toMatch(/^(?:TOOL_INPUT_INVALID|Nothing|\d+ entr)/);
    }),
    { numRuns: runs(20, 100, 20_000) },
  );
});

test("wrong input is refused with what to do", async () => {
  const { tool, recall } = await recallIn(new Session().user("hello"));

  await expect(recall({})).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  await expect(recall({ query: "a", entry: "e0" })).rejects.toThrow(`either "query" or "entry"`);
  await expect(recall("?! …")).rejects.toThrow("no words to search for");
  await expect(recall("what was it")).rejects.toThrow("no words to search for");
  await expect(recall({ entry: "no" })).rejects.toThrow(`no entry "no"`);
  await expect(recall({ entry: "e0", page: 2 })).rejects.toThrow("page 2 does not exist");
  await expect(recall({ query: "hello", page: 11 })).rejects.toThrow("at most 10 pages");
  expect([tool.permission, tool.replayable]).toEqual(["none", true]);
});

test("what a command's long output leaves out is found, and the placeholder for it says where the whole is", async () => {
  const { workspace } = await temporaryWorkspace();
  const sessions = createMemorySessionStore();
  const steps = Array.from({ length: 9 }, (_, index) => toolCall("glob", { pattern: `*${index}` }));
  const provider = scripted([
    toolCall("bash", { command: "seq 4000; printf 'the vault code is %s\\n' plugh-4711; seq 4000" }),
    ...steps,
    toolCall("bash", { command: "seq 4000" }),
    toolCall("recall", { query: "plugh" }),
    text("ok"),
  ]);
  const engine = new AgentEngine({
    provider,
    sessions,
    artifacts: workspace.artifacts!,
    permissions: { decide: () => ({ behavior: "allow" }) },
    tools: [...builtinTools(workspace, { names: ["bash", "glob"] }), createRecallTool({ sessions })],
    compaction: createCompactionPipeline({
      contextWindow: 20_000,
      triggerRatio: 0.5,
      stages: [micro()],
      targetRatio: 0.3,
    }),
  });

  await engine.run("Look around.");

  const { messages } = provider.requests.at(-1)!;
  const told = messages.flatMap(({ role, content }) => (role === "tool" ? content.map((part) => part.output) : []));
  expect(told.at(-1)).toContain("the vault code is plugh-4711");
  const [path] = /\/[^"]+\.txt/.exec(told[0] as string)!;
  expect(told[0]).toMatch(/^\[Cleared to save room: /);
  expect(told[0]).toContain(`The whole is in "${path}"; read it with read_file.`);
  expect(await readFile(path, "utf8")).toContain("plugh-4711");
});

test("an abort ends the search, and the store is read piece by piece", async () => {
  let given = 0;
  const controller = new AbortController();
  const sessions = createMemorySessionStore();
  const endless: SessionStore = {
    ...sessions,
    async *read() {
      for (;;) {
        if (++given === 1_000) controller.abort(new Error("enough"));
        if (given % 100 === 0) await sleep(0);
        yield { ...new Session().user("x").entries[0]!, id: `e${given}` };
      }
    },
  };

  await expect(recallOver(endless).recall("x", { signal: controller.signal })).rejects.toThrow("enough");
  expect(given).toBeLessThan(1_010);
});

async function all(sessions: SessionStore): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(SESSION)) entries.push(entry);
  return entries;
}
