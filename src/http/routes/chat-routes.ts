// The routes of a chat for several users. Who asks, and whether they may, is found out in one place, before a session is read.
import type { Answer } from "../../contracts/approval.js";
import { isHarnessError, SessionError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { AgentEngine } from "../../engine/engine.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { Transcript, waitingQuestions } from "../../engine/transcript/transcript.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  type OptionTable,
  oneOf,
  optionOf,
  required,
} from "../../json/check-options.js";
import type { RunHub } from "../hub/hub-types.js";
import { createRunHub } from "../hub/run-hub.js";
import { listBranches } from "../messages/branches.js";
import { toAgUiMessages } from "../messages/to-ag-ui-messages.js";
import { toUiMessages } from "../messages/to-ui-messages.js";
import { READ_TABLE, readAnswers, readPrompt } from "../requests/read-prompt.js";
import { toErrorResponse, toResponse } from "../to-response.js";

/** Somebody who has signed in. */
export interface ChatUser {
  readonly id: string;
}

/** What a request does with a session. */
export type ChatAction = "send" | "resume" | "stop" | "history" | "branches" | "pending" | "answer";

/** Options of `createChatRoutes()`. */
export interface ChatRoutesOptions<User extends ChatUser = ChatUser> {
  /** The engine, or a hub of its own settings, such as `usage` and `whenBusy`. */
  readonly engine: AgentEngine | RunHub;
  /** Who has sent a request: by its cookie or token, never by what its body says. `null`: nobody, which is answered with 401. */
  readonly identify: (request: Request) => User | null | Promise<User | null>;
  /**
   * Whether a user may do something with a session, also with one that does not exist yet. Called before the session is read. What is
   * refused looks like a session that does not exist: 404.
   */
  readonly authorize: (asked: {
    readonly user: User;
    readonly session: string;
    readonly action: ChatAction;
  }) => boolean | Promise<boolean>;
  /** The `context` of the user's runs. Default: none. */
  readonly contextFor?: ((user: User, session: string) => unknown) | undefined;
  /** The clients: `useChat`, or those of AG-UI. Default: `"ui-messages"`. */
  readonly format?: "ui-messages" | "ag-ui" | undefined;
  /** The path in front of the routes. Default: `"/chat"`. */
  readonly basePath?: string | undefined;
  /** Other origins whose pages may send requests, such as `https://app.example.com`. Default: the server's own alone. */
  readonly origins?: readonly string[] | undefined;
  /** Largest body that is read. Unit: bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

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
  origins: byDefault([], optionOf(Array.isArray, "an array of origins")),
  ...READ_TABLE,
} satisfies OptionTable<ChatRoutesOptions>;

/** A route: a function from `Request` to `Response`. */
export type ChatRoute = (request: Request) => Promise<Response>;

/** The routes of a chat. `:id` is the session's, as the client names it in the URL. */
export interface ChatRoutes {
  /** All of them, by method and path; anything else is answered with 404. */
  readonly handle: ChatRoute;
  /** `POST /chat`: a message, an answer, or a message that is asked for again. */
  readonly chat: ChatRoute;
  /** `GET /chat/:id/stream`: the run under way, for a page that was reloaded; 204 when no run is under way. */
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
}

/**
 * The routes of a chat for several users, as functions from `Request` to `Response`: for Hono, Next, workers, and by `toNodeHandler`
 * for Express, Fastify and `node:http`.
 *
 * Requests that change something need a JSON content type (415) and, if they say where they come from, an origin that may send them
 * (403). `by` of an answer is the user's id, and `remember` is dropped.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createChatRoutes<User extends ChatUser>(options: ChatRoutesOptions<User>): ChatRoutes {
  const settings = checkOptions("createChatRoutes()", options as unknown as ChatRoutesOptions, OPTIONS);
  const { engine, identify, authorize, format, basePath, origins, maxBytes } = settings;
  const hub = "send" in engine ? engine : createRunHub({ engine });
  const { store } = ENGINE_PARTS.get(engine)!.config;

  const check = async (user: ChatUser, session: string, action: ChatAction): Promise<void> => {
    if (!session.startsWith("sub-") && (await authorize({ user, session, action }))) return;
    throw noSession();
  };
  const optionsFor = async (user: ChatUser, sessionId: string) => {
    const context = await settings.contextFor?.(user, sessionId);
    return { sessionId, user: user.id, ...(settings.contextFor && { context }) };
  };
  const entriesOf = async (id: string): Promise<SessionEntry[]> => {
    const entries: SessionEntry[] = [];
    for await (const entry of store.read(id)) entries.push(entry);
    if (entries.length === 0) throw noSession();
    return entries;
  };
  const exists = async (id: string): Promise<void> => {
    for await (const _ of store.read(id)) return;
    throw noSession();
  };
  const toMessages = format === "ag-ui" ? toAgUiMessages : toUiMessages;

  /** Whoever may not is refused before anything is read but the id. */
  const route = (
    action: ChatAction,
    work: (id: string, request: Request, user: ChatUser) => Promise<Response>,
  ): ChatRoute =>
    guarded(async (request, user) => {
      const id = sessionIn(request, basePath);
      await check(user, id, action);
      return work(id, request, user);
    });
  const guarded =
    (work: (request: Request, user: ChatUser) => Promise<Response>): ChatRoute =>
    async (request) => {
      try {
        const user = await identify(request);
        if (!user) return refusal(401, "UNAUTHORIZED", "Sign in first.");
        return refusalOf(request, origins) ?? (await work(request, user));
      } catch (error) {
        return toErrorResponse(isHarnessError(error, "SESSION_NOT_FOUND") ? noSession() : error);
      }
    };

  const routes = {
    chat: guarded(async (request, user) => {
      const prompt = await readPrompt(request, { maxBytes });
      const id = prompt.sessionId ?? globalThis.crypto.randomUUID();
      await check(user, id, prompt.answers.length > 0 ? "answer" : "send");
      const answers = answersBy(user, prompt.answers);
      return toResponse(await hub.send({ ...prompt, answers }, await optionsFor(user, id)), { format });
    }),
    resume: route("resume", async (id) => {
      await exists(id);
      const running = hub.findRunning(id);
      return running ? toResponse(running, { format }) : new Response(null, { status: 204 });
    }),
    stop: route("stop", async (id) => {
      await exists(id);
      return Response.json({ stopped: await hub.stop(id) });
    }),
    history: route("history", async (id, { url }) => {
      const { searchParams } = new URL(url);
      const [limit, before, branch] = ["limit", "before", "branch"].map((name) => searchParams.get(name) ?? undefined);
      const withoutRun = hub.findRunning(id)?.id;
      const paging = { ...(limit !== undefined && { limit: Number(limit) }), before, branch };
      return Response.json(
        await toMessages(await entriesOf(id), { ...paging, sessionId: id, sessions: store, withoutRun }),
      );
    }),
    branches: route("branches", async (id) => Response.json({ branches: await listBranches(await entriesOf(id)) })),
    pending: route("pending", async (id) => {
      const transcript = new Transcript();
      for (const entry of branchOf(await entriesOf(id))) transcript.apply(entry);
      return Response.json({ pending: waitingQuestions(transcript) });
    }),
    answer: route("answer", async (id, request, user) => {
      const answers = answersBy(user, await readAnswers(request, { maxBytes }));
      return toResponse(await hub.answer(answers, await optionsFor(user, id)), { format });
    }),
  };
  const paths: Readonly<Record<string, ChatRoute>> = {
    "POST ": routes.chat,
    "GET /:id": routes.history,
    "GET /:id/stream": routes.resume,
    "POST /:id/stop": routes.stop,
    "GET /:id/branches": routes.branches,
    "GET /:id/pending": routes.pending,
    "POST /:id/answer": routes.answer,
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

/** @throws SessionError `SESSION_NOT_FOUND` for a path without one */
function sessionIn({ url }: Request, basePath: string): string {
  const { pathname } = new URL(url);
  const name = pathname.slice(basePath.length + 1).split("/", 1)[0]!;
  try {
    const id = decodeURIComponent(name);
    if (pathname.startsWith(`${basePath}/`) && id !== "") return id;
  } catch {
    // Not a URL of ours.
  }
  throw noSession();
}

/** What is refused and what does not exist look the same, whatever found it missing. */
function noSession(): SessionError {
  return new SessionError("SESSION_NOT_FOUND", { message: "There is no such session. Check the id." });
}

/**
 * The refusal of a request that changes something and is not known to come from an allowed page; `null` for any other. A page of another
 * site can send neither a JSON content type nor a false `Origin` without being asked about it first.
 */
function refusalOf(request: Request, origins: readonly string[]): Response | null {
  if (request.method === "GET" || request.method === "HEAD") return null;
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== new URL(request.url).origin && !origins.includes(origin))
    return refusal(403, "ORIGIN_REFUSED", "This page may not send requests here.");
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return refusal(415, "CONTENT_TYPE", "Send JSON, with the content type application/json.");
  return null;
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
