import type { Plugin } from "../../../presets/plugins/load-plugins.js";
import { pluginTitle } from "../../project/plugins.js";
import { exactLine, safeLine } from "../screen/safe-text.js";
import type { Command } from "./command.js";

export const pluginsCommand: Command = {
  name: "plugins",
  summary: "what plugins bring, and which of them you trust",
  async run({ agent, desk, options, say, screen }) {
    const { plugins = [] } = agent;
    if (plugins.length === 0) {
      say(screen.theme.dim("There are no plugins. A plugin is a directory in ~/.loopwright/plugins."));
      return;
    }
    const choices = plugins.map((plugin) => ({
      label: safeLine(pluginTitle(plugin)),
      note: `${plugin.isTrusted ? "trusted" : "not trusted"} · ${plugin.brings.length} parts`,
    }));
    const chosen = await desk.pick({ title: "Plugins", choices });
    const plugin = chosen && plugins[chosen.index];
    if (!plugin) return;
    const answer = await desk.pick({
      title: `Do you trust ${safeLine(pluginTitle(plugin))}?`,
      body: about(plugin),
      ...yesOrNo(plugin),
    });
    if (!answer) return;
    if (!options.keepPluginTrust) throw new Error("What is trusted cannot be changed here.");
    const isTrusted = answer.index === 0;
    await options.keepPluginTrust(plugin, isTrusted);
    say(`The plugin ${safeLine(plugin.name)} is ${isTrusted ? "trusted" : "not trusted"} from the next start on.`);
  },
};

function about({ description, directory, brings, problems }: Plugin): string[] {
  return [
    ...(description === undefined ? [] : [safeLine(description)]),
    safeLine(directory),
    ...brings.map(({ part, what }) => `${part}: ${exactLine(what)}`),
    ...problems.map(({ source, message }) => `! ${safeLine(source)}: ${safeLine(message)}`),
    "",
    "It can run programs and tell the model what to do. When one of its files changes, you are asked again.",
  ];
}

function yesOrNo({ isTrusted }: Plugin) {
  return {
    choices: [
      { label: "Yes", note: isTrusted ? "as it is now" : undefined },
      { label: "No", note: isTrusted ? undefined : "as it is now" },
    ],
    selected: isTrusted ? 0 : 1,
  };
}
