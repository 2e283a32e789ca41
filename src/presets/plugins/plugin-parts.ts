// The parts that presets take from trusted plugins.

import { isSubagentName } from "../../engine/subagents/subagent-table.js";
import type { McpConfigProblem } from "../../mcp/config/load-mcp-config.js";
import { type LoadedSubagents, type LoadSubagentsOptions, loadSubagents } from "../../subagents/load-subagents.js";
import type { ServerRefusal } from "../machine-servers.js";
import type { LoadedPlugins, Plugin } from "./load-plugins.js";
import { withRoot } from "./plugin-text.js";

export function trustedPlugins({ plugins }: { readonly plugins?: LoadedPlugins | undefined }): readonly Plugin[] {
  return plugins?.plugins.filter(({ isTrusted }) => isTrusted) ?? [];
}

/** The agents of a plugin, under names of its own. Of one that has changed, none starts the servers of its file. */
export async function subagentsOf(
  plugin: Plugin,
  options: Omit<LoadSubagentsOptions, "dirs">,
): Promise<LoadedSubagents> {
  const loaded = await loadSubagents({ ...options, dirs: plugin.agents, trustProject: true });
  const problems = [...loaded.problems];
  const subagents = loaded.subagents.flatMap((agent) => {
    const name = `${plugin.name}:${agent.name}`;
    if (isSubagentName(name)) {
      const systemPrompt = withRoot(agent.systemPrompt, plugin.directory);
      const { ownTools } = agent;
      const unchanged = ownTools && (() => plugin.assertUnchanged().then(ownTools));
      return [{ ...agent, name, systemPrompt, ...(unchanged && { ownTools: unchanged }) }];
    }
    problems.push({
      file: agent.file,
      line: 1,
      key: "name",
      message: `"${name}" is too long for a name; it is left out`,
    });
    return [];
  });
  return { subagents, untrusted: [], problems };
}

/** The servers of a plugin to which settings do not object, neither under the plugin's name for them nor under the file's. */
export function serversOf({ name, directory, servers }: Plugin, refusal: ServerRefusal) {
  const problems: McpConfigProblem[] = [];
  const used = servers.filter((server) => {
    const plain = { ...server, name: server.name.slice(`plugin_${name}_`.length) };
    const refused = refusal?.(server) ?? refusal?.(plain) ?? null;
    if (refused !== null)
      problems.push({
        file: directory,
        line: 1,
        server: plain.name,
        field: "",
        message: `${refused}, so it is not started`,
      });
    return refused === null;
  });
  return { file: directory, servers: used, untrusted: [], problems };
}
