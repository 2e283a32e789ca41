// The routes about the sessions themselves: list, rename, archive, delete, share.
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { EngineParts } from "../../engine/engine-parts.js";
import { deleteFrom } from "../../engine/session/delete-stored-session.js";
import { isBegun } from "../../engine/transcript/is-begun.js";
import { checkOptions, numberFrom } from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { asOneLine } from "../../text/one-line.js";
import type { RunHub } from "../hub/hub-types.js";
import { badRequest, readRequestBody } from "../requests/request-body.js";
import { firstPrompt, listSessions, MAX_TITLE_CHARS, madeTitle } from "../sessions/list-sessions.js";
import { addToNote, readNote, type SessionNote } from "../sessions/session-note.js";
import { shareSession, showShared, unshareSession } from "../sessions/share-session.js";
import { noSuchSession, type RouteGuard } from "./route-guard.js";
import type { ChatRoutesOptions, ChatUser } from "./route-options.js";

interface SessionRoutesParts<User extends ChatUser> {
  readonly guard: RouteGuard<User>;
  readonly hub: RunHub;
  readonly parts: EngineParts;
  readonly settings: ChatRoutesOptions<User> & { readonly basePath: string; readonly maxBytes: number };
  entriesOf(id: string): Promise<SessionEntry[]>;
}

const DEFAULT_LIMIT = 50;

export function sessionRoutes<User extends ChatUser>({
  guard,
  hub,
  parts,
  settings,
  entriesOf,
}: SessionRoutesParts<User>) {
  const { store } = parts.config;
  const { basePath, maxBytes, prefixFor, forget } = settings;

  return {
    sessions: guard.signedIn("reads", async ({ url, signal }, user) => {
      const { searchParams } = new URL(url);
      const { limit } = checkOptions("sessions", { limit: Number(searchParams.get("limit") ?? DEFAULT_LIMIT) }, LIST);
      const query = {
        limit,
        before: searchParams.get("before") ?? undefined,
        search: searchParams.get("search") ?? "",
        archived: searchParams.get("archived") === "true",
      };
      const source = {
        store,
        prefix: prefixFor?.(user) ?? "",
        mayList: (id: string) => guard.may(user, id, "list"),
        isRunning: (id: string) => hub.findRunning(id) !== undefined,
        signal,
      };
      return Response.json(await listSessions(source, query));
    }),
    change: guard.signedIn("changes", async (request, user) => {
      const id = guard.nameIn(request);
      const change = readChange(await readRequestBody(request, maxBytes));
      if (change.title !== undefined) await guard.check(user, id, "rename");
      if (change.isArchived !== undefined) await guard.check(user, id, "archive");
      if (!(await isBegun(store, id))) throw noSuchSession();
      await addToNote(store, id, change);
      return new Response(null, { status: 204 });
    }),
    remove: guard.about("delete", async (id) => {
      if (!(await isBegun(store, id))) throw noSuchSession();
      await hub.stop(id, "the session was deleted");
      await deleteFrom(parts, id, async () => {
        await unshareSession(store, id);
        await forget?.(id);
      });
      return new Response(null, { status: 204 });
    }),
    share: guard.about("share", async (id) => {
      const token = await shareSession(store, id, await entriesOf(id));
      return Response.json({ token, path: `${basePath}/${token}/shared` });
    }),
    unshare: guard.about("share", async (id) => {
      if (!(await isBegun(store, id))) throw noSuchSession();
      await unshareSession(store, id);
      return new Response(null, { status: 204 });
    }),
    shared: guard.answering((request) => showShared(store, guard.nameIn(request))),
  };
}

const LIST = { limit: numberFrom(1, "sessions", 1_000) };

/** @throws ConfigurationError `OPTION_INVALID` */
function readChange(body: unknown): SessionNote {
  const { title, archived, ...rest } = isObject(body) ? body : {};
  const isTitle =
    title === undefined || title === null || (typeof title === "string" && title.length <= MAX_TITLE_CHARS);
  const isChange = title !== undefined || archived !== undefined;
  if (!isChange || !isTitle || !["undefined", "boolean"].includes(typeof archived) || Object.keys(rest).length > 0) {
    throw badRequest(
      `The change is not understood. Send { title }, of at most ${MAX_TITLE_CHARS} characters, or null; or { archived }, true or false.`,
      "title",
    );
  }
  return {
    ...(title !== undefined && { title: typeof title === "string" ? asOneLine(title) : null }),
    ...(archived !== undefined && { isArchived: archived as boolean }),
  };
}

/** Lets the host's model make a title, unless the chat has one. If it throws, the title is still the beginning of the prompt. */
export async function makeTitle<User extends ChatUser>(
  store: SessionStore,
  titleFor: NonNullable<ChatRoutesOptions<User>["titleFor"]>,
  about: { readonly user: User; readonly session: string },
  said: string,
): Promise<void> {
  const { title, madeTitle: made } = await readNote(store, about.session);
  if (title || made) return;
  const prompt = (await firstPrompt(store, about.session)) || said;
  if (prompt === "") return;
  const [line] = (await titleFor({ ...about, prompt })).trim().split("\n", 1);
  await addToNote(store, about.session, { madeTitle: madeTitle(line!) });
}
