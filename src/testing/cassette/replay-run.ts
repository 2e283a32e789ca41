import { readFileSync } from "node:fs";
import type { ContextSource } from "../../contracts/context.js";
import type { RunError } from "../../contracts/errors.js";
import type { PromptSection, ProviderAdapter } from "../../contracts/provider.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ArtifactRef, ArtifactStore } from "../../contracts/workspace.js";
import type { ApproverAnswer } from "../../engine/calls/permission/approval.js";
import type { EngineOptions } from "../../engine/options/options.js";
import { readCassette } from "./cassette-lines.js";
import { CassettePlayer, type ReplayDivergence } from "./cassette-player.js";
import { replayOwnTools } from "./own-tools.js";
import { checkCassetteArguments } from "./record-run.js";
import { replayingModel, replayingProvider } from "./replay-provider.js";
import { replayingTool } from "./replay-tools.js";
import { createScrubJson } from "./scrub-json.js";
import { overriding, withWrappedTools } from "./tool-wrapper.js";
import { type Wrapping, withWrappedSubagents } from "./wrapped-subagents.js";

/** Whether a replay went as its recording did. */
export interface ReplayVerdict {
  readonly ok: boolean;
  /** The first difference. */
  readonly divergence?: ReplayDivergence | undefined;
  /** The same as an error, code `REPLAY_DIVERGED`: what a run of the replay failed with. */
  readonly error?: RunError | undefined;
  /** Requests to the model that were recorded, and how many of them the replay made. */
  readonly requests: { readonly recorded: number; readonly replayed: number };
  /** Tool calls, in the same way. */
  readonly toolCalls: { readonly recorded: number; readonly replayed: number };
}

/** A replay. */
export interface RunReplay {
  /** Go into `new AgentEngine(…)`. */
  readonly options: EngineOptions;
  /** Call it when the runs are over: what was recorded and not replayed is a divergence, too. */
  verify(): ReplayVerdict;
}

/** The options of the recorded engine; the provider is not called, and may be left out. */
export type ReplayOptions = Omit<EngineOptions, "provider"> & { readonly provider?: ProviderAdapter | undefined };

/**
 * Plays what `recordRun` has recorded, offline: no model and no tool is called. Give it the options of the recorded engine,
 * then start the same runs. The first request or tool call that is different ends the run as `failed` with
 * `REPLAY_DIVERGED`, which names the place and shows both sides.
 *
 * @example
 * const replay = replayRun("bug.jsonl", { tools });
 * await new AgentEngine(replay.options).run("Fix the test.");
 * assert.deepEqual(replay.verify().divergence, undefined);
 *
 * @throws ConfigurationError `OPTION_INVALID` for a file that is not a cassette; the file system's error when it cannot be
 * read
 */
export function replayRun(file: string, engineOptions: ReplayOptions = {}): RunReplay {
  checkCassetteArguments("replayRun()", engineOptions, file);
  const lines = readCassette(readFileSync(file, "utf8"), file);
  const player = new CassettePlayer(lines, createScrubJson(process.env));
  const { provider, contextSources, artifacts, approver } = engineOptions;
  const replayed = (tool: BaseTool) => replayingTool(withWrappedSubagents(tool, wrapping), player);
  const wrapping: Wrapping = {
    model: (model) => replayingModel(player, model),
    tool: replayed,
    ownTools: (agent, supply) => replayOwnTools(agent, supply, player),
  };
  const tools = withWrappedTools(engineOptions.tools, replayed);
  const options: EngineOptions = {
    ...engineOptions,
    provider: replayingProvider(player, provider),
    runtime: {
      now: () => player.now(),
      newId: () => player.value("newId", (count) => `replay-${count}`),
      random: () => player.value("random", () => 0),
    },
    ...(tools && { tools }),
    ...(contextSources && { contextSources: contextSources.map((source) => replayingSource(source, player)) }),
    ...(artifacts && { artifacts: replayingArtifacts(artifacts, player) }),
    ...(approver && {
      approver: async (request) => (await outcomeOf(player, `approver ${request.id}`)) as ApproverAnswer,
    }),
  };
  return { options, verify: () => verdictOf(player) };
}

function verdictOf(player: CassettePlayer): ReplayVerdict {
  const open = player.calls.filter(({ isTaken }) => !isTaken);
  const unplayed = player.unplayedOutcomes;
  if (open[0])
    player.diverge(`request ${open[0].number + 1}, which the replay did not make`, open[0].messages.at(-1), undefined);
  else if (unplayed[0] !== undefined)
    player.diverge(`${unplayed[0]}, which the replay did not make`, "called", undefined);
  const { divergence } = player;
  const recordedCalls = player.playedOutcomes + unplayed.length;
  return {
    ok: divergence === undefined,
    ...(divergence && { divergence, error: player.error() }),
    requests: { recorded: player.calls.length, replayed: player.calls.length - open.length },
    toolCalls: { recorded: recordedCalls, replayed: player.playedOutcomes },
  };
}

async function outcomeOf(player: CassettePlayer, of: string): Promise<unknown> {
  const outcome = player.take(of);
  if (!outcome) throw player.diverge(`${of}, which was not recorded`, undefined, of);
  return player.settle(outcome);
}

function replayingSource(source: ContextSource, player: CassettePlayer): ContextSource {
  const load: ContextSource["load"] = async ({ transcriptId }) =>
    (await outcomeOf(player, `source ${source.id} ${transcriptId}`)) as PromptSection | null;
  return overriding(source, { load });
}

function replayingArtifacts(artifacts: ArtifactStore, player: CassettePlayer): ArtifactStore {
  const put = async () => (await outcomeOf(player, "artifact")) as ArtifactRef;
  return overriding(artifacts, { put, ...(artifacts.putStream && { putStream: put }) });
}
