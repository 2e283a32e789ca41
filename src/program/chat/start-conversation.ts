// The conversation at a terminal: everything about it that is not drawing.

import { trustedPlugins } from "../../presets/plugins/plugin-parts.js";
import type { CommandLine } from "../command-line.js";
import { UsageError } from "../exit-codes.js";
import { findLocalModels, localServers } from "../models/local-servers.js";
import { connectModel, modelNames } from "../models/model-choice.js";
import { createModelSwitch } from "../models/model-switch.js";
import type { OwnModels } from "../models/own-models.js";
import type { ProgramIo } from "../program-io.js";
import { keepPluginTrust } from "../project/plugins.js";
import { prepareProject } from "../project/prepare-project.js";
import { projectRequests } from "../project/project-requests.js";
import { loadPromptCommands } from "../project/prompt-commands.js";
import { readSavedRules, saveRules } from "../project/saved-rules.js";
import { readTrust, writeTrust } from "../project/trust.js";
import { instructionFilesOf } from "../project/user-instructions.js";
import { sessionModes } from "../sessions/session-modes.js";
import { sessionNames } from "../sessions/session-names.js";
import { runTerminal } from "../terminal/run-terminal.js";
import type { FirstScreen } from "../terminal/screen/first-screen.js";
import type { TerminalOptions } from "../terminal/terminal-agent.js";
import { readVersion } from "../version.js";
import { openProgramAgent, type ProgramAgentOptions } from "./program-agent.js";

export interface TalkOptions {
  readonly line: CommandLine;
  readonly io: ProgramIo;
  readonly setup: Omit<ProgramAgentOptions, "approver">;
  readonly own: OwnModels;
  readonly first: FirstScreen;
  /** Goes on with this session. Default: a new one. */
  readonly sessionId: string | undefined;
  /** The reason why settings forbid a model; `null`: they do not. */
  modelRefusal(name: string): string | null;
}

/** Talks until the user leaves. Resolves with the exit code. */
export async function talk({ line, io, setup, own, sessionId, modelRefusal, first }: TalkOptions): Promise<number> {
  const { env } = io;
  const { state, provider, mode, prices } = setup;
  const prompt = line.words.join(" ").trim();
  const model = createModelSwitch(provider);
  const { allow = [], ...saved } = await readSavedRules(state);
  const options: TerminalOptions = {
    root: state.root,
    provider,
    mode,
    sessionId,
    prompt: prompt === "" ? undefined : prompt,
    historyFile: state.history,
    version: readVersion(),
    settings: first.settings,
    env,
    prices,
    limits: setup.limits,
    budget: line.budget,
    models: {
      names: modelNames(env, own).filter((name) => modelRefusal(name) === null),
      async findLocal() {
        const names = await findLocalModels(localServers(own));
        return names.filter((name) => modelRefusal(name) === null);
      },
      connect(name) {
        const chosen = connectModel(name, env, own);
        const refusal = modelRefusal(`${chosen.id}/${chosen.model}`);
        if (refusal !== null) throw new UsageError(`The model "${name}" ${refusal}. Choose another one.`);
        model.use(chosen);
        return chosen;
      },
    },
    instructionFiles: async () => instructionFilesOf(setup.place?.open ? undefined : state.root),
    promptCommands: () =>
      loadPromptCommands(
        setup.isTrusted && !setup.place?.open ? state.root : undefined,
        undefined,
        trustedPlugins(setup),
      ),
    keepPluginTrust: (plugin, isTrusted) => keepPluginTrust(state, plugin, isTrusted),
    names: sessionNames(state.names),
    modes: sessionModes(state.modes),
    ...(!setup.place?.open && {
      trust: {
        asksFor: () => projectRequests(state.root),
        read: () => readTrust(state),
        keep: (isTrusted) => writeTrust(state, isTrusted),
      },
    }),
    savedRules: allow,
    saveRules: (updates) => saveRules(state, updates),
    async open(approver) {
      // A rule that is allowed for good is kept with each session, so that it can be taken back while the program runs.
      const agent = await openProgramAgent({ ...setup, provider: model.provider, approver, saved });
      if (line.init && agent.settings) await prepareProject(agent.settings.hooks, new AbortController().signal);
      return agent;
    },
  };
  // A question about trust has taken the first screen away.
  return runTerminal(options, first.isOpen ? first : undefined);
}
