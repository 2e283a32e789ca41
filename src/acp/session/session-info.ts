import type { McpServer, NewSessionRequest } from "@agentclientprotocol/sdk";
import type { Workspace } from "../../contracts/workspace.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import type { AcpEditor } from "../client-side.js";
import type { EditorUse } from "../editor/editor-workspace.js";

/** An MCP server that the editor wants to be used, as `connectMcp` takes it. */
export type AcpMcpServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly name: string; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A session of an editor, for which an engine is made. */
export interface AcpSession {
  /** The id of the engine's session, too. */
  readonly id: string;
  /** The directory the editor's user works in. Absolute. */
  readonly cwd: string;
  /** Further directories that the user has opened. Absolute. */
  readonly additionalDirectories: readonly string[];
  /** MCP servers the editor's user has configured. Nobody connects them but you. */
  readonly mcpServers: readonly AcpMcpServer[];
  readonly editor: AcpEditor;
  /**
   * The workspace with the editor's files and terminals, where the editor offers them: what its user has not saved is read, and
   * commands run where the user sees them. The sandbox of `workspace` and the engine's gate hold as before.
   */
  withEditor(workspace: Workspace, use?: EditorUse): Workspace;
  /**
   * Asks the editor's user at once, while other calls go on. Not needed: an engine without an approver suspends, and the user
   * is asked then.
   */
  readonly approver: Approver;
}

/** The message with which a client begins a session, in the form of `AcpSession`. */
export function readSessionRequest({
  cwd,
  additionalDirectories,
  mcpServers,
}: Pick<NewSessionRequest, "cwd" | "additionalDirectories"> & {
  readonly mcpServers?: readonly McpServer[];
}): Pick<AcpSession, "cwd" | "additionalDirectories" | "mcpServers"> {
  return {
    cwd,
    additionalDirectories: Object.freeze([...(additionalDirectories ?? [])]),
    mcpServers: Object.freeze((mcpServers ?? []).map(readServer)),
  };
}

function readServer(server: McpServer): AcpMcpServer {
  const { name } = server;
  if ("url" in server) return { name, url: server.url, headers: byName(server.headers) };
  return { name, command: server.command, args: server.args, env: byName(server.env) };
}

function byName(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
