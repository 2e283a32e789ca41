// Sub-agents that go on beside the run that has started them: it waits for them before it completes, and their ends
// reach its model as messages. Those it leaves unfinished go on when the session is used again.
import type { ContentPart } from "../contracts/content.js";
import { RunAbortedError, ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { RunResult, RunStatus } from "../contracts/run.js";
import type { SubagentDefinition, SubagentInfo } from "../contracts/subagent.js";
import type { SpawnOptions } from "../contracts/tool.js";
import type { RootCall } from "../contracts/tool-call.js";
import { checkOptions } from "../json/check-options.js";
import { NO_LABEL } from "../labels/join-labels.js";
import { describeThrown } from "../text/describe-thrown.js";
import { labelOfCalls, labelOfRun } from "./calls/call-label.js";
import { fitOutput, isOversized } from "./calls/result-budget.js";
import { childOf, requireDepth } from "./child-run.js";
import { contentOf } from "./options/read-options.js";
import { CallChildren, type SpawningCall } from "./run/call-children.js";
import type { BackgroundRuns } from "./run/run-parts.js";
import type { RunState } from "./run/run-state.js";
import { announceEnd, runToEnd } from "./run-loop.js";
import { continuedBeginning } from "./session/earlier-subagent.js";
import { freshBeginning } from "./subagents/beginning.js";
import { lastTextOf, withUsefulText } from "./subagents/child-text.js";
import { SUBAGENT_TABLE } from "./subagents/subagent-table.js";
import { BACKGROUND_START, type BackgroundStart, backgroundEndText, shortId } from "./transcript/background-records.js";
import { childTranscriptId } from "./transcript/child-id.js";

/** The part of an end that the model reads; the rest is an artifact. */
const MAX_END_CHARS = 5_000;

interface BackgroundChild {
  readonly start: BackgroundStart;
  readonly run: RunState;
  /** Settles when it has ended or waits for the host. */
  ended: Promise<void>;
  isOver: boolean;
  /** Set when its end is of no interest: it goes on another time. */
  isLeft: boolean;
}

/** The sub-agents one run has in the background. */
export class BackgroundChildren implements BackgroundRuns {
  readonly #children = new Map<string, BackgroundChild>();
  #onNews: (() => void) | null = null;

  constructor(private readonly parent: RunState) {}

  async start(
    call: SpawningCall,
    definition: SubagentDefinition,
    prompt: string | readonly ContentPart[],
    options: SpawnOptions | undefined,
  ): Promise<SubagentInfo> {
    const { parent } = this;
    checkOptions("context.background.start()", definition, SUBAGENT_TABLE);
    requireDepth(parent, call, definition);
    call.children ??= new CallChildren();
    const id = childTranscriptId(parent.transcriptId, call.call.id, call.children.begin());
    call.children.end([], NO_LABEL);
    const { name } = definition;
    const { continues } = options ?? {};
    if (!parent.transcript.background.get(id)) {
      const startedAt = parent.config.runtime.now();
      const rootCall = call.context.rootCall ?? null;
      const start: BackgroundStart = {
        id,
        name,
        tool: call.target.name,
        prompt: contentOf(prompt),
        rootCall,
        startedAt,
        ...(continues !== undefined && { continues: this.#requireEnded(continues) }),
      };
      parent.recorder.record({ type: "custom", name: BACKGROUND_START, data: start as unknown as JsonValue });
      const isKept = await parent.commit();
      // Stopped meanwhile, the parent has left its children; this one begins when the session is used again.
      if (isKept && !parent.lifetime.ending) this.#begin(start, definition, options, call.call.id);
    }
    return this.list().find((info) => info.id === id)!;
  }

  restart(): void {
    const { registry, agentPath, transcript, inbox } = this.parent;
    for (const start of transcript.background.open) {
      if (this.#children.has(start.id)) continue;
      const { spawns } = registry.get(start.tool) ?? {};
      const definition = spawns && agentPath.length < spawns.maxDepth ? spawns.find?.(start.name) : undefined;
      if (definition) this.#begin(start, definition, undefined);
      else inbox.deliver(backgroundEndText(start, "is lost", "It is no longer defined."), "subagent");
    }
  }

  list(): readonly SubagentInfo[] {
    const { setup, transcript, agentPath } = this.parent;
    const known = new Map(
      setup
        .roster()
        .list()
        .map((info) => [info.id, info]),
    );
    return transcript.background.all.map(({ id, name, status, startedAt }) => {
      const usage = { inputTokens: 0, outputTokens: 0 };
      const earlier = { id, name, agentPath: [...agentPath, name], status, usage, costUsd: null, startedAt };
      return known.get(id) ?? { ...earlier, kind: "background" };
    });
  }

  textOf(id: string): string {
    const { run } = this.#get(id) ?? {};
    return (run && lastTextOf(run)) ?? "";
  }

  async ended(id: string): Promise<void> {
    await this.#get(id)?.ended;
  }

  send(id: string, text: string): boolean {
    const run = this.#working(id);
    if (!run) return false;
    run.inbox.add(text, "steering", labelOfCalls(this.parent));
    return true;
  }

  stop(id: string): boolean {
    const run = this.#working(id);
    if (!run) return false;
    run.stop("aborted", new RunAbortedError("its parent stopped it"));
    return true;
  }

  async nextNews(): Promise<void> {
    const { inbox, lifetime } = this.parent;
    const isWorking = () => [...this.#children.values()].some(({ isOver }) => !isOver);
    while (isWorking() && !inbox.hasNews && !lifetime.ending) {
      await new Promise<void>((resolve) => {
        const forget = lifetime.onStop(resolve);
        this.#onNews = () => {
          forget();
          resolve();
        };
        inbox.onNews = this.#onNews;
      });
    }
    inbox.onNews = null;
    this.#onNews = null;
  }

  async leave(): Promise<void> {
    const working = [...this.#children.values()].filter(({ isOver }) => !isOver);
    for (const child of working) {
      child.isLeft = true;
      child.run.stop("aborted", new RunAbortedError("the run that had started it ended"));
    }
    await Promise.all(working.map(({ ended }) => ended));
  }

  #begin(
    start: BackgroundStart,
    definition: SubagentDefinition,
    options: SpawnOptions | undefined,
    toolCallId?: string,
  ): void {
    const { parent } = this;
    const { id, prompt, rootCall, name, continues } = start;
    const run = childOf(parent, rootCall as RootCall, { ...definition, kind: "background" }, id, options, toolCallId);
    const reportEnd = parent.setup.roster().add(run, "background");
    const unlink = parent.lifetime.onStop(() => {
      run.stop(parent.lifetime.ending?.status ?? "aborted", parent.lifetime.ending?.error);
      if (parent.lifetime.isDisposed) run.dispose();
    });
    const child: BackgroundChild = { start, run, ended: Promise.resolve(), isOver: false, isLeft: false };
    const first = { content: prompt, origin: "user" as const };
    const fresh = freshBeginning(parent);
    const beginning = () => (continues === undefined ? fresh : continuedBeginning(parent, continues));
    const result = runToEnd(run, { kind: "child", prompt: first, beginning });
    child.ended = result
      .then(
        (ended) => {
          announceEnd(run, ended);
          return this.#onEnd(child, withUsefulText(run, ended));
        },
        (error) => this.#deliver(child, "failed", `It could not be run: ${describeThrown(error)}`),
      )
      .finally(() => {
        child.isOver = true;
        reportEnd(run.lifetime.ended ?? "failed");
        this.#onNews?.();
        const idle = run.abandoned.idle().then(() => {
          unlink();
          run.dispose();
        });
        parent.abandoned.follow(idle, () => `Sub-agent "${name}"`);
      });
    this.#children.set(id, child);
  }

  async #onEnd(child: BackgroundChild, { status, text, pending }: RunResult): Promise<void> {
    const { parent } = this;
    if (child.isLeft || parent.lifetime.ending) return;
    if (status !== "needs-approval") return this.#deliver(child, status, text);
    const via = child.start.id;
    for (const request of pending) parent.recorder.record({ type: "pending", request, via });
    await parent.commit();
  }

  async #deliver({ start, run }: BackgroundChild, status: RunStatus, text: string): Promise<void> {
    const { config, sessionId, inbox } = this.parent;
    const { output } = isOversized(text, MAX_END_CHARS)
      ? await fitOutput(text, MAX_END_CHARS, config.artifacts, sessionId)
      : { output: text };
    const how = status === "completed" ? "has completed" : `ended as ${status}`;
    inbox.deliver(backgroundEndText(start, how, String(output)), "subagent", labelOfRun(run));
  }

  #working(id: string): RunState | undefined {
    const { run, isOver } = this.#get(id) ?? {};
    return isOver || run?.lifetime.ending ? undefined : run;
  }

  /** By its id, or by the beginning of it that a model is shown; `undefined` for one that this run has not begun. */
  #get(id: string): BackgroundChild | undefined {
    const { background } = this.parent.transcript;
    const { all } = background;
    const found = all.find((record) => record.id === id || shortId(record.id) === id);
    if (found) return this.#children.get(background.newest(found.id));
    const known = all.map((record) => `${shortId(record.id)} (${record.name})`);
    const list = known.length > 0 ? ` There are: ${known.join(", ")}.` : "";
    throw new ToolError("SUBAGENT_UNKNOWN", {
      message: `There is no sub-agent ${JSON.stringify(String(id).slice(0, 80))} in the background of this session.${list}`,
    });
  }

  /** Two that go on from one that is at work would both do what is left. @throws ToolError `TOOL_FAILED` */
  #requireEnded(earlier: string): string {
    const { background } = this.parent.transcript;
    const id = background.newest(earlier);
    const record = background.get(id);
    if (!record?.isOpen) return id;
    throw new ToolError("TOOL_FAILED", {
      message: `Sub-agent "${record.name}" (${shortId(id)}) has not ended, or its result has not reached you yet. Wait for it, then write to it.`,
    });
  }
}
