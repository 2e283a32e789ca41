// What a session looks like: blocks in order, sub-agents inside the call they work for. It is built from the session's
// entries, and from the events of the run under way, which may tell again what entries have told: a message that is
// committed is not written twice, and a call is known by its id. So a page may go on from either, at any moment.

import { AgentModel } from "./agent-model.js";

/** What is shown of a command's output while it runs. */
const MAX_LIVE_CHARS = 20_000;
/** Notices about what the page shows anyway; what came too late for a run begins the next one. */
const QUIET = new Set(["BUDGET_NEAR", "MESSAGE_UNDELIVERED"]);

export class SessionModel {
  constructor() {
    this.reset();
  }

  reset() {
    this.root = new AgentModel("", "");
    /** Sub-agents by the id of their session, and by the ids of their runs. */
    this.agents = new Map();
    this.byRun = new Map();
    /** What waits for an answer, by id. */
    this.questions = new Map();
    this.todos = [];
    this.runId = null;
    /** "idle", "running", or how the last run ended. */
    this.status = "idle";
    /** Tokens by run, those of its sub-agents included. */
    this.used = new Map();
  }

  /** Tokens of the whole session. */
  get tokens() {
    return [...this.used.values()].reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  }

  /** Begins again with everything the server has. */
  load({ entries, subagents, questions, queued = [], runId }) {
    this.reset();
    for (const entry of entries) this.#entry(this.root, entry);
    for (const { id, name, toolCallId, entries: own } of subagents) {
      const agent = this.#subagent(id, name, toolCallId);
      for (const entry of own) this.#entry(agent, entry);
    }
    for (const question of questions) this.#ask(question);
    if (runId !== null) this.begin(runId);
    for (const text of queued) this.say(text, true);
  }

  /** Whether something was said that no model has read. */
  get hasQueued() {
    return this.root.blocks.some(({ isQueued }) => isQueued);
  }

  /** A run is under way: its events will follow. */
  begin(runId) {
    this.runId = runId;
    this.status = "running";
  }

  /** What the user has just said, before the server tells. */
  say(text, isSteering) {
    return this.root.add({ kind: "user", text, origin: isSteering ? "steering" : "user", isQueued: isSteering });
  }

  /** One event of the run. */
  event(event) {
    const { type } = event;
    const agent = this.#agentOf(event);
    const key = `${event.runId}:${event.turn}`;
    switch (type) {
      case "run-start":
        agent.status = "running";
        if (agent === this.root) {
          this.begin(event.runId);
          this.used.delete(event.runId); // Its model calls are counted as their events come.
        }
        this.#touch(agent);
        break;
      case "turn-start":
        agent.fresh = [];
        for (const block of agent.blocks)
          if (block.isQueued) Object.assign(block, { isQueued: false, version: block.version + 1 });
        break;
      case "text-delta":
        agent.write("text", event.text, key);
        break;
      case "reasoning-delta":
        agent.write("reasoning", event.text, key);
        break;
      case "media":
        agent.show(event.part, key);
        break;
      case "tool-input-delta": {
        if (agent.committed.has(key)) break;
        const block = agent.call(event.toolCallId, event.tool, undefined);
        if (block.input === undefined) block.inputText += event.json;
        if (!agent.fresh.includes(block)) agent.fresh.push(block);
        block.version++;
        break;
      }
      case "model-restart":
        agent.restart(key);
        break;
      case "tool-call-start":
        this.#start(agent, event.call);
        break;
      case "tool-progress":
        this.#progress(agent, event);
        break;
      case "tool-call-end":
        this.#result(agent, event.result);
        break;
      case "approval-requested":
        this.#ask(event.request, agent);
        break;
      case "approval-answered":
        this.#answered(event.answer);
        break;
      case "notice":
        if (!QUIET.has(event.code)) agent.add({ kind: "notice", text: event.message });
        break;
      case "model-call-end":
        this.#count(event.usage);
        break;
      case "run-end":
        this.#end(agent, event.status, event.error);
        break;
    }
  }

  /** A model call of any agent counts for the run under way. */
  #count({ inputTokens, outputTokens }) {
    const before = this.used.get(this.runId) ?? { inputTokens: 0, outputTokens: 0 };
    this.used.set(this.runId, {
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
    });
  }

  #entry(agent, entry) {
    const key = `${entry.runId}:${entry.turn}`;
    switch (entry.type) {
      case "run-start":
        agent.status = "running";
        break;
      case "message":
        this.#message(agent, entry.message, key);
        break;
      case "tool-result":
        this.#result(agent, entry.result);
        break;
      case "answer":
        this.#answered(entry.answer);
        break;
      case "pending":
        // Whether it still waits is in the snapshot; here it says which call was asked about.
        if (!entry.via) Object.assign(agent.calls.get(entry.request.toolCallId) ?? {}, { request: entry.request });
        break;
      case "run-end":
        if (agent === this.root) this.used.set(entry.runId, entry.usage);
        this.#end(agent, entry.status);
        break;
    }
  }

  #message(agent, message, key) {
    if (message.role === "user") {
      const { origin = "user" } = message;
      const text = message.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
      const isPrompt = agent !== this.root && agent.blocks.length === 0;
      if (isPrompt) agent.prompt = text;
      else if (origin === "user" || origin === "steering") agent.add({ kind: "user", text, origin });
      return;
    }
    agent.committed.add(key);
    for (const part of message.content) {
      if (part.type === "tool-call") this.#start(agent, part);
      else if (part.type === "image" || part.type === "file") agent.add({ kind: "media", part, key });
      else if (part.text.trim() !== "") agent.add({ kind: part.type, text: part.text, key });
    }
  }

  #start(agent, { id, name, arguments: input, malformed }) {
    const block = agent.call(id, name, input);
    Object.assign(block, { input, name, malformed });
    if (block.state === "writing") block.state = "running";
    block.version++;
  }

  #progress(agent, { toolCallId, update }) {
    const block = agent.calls.get(toolCallId);
    if (!block || block.state === "done") return;
    if (typeof update?.output === "string") block.live = ((block.live ?? "") + update.output).slice(-MAX_LIVE_CHARS);
    block.version++;
    if (agent === this.root && Array.isArray(update?.todos)) this.todos = update.todos;
  }

  #result(agent, result) {
    const block = agent.call(result.toolCallId, result.name, {});
    if (block.result) return;
    Object.assign(block, { result, state: "done" });
    block.version++;
    if (agent === this.root && Array.isArray(result.details?.todos)) this.todos = result.details.todos;
  }

  #ask(request, agent = this.#findCall(request)) {
    this.questions.set(request.id, request);
    const block = agent?.calls.get(request.toolCallId);
    if (!block || block.state === "done") return;
    Object.assign(block, { state: "asking", request });
    block.version++;
    this.#touch(agent);
  }

  #answered(answer) {
    this.questions.delete(answer.id);
    for (const agent of [this.root, ...this.agents.values()]) {
      for (const block of agent.calls.values()) {
        if (block.request?.id !== answer.id) continue;
        if (block.state === "asking") block.state = "running";
        Object.assign(block, { answer, version: block.version + 1 });
        this.#touch(agent);
      }
    }
  }

  #end(agent, status, error) {
    agent.status = status;
    // What had begun and never came to an end.
    for (const block of agent.blocks) {
      if (block.kind === "tool" && block.state === "writing")
        Object.assign(block, { state: "void", version: block.version + 1 });
    }
    this.#touch(agent);
    if (agent !== this.root) return;
    this.status = status;
    this.runId = null;
    if (status !== "completed" && status !== "needs-approval")
      agent.add({ kind: "end", status, message: error?.message });
  }

  #agentOf({ runId, agentPath, subagent }) {
    if (agentPath.length === 0) return this.root;
    const known = this.byRun.get(runId);
    if (known) return known;
    const agent = this.#subagent(subagent?.id ?? runId, agentPath.at(-1), subagent?.toolCallId);
    this.byRun.set(runId, agent);
    return agent;
  }

  #subagent(id, name, toolCallId) {
    const known = this.agents.get(id);
    if (known) return known;
    const agent = new AgentModel(id, name);
    this.agents.set(id, agent);
    const isTask = (block) => block.kind === "tool" && block.name === "task" && block.state !== "done";
    const call = this.root.calls.get(toolCallId) ?? this.root.blocks.findLast(isTask);
    agent.parentCall = call;
    if (call) {
      call.agents.push(agent);
      call.version++;
    }
    return agent;
  }

  #findCall({ agentPath, toolCallId }) {
    if (agentPath.length === 0) return this.root;
    return [...this.agents.values()].find(({ name, calls }) => name === agentPath.at(-1) && calls.has(toolCallId));
  }

  /** What shows the agent has to look again. */
  #touch(agent) {
    if (agent?.parentCall) agent.parentCall.version++;
  }
}
