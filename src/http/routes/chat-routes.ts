// The routes of a chat for several users.
import type { Answer } from "../../contracts/approval.js";
import type { SessionEntry } from "../../contracts/session.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import { isBegun } from "../../engine/transcript/is-begun.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  oneOf,
  optionOf,
  required,
} from "../../json/check-options.js";
import { createRunHub } from "../hub/run-hub.js";
import { questionsIn } from "../hub/waiting-questions.js";
import { listBranches } from "../messages/branches.js";
import { toAgUiMessages } from "../messages/to-ag-ui-messages.js";
import { toUiMessages } from "../messages/to-ui-messages.js";
import { textOfInput } from "../requests/prompt-content.js";
import { READ_TABLE, readAnswers, readPrompt } from "../requests/read-prompt.js";
import { toResponse } from "../to-response.js";
import { canBeSent, noSuchSession, RouteGuard, refusal } from "./route-guard.js";
import type { ChatRoute, ChatRoutesOptions, ChatUser } from "./route-options.js";
import { makeTitle, sessionRoutes } from "./session-routes.js";

const OPTIONS = {
  engine: required(optionOf((value) => ENGINE_PARTS.has(Object(value)), "an AgentEngine or a RunHub")),
  identify: required(FUNCTION),
  authorize: required(FUNCTION),
  contextFor: FUNCTION,
  format: byDefault("ui-messages", oneOf("ui-messages", "ag-ui")),
  basePath: byDefault(
    "/chat",
    optionOf((value) => typeof value === "string" && /^(\/[^/?#]+)*$/.test(value), "a path such as /chat"),
  ),
  origins: byDefault(
    [],
    optionOf(
      (value) => Array.isArray(value) && value.every(canBeSent),
      "an array of origins such as https://app.example.com",
    ),
  ),
  requestsPerMinute: byDefault(300, numberFrom(1, "requests")),
  prefixFor: FUNCTION,
  titleFor: FUNCTION,
  forget: FUNCTION,
  onError: FUNCTION,
  ...READ_TABLE,
} satisfies OptionTable<ChatRoutesOptions>;

/** The routes of a chat. `:id` is the session's, as the client names it in the URL. */
export interface ChatRoutes {
  /** All of them, by method and path; anything else is answered with 404. */
  readonly handle: ChatRoute;
  /** `POST /chat`: a message, an answer, or a message that is asked for again. */
  readonly chat: ChatRoute;
  /** `GET /chat/:id/stream`: the run under way, for a page that was reloaded; 204 when no run is under way, as in a new chat. */
  readonly resume: ChatRoute;
  /** `POST /chat/:id/stop`: ends the run under way. */
  readonly stop: ChatRoute;
  /** `GET /chat/:id?limit&before&branch`: a page of messages; of a run under way, what its stream will not bring. */
  readonly history: ChatRoute;
  /** `GET /chat/:id/branches`. */
  readonly branches: ChatRoute;
  /** `GET /chat/:id/pending`: the questions that wait for an answer. */
  readonly pending: ChatRoute;
  /** `POST /chat/:id/answer`: answers to them, and the run that goes on. */
  readonly answer: ChatRoute;
  /** `GET /chat?limit&before&search&archived`: a page of the user's chats, as `ChatSessionPage`, newest first. */
  readonly sessions: ChatRoute;
  /** `PATCH /chat/:id`: `{ title }` renames, `null` takes the name back; `{ archived }` archives, or takes out again. */
  readonly change: ChatRoute;
  /** `DELETE /chat/:id`: deletes it as `deleteSession` does, after what it has shared. A run under way is stopped first. */
  readonly remove: ChatRoute;
  /** `POST /chat/:id/share`: `{ token, path }` of a page that shows the chat as it is now to anybody who has the link. */
  readonly share: ChatRoute;
  /** `DELETE /chat/:id/share`: the page is gone. */
  readonly unshare: ChatRoute;
  /** `GET /chat/:token/shared`: that page, for anybody. What was said and the names of tools are on it, nothing else. */
  readonly shared: ChatRoute;
}

/**
 * The routes of a chat for several users, as functions from `Request` to `Response`: for Hono, Next, workers, and by `toNodeHandler`
 * for Express, Fastify and `node:http`.
 *
 * Requests that change something need a JSON content type (415) and, if they have cookies or say where they come from, an origin that
 * may send them (403); those that read are refused if another site's page sends them. `by` of an answer is the user's id, and `remember` is dropped.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createChatRoutes<User extends ChatUser>(options: ChatRoutesOptions<User>): ChatRoutes {
  const settings = checkOptions("createChatRoutes()", options as unknown as ChatRoutesOptions, OPTIONS);
  const { engine, format, basePath, maxBytes } = settings;
  const hub = "send" in engine ? engine : createRunHub({ engine });
  const parts = ENGINE_PARTS.get(engine)!;
  const { store } = parts.config;
  const guard = new RouteGuard(settings);

  const optionsFor = async (user: ChatUser, sessionId: string) => {
    const context = await settings.contextFor?.(user, sessionId);
    return { sessionId, user: user.id, ...(settings.contextFor && { context }) };
  };
  const entriesOf = async (id: string): Promise<SessionEntry[]> => {
    const entries: SessionEntry[] = [];
    for await (const entry of store.read(id)) entries.push(entry);
    if (entries.length === 0) throw noSuchSession();
    return entries;
  };
  const toMessages = format === "ag-ui" ? toAgUiMessages : toUiMessages;

  const routes = {
    chat: guard.signedIn("changes", async (request, user) => {
      const prompt = await readPrompt(request, { maxBytes });
      const id = prompt.sessionId ?? globalThis.crypto.randomUUID();
      await guard.check(user, id, prompt.answers.length > 0 ? "answer" : "send");
      const answers = answersBy(user, prompt.answers);
      const run = await hub.send({ ...prompt, answers }, await optionsFor(user, id));
      guard.watch(run);
      const { titleFor } = settings;
      if (titleFor)
        makeTitle(store, titleFor, { user, session: id }, textOfInput(prompt.input)).catch((error) =>
          guard.report(error),
        );
      return toResponse(run, { format });
    }),
    resume: guard.about("resume", async (id) => {
      const running = hub.findRunning(id);
      return running ? toResponse(running, { format }) : new Response(null, { status: 204 });
    }),
    stop: guard.about("stop", async (id) => {
      const stopped = await hub.stop(id);
      // A run that has just begun is not in the store yet.
      if (!stopped && !(await isBegun(store, id))) throw noSuchSession();
      return Response.json({ stopped });
    }),
    history: guard.about("history", async (id, { url }) => {
      const { searchParams } = new URL(url);
      const [limit, before, branch] = ["limit", "before", "branch"].map((name) => searchParams.get(name) ?? undefined);
      const withoutRun = hub.findRunning(id)?.id;
      const paging = { ...(limit !== undefined && { limit: Number(limit) }), before, branch };
      return Response.json(
        await toMessages(await entriesOf(id), { ...paging, sessionId: id, sessions: store, withoutRun }),
      );
    }),
    branches: guard.about("branches", async (id) =>
      Response.json({ branches: await listBranches(await entriesOf(id)) }),
    ),
    pending: guard.about("pending", async (id) => Response.json({ pending: questionsIn(await entriesOf(id)) })),
    answer: guard.about("answer", async (id, request, user) => {
      const answers = answersBy(user, await readAnswers(request, { maxBytes }));
      const run = await hub.answer(answers, await optionsFor(user, id));
      guard.watch(run);
      return toResponse(run, { format });
    }),
    ...sessionRoutes({ guard, hub, parts, settings, entriesOf }),
  };
  const paths: Readonly<Record<string, ChatRoute>> = {
    "POST ": routes.chat,
    "GET /:id": routes.history,
    "GET /:id/stream": routes.resume,
    "POST /:id/stop": routes.stop,
    "GET /:id/branches": routes.branches,
    "GET /:id/pending": routes.pending,
    "POST /:id/answer": routes.answer,
    "GET ": routes.sessions,
    "PATCH /:id": routes.change,
    "DELETE /:id": routes.remove,
    "POST /:id/share": routes.share,
    "DELETE /:id/share": routes.unshare,
    "GET /:id/shared": routes.shared,
  };
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const rest = pathname.startsWith(basePath) ? pathname.slice(basePath.length).replace(/^\/[^/]+/, "/:id") : null;
    const found = rest === null ? undefined : paths[`${request.method} ${rest}`];
    return found ? found(request) : refusal(404, "NOT_FOUND", "There is nothing here.");
  };
  return { handle, ...routes };
}

function answersBy(user: ChatUser, answers: readonly Answer[]): readonly Answer[] {
  return answers.map((answer) => {
    const { remember: _, ...rest } = answer as Answer & { readonly remember?: unknown };
    return { ...rest, by: user.id } as Answer;
  });
}
