// The HTTP interface of the page, over a hub of runs and the sessions on disk. Whatever server offers it can use the page.
//
//   GET    /api/about                            { title, model, place, suggestions }
//   GET    /api/sessions                         [{ id, title, updatedAt, state: "running" | "waiting" | "idle", runId }], newest first
//   POST   /api/sessions { input }               201 { sessionId, runId }: a new session begins with this message
//   GET    /api/sessions/:id                     { entries, subagents, questions, queued, runId }, see session-snapshot.ts
//   DELETE /api/sessions/:id                     204; a run under way is stopped first
//   POST   /api/sessions/:id/messages { input }  202 { runId, isSteering }: starts a run, or reaches the one under way
//   POST   /api/sessions/:id/answers { answers } 202 { runId }: goes on with answers to questions
//   POST   /api/sessions/:id/stop                202 { wasRunning }
//   GET    /api/sessions/:id/runs/:runId/events?after=…   server-sent events with the ids `runId:seq`, from the position on.
//                                                A position that is gone sends `reset`: read the session again.
//
// A POST may carry an Idempotency-Key: sent again, it gets the same response and has no second effect. A refusal is a JSON
// body { error: { code, message } } with the status that fits, always before a stream.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { AgentEngine, Answer, ContentPart, PermissionGate, RunResult, RunStatus, SessionStore } from "loopwright";
import { createRunHub, type RunHub, readAnswers, readPrompt, toErrorResponse, toResponse } from "loopwright/http";
import { findPending } from "loopwright/sessions";
import { entriesOf, isUnfinished, readSnapshot, SessionList } from "./session-snapshot.js";
import { SteeringBox } from "./steering-box.js";

type Input = string | readonly ContentPart[];

/** What the page shows before anything is said. */
export interface About {
  readonly title: string;
  readonly model: string;
  /** Where the agent works. */
  readonly place: string;
  readonly suggestions: readonly string[];
}

export interface ChatServerOptions {
  readonly engine: AgentEngine;
  readonly sessions: SessionStore;
  /** Told again, after a restart, which rules the answers in a session allow. */
  readonly gate: PermissionGate;
  readonly about: About;
  /** Where messages wait that a run under way has not read. */
  readonly steeringFile: string;
  /** Events kept of each run, for pages that come back. Default: 10,000. */
  readonly maxEvents?: number | undefined;
}

const MAX_KEYS = 1_000;

export class ChatServer {
  readonly #hub: RunHub;
  readonly #list: SessionList;
  readonly #steering: SteeringBox;
  /** The run under way in each session. */
  readonly #running = new Map<string, string>();
  /** What begins, answers and ends runs of a session happens one after the other. */
  readonly #order = new Map<string, Promise<unknown>>();
  /** Responses by idempotency key, oldest first. */
  readonly #given = new Map<string, Promise<Reply>>();

  constructor(private readonly options: ChatServerOptions) {
    this.#hub = createRunHub({ engine: options.engine, maxEvents: options.maxEvents });
    this.#list = new SessionList(options.sessions);
    this.#steering = new SteeringBox(options.steeringFile);
  }

  /** Goes on with the runs that an earlier process has left, and tells the gate what was allowed for good. */
  async restore(): Promise<void> {
    for await (const { id } of this.options.sessions.list()) {
      try {
        await this.#restore(id);
      } catch (error) {
        console.error(`Session ${id} was not restored:`, error);
      }
    }
  }

  async #restore(id: string): Promise<void> {
    const entries = await entriesOf(this.options.sessions, id);
    for (const entry of entries) {
      const remember = entry.type === "answer" && "decision" in entry.answer && entry.answer.remember;
      if (remember) await this.options.gate.remember?.(remember, { sessionId: id });
    }
    if (isUnfinished(entries)) await this.#answer(id, []);
    else await this.#deliver(id, entries.findLast((entry) => entry.type === "run-end")?.status);
  }

  /** The response to a request for `/api/…`. */
  async handle(request: Request): Promise<Response> {
    try {
      const { pathname, searchParams } = new URL(request.url);
      const names = namesIn(pathname);
      if (!names) return refusal(400, "BAD_REQUEST", "The path holds a % that no two hexadecimal digits follow.");
      const [, , collection, id, part, runId] = names;
      // A sub-agent's session is shown with the session it works for, and is not one to talk to.
      if (id?.startsWith("sub-")) return refusal(404, "NOT_FOUND", "This session does not exist.");
      const route = `${request.method} ${[collection, id && ":id", part, runId && ":run"].filter(Boolean).join("/")}`;
      if (route === "GET sessions/:id/runs/:run") {
        const from = request.headers.get("last-event-id") ?? searchParams.get("after") ?? undefined;
        return toResponse(this.#hub.subscribe(runId!, from, { sessionId: id! }));
      }
      const { status, body } = await this.#once(request, () => this.#reply(route, id ?? "", request));
      return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
    } catch (error) {
      return toErrorResponse(error);
    }
  }

  async #reply(route: string, id: string, request: Request): Promise<Reply> {
    const { sessions, about } = this.options;
    switch (route) {
      case "GET about":
        return { status: 200, body: about };
      case "GET sessions":
        return { status: 200, body: await this.#list.read((one) => this.#running.get(one) ?? null) };
      case "POST sessions": {
        const sessionId = randomUUID();
        const { runId } = await this.#say(sessionId, request);
        return { status: 201, body: { sessionId, runId } };
      }
      case "GET sessions/:id": {
        await this.#order.get(id)?.catch(() => {});
        const snapshot = await readSnapshot(sessions, id, this.#running.get(id) ?? null);
        if (!snapshot) return notFound("This session does not exist.");
        return { status: 200, body: { ...snapshot, queued: this.#steering.waiting(id, snapshot.entries) } };
      }
      case "DELETE sessions/:id":
        await this.#remove(id);
        return { status: 204 };
      case "POST sessions/:id/messages":
        return { status: 202, body: await this.#say(id, request) };
      case "POST sessions/:id/answers":
        return { status: 202, body: { runId: await this.#answer(id, await this.#checked(id, request)) } };
      case "POST sessions/:id/stop":
        return { status: 202, body: { wasRunning: await this.#stop(id) } };
      default:
        return notFound(`There is no ${route}.`);
    }
  }

  async #say(sessionId: string, request: Request): Promise<Said> {
    const { input } = await readPrompt(request);
    return this.#inOrder(sessionId, () => this.#send(sessionId, input));
  }

  /** A message starts a run, or reaches the model of the one under way at its next turn. */
  async #send(sessionId: string, input: Input): Promise<Said> {
    const running = this.#running.get(sessionId);
    if (running && typeof input === "string" && this.#hub.steer(running, input)) {
      this.#steering.add(sessionId, input);
      return { runId: running, isSteering: true };
    }
    // It is ending: the message begins the next run, or reaches the one that begins with what came before.
    if (running) await this.#hub.subscribe(running).result?.catch(() => {});
    const [first, ...more] = await this.#late(sessionId);
    if (first === undefined) return { runId: await this.#begin(sessionId, input), isSteering: false };
    await this.#begin(sessionId, first, more);
    return this.#send(sessionId, input);
  }

  /** Said to an earlier run, whose model never read it. */
  async #late(sessionId: string): Promise<readonly string[]> {
    return this.#steering.waiting(sessionId, await entriesOf(this.options.sessions, sessionId));
  }

  /** Resolves when the message is in the session. */
  async #begin(sessionId: string, input: Input, more: readonly string[] = []): Promise<string> {
    const run = this.#hub.start(input, { sessionId });
    this.#follow(sessionId, run);
    await run.started;
    for (const text of more) run.steer(text);
    // With the first turn it is in the session.
    for await (const { type } of run) if (type === "turn-start" || type === "run-end") break;
    return run.id;
  }

  #answer(sessionId: string, answers: readonly Answer[]): Promise<string> {
    return this.#inOrder(sessionId, async () => {
      const late = await this.#late(sessionId);
      const run = await this.#hub.answer(answers, { sessionId });
      this.#follow(sessionId, run);
      for (const text of late) run.steer(text);
      return run.id;
    });
  }

  #follow(sessionId: string, { id, result }: { readonly id: string; readonly result: Promise<RunResult> }): void {
    if (id === "") return; // It was refused.
    this.#running.set(sessionId, id);
    const ended = (end?: RunResult) =>
      this.#inOrder(sessionId, async () => {
        if (this.#running.get(sessionId) !== id) return;
        this.#running.delete(sessionId);
        await this.#deliver(sessionId, end?.status);
      });
    result.then(ended, () => ended()).catch((error) => console.error(`Session ${sessionId}:`, error));
  }

  /** What came too late for a run begins the next one. If the run was stopped, or asks something, it goes with what the user does. */
  async #deliver(sessionId: string, status: RunStatus | undefined): Promise<void> {
    const [first, ...more] = await this.#late(sessionId);
    if (first === undefined) this.#steering.clear(sessionId);
    else if (status === "completed") await this.#begin(sessionId, first, more);
  }

  async #inOrder<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#order.get(sessionId) ?? Promise.resolve()).then(work, work);
    this.#order.set(sessionId, mine);
    try {
      return await mine;
    } finally {
      if (this.#order.get(sessionId) === mine) this.#order.delete(sessionId);
    }
  }

  async #stop(sessionId: string): Promise<boolean> {
    const runId = this.#running.get(sessionId);
    if (!runId || !this.#hub.abort(runId, "the user stopped it")) return false;
    await this.#hub.subscribe(runId).result?.catch(() => {});
    return true;
  }

  /** A session, and those of its sub-agents. */
  async #remove(id: string): Promise<void> {
    const { sessions, engine } = this.options;
    await this.#stop(id);
    await engine.endSession(id);
    const { subagents } = (await readSnapshot(sessions, id, null)) ?? { subagents: [] };
    for (const one of [...subagents, { id }]) await sessions.delete(one.id);
    this.#steering.clear(id);
  }

  /** What a client says of itself does not count: who it is, and rules other than those the question suggests. */
  async #checked(sessionId: string, request: Request): Promise<Answer[]> {
    const asked = new Map((await findPending(this.options.sessions, sessionId)).map((one) => [one.id, one]));
    return (await readAnswers(request)).map((answer) => {
      if (!("decision" in answer)) return { ...answer, by: "the user" };
      const { remember, ...rest } = answer;
      const isSuggested = remember && isDeepStrictEqual(remember, asked.get(answer.id)?.suggestions);
      return { ...rest, by: "the user", ...(isSuggested && { remember }) };
    });
  }

  async #once(request: Request, reply: () => Promise<Reply>): Promise<Reply> {
    const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
    if (!key) return reply();
    const given = this.#given.get(key) ?? reply();
    this.#given.set(key, given);
    given.catch(() => this.#given.delete(key));
    const [oldest] = this.#given.keys();
    if (this.#given.size > MAX_KEYS && oldest !== undefined) this.#given.delete(oldest);
    return given;
  }
}

interface Said {
  readonly runId: string;
  readonly isSteering: boolean;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** The decoded names of a path; `undefined` when one of them cannot be decoded. */
function namesIn(pathname: string): readonly string[] | undefined {
  try {
    return pathname.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

function notFound(message: string): Reply {
  return { status: 404, body: { error: { code: "NOT_FOUND", message } } };
}
