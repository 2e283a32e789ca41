// The conversation at a terminal: everything about it that is not drawing.
import type { CommandLine } from "./command-line.js";
import { connectModel, modelNames } from "./model-choice.js";
import { prepareProject } from "./prepare-project.js";
import { openProgramAgent, type ProgramAgentOptions } from "./program-agent.js";
import type { ProgramIo } from "./program-io.js";
import { saveRules } from "./saved-rules.js";
import { runTerminal } from "./terminal/run-terminal.js";
import { readVersion } from "./version.js";

export interface Conversation {
  readonly line: CommandLine;
  readonly io: ProgramIo;
  readonly setup: Omit<ProgramAgentOptions, "approver">;
  /** Goes on with this session. Default: a new one. */
  readonly sessionId: string | undefined;
}

/** Talks until the user leaves. Resolves with the exit code. */
export async function talk({ line, io, setup, sessionId }: Conversation): Promise<number> {
  const { env } = io;
  const { state, provider, mode } = setup;
  const prompt = line.words.join(" ").trim();
  return runTerminal({
    provider,
    mode,
    sessionId,
    prompt: prompt === "" ? undefined : prompt,
    historyFile: state.history,
    version: readVersion(),
    env,
    models: { names: modelNames(env), connect: (name) => connectModel(name, env) },
    saveRules: (updates) => saveRules(state, updates),
    async open(approver) {
      const agent = await openProgramAgent({ ...setup, approver });
      if (line.init && agent.settings) await prepareProject(agent.settings.hooks, new AbortController().signal);
      return agent;
    },
  });
}
