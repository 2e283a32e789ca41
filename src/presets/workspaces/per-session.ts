// An agent whose sessions have workspaces of their own: each of its parts finds the session's by the id that it is asked with.
import type { ContextPolicy, View } from "../../contracts/context.js";
import { ConfigurationError, ToolError } from "../../contracts/errors.js";
import type { PermissionDecision, PermissionGate, PermissionRequest } from "../../contracts/permission.js";
import type { BaseTool, ToolContext } from "../../contracts/tool.js";
import type { ArtifactStore, Workspace } from "../../contracts/workspace.js";
import type { PermissionChecker } from "../../permissions/checker.js";
import type { SessionParts, SessionWorkspaces } from "./session-workspaces.js";
import type { AgentWorkspaces, MakeTools, WorkspaceParts } from "./workspace-parts.js";

/** `template`: the parts on no workspace, whose tools have the names, descriptions and schemas of each session's. */
export function onePerSession(workspaces: SessionWorkspaces, template: WorkspaceParts): AgentWorkspaces {
  const of = (sessionId: string | undefined) => workspaces.of(sessionId ?? "");

  /** A tool of this agent works in the workspace of the session that calls it. */
  function inSession(request: PermissionRequest, { workspace }: SessionParts): PermissionRequest {
    const { tool } = request;
    if (typeof tool === "string" || tool.worksIn !== template.workspace) return request;
    return { ...request, tool: { ...tool, worksIn: workspace } };
  }

  const gate: PermissionGate = {
    usesLabels: template.permissions.usesLabels,
    understandsAddedRules: template.permissions.understandsAddedRules,
    mode: template.permissions.mode,
    decide: (request) => {
      const own = of(request.sessionId);
      return own?.permissions.decide(inSession(request, own)) ?? notOpenDenial(request.sessionId);
    },
    async remember(updates, about) {
      await of(about.sessionId)?.permissions.remember?.(updates, about);
      workspaces.remember(about.sessionId, updates);
    },
  };

  const checker: PermissionChecker | undefined = template.checker && {
    ...gate,
    decide: (request) => {
      const own = of(request.sessionId);
      return own?.checker?.decide(inSession(request, own)) ?? notOpenDenial(request.sessionId);
    },
    async explain(request) {
      const own = of(request.sessionId);
      if (!own?.checker) throw new ConfigurationError("OPTION_INVALID", { message: notOpen(request.sessionId) });
      return own.checker.explain(inSession(request, own));
    },
    remember(updates, about) {
      of(about.sessionId)?.checker?.remember(updates, about);
      workspaces.remember(about.sessionId, updates);
    },
  };

  const policyOf = (view: View): ContextPolicy => (of(view.sessionId) ?? template).compaction;

  return {
    workspace: template.workspace,
    permissions: gate,
    checker,
    compaction: {
      prepare: (view, budget) => policyOf(view).prepare(view, budget),
      recover: (view, error, budget) => policyOf(view).recover(view, error, budget),
      usage: (view, budget) => template.compaction.usage!(view, budget),
    },
    artifacts: artifactsOf(workspaces),
    of,
    tools: (make) => make(template).map((tool) => toolPerSession(tool, make, workspaces)),
    source: (id, make) => ({
      id,
      async load(run) {
        return make(await workspaces.enter(run)).load(run);
      },
    }),
    problems: () => [...template.problems(), ...listed(workspaces, (parts) => parts.problems())],
    untrusted: () => [...template.untrusted(), ...listed(workspaces, (parts) => parts.untrusted())],
  };
}

function toolPerSession(template: BaseTool, make: MakeTools, workspaces: SessionWorkspaces): BaseTool {
  const ownIn = (parts: SessionParts) => parts.made.get(make, parts, template.name);
  const find = (sessionId = "") => {
    const parts = workspaces.of(sessionId);
    return parts && ownIn(parts);
  };
  const enter = async (context: ToolContext) => ownIn(await workspaces.enter(context));
  const { claims, checkPermission, reminder, afterHooks, endCall } = template;
  return Object.freeze({
    ...template,
    // Before the gate is asked, which does not know the run's context.
    async validate(input, context) {
      await (await enter(context)).validate?.(input, context);
    },
    execute(input, context) {
      const own = find(context.sessionId);
      if (!own) throw new ToolError("TOOL_FAILED", { message: notOpen(context.sessionId) });
      return own.execute(input, context);
    },
    endSession: (sessionId) => workspaces.end(sessionId),
    ...(claims && { claims: (input, about) => (find(about?.sessionId) ?? template).claims!(input, about) }),
    ...(checkPermission && {
      checkPermission: (input, about) =>
        find(about.sessionId)?.checkPermission?.(input, about) ?? notOpenDenial(about.sessionId),
    }),
    ...(reminder && { reminder: (about) => find(about.sessionId)?.reminder?.(about) ?? null }),
    ...(afterHooks && { afterHooks: async (call) => find(call.sessionId)?.afterHooks?.(call) }),
    ...(endCall && { endCall: async (call) => find(call.sessionId)?.endCall?.(call) }),
  } satisfies BaseTool);
}

/** The session's own, which keeps nothing where the workspace has none. */
function artifactsOf(workspaces: SessionWorkspaces): ArtifactStore {
  const storeOf = (sessionId: string) => {
    const store = workspaces.of(sessionId)?.workspace.artifacts;
    if (store) return store;
    const message = `Session ${JSON.stringify(sessionId)} has no workspace that keeps artifacts. Open workspaces with the option artifacts.`;
    throw new ToolError("TOOL_FAILED", { message });
  };
  return {
    put: async (content, about) => storeOf(about.sessionId).put(content, about),
    async putStream(content, about) {
      const store = storeOf(about.sessionId);
      if (store.putStream) return store.putStream(content, about);
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      return store.put(Buffer.concat(pieces), about);
    },
    async get(id) {
      for (const [, { workspace }] of workspaces.all()) {
        const content = await workspace.artifacts?.get(id).catch(() => undefined);
        if (content) return content;
      }
      throw new ToolError("PATH_NOT_FOUND", { message: `No open workspace has the artifact ${JSON.stringify(id)}.` });
    },
  };
}

function listed<T>(workspaces: SessionWorkspaces, list: (parts: SessionParts) => readonly T[]) {
  return workspaces.all().flatMap(([sessionId, parts]) => list(parts).map((each) => ({ ...each, sessionId })));
}

function notOpen(sessionId = ""): string {
  return `The workspace of session ${JSON.stringify(sessionId)} is not open. It is opened by the session's run.`;
}

function notOpenDenial(sessionId: string | undefined) {
  return { behavior: "deny", reason: notOpen(sessionId) } satisfies PermissionDecision;
}

const nothing = async (): Promise<never> => {
  const message =
    "This agent has a workspace for each session, and none of its own. Ask agent.workspaceOf(sessionId), once the session has a run.";
  throw new ConfigurationError("OPTION_INVALID", { message });
};

/** The workspace of an agent that has none of its own: whatever it is asked for fails and says so. */
export const NO_WORKSPACE: Workspace = Object.freeze({
  root: "/",
  files: {
    resolve: nothing,
    stat: nothing,
    open: nothing,
    read: nothing,
    write: nothing,
    makeDirectory: nothing,
    list: nothing,
    withLock: nothing,
  },
  fileState: { note() {}, get: () => undefined, paths: () => [], see: () => null, endSession() {} },
  shell: { run: nothing },
  shellDirectories: { get: () => undefined, set() {}, endSession() {} },
  resolve: nothing,
  needsApproval: nothing,
  async close() {},
});
