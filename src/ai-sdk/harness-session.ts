import type { CompactionReport } from "../contracts/context.js";
import { RunError } from "../contracts/errors.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { Registry } from "../contracts/tool.js";
import type { AgentEngine } from "../engine/engine.js";
import type { EngineParts } from "../engine/engine-parts.js";
import type { RunOptions } from "../engine/options/options.js";
import { ToolRegistry } from "../engine/tools/tool-registry.js";
import { unsupportedByHarness } from "./capability.js";
import { ShownNames } from "./common-tools.js";
import { HarnessTurn, type TurnStart } from "./harness-turn.js";
import type {
  HarnessContinueState,
  HarnessControl,
  HarnessPrompt,
  HarnessResumeState,
  HarnessSession,
  HarnessStart,
  HarnessTurnRequest,
} from "./harness-v1.js";
import { hostOptions } from "./host-tools.js";
import { promptContent } from "./prompt.js";
import {
  continueState,
  NOTHING_OPEN,
  readState,
  resumeState,
  type SessionState,
  stateData,
  type UnfinishedTurn,
} from "./session-state.js";
import { readTurn } from "./stored-turn.js";
import { TurnParts } from "./turn-parts.js";

export interface SessionOptions {
  readonly engine: AgentEngine;
  readonly parts: EngineParts;
  /** Whether the engine was made for this session, and is closed with it. */
  readonly isOwnEngine: boolean;
  readonly harnessId: string;
  readonly store: string | undefined;
  readonly mode: RunOptions["mode"];
  readonly models: Readonly<Record<string, ProviderAdapter>>;
  isBuiltin(toolName: string): boolean;
}

export class LoopwrightSession implements HarnessSession {
  readonly sessionId: string;
  readonly isResume: boolean;
  /** The answers and messages that the session did not have yet when its turn was suspended, here or elsewhere. */
  #left: Pick<SessionState, "answers" | "messages">;
  #turn: HarnessTurn | undefined;
  /** Compactions whose parts are for the next turn. */
  #reports: readonly CompactionReport[] = [];
  /** The compaction that was requested during a turn, with the focus of its summary. */
  #compaction: { readonly focus: string | undefined } | undefined;

  /** @throws ConfigurationError `OPTION_INVALID` for a state of another session or store */
  constructor(
    private readonly options: SessionOptions,
    private readonly start: HarnessStart,
  ) {
    const { sessionId, resumeFrom, continueFrom } = start;
    const from = continueFrom ?? resumeFrom;
    this.sessionId = sessionId;
    this.isResume = from !== undefined;
    this.#left = from ? readState(from.data, sessionId, options.store) : {};
  }

  async doPromptTurn(options: HarnessTurnRequest & { readonly prompt: HarnessPrompt }): Promise<HarnessControl> {
    const content = promptContent(this.options.harnessId, options.prompt);
    // One that was left at a question is over: the engine answers it before the prompt.
    await this.#turn?.stop("the host has sent a new prompt");
    this.#left = {};
    const runOptions = this.#runOptions(options);
    return this.#begin(options, {
      run: this.options.engine.stream(content, { ...runOptions, sessionId: this.sessionId }),
    });
  }

  async doContinueTurn(options: HarnessTurnRequest): Promise<HarnessControl> {
    if (this.#turn && !this.#turn.isOver) return this.#turn.attach(options.emit, options.abortSignal);
    const { isUnfinished, turns, ...turn } = await readTurn(this.options.parts.config.store, this.sessionId);
    const { answers = [], messages = [] } = this.#left;
    return this.#begin(options, { ...turn, turns: isUnfinished ? turns : 0, answers, messages });
  }

  async doCompact(customInstructions?: string): Promise<void> {
    const { harnessId, parts } = this.options;
    if (!parts.config.compaction) {
      throw unsupportedByHarness(
        harnessId,
        "The engine has no context policy to compact with. Give it the option `compaction`.",
      );
    }
    this.#compaction = { focus: customInstructions };
    if (!this.#turn || this.#turn.isOver) await this.#compact();
  }

  async doSuspendTurn(): Promise<HarnessContinueState> {
    // One that is over may have been aborted, or have ended just now, so that the host does not know it yet.
    if (!this.#turn) {
      const message = "There is no turn to suspend. Use doDetach() or doStop() between turns.";
      throw new RunError("RUN_INCOMPLETE", { message });
    }
    return continueState(this.options.harnessId, this.#stateWith(await this.#suspend(this.#turn)));
  }

  async doDetach(): Promise<HarnessResumeState> {
    if (this.options.isOwnEngine) return this.doStop();
    return this.#leave();
  }

  async doStop(): Promise<HarnessResumeState> {
    const state = await this.#leave();
    await this.#release();
    return state;
  }

  async doDestroy(): Promise<void> {
    await this.#turn?.stop("the host has ended the session");
    await this.#release();
  }

  async #leave(): Promise<HarnessResumeState> {
    const { harnessId } = this.options;
    const turn = this.#turn && !this.#turn.isOver ? this.#turn : undefined;
    const data = this.#stateWith(turn ? await this.#suspend(turn) : NOTHING_OPEN);
    return { ...resumeState(harnessId, data), ...(turn && { continueFrom: continueState(harnessId, data) }) };
  }

  /** The suspended turn: its open questions, and the answers and messages that the session does not have yet. */
  async #suspend(turn: HarnessTurn): Promise<UnfinishedTurn> {
    await turn.suspend();
    const { questions: open } = await readTurn(this.options.parts.config.store, this.sessionId);
    const answers = turn.questions.given.filter(({ id }) => open.some((request) => request.id === id));
    const questions = open.filter(({ id }) => !answers.some((answer) => answer.id === id));
    this.#turn = undefined;
    this.#left = { answers, messages: turn.messages };
    return { questions, answers, messages: turn.messages };
  }

  #stateWith(open: UnfinishedTurn): JsonValue {
    return stateData(this.sessionId, this.options.store, open);
  }

  /** Releases the tools' resources for the session; its entries stay in the store. */
  async #release(): Promise<void> {
    const { engine, isOwnEngine } = this.options;
    if (isOwnEngine) await engine.close();
    else await engine.endSession(this.sessionId);
  }

  // ── turns ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  #begin(options: HarnessTurnRequest, start: TurnStart): HarnessControl {
    const { engine, parts: engineParts, harnessId, isBuiltin } = this.options;
    const runOptions = this.#runOptions(options);
    const hostTools = new Set(options.tools?.map(({ name }) => name));
    const engineTools = engineParts.tools.list().map(({ name }) => name);
    const turn: HarnessTurn = new HarnessTurn(
      {
        parts: new TurnParts({
          harnessId,
          names: new ShownNames([...hostTools, ...engineTools]),
          isBuiltin,
          isHostCall: (name) => hostTools.has(name) || name === "ask_user",
          isJson: options.responseFormat?.type === "json",
          emit: (part) => turn.emit(part),
        }),
        limits: engineParts.config.limits,
        key: engineParts.config.approvals.key,
        isHostTool: (name) => hostTools.has(name),
        resume: (answers, limits) => engine.resume(this.sessionId, { ...runOptions, answers, limits }),
        compact: () => this.#compact(),
        compactions: () => {
          const reports = this.#reports;
          this.#reports = [];
          return reports;
        },
      },
      start,
    );
    this.#turn = turn;
    return turn.attach(options.emit, options.abortSignal);
  }

  /** @throws ConfigurationError for a model that the harness does not have */
  #runOptions(options: HarnessTurnRequest): RunOptions {
    const { mode, parts } = this.options;
    const { responseFormat: format } = options;
    const tools = filtered(parts.tools, this.start, new ShownNames(parts.tools.list().map(({ name }) => name)));
    const provider = this.#modelOf(options.model);
    return {
      ...hostOptions(options),
      ...(mode !== undefined && { mode }),
      ...(tools && { tools }),
      ...(provider && { provider }),
      ...(format?.type === "json" && { output: (format.schema ?? {}) as JsonObject }),
    };
  }

  #modelOf(model: string | undefined): ProviderAdapter | undefined {
    const { models, harnessId, parts } = this.options;
    if (model === undefined || model === parts.config.provider.model) return undefined;
    if (Object.hasOwn(models, model)) return models[model];
    const known = [parts.config.provider.model, ...Object.keys(models)].join(", ");
    throw unsupportedByHarness(
      harnessId,
      `There is no model "${model}". There is: ${known}. Add it to the option "models" of loopwrightHarness().`,
    );
  }

  async #compact(): Promise<void> {
    const asked = this.#compaction;
    this.#compaction = undefined;
    if (asked) this.#reports = await this.options.engine.compact(this.sessionId, asked.focus);
  }
}

/** The engine's tools without those that the host has switched off. `undefined`: all of them. */
function filtered(
  tools: Registry,
  { builtinToolFiltering: filter }: HarnessStart,
  names: ShownNames,
): Registry | undefined {
  if (!filter) return undefined;
  const isOn = (name: string) => filter.toolNames.includes(names.shown(name).toolName) === (filter.mode === "allow");
  const pick = <T extends { readonly name: string }>(tool: T) => (isOn(tool.name) ? tool : undefined);
  return tools.narrow?.(pick, (name) => !isOn(name)) ?? new ToolRegistry(tools.list().filter(({ name }) => isOn(name)));
}
