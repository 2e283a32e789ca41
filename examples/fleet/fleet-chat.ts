// The HTTP interface of the page in examples/web-chat, over a fleet: this process runs nothing, and may be any of many.
import { randomUUID } from "node:crypto";
import type { SessionStore } from "loopwright";
import type { Fleet, FleetRun } from "loopwright/fleet";
import { readAnswers, readPrompt, toErrorResponse, toResponse } from "loopwright/http";
import { readSnapshot, SessionList } from "../web-chat/session-snapshot.js";

const ABOUT = {
  title: "Loopwright fleet",
  model: "a script",
  place: "workers",
  suggestions: ["My lamp came broken. Please check my orders."],
};

export class FleetChat {
  readonly #list: SessionList;

  constructor(
    private readonly fleet: Fleet,
    private readonly sessions: SessionStore,
  ) {
    this.#list = new SessionList(sessions);
  }

  /** The response to a request for `/api/…`, as examples/web-chat/chat-server.ts documents it. */
  async handle(request: Request): Promise<Response> {
    try {
      const { pathname, searchParams } = new URL(request.url);
      const [, , collection, id = "", part, runId = ""] = pathname.split("/").map(decodeURIComponent);
      const route = `${request.method} ${[collection, id && ":id", part, runId && ":run"].filter(Boolean).join("/")}`;
      if (route === "GET sessions/:id/runs/:run") {
        return this.#events(runId, request.headers.get("last-event-id") ?? searchParams.get("after") ?? "");
      }
      return await this.#reply(route, id, request);
    } catch (error) {
      return toErrorResponse(error);
    }
  }

  async #reply(route: string, id: string, request: Request): Promise<Response> {
    switch (route) {
      case "GET about":
        return Response.json(ABOUT);
      case "GET sessions": {
        const running = new Map<string, string>();
        for (const status of ["queued", "running"] as const) {
          for (const run of await this.fleet.list({ status })) running.set(run.sessionId, run.id);
        }
        return Response.json(await this.#list.read((one) => running.get(one) ?? null));
      }
      case "POST sessions": {
        const sessionId = randomUUID();
        const run = await this.#say(sessionId, request);
        return Response.json({ sessionId, runId: run.id }, { status: 201 });
      }
      case "GET sessions/:id": {
        const snapshot = await readSnapshot(this.sessions, id, (await this.#openRun(id)) ?? null);
        return snapshot ? Response.json(snapshot) : new Response(null, { status: 404 });
      }
      case "POST sessions/:id/messages":
        return Response.json({ runId: (await this.#say(id, request)).id, isSteering: false }, { status: 202 });
      case "POST sessions/:id/answers": {
        const [answer] = await readAnswers(request);
        const run = await this.fleet.answer({ ...answer!, by: "the user" });
        // What follows the answer, and not again what led to it.
        return Response.json({ runId: `${run.id}~${(await run.info()).lastSeq}` }, { status: 202 });
      }
      case "POST sessions/:id/stop": {
        const runId = await this.#openRun(id);
        return Response.json({ wasRunning: runId !== undefined && (await this.fleet.cancel(runId)) }, { status: 202 });
      }
      case "DELETE sessions/:id":
        await this.sessions.delete(id);
        return new Response(null, { status: 204 });
      default:
        return new Response(null, { status: 404 });
    }
  }

  /** The same request, sent again after a lost connection, starts the run once. */
  async #say(sessionId: string, request: Request): Promise<FleetRun> {
    const key = request.headers.get("idempotency-key") ?? undefined;
    const { input } = await readPrompt(request);
    return this.fleet.start(input, { sessionId, key });
  }

  async #openRun(sessionId: string): Promise<string | undefined> {
    const runs = await this.fleet.list({ sessionId, limit: 5 });
    return runs.find(({ status }) => status === "queued" || status === "running")?.id;
  }

  /** From the position on, until the run stands still. */
  #events(runId: string, after: string): Response {
    const [id = "", from = "0"] = runId.split("~");
    const events = this.fleet.events(id, { from: Number(/:(\d+)$/.exec(after)?.[1] ?? from) });
    async function* untilItStands() {
      for await (const event of events) {
        yield event;
        if (event.type === "run-end" && event.agentPath.length === 0) return;
      }
    }
    return toResponse({ id: runId, isShared: true, [Symbol.asyncIterator]: untilItStands });
  }
}
