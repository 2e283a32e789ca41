// The agent as the program runs it: the preset for coding, with everything that outlives the process in the project's state.
import type { FactStore } from "../../contracts/fact.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { PriceLookup, ProviderAdapter } from "../../contracts/provider.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import type { Limits } from "../../engine/options/limits.js";
import { createFileFactStore } from "../../memory/file-fact-store.js";
import type { SourcedRules } from "../../permissions/rules/rules.js";
import type { Agent } from "../../presets/agent.js";
import { createCodingAgent } from "../../presets/coding-agent.js";
import type { LoadedPlugins } from "../../presets/plugins/load-plugins.js";
import type { FileRewinder } from "../../sessions/checkpoints/checkpoint-rewind.js";
import { createCheckpoints } from "../../sessions/checkpoints/checkpoints.js";
import { createFileSessionStore } from "../../sessions/file-session-store.js";
import { createArtifactStore } from "../../workspace/artifacts.js";
import { openTrace, type TraceTarget } from "../open-trace.js";
import type { ProjectPlace } from "../project/project-place.js";
import type { ProjectState } from "../project/project-state.js";
import { readSavedRules } from "../project/saved-rules.js";
import { userInstructions } from "../project/user-instructions.js";
import { sessionNames } from "../sessions/session-names.js";

export interface ProgramAgentOptions {
  readonly state: ProjectState;
  readonly provider: ProviderAdapter;
  readonly approver: Approver;
  readonly isTrusted: boolean;
  readonly plugins?: LoadedPlugins | undefined;
  readonly mode?: PermissionMode | undefined;
  /** Rules of the command line. */
  readonly rules?: { readonly allow: readonly string[]; readonly deny: readonly string[] } | undefined;
  /** Rules that the user keeps for this project. Default: those of earlier runs. */
  readonly saved?: SourcedRules | undefined;
  /** The machine on which the tools run. Default: on this machine. */
  readonly place?: Pick<ProjectPlace, "addDirectories" | "open"> | undefined;
  readonly sandbox?: boolean | undefined;
  readonly limits?: Limits | undefined;
  /** Default: the list prices of well-known models. */
  readonly prices?: PriceLookup | undefined;
  readonly trace: TraceTarget;
  /** The provider for a model that an agent file names. */
  readonly models?: ((name: string) => ProviderAdapter | undefined) | undefined;
}

/** An agent that keeps sessions, facts, artifacts and earlier contents of files for the next time. */
export interface ProgramAgent extends Agent {
  readonly facts: FactStore;
  /** Takes files back to what they were. */
  readonly rewinder: FileRewinder;
  /** Removes what files were before a session has changed them. */
  forget(sessionId: string): Promise<void>;
  /** The rules that count from the start, each list with where it comes from. */
  readonly rules: readonly SourcedRules[];
}

/** Opens the agent of a project. */
export async function openProgramAgent(options: ProgramAgentOptions): Promise<ProgramAgent> {
  const {
    state,
    provider,
    approver,
    mode,
    sandbox,
    limits,
    models,
    prices,
    saved = await readSavedRules(state),
  } = options;
  const trace = await openTrace(options.trace);
  const sessions = createFileSessionStore({ dir: state.sessions, durability: "process" });
  const artifacts = createArtifactStore({ dir: state.artifacts, keep: true });
  const facts = createFileFactStore({ dir: state.facts });
  const checkpoints = createCheckpoints({ dir: state.checkpoints, sessions, durability: "process" });
  const own: SourcedRules[] = [{ source: "cliArg", ...options.rules }, saved];
  // In the user's home directory the state is inside the project: what the agent may do is not its own to write.
  const protectedPaths = [
    state.sessions,
    state.facts,
    state.checkpoints,
    state.trust,
    state.rules,
    state.history,
    state.names,
    state.modes,
    ...state.own,
  ];
  const { place } = options;
  const workspace = await place?.open?.({ artifacts, journal: checkpoints, protectedPaths });
  const writeRoots = place?.addDirectories ?? [];
  const here = { journal: checkpoints, readRoots: [state.artifacts], writeRoots, protectedPaths, sandbox };
  const agent: Agent = await createCodingAgent({
    provider,
    root: state.root,
    ...(workspace ? { workspace } : here),
    approver,
    sessions,
    artifacts,
    memory: facts,
    mode,
    rules: own,
    limits,
    models,
    prices,
    trustProject: options.isTrusted,
    sessionTitle: sessionNames(state.names).titleOf,
    plugins: options.plugins,
    contextSources: [userInstructions(() => agent.checker)],
  });
  try {
    trace.watch(agent.engine);
    const rewinder = await checkpoints.open(agent.workspace);
    const rules = [...own, ...(agent.settings?.sources ?? [])];
    const close = async () => {
      await agent.close();
      await workspace?.close();
      trace.close();
      await artifacts.close();
    };
    // The getters of the agent stay what they are.
    return Object.defineProperties(
      {},
      {
        ...Object.getOwnPropertyDescriptors(agent),
        ...Object.getOwnPropertyDescriptors({ rewinder, rules, close, forget: checkpoints.forget }),
      },
    ) as ProgramAgent;
  } catch (error) {
    await agent.close();
    await workspace?.close();
    throw error;
  }
}
