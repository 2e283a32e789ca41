// What the page of examples/web-chat asks for, over a fleet: this process runs nothing, and may be any of many. Its chats only go on at
// their end: there are no versions, names and shares.
import type { SessionEntry, SessionStore } from "loopwright";
import type { Fleet, FleetRun } from "loopwright/fleet";
import { readAnswers, readPrompt, toErrorResponse, toResponse, toUiMessages } from "loopwright/http";

/** An example for one person: put your sign-in here, and a tenant for each of your customers. */
const USER = { id: "you" };

export class FleetChat {
  constructor(
    private readonly fleet: Fleet,
    private readonly sessions: SessionStore,
  ) {}

  /** `null` for what is none of the chat's paths. */
  async handle(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    const [, root, name = "", part] = pathname.split("/");
    if (root !== "chat" && root !== "me") return null;
    try {
      const route = `${request.method} ${[root, name && ":id", part].filter(Boolean).join("/")}`;
      return await this.#reply(route, decodeURIComponent(name), request);
    } catch (error) {
      return toErrorResponse(error);
    }
  }

  async #reply(route: string, id: string, request: Request): Promise<Response> {
    switch (route) {
      case "GET me":
        return Response.json(USER);
      case "GET chat":
        return Response.json({ sessions: await this.#chats(), before: null });
      case "GET chat/:id":
        return Response.json({ messages: await this.#messages(id), before: null });
      case "GET chat/:id/branches":
        return Response.json({ branches: [] });
      case "GET chat/:id/stream": {
        const run = await this.#openRun(id);
        return run ? this.#stream(run, await this.#standAt(run)) : new Response(null, { status: 204 });
      }
      case "POST chat": {
        const { sessionId, input } = await readPrompt(request);
        return this.#stream(await this.fleet.start(input, { sessionId }), 0);
      }
      case "POST chat/:id/answer": {
        const [answer] = await readAnswers(request);
        const run = await this.fleet.answer({ ...answer!, by: USER.id });
        // What follows the answer, and not again what led to it.
        return this.#stream(run, (await run.info()).lastSeq);
      }
      case "POST chat/:id/stop":
        return Response.json({ stopped: (await (await this.#openRun(id))?.cancel()) ?? false });
      default:
        return Response.json({ error: { code: "NOT_FOUND", message: "This chat cannot do that." } }, { status: 404 });
    }
  }

  async #chats(): Promise<object[]> {
    const chats = new Map<string, object>();
    for (const { sessionId: id, status } of await this.fleet.list()) {
      if (chats.has(id)) continue;
      const { messages } = await toUiMessages(this.sessions.read(id));
      const title = messages[0]?.parts.map((part) => (part.type === "text" ? part.text : "")).join(" ");
      chats.set(id, { id, title: title?.slice(0, 80) ?? "", isRunning: status === "queued" || status === "running" });
    }
    return [...chats.values()];
  }

  /** Without what the stream of a run under way brings. */
  async #messages(id: string): Promise<readonly object[]> {
    const entries: SessionEntry[] = [];
    for await (const entry of this.sessions.read(id)) entries.push(entry);
    const begun = entries.findLast(({ type }) => type === "run-start" || type === "run-end");
    const withoutRun = begun?.type === "run-start" ? begun.runId : undefined;
    return (await toUiMessages(entries, { sessions: this.sessions, withoutRun })).messages;
  }

  async #openRun(sessionId: string): Promise<FleetRun | undefined> {
    const runs = await this.fleet.list({ sessionId, limit: 5 });
    const open = runs.find(({ status }) => status === "queued" || status === "running");
    return open && this.fleet.find(open.id);
  }

  /** Where the run stood last, and somebody has answered: what came before is in the session. */
  async #standAt({ id, info }: FleetRun): Promise<number> {
    const { lastSeq } = await info();
    let at = 0;
    if (lastSeq === 0) return at;
    for await (const event of this.fleet.events(id)) {
      if (event.type === "run-end" && event.agentPath.length === 0) at = event.seq;
      if (event.seq >= lastSeq) break;
    }
    return at;
  }

  /** From the event on, until the run stands still. */
  #stream({ id, sessionId }: FleetRun, from: number): Response {
    const events = this.fleet.events(id, { from });
    async function* untilItStands() {
      for await (const event of events) {
        yield event;
        if (event.type === "run-end" && event.agentPath.length === 0) return;
      }
    }
    const source = { id, sessionId, isShared: true, [Symbol.asyncIterator]: untilItStands };
    return toResponse(source, { format: "ui-messages" });
  }
}
