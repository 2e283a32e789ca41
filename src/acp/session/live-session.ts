/*
 * One session of an editor, and its prompts. A prompt is a run; each question that suspends it is put to the user, and the run goes on
 * with the answers, until it ends. There is no loop of its own: the engine runs, records and decides.
 *
 * A question that the editor cannot put stays in the session, and the user's next message is its answer.
 */
import type { PromptResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { RunResult } from "../../contracts/run.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { AgentRun } from "../../engine/agent-run.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import type { AgentEngine } from "../../engine/engine.js";
import type { EngineParts } from "../../engine/engine-parts.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { withToolCalls } from "../../engine/transcript/stored-calls.js";
import { Transcript, waitingQuestions } from "../../engine/transcript/transcript.js";
import type { ClientSide } from "../client-side.js";
import { plainTextOf } from "../prompt-content.js";
import { describeStop, stopReasonOf } from "../stop-reason.js";
import { replay } from "../updates/replay.js";
import { SessionView } from "../updates/session-view.js";
import { askClient, askInWords } from "./ask-client.js";
import { type AcpCommand, COMPACT, describeCommand, expandCommand, splitCommand } from "./commands.js";
import { SessionMode } from "./modes.js";
import { modeIn, recordMode, recordPlace, titleOfPrompt } from "./session-record.js";

export interface LiveSessionOptions {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly client: ClientSide;
  readonly commands: readonly AcpCommand[];
  readonly models: Readonly<Record<string, ProviderAdapter>>;
  readonly mode: PermissionMode | undefined;
}

/** An engine that serves a session, and what ends what was made for it. */
export interface Served {
  readonly engine: AgentEngine;
  readonly parts: EngineParts;
  close(): Promise<void>;
}

export class LiveSession {
  readonly view: SessionView;
  readonly mode: SessionMode;
  model: string;
  /** Reads what a file holds that is about to be replaced; known once an engine's workspace is. */
  textOf: (path: string) => Promise<string | null> = async () => null;
  #served: Served | undefined;
  #prompt: { readonly controller: AbortController; run: AgentRun | undefined } | undefined;
  /** Questions that wait for the user's next message. */
  #waiting: readonly PendingRequest[] = [];
  #isRecorded = false;
  #notedMode: unknown = "default";

  constructor(readonly options: LiveSessionOptions) {
    const { id, cwd, client, models } = options;
    this.mode = new SessionMode(id);
    this.model = Object.keys(models)[0] ?? "";
    this.view = new SessionView({
      cwd,
      contextWindow: () => (models[this.model] ?? this.#served?.parts.config.provider)?.contextWindow,
      textOf: (path) => this.textOf(path),
      showsNotices: client.capabilities.session?.notices != null,
      showsCompaction: client.capabilities.session?.compaction != null,
    });
  }

  /** Gives the session its engine. */
  async serve(served: Served): Promise<void> {
    this.#served = served;
    await this.mode.begin(served.parts.config, this.options.mode);
  }

  get #engine(): Served {
    return this.#served!;
  }

  /** Commands first, so that an editor can complete them as soon as the session is there. */
  announce(): Promise<void> {
    const { commands, client } = this.options;
    const all = [...(this.#engine.parts.config.compaction ? [COMPACT] : []), ...commands];
    if (all.length === 0) return Promise.resolve();
    return client.update({
      sessionUpdate: "available_commands_update",
      availableCommands: all.map(describeCommand),
    });
  }

  /** The entries of the session's current branch; empty for a session that does not exist. */
  async entries(): Promise<readonly SessionEntry[]> {
    const entries: SessionEntry[] = [];
    for await (const entry of this.#engine.parts.config.store.read(this.options.id)) entries.push(entry);
    return branchOf(entries);
  }

  /** Takes up a recorded session in its mode, if it is one of these; `isShown` sends what was said in it. `false`: there is not one. */
  async takeUp(isShown: boolean, modes: readonly PermissionMode[]): Promise<boolean> {
    const entries = await this.entries();
    if (entries.length === 0) return false;
    this.#isRecorded = true;
    this.#notedMode = modeIn(entries) ?? "default";
    const mode = modes.find((each) => each === this.#notedMode);
    // As with a resume: where answers are signed, a session does not widen what runs without a question.
    const isLax = mode === "acceptEdits" && this.#engine.parts.config.approvals.key !== undefined;
    if (mode !== undefined && mode !== "bypassPermissions" && modeIn(entries) && !isLax) await this.mode.set(mode);
    const transcript = new Transcript();
    for (const entry of entries) transcript.apply(entry);
    this.#waiting = waitingQuestions(transcript);
    if (!isShown) return true;
    const stored = await withToolCalls(entries, this.#engine.parts.config.store, this.options.id);
    for (const update of replay(stored, this.options.cwd)) await this.options.client.update(update);
    for (const request of this.#waiting) await this.#say(askInWords(request));
    return true;
  }

  get isBusy(): boolean {
    return this.#prompt !== undefined;
  }

  async prompt(content: readonly ContentPart[], signal: AbortSignal): Promise<PromptResponse> {
    const controller = new AbortController();
    const prompt = { controller, run: undefined as AgentRun | undefined };
    this.#prompt = prompt;
    const onAbort = () => this.cancel();
    signal.addEventListener("abort", onAbort);
    try {
      if (signal.aborted) return { stopReason: "cancelled" };
      return await this.#runPrompt(content, controller.signal);
    } finally {
      if (this.mode.current !== this.#notedMode) await prompt.run?.idle.then(() => this.noteMode()).catch(() => {});
      signal.removeEventListener("abort", onAbort);
      this.#prompt = undefined;
      if (this.#waiting.length === 0) for (const update of this.view.close()) await this.#update(update);
    }
  }

  /** Notes in the session the mode that it has now. One without a prompt, or in the middle of a run, is noted later. */
  async noteMode(): Promise<void> {
    const { current } = this.mode;
    if (!this.#isRecorded || current === this.#notedMode) return;
    const { store, runtime } = this.#engine.parts.config;
    await recordMode(store, this.options.id, current, runtime);
    this.#notedMode = current;
  }

  cancel(): void {
    this.#prompt?.controller.abort();
    this.#prompt?.run?.abort("the user cancelled the prompt");
  }

  async #runPrompt(content: readonly ContentPart[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.#engine.parts.config.compaction && splitCommand(content)?.name === COMPACT.name) {
      return this.#compact(splitCommand(content)!.input);
    }
    let run = await this.#start(content);
    for (;;) {
      this.#prompt!.run = run;
      if (signal.aborted) run.abort("the user cancelled the prompt");
      const asked = await this.#follow(run, signal);
      const result = await run.result;
      if (signal.aborted) return { stopReason: "cancelled" };
      if (result.status !== "needs-approval") return this.#end(result);
      const answers = await this.#answersTo(result.pending, asked, signal);
      // An editor that cancels answers its open questions as cancelled; both may be in one packet, in any order.
      if (answers.length === 0) await nextTask();
      if (signal.aborted) return { stopReason: "cancelled" };
      if (answers.length === 0) return this.#wait(result.pending);
      run = this.#engine.engine.resume(this.options.id, { ...this.#runOptions(), answers });
    }
  }

  async #start(content: readonly ContentPart[]): Promise<AgentRun> {
    const { id, client, commands } = this.options;
    const { engine, parts } = this.#engine;
    const text = plainTextOf(content);
    const [question] = this.#waiting;
    const isAnswer = this.#waiting.length === 1 && question?.kind === "question" && text !== null;
    this.#waiting = [];
    await this.noteMode();
    if (isAnswer) {
      const answers = [{ id: question.id, by: "editor", value: text }];
      return engine.resume(id, { ...this.#runOptions(), answers });
    }
    if (!this.#isRecorded) {
      this.#isRecorded = true;
      await recordPlace(parts.config.store, id, this.options, parts.config.runtime);
      const title = titleOfPrompt(text ?? "");
      await client.update({ sessionUpdate: "session_info_update", title, updatedAt: new Date().toISOString() });
    }
    await this.noteMode();
    return engine.stream(expandCommand(content, commands), { ...this.#runOptions(), sessionId: id });
  }

  #runOptions() {
    const provider = this.options.models[this.model];
    const mode = this.mode.ofNextRun;
    return { ...(provider && { provider }), ...(mode && { mode }) };
  }

  /** Shows a run, and asks what it asks while it goes on. Returns the answers that are on their way, by question. */
  async #follow(run: AgentRun, signal: AbortSignal): Promise<Map<string, Promise<Answer | null>>> {
    const asked = new Map<string, Promise<Answer | null>>();
    const asksItself = this.#engine.parts.config.approver !== undefined;
    for await (const event of run) {
      for (const update of await this.view.updatesOf(event)) await this.#update(update);
      if (event.type === "approval-requested" && !asksItself && !asked.has(event.request.id)) {
        asked.set(event.request.id, this.#ask(event.request, signal));
      }
      const mode = event.type === "approval-answered" ? this.mode.follow(event.answer) : undefined;
      if (mode) await this.#update({ sessionUpdate: "current_mode_update", currentModeId: mode });
    }
    return asked;
  }

  async #answersTo(
    pending: readonly PendingRequest[],
    asked: ReadonlyMap<string, Promise<Answer | null>>,
    signal: AbortSignal,
  ): Promise<Answer[]> {
    const answers = await Promise.all(pending.map((each) => asked.get(each.id) ?? this.#ask(each, signal)));
    return answers.filter((answer) => answer !== null);
  }

  /** `null`: nobody has answered. */
  async #ask(request: PendingRequest, signal: AbortSignal): Promise<Answer | null> {
    const { client, cwd } = this.options;
    try {
      return await askClient(request, { client, view: this.view, cwd, signal });
    } catch {
      return null; // The prompt was cancelled, or the connection is lost: the question stays in the session.
    }
  }

  /** The approver of an engine made for this session. */
  readonly approver: Approver = async (request, { signal }) => {
    const { client, cwd } = this.options;
    const answer = await askClient(request, { client, view: this.view, cwd, signal });
    if (answer) return answer;
    const cannotAsk = request.kind !== "approval" && !client.editor.showsForms;
    const reason = cannotAsk
      ? "This editor cannot ask for text while a task runs. Ask in your reply instead, and end your turn."
      : "The user did not answer.";
    return { decision: "deny", reason };
  };

  /** The turn ends with a question; what the user writes next is its answer. */
  async #wait(pending: readonly PendingRequest[]): Promise<PromptResponse> {
    this.#waiting = pending;
    for (const request of pending) await this.#say(askInWords(request));
    return { stopReason: "end_turn" };
  }

  async #end(result: RunResult): Promise<PromptResponse> {
    if (result.status === "failed" || result.status === "output-invalid") throw result.error;
    const why = describeStop(result);
    if (why !== undefined) await this.#say(why);
    const { inputTokens, outputTokens } = result.usage;
    const _meta = { loopwright: { status: result.status, inputTokens, outputTokens, costUsd: result.costUsd } };
    return { stopReason: stopReasonOf(result), _meta };
  }

  async #compact(focus: string): Promise<PromptResponse> {
    const reports = await this.#engine.engine.compact(this.options.id, focus === "" ? undefined : focus);
    const [first] = reports;
    const last = reports.at(-1);
    await this.#say(
      first && last
        ? `Compacted: ${first.beforeTokens} tokens before, ${last.afterTokens} now.`
        : "There is nothing to compact yet.",
    );
    return { stopReason: "end_turn" };
  }

  #say(text: string): Promise<void> {
    return this.#update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  #update(update: SessionUpdate): Promise<void> {
    return this.options.client.update(update);
  }

  /** Ends what runs, and what was made for this session. */
  async close(): Promise<void> {
    this.cancel();
    await this.#prompt?.run?.idle;
    await this.#served?.engine.endSession(this.options.id).catch(() => {});
    await this.#served?.close();
  }
}

/** Resolves once what has arrived by now was dispatched. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
