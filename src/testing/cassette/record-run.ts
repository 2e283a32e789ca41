import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ContextSource } from "../../contracts/context.js";
import { ConfigurationError } from "../../contracts/errors.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { modelCardOf } from "../../engine/model/retry.js";
import type { EngineOptions } from "../../engine/options/options.js";
import { newId } from "../../engine/options/read-options.js";
import type { CassetteHead } from "./cassette-lines.js";
import { CassetteRecorder } from "./cassette-recorder.js";
import { recordOwnTools } from "./own-tools.js";
import { RequestLog, recordingProvider } from "./record-provider.js";
import { recordingTool } from "./record-tools.js";
import { createScrubJson } from "./scrub-json.js";
import { overriding, withWrappedTools } from "./tool-wrapper.js";
import { type Wrapping, withWrappedSubagents } from "./wrapped-subagents.js";

/** A recording under way. */
export interface RunRecording {
  /** Go into `new AgentEngine(…)`. */
  readonly options: EngineOptions;
  /** Resolves when everything is in the file. @throws the file system's error, when the file could not be written */
  done(): Promise<void>;
}

/**
 * Records what an engine gets from outside into one file: the model's responses, the outcomes of tools, approvers,
 * context sources and artifacts, the clock, ids and random numbers. `replayRun` plays it again, offline.
 *
 * The file is JSON Lines, replaced when it exists, and is written as the run goes on. Secrets do not enter it: what looks
 * like one, and the values of environment variables that are named like one, are replaced. Hooks, the permission gate and
 * the session store are not recorded: they run again in a replay. The same holds for tools that run sub-agents,
 * whose models and tools are recorded.
 *
 * @example
 * const recording = recordRun({ provider, tools }, "bug.jsonl");
 * await new AgentEngine(recording.options).run("Fix the test.");
 * await recording.done();
 *
 * @throws ConfigurationError `OPTION_INVALID`; the file system's error when the file cannot be made
 */
export function recordRun(engineOptions: EngineOptions, file: string): RunRecording {
  checkCassetteArguments("recordRun()", engineOptions, file);
  const { provider, approver, contextSources, artifacts } = engineOptions;
  if (typeof provider?.stream !== "function") throw wrongArgument("recordRun()", "the engine options", "a provider");
  mkdirSync(dirname(file), { recursive: true });
  const { prices: _, ...card } = modelCardOf(provider);
  const head: CassetteHead = { type: "cassette", v: 1, provider: card };
  writeFileSync(file, `${JSON.stringify(head)}\n`);
  const recorder = new CassetteRecorder(
    file,
    createScrubJson(process.env),
    () => engineOptions.runtime?.now?.() ?? Date.now(),
  );
  const requests = new RequestLog(recorder);
  const recorded = (tool: BaseTool) => recordingTool(withWrappedSubagents(tool, wrapping), recorder);
  const wrapping: Wrapping = {
    model: (model) => recordingProvider(model, recorder, requests),
    tool: recorded,
    ownTools: (agent, supply) => recordOwnTools(agent, supply, recorder),
  };
  const tools = withWrappedTools(engineOptions.tools, recorded);
  const options: EngineOptions = {
    ...engineOptions,
    provider: recordingProvider(provider, recorder, requests),
    runtime: recordingRuntime(engineOptions.runtime ?? {}, recorder),
    ...(tools && { tools }),
    ...(contextSources && { contextSources: contextSources.map((source) => recordingSource(source, recorder)) }),
    ...(artifacts && { artifacts: recordingArtifacts(artifacts, recorder) }),
    ...(approver && {
      approver: (request, about) =>
        recorder.outcome(`approver ${request.id}`, (async () => approver(request, about))()),
    }),
  };
  return { options, done: () => recorder.done() };
}

/** @throws ConfigurationError `OPTION_INVALID` for arguments in the wrong order, or of the wrong kind */
export function checkCassetteArguments(owner: string, options: unknown, file: unknown): void {
  if (typeof file !== "string" || file.trim() === "") throw wrongArgument(owner, "the file", "a path");
  if (typeof options !== "object" || options === null) throw wrongArgument(owner, "the engine options", "an object");
}

function wrongArgument(owner: string, what: string, expected: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `${owner} was called without ${what}; expected ${expected}.`,
  });
}

function recordingRuntime(given: Partial<Runtime>, recorder: CassetteRecorder): Runtime {
  return {
    now: () => recorder.now(),
    newId: () => recorder.value("newId", given.newId?.() ?? newId()),
    random: () => recorder.value("random", given.random?.() ?? Math.random()),
  };
}

function recordingSource(source: ContextSource, recorder: CassetteRecorder): ContextSource {
  const load: ContextSource["load"] = (run) =>
    recorder.outcome(`source ${source.id} ${run.transcriptId}`, source.load(run));
  return overriding(source, { load });
}

function recordingArtifacts(artifacts: ArtifactStore, recorder: CassetteRecorder): ArtifactStore {
  const put: ArtifactStore["put"] = (content, about) => recorder.outcome("artifact", artifacts.put(content, about));
  const { putStream } = artifacts;
  return overriding(artifacts, {
    put,
    ...(putStream && {
      putStream: ((content, about) =>
        recorder.outcome("artifact", putStream.call(artifacts, content, about))) satisfies ArtifactStore["putStream"],
    }),
  });
}
