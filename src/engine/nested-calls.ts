// Calls that a tool makes from inside its own call: the pipeline of every call, with a record of its own and no model. Entered again
// for the same call, the tool repeats what the record has; only then does the record go on.
import { type HarnessError, RunAbortedError, ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { NestedCall, NestedCalls, NestedResult, RecordedWave, ToolCall } from "../contracts/tool-call.js";
import { canonicalJson, copyJson } from "../json/copy.js";
import { describeThrown } from "../text/describe-thrown.js";
import { Deadlines } from "../time/deadlines.js";
import { LEAVING } from "./calls/leaving.js";
import { MessageCalls } from "./calls/message-calls.js";
import { NestedValues } from "./calls/nested-values.js";
import { LeaveForSuspension } from "./calls/tool-context.js";
import { CHILD_ABANDON_SHARE } from "./child-run.js";
import { answersFromAbove, reopenTurn } from "./resume.js";
import { CallChildren, type SpawningCall } from "./run/call-children.js";
import { ClaimTable } from "./run/claims.js";
import { RunState } from "./run/run-state.js";
import { type OpenSession, openSession } from "./session/open-session.js";
import { childTranscriptId } from "./transcript/child-id.js";
import { messageRecord } from "./transcript/describe-call.js";
import { PROGRAM_PROVIDER, PROGRAM_START, waitingQuestions } from "./transcript/transcript.js";
import { divergence, isAnswered, nestedCallId, type Wave, WaveTranscript } from "./transcript/wave-transcript.js";

/** The offer to a call's tool. Nothing is made or opened before the tool takes it. */
export function callsOf(agent: RunState, call: SpawningCall): NestedCalls {
  let leave = () => {};
  const leaving = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const calls: NestedCalls = {
    begin: (data) => recordOf(agent, call, leave).begin(data),
    run: (calls) => recordOf(agent, call, leave).run(calls),
  };
  LEAVING.set(calls, leaving);
  return calls;
}

function recordOf(agent: RunState, call: SpawningCall, leave: () => void): NestedRecord {
  call.children ??= new CallChildren();
  const record = call.children.record ?? new NestedRecord(agent, call, call.children, leave);
  call.children.record = record;
  return record as NestedRecord;
}

/** The calls of one call's tool, since it was entered. */
class NestedRecord implements NestedCalls {
  readonly #transcript: WaveTranscript;
  readonly #values: NestedValues;
  /** The results that `begin` has read and `run` has not returned yet. */
  readonly #results = new Map<Wave, Promise<readonly NestedResult[]>>();
  readonly #opened: Promise<RunState>;
  #session: OpenSession | null = null;
  sessionId: string | undefined;
  /** The newest work: what is asked for meanwhile comes after it. */
  #work: Promise<unknown> = Promise.resolve();
  /** The number of works that are not done. */
  #asked = 0;
  /** The number of waves that the tool has made or repeated. */
  #made = 0;
  /** The reason why nothing is made any more. */
  #refusal: Error | null = null;
  #stop = () => {};
  #unlink = () => {};
  #closing: Promise<HarnessError | undefined> | null = null;

  constructor(
    private readonly agent: RunState,
    private readonly call: SpawningCall,
    private readonly children: CallChildren,
    /** Says that the tool is going to be left. */
    private readonly leaving: () => void,
  ) {
    this.#transcript = new WaveTranscript(() => ({ tool: call.target.name, toolCallId: call.call.id }));
    this.#values = new NestedValues(agent.config.artifacts, agent.sessionId);
    const nth = children.begin();
    call.onOver(() => this.#leaveBehind());
    this.#opened = this.#open(nth);
    this.#opened.catch(() => {});
  }

  begin(data: JsonValue): ReturnType<NestedCalls["begin"]> {
    return this.#inTurn(async (run) => {
      const { waves, start } = this.#transcript;
      if (!start) {
        if (this.#made < waves.length) throw this.#refused(this.#diverged("The start before its calls is missing."));
        const kept = { v: 1, tool: this.call.target.name, data: copyJson(data, true) };
        run.recorder.record({ type: "custom", name: PROGRAM_START, data: kept });
        await committed(run);
      }
      return { ...this.#transcript.start!, waves: await Promise.all(waves.map((wave) => this.#shown(wave))) };
    });
  }

  run(calls: readonly NestedCall[]): Promise<readonly NestedResult[]> {
    return this.#inTurn(async (run) => {
      const wanted = ownCalls(calls);
      if (wanted.length === 0) return [];
      const recorded = this.#transcript.waves[this.#made];
      if (recorded && canonicalJson(recorded.calls) !== canonicalJson(wanted)) {
        throw this.#refused(this.#diverged());
      }
      this.#made++;
      if (recorded && isAnswered(recorded)) return this.#resultsOf(recorded);
      const { open } = this.#transcript;
      const made = recorded ? await reopenTurn(run, open!, answersFromAbove(run)) : this.#record(run, wanted);
      await made.finish();
      await committed(run);
      if (run.lifetime.ending) throw run.lifetime.stopError;
      if (!this.#transcript.open) return this.#resultsOf(this.#transcript.waves.at(-1)!);
      this.#refusal ??= new LeaveForSuspension();
      throw this.#refusal;
    });
  }

  /** Does what the tool asks for, one after the other. */
  #inTurn<T>(work: (run: RunState) => Promise<T>): Promise<T> {
    this.#asked++;
    const next = this.#work.then(async () => {
      const run = await this.#opened;
      if (this.#refusal) throw this.#refusal;
      return work(run);
    });
    const isDone = () => {
      this.#asked--;
    };
    this.#work = next.then(isDone, isDone);
    const said = next.catch((error) => this.#leave(error));
    said.catch(() => {}); // A tool that does not wait has ended, or is suspended.
    return said;
  }

  /** Hands the calls' questions to the host together with those of the call's sub-agents; those go on until then. */
  async #leave(error: unknown): Promise<never> {
    if (error instanceof LeaveForSuspension) {
      this.leaving();
      await this.close();
      await this.call.unlessOver(this.children.quiet());
    }
    throw error;
  }

  // ── opening and closing ───────────────────────────────────────────────────────────────────────────────────────

  async #open(nth: number): Promise<RunState> {
    const { agent, call } = this;
    // Until then the call may get another id.
    await call.whenRecorded();
    if (this.#refusal) throw this.#refusal;
    const run = this.#newRun(childTranscriptId(agent.recordId, call.call.id, nth));
    this.#stop = () => {
      const { status = "aborted", error = hasEnded() } = agent.lifetime.ending ?? {};
      run.stop(status, error);
      if (agent.lifetime.isDisposed) run.dispose();
    };
    this.#unlink = agent.lifetime.onStop(this.#stop);
    this.#session = await openSession(run);
    const { failure } = run.recorder;
    if (failure) throw failure.code === "TRANSCRIPT_INVALID" ? this.#diverged(failure.message) : failure;
    this.sessionId = run.recordId;
    if (run.lifetime.ending) throw run.lifetime.stopError;
    return run;
  }

  #newRun(recordId: string): RunState {
    const { agent, call } = this;
    const transcript = this.#transcript;
    const run = new RunState({
      ...agent.setup,
      limits: { ...agent.limits, abandonMs: agent.limits.abandonMs * CHILD_ABANDON_SHARE },
      output: null,
      transcript,
      claims: () => new ClaimTable(),
      deadlines: new Deadlines(),
      askedAt: performance.now(),
      given: undefined,
      withGiven: undefined,
      parent: agent,
      rootCall: call.context.rootCall,
      tokenBudget: undefined,
      nested: {
        caller: { tool: call.target.name, toolCallId: call.call.id },
        recordId,
        recordedAs: agent.config.runtime.newId(),
        numberOf: (toolCallId) => transcript.numberOf(toolCallId),
        keepWhole: (made, outcome) => this.#values.keep(made, outcome),
      },
    });
    run.turn = agent.turn;
    run.recorder.turn = agent.turn;
    return run;
  }

  close(): Promise<HarnessError | undefined> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<HarnessError | undefined> {
    const { agent, call } = this;
    this.#refusal ??= hasEnded();
    // The tool has ended: calls that it does not wait for end with it.
    const isSuspended = this.#refusal instanceof LeaveForSuspension;
    if (this.#asked > 0 && !isSuspended) this.#stop();
    await this.#work;
    const run = await this.#opened.catch(() => null);
    if (run) await run.commit();
    await this.#session?.close();
    const left = (run?.abandoned.idle() ?? Promise.resolve()).finally(() => {
      this.#unlink();
      run?.dispose();
    });
    agent.abandoned.follow(left, () => `The calls of tool "${call.target.name}"`);
    const isCutOff = !run || run.lifetime.ending !== null;
    this.children.end(isSuspended && !isCutOff ? waitingQuestions(this.#transcript) : [], this.#transcript.label);
    const isEarly = this.#made < this.#transcript.waves.length && !isSuspended && !isCutOff;
    return isEarly ? this.#diverged() : undefined;
  }

  /** The call is over while its tool may be at work. */
  #leaveBehind(): void {
    this.#refusal ??= hasEnded();
    if (this.#closing) return;
    this.#stop();
    this.agent.abandoned.watch(this.close(), `The calls of tool "${this.call.target.name}"`);
  }

  // ── what is made, and what came of it ─────────────────────────────────────────────────────────────────────────

  #record(run: RunState, wanted: readonly NestedCall[]): MessageCalls {
    const { toolCallId, tool: model } = run.setup.nested!.caller;
    const calls = new MessageCalls(run);
    const content = wanted.map(({ name, input }, index) => {
      const made: ToolCall = Object.freeze({ id: nestedCallId(toolCallId, this.#made, index), name, arguments: input });
      calls.complete(calls.announce(made), made, false);
      return Object.freeze({ type: "tool-call" as const, ...made });
    });
    const author = { provider: PROGRAM_PROVIDER, model };
    const message = { role: "assistant" as const, content, finishReason: "tool-calls" as const, ...author };
    run.recorder.record(messageRecord(Object.freeze(message), run.registry));
    return calls;
  }

  /** Nothing is made any more. */
  #refused(error: ToolError): ToolError {
    this.#refusal = error;
    return error;
  }

  #diverged(flaw?: string): ToolError {
    return divergence(this.call.target.name, this.#transcript.waves, this.#made, flaw);
  }

  async #shown(wave: Wave): Promise<RecordedWave> {
    const { calls } = wave;
    if (!isAnswered(wave)) return { calls };
    const reading = this.#results.get(wave) ?? this.#read(wave);
    this.#results.set(wave, reading);
    return { calls, results: await reading };
  }

  #resultsOf(wave: Wave): Promise<readonly NestedResult[]> {
    const results = this.#results.get(wave) ?? this.#read(wave);
    this.#results.delete(wave);
    return results;
  }

  #read({ results }: Wave): Promise<readonly NestedResult[]> {
    const read = async (recorded: Wave["results"][number]) => {
      const { result, at } = recorded!;
      return Object.freeze({ ...result, value: await this.#values.of(result), at });
    };
    return Promise.all(results.map(read));
  }
}

function hasEnded(): RunAbortedError {
  return new RunAbortedError("the call that made this one has ended");
}

/** @throws SessionError `SESSION_WRITE` */
async function committed(run: RunState): Promise<void> {
  if (!(await run.commit())) throw run.recorder.failure!;
}

/** @throws ToolError `TOOL_FAILED` */
function ownCalls(calls: readonly NestedCall[]): readonly NestedCall[] {
  try {
    return calls.map(({ name, input }) => {
      if (typeof name !== "string") throw new TypeError("a name is not a string");
      return Object.freeze({ name, input: copyJson(input ?? {}, true) });
    });
  } catch (error) {
    const message = `context.calls.run() takes an array of { name, input } with JSON as input: ${describeThrown(error)}`;
    throw new ToolError("TOOL_FAILED", { message });
  }
}
