// Two users do anything with each other's chats, over servers that are started again: after each step the lists and the shared pages are
// what a plain model says.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatSessionPage } from "../../../src/http/index.js";
import { text } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { runs } from "../../runs.js";
import { collect } from "../../sessions/kit.js";
import { message, open } from "./kit.js";

const USERS = ["ann", "eve"] as const;
const step = fc.record({
  user: fc.constantFrom(...USERS),
  id: fc.constantFrom("ann-1", "ann-2", "eve-1"),
  does: fc.constantFrom("send", "rename", "unname", "archive", "unarchive", "share", "unshare", "delete", "restart"),
  words: fc.string({ minLength: 1, maxLength: 20 }),
});

interface Known {
  readonly prompt: string;
  title: string;
  isArchived: boolean;
  share: string | null;
}

const oneLine = (words: string) => words.replace(/\s+/g, " ").trim();

test("after each step the lists and the shared pages are what a plain model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const store = createMemorySessionStore();
      const turns = () => Array.from({ length: 25 }, () => text("Yes."));
      let { send } = open(turns(), { requestsPerMinute: 1_000_000 }, store);
      const model = new Map<string, Known>();
      const gone = new Set<string>();

      for (const { user, id, does, words } of steps) {
        if (does === "restart") ({ send } = open(turns(), { requestsPerMinute: 1_000_000 }, store));
        else await act(user, id, does, words);
        await compare();
      }

      async function act(user: string, id: string, does: string, words: string): Promise<void> {
        const known = model.get(id);
        const isOwn = id.startsWith(`${user}-`);
        const ask = (method: string, rest: string, body?: unknown) => send(user, method, `/chat${rest}`, body);
        const expected = isOwn && known ? [200, 204] : [404];
        const check = (response: Response) => {
          expect(expected).toContain(response.status);
          return response;
        };
        if (does === "send") {
          const response = await ask("POST", "", message(id, `m${words}`));
          await response.text();
          expect(response.status).toBe(isOwn ? 200 : 404);
          if (isOwn && !known) model.set(id, { prompt: `m${words}`, title: "", isArchived: false, share: null });
          return;
        }
        const change = {
          rename: { title: words },
          unname: { title: null },
          archive: { archived: true },
          unarchive: { archived: false },
        }[does];
        if (change) check(await ask("PATCH", `/${id}`, change));
        const isAllowed = isOwn && known !== undefined;
        if (does === "share") {
          const response = check(await ask("POST", `/${id}/share`));
          if (!isAllowed) return;
          if (known.share) gone.add(known.share);
          known.share = ((await response.json()) as { path: string }).path;
        }
        if (does === "unshare") check(await ask("DELETE", `/${id}/share`));
        if (does === "delete") check(await ask("DELETE", `/${id}`));
        if (!isAllowed) return;
        if (does === "rename") known.title = oneLine(words);
        if (does === "unname") known.title = "";
        if (does === "archive" || does === "unarchive") known.isArchived = does === "archive";
        if ((does === "unshare" || does === "delete") && known.share) gone.add(known.share);
        if (does === "unshare") known.share = null;
        if (does === "delete") model.delete(id);
      }

      async function compare(): Promise<void> {
        for (const user of USERS)
          for (const archived of [false, true]) {
            const page = (await (await send(user, "GET", `/chat?archived=${archived}`)).json()) as ChatSessionPage;
            const shown = page.sessions.map(({ id, title, share }) => [
              id,
              title,
              share === null ? null : `/chat/${share}/shared`,
            ]);
            const known = [...model].filter(([id, { isArchived }]) => id.startsWith(user) && isArchived === archived);
            expect(shown.sort()).toEqual(
              known.map(([id, { title, prompt, share }]) => [id, title || oneLine(prompt), share]).sort(),
            );
          }
        for (const { share } of model.values()) if (share) expect((await send(null, "GET", share)).status).toBe(200);
        for (const path of gone) expect((await send(null, "GET", path)).status).toBe(404);
        const kept = (await collect(store.list({ prefix: "sub-" }))).length;
        expect(kept).toBeLessThanOrEqual(2 * model.size);
      }
    }),
    { numRuns: runs(10, 40, 1_000) },
  );
});
