// One session at a time and the run that uses it: what is sent, how it is interrupted, what it has cost. Nothing here draws;
// whoever shows the conversation listens. Invariant: at most one run is under way, and `idle` tells when it is really over.
import type { EngineEvent } from "../../../contracts/event.js";
import type { PermissionMode, PermissionUpdate } from "../../../contracts/permission.js";
import type { ProviderAdapter } from "../../../contracts/provider.js";
import type { Usage } from "../../../contracts/usage.js";
import type { AgentRun } from "../../../engine/agent-run.js";
import { limitsWithin, type SessionBudget } from "../../sessions/session-budget.js";
import type { TerminalAgent } from "../terminal-agent.js";
import { LentRules } from "./lent-rules.js";
import { createPlanTool, PLAN_NOTE } from "./plan-tool.js";
import { branchOfRepository } from "./repository-branch.js";
import type { SessionListener } from "./session-listener.js";
import { NEW_SESSION, type SessionSpend } from "./session-spend.js";
import type { PromptExtras, SessionStart } from "./session-start.js";

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };

/** The newest ones count: a session remembers at most 500 rules, and new ones need room. */
const MAX_SAVED_RULES = 400;

export class TerminalSession {
  #sessionId: string;
  #mode: PermissionMode;
  #keptMode: PermissionMode | undefined;
  #provider: ProviderAdapter;
  #run: AgentRun | undefined;
  #over: Promise<void> = Promise.resolve();
  #queued: string[] = [];
  #spent = NEW_SESSION;
  #current: { readonly usage: Usage; readonly costUsd: number | null } = { usage: NOTHING, costUsd: 0 };
  #contextTokens: number | null = null;
  #branch: string | undefined;
  /** The budget of the session while it is open. */
  budget: SessionBudget;
  readonly #lent = new LentRules(
    (updates) => this.#remember(updates),
    (rule) => this.granted.includes(rule) || this.saved.includes(rule),
  );
  /** The rules that the person has allowed in this session, for /permissions. */
  readonly granted: string[] = [];
  /** The rules that they have allowed in every session. */
  readonly saved: string[];
  readonly #planTool = createPlanTool(() => this.#mode);

  constructor(
    private readonly agent: TerminalAgent,
    private readonly start: SessionStart,
    private readonly listener: SessionListener,
  ) {
    this.#provider = start.provider;
    this.#sessionId = start.sessionId;
    this.budget = start.budget ?? {};
    this.#mode = start.mode ?? agent.settings?.mode ?? "default";
    this.saved = (start.savedRules ?? []).slice(-MAX_SAVED_RULES);
    this.#rememberAll();
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  get provider(): ProviderAdapter {
    return this.#provider;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** The prompts that wait for the model, oldest first. */
  get queued(): readonly string[] {
    return this.#queued;
  }

  /** Settles when nothing of the last run is left. Never rejects. */
  get idle(): Promise<void> {
    return this.#over;
  }

  /** The spend of all runs of the session, those before this program's included. */
  get spent(): SessionSpend {
    const { usage, costUsd } = this.#current;
    const { inputTokens, outputTokens, costUsd: before, runs } = this.#spent;
    return {
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
      costUsd: before === null || costUsd === null ? null : before + costUsd,
      runs: runs + (this.#run ? 1 : 0),
    };
  }

  /** Used part of the model's context window, 0 to 1; `null` when it is not known. */
  get contextShare(): number | null {
    const { contextWindow } = this.#provider;
    if (this.#contextTokens === null || !contextWindow) return null;
    return Math.min(1, this.#contextTokens / contextWindow);
  }

  /** The branch that the workspace's repository is on, or the beginning of a commit's id. */
  get branch(): string | undefined {
    return this.#branch;
  }

  /**
   * Sends a prompt: to the run under way, or as a new one, in which calls that `allow` matches are not asked about. Images go
   * with a new one only. `refused`: the session's budget is used up, and the listener was told.
   */
  send(text: string, { allow = [], images = [] }: PromptExtras = {}): "queued" | "started" | "refused" {
    if (this.#run) {
      // A run that has just said its last word does not take it: then it is sent when the run is over.
      this.#run.steer(text);
      this.#queued.push(text);
      this.listener.onChange();
      return "queued";
    }
    const notes = this.#mode === "plan" ? [{ type: "text", text: PLAN_NOTE } as const] : [];
    const content = [{ type: "text", text } as const, ...images, ...notes];
    this.#lent.lend(allow);
    const begin = () => this.agent.engine.stream(content, this.#runOptions());
    return this.#start(begin, [text]) ? "started" : "refused";
  }

  /** Takes back the newest prompt that the model was not sent yet, to be changed. `undefined`: there is not one. */
  takeBack(): string | undefined {
    const text = this.#queued.at(-1);
    if (text === undefined || !this.#run?.takeBack(text)) return undefined;
    this.#queued = this.#queued.slice(0, -1);
    this.listener.onChange();
    return text;
  }

  /** Goes on where the session was left: unanswered questions are put again, open calls are run. */
  resume(): void {
    this.#start(() => {
      const { sessionId, ...options } = this.#runOptions();
      return this.agent.engine.resume(sessionId, options);
    });
  }

  /** Ends the run under way. Everything up to now is kept in the session. */
  interrupt(): void {
    this.#run?.abort("the user interrupted it");
  }

  setMode(mode: PermissionMode): void {
    this.#mode = mode;
    this.#keepMode();
    this.#remember([{ type: "setMode", mode, destination: "session" }]);
    this.listener.onChange();
  }

  setProvider(provider: ProviderAdapter): void {
    this.#provider = provider;
    this.#contextTokens = null;
    void this.measure();
    this.listener.onChange();
  }

  /** Follows what an answer has changed, so that the screen says it. */
  noticeGrants(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === "setMode") this.#mode = update.mode;
      if (update.type === "addRules") {
        this.granted.push(...update.rules.filter((rule) => !this.granted.includes(rule)));
      }
    }
    this.#keepMode();
    this.listener.onChange();
  }

  /** Rules that were allowed for good: they count in the sessions to come, too. */
  noticeSaved(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === "addRules") this.saved.push(...update.rules.filter((rule) => !this.saved.includes(rule)));
    }
  }

  /** Takes a rule back that was allowed in this session or for good. */
  revoke(rule: string): void {
    this.#remember([{ type: "removeRules", behavior: "allow", rules: [rule], destination: "session" }]);
    for (const rules of [this.granted, this.saved]) {
      const at = rules.indexOf(rule);
      if (at >= 0) rules.splice(at, 1);
    }
  }

  /** Turns to another session, in which so much was spent before, and to its mode. To be called when no run is under way. */
  switchTo(sessionId: string, spent: SessionSpend, mode?: PermissionMode): void {
    this.#spent = spent;
    if (sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      this.#keptMode = undefined;
      this.#contextTokens = null;
      this.granted.length = 0;
      this.#rememberAll();
    }
    if (mode !== undefined) this.setMode(mode);
    void this.measure();
    this.listener.onChange();
  }

  /** Finds out how full the context is and which branch is checked out. What cannot be found out stays unknown. */
  async measure(): Promise<void> {
    try {
      this.#contextTokens = (await this.agent.engine.contextUsage(this.#sessionId)).used;
    } catch {
      // A session without entries, or an agent without compaction: there is nothing to show.
    }
    this.#branch = await branchOfRepository(this.agent.workspace);
    this.listener.onChange();
  }

  #runOptions() {
    const limits = limitsWithin(this.budget, this.spent, this.start.limits ?? {});
    return { sessionId: this.#sessionId, provider: this.#provider, extraTools: [this.#planTool], limits };
  }

  /** Tells the gate about a session that it does not know yet. */
  #rememberAll(): void {
    this.#remember([
      { type: "setMode", mode: this.#mode, destination: "session" },
      { type: "addRules", behavior: "allow", rules: this.saved, destination: "session" },
    ]);
  }

  /** Whoever goes on with the session finds its mode. Where nothing can be written, no session is kept either. */
  #keepMode(): void {
    if (this.#keptMode === this.#mode) return;
    this.#keptMode = this.#mode;
    void this.start.modes?.keep(this.#sessionId, this.#mode).catch(() => {});
  }

  #remember(updates: readonly PermissionUpdate[]): void {
    this.agent.checker?.remember(updates, { sessionId: this.#sessionId });
  }

  #start(begin: () => AgentRun, prompts: readonly string[] = []): boolean {
    let run: AgentRun;
    try {
      run = begin();
    } catch (error) {
      this.#lent.takeBack();
      this.listener.onEnd(undefined, error, prompts);
      return false;
    }
    this.#run = run;
    this.#keepMode();
    this.#current = { usage: NOTHING, costUsd: 0 };
    this.listener.onStart();
    this.#over = this.#follow(run);
    return true;
  }

  async #follow(run: AgentRun): Promise<void> {
    let failure: unknown;
    try {
      for await (const event of run) {
        this.#note(event);
        this.listener.onEvent(event);
      }
    } catch (error) {
      failure = error;
    }
    const result = await run.result.catch((error: unknown) => {
      failure ??= error;
      return undefined;
    });
    await run.idle;
    if (result) this.#current = { usage: result.usage, costUsd: result.costUsd };
    this.#run = undefined;
    this.#lent.takeBack();
    this.#spent = { ...this.spent, runs: this.#spent.runs + 1 };
    this.#current = { usage: NOTHING, costUsd: 0 };
    const undelivered = this.#queued;
    this.#queued = [];
    this.listener.onEnd(result, failure, undelivered);
    void this.measure();
  }

  #deliver(): void {
    const delivered = this.#queued;
    this.#queued = [];
    if (delivered.length > 0) this.listener.onDelivered(delivered);
  }

  #note(event: EngineEvent): void {
    if (event.type === "usage") this.#current = { usage: event.usage, costUsd: event.costUsd };
    if (event.agentPath.length > 0) return;
    if (event.type === "turn-start") this.#deliver();
    if (event.type === "model-call-end") this.#contextTokens = event.usage.inputTokens + event.usage.outputTokens;
    if (event.type === "compaction") this.#contextTokens = event.report.afterTokens;
  }
}
