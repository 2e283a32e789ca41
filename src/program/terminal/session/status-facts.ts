import type { StatusFacts } from "../panel/status-line.js";
import type { TerminalAgent } from "../terminal-agent.js";
import type { TerminalSession } from "./terminal-session.js";

/** The facts of a session for a status line. */
export function statusFacts({ workspace }: TerminalAgent, session: TerminalSession, version = ""): StatusFacts {
  const { sessionId, provider, mode, spent, contextShare } = session;
  return {
    session_id: sessionId,
    cwd: workspace.root,
    version,
    model: { id: provider.model, display_name: `${provider.id}/${provider.model}` },
    workspace: { current_dir: workspace.root, project_dir: workspace.root },
    cost: { total_cost_usd: spent.costUsd },
    context_window: { used_percentage: contextShare === null ? null : Math.round(contextShare * 100) },
    permission_mode: mode,
  };
}
