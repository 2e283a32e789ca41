// The conversation at a terminal: everything about it that is not drawing.

import type { CommandLine } from "./command-line.js";
import { connectModel, modelNames } from "./model-choice.js";
import { openProgramAgent, type ProgramAgent, type ProgramAgentOptions } from "./program-agent.js";
import type { ProgramIo } from "./program-io.js";
import { askTrust } from "./project/ask-trust.js";
import { prepareProject } from "./project/prepare-project.js";
import { saveRules } from "./project/saved-rules.js";
import { readTrust, writeTrust } from "./project/trust.js";
import { instructionFilesOf } from "./project/user-instructions.js";
import { runTerminal } from "./terminal/run-terminal.js";
import { readVersion } from "./version.js";

export interface TalkOptions {
  readonly line: CommandLine;
  readonly io: ProgramIo;
  readonly setup: Omit<ProgramAgentOptions, "approver">;
  /** Goes on with this session. Default: a new one. */
  readonly sessionId: string | undefined;
}

/** Talks until the user leaves. Resolves with the exit code. */
export async function talk({ line, io, setup, sessionId }: TalkOptions): Promise<number> {
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
    instructionFiles: async () => instructionFilesOf(state.root),
    saveRules: (updates) => saveRules(state, updates),
    async open(approver) {
      const agent = await openWithTrust({ ...setup, approver }, io);
      if (line.init && agent.settings) await prepareProject(agent.settings.hooks, new AbortController().signal);
      return agent;
    },
  });
}

/** Opens the agent, and asks about the project's own parts if there are some and nobody was asked before. */
async function openWithTrust(options: ProgramAgentOptions, io: ProgramIo): Promise<ProgramAgent> {
  const agent = await openProgramAgent(options);
  const { state, isTrusted } = options;
  if (isTrusted || agent.untrusted.length === 0 || (await readTrust(state)) !== undefined) return agent;
  const answer = await askTrust(state.root, agent.untrusted, io);
  // Who left the question has not answered it, and is asked again.
  if (answer !== undefined) await writeTrust(state, answer);
  if (!answer) return agent;
  await agent.close();
  return openProgramAgent({ ...options, isTrusted: true });
}
