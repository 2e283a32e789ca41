// The servers of a plugin: under names of its own, and nothing of it outside its directory.
import { dirname, relative, resolve } from "node:path";
import { loadMcpConfig, type McpConfig, type McpConfigProblem } from "../../mcp/config/load-mcp-config.js";
import type { Server } from "../../mcp/config/server-entry.js";
import { isServerName } from "../../mcp/connect-mcp.js";
import { isInside } from "../../paths/inside.js";
import type { PluginFiles } from "./plugin-files.js";

/** The places that the programs of a plugin are told. */
export type PluginVariables = Readonly<Record<"PLUGIN_ROOT" | "PLUGIN_DATA", string>>;

export interface PluginPlace {
  readonly name: string;
  readonly files: PluginFiles;
  readonly isTrusted: boolean;
  readonly variables: PluginVariables;
}

/**
 * Reads a file of servers. Those of the open format know no variable but the plugin's own places, and none in what is sent to a
 * server; Claude Code's know the environment, too.
 */
export async function readPluginServers(
  { file, isOpen }: { readonly file: string; readonly isOpen: boolean },
  { name, files, isTrusted, variables }: PluginPlace,
): Promise<McpConfig> {
  const env = isOpen ? variables : { ...process.env, ...variables };
  const config = await loadMcpConfig(file, { files, trustProject: isTrusted, home: null, env });
  const problems: McpConfigProblem[] = [...config.problems];
  const asWritten = isOpen && isTrusted ? (await loadMcpConfig(file, { files, home: null })).untrusted : [];
  const place = async (server: Server): Promise<Server[]> => {
    const own = { ...server, name: `plugin_${name}_${server.name}` };
    const wrong = (message: string) => {
      problems.push({ file, line: 1, server: server.name, field: "", message: `${message}; the server is left out` });
      return [];
    };
    if (!isServerName(own.name)) return wrong(`its name with the plugin's, "${own.name}", has more than 64 characters`);
    if (isOpen && "command" in own && /\s/.test(own.command)) return wrong("its command is more than one word");
    if (!("command" in own))
      return [{ ...own, ...asWritten.find((each) => each.name === server.name), name: own.name }];
    if (!isTrusted) return [own];
    // A file that is not in the plugin's root names places from there all the same.
    const cwd = resolve(files.root, relative(dirname(file), own.cwd ?? dirname(file)));
    const isData = isInside(cwd, variables.PLUGIN_DATA);
    const isPath = /[/\\]/.test(own.command);
    const command = isPath ? resolve(files.root, own.command) : own.command;
    for (const path of [...(isData ? [] : [cwd]), ...(isPath ? [command] : [])]) {
      const trouble = await files.realPath(path).then(
        () => null,
        (error: Error) => error.message,
      );
      if (trouble !== null) return wrong(`it uses ${JSON.stringify(path)}: ${trouble}`);
    }
    const beforeStart = files.assertUnchanged;
    return [{ ...own, command, cwd, env: { ...own.env, ...variables }, beforeStart }];
  };
  const placed = async (servers: readonly Server[]) => (await Promise.all(servers.map(place))).flat();
  return { servers: await placed(config.servers), untrusted: await placed(config.untrusted), problems };
}
