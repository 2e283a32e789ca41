// The servers that the files of another machine name, to be started there.
import { posix } from "node:path";
import type { Workspace } from "../contracts/workspace.js";
import type { McpConfig, McpConfigProblem } from "../mcp/config/load-mcp-config.js";
import { expandEntry, type ReportField, type Server } from "../mcp/config/server-entry.js";
import type { McpCommandServer } from "../mcp/connect-mcp.js";

/** The objection of settings to a server; `null` or no function: none. */
export type ServerRefusal = ((server: Server) => string | null) | undefined;

interface MachinePlace {
  /** The directory of the project, there. */
  readonly dir: string;
  readonly start: NonNullable<Workspace["startProgram"]>;
}

/**
 * A server as it is started there: under a name for which no rule about another server holds, in the project's directory, and with no
 * variable of this machine. `null` when one is missing, and `report` has said which.
 */
export function onMachine(
  server: McpCommandServer,
  { dir, start }: MachinePlace,
  report: ReportField,
): McpCommandServer | null {
  const expanded = expandEntry(server, {}, report);
  if (!expanded || !("command" in expanded)) return null;
  return { ...expanded, name: `machine-${server.name}`, cwd: posix.resolve(dir, expanded.cwd ?? "."), start };
}

/** The same configuration, of which the programs are started there. Servers at a URL stay untrusted. */
export function serversOnMachine(
  file: string,
  config: McpConfig,
  { refusal, ...place }: MachinePlace & { readonly refusal: ServerRefusal },
): McpConfig {
  const problems: McpConfigProblem[] = [...config.problems];
  const servers = config.untrusted.flatMap((server) => {
    if (!("command" in server)) return [];
    const wrong: ReportField = (field, message) =>
      problems.push({ file, line: 1, server: server.name, field, message });
    const placed = onMachine(server, place, wrong);
    const refused = (placed && refusal?.(placed)) ?? null;
    if (refused !== null) wrong("", `${refused}, so it is not started`);
    return placed && refused === null ? [placed] : [];
  });
  return { servers, untrusted: config.untrusted.filter((server) => !("command" in server)), problems };
}
