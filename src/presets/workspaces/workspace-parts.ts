// The parts of an agent that belong to one workspace. An agent on one workspace has them once, another one for each session.
import { createCompactionPipeline } from "../../compaction/pipeline.js";
import type { ContextPolicy, ContextSource } from "../../contracts/context.js";
import type { PermissionGate } from "../../contracts/permission.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ArtifactStore, Workspace } from "../../contracts/workspace.js";
import type { SettingsProblem } from "../../hooks/settings/settings-file.js";
import { joinFlow } from "../../hooks/settings/settings-flow.js";
import { createPermissionChecker, type PermissionChecker } from "../../permissions/checker.js";
import type { PermissionRules, SourcedRules } from "../../permissions/rules/rules.js";
import type { AgentProblem, UntrustedPart } from "../agent-problems.js";
import type { AgentOptions } from "../options.js";
import type { Project } from "../project/configuration-files.js";
import { type SandboxPlan, withoutAddedAllows, withRestrictions } from "../settings-limits.js";
import { readFileOf } from "./agent-workspace.js";

/** The parts for one workspace. */
export interface WorkspaceParts {
  readonly workspace: Workspace;
  /** The files that lie there, and the user's. */
  readonly project: Pick<Project, "files" | "leftOut" | "settings" | "skills">;
  /** Not with a gate of the host's own. */
  readonly checker: PermissionChecker | undefined;
  /** The checker, or one of the rules of settings, for what is read without a call. */
  readonly reading: PermissionChecker;
  readonly permissions: PermissionGate;
  readonly compaction: ContextPolicy;
  problems(): AgentProblem[];
  untrusted(): readonly UntrustedPart[];
}

/** Makes the tools, or a part of them, for one workspace. */
export type MakeTools = (parts: WorkspaceParts) => readonly BaseTool[];

/** The workspace of an agent, or those of its sessions, and what is made of each. */
export interface AgentWorkspaces {
  readonly workspace: Workspace;
  readonly checker: PermissionChecker | undefined;
  readonly permissions: PermissionGate;
  readonly compaction: ContextPolicy;
  readonly artifacts: ArtifactStore | undefined;
  /** The parts that a session has now. */
  of(sessionId: string): WorkspaceParts | undefined;
  tools(make: MakeTools): readonly BaseTool[];
  source(id: string, make: (parts: WorkspaceParts) => ContextSource): ContextSource;
  problems(): AgentProblem[];
  untrusted(): readonly UntrustedPart[];
}

/** The gate options that a preset decides. */
export interface GateOfPreset {
  /** Beside the rules of host and settings. */
  readonly rules?: PermissionRules;
  /** Around the gate, also around one of the host's own. */
  narrow?(gate: PermissionGate): PermissionGate;
}

/** Puts together what belongs to a workspace. Nothing is opened. */
export function workspaceParts(
  workspace: Workspace,
  project: Pick<Project, "files" | "leftOut" | "settings" | "skills" | "problems" | "untrusted">,
  plan: SandboxPlan,
  options: AgentOptions<never>,
  preset: GateOfPreset,
): WorkspaceParts {
  const { settings, skills } = project;
  const checker = options.permissions
    ? undefined
    : createPermissionChecker({
        mode: options.mode ?? settings?.mode,
        workspace,
        flow: joinFlow(options.flow, settings?.flow),
        sources: [
          { source: "flag", ...preset.rules },
          ...plan.rules,
          ...sourcedRules(options),
          ...(settings?.sources ?? []),
        ],
      });
  const restricting = [...plan.rules, ...(settings?.sources ?? [])];
  const own = checker ?? withRestrictions(options.permissions!, restricting, workspace);
  const ungated = settings?.restrictions.onlyManagedAllowRules ? withoutAddedAllows(own) : own;
  const gate = skills?.gate(ungated) ?? ungated;
  return {
    workspace,
    project,
    checker,
    reading:
      checker ?? createPermissionChecker({ workspace, sources: restricting.map((each) => ({ ...each, allow: [] })) }),
    permissions: preset.narrow?.(gate) ?? gate,
    compaction: createCompactionPipeline({
      summarizer: options.provider,
      readFile: readFileOf(workspace, own.usesLabels === true),
    }),
    problems: () => [...project.problems(), ...plan.problems.map(settingsProblem)],
    untrusted: () => project.untrusted(),
  };
}

/** The same parts for every session. */
export function oneForAll(parts: WorkspaceParts): AgentWorkspaces {
  return {
    ...parts,
    artifacts: parts.workspace.artifacts,
    of: () => parts,
    tools: (make) => make(parts),
    source: (_, make) => make(parts),
  };
}

/** The tools that were made for one workspace, by what has made them. */
export class MadeTools {
  readonly #byMaker = new Map<MakeTools, ReadonlyMap<string, BaseTool>>();

  get(make: MakeTools, parts: WorkspaceParts, name: string): BaseTool {
    const made = this.#byMaker.get(make) ?? new Map(make(parts).map((tool) => [tool.name, tool]));
    this.#byMaker.set(make, made);
    return made.get(name)!;
  }

  async endSession(sessionId?: string): Promise<void> {
    const tools = [...this.#byMaker.values()].flatMap((made) => [...made.values()]);
    await Promise.all(tools.map((tool) => tool.endSession?.(sessionId)));
  }
}

function settingsProblem({ file, line, key, message }: SettingsProblem): AgentProblem {
  return { part: "settings", source: file, line, message: `${key}: ${message}` };
}

function sourcedRules({ rules = [] }: AgentOptions<never>): readonly SourcedRules[] {
  return "length" in rules ? rules : [{ source: "flag", ...rules }];
}
