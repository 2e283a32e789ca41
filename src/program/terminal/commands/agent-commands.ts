// Commands about what the agent is made of: its model, its servers, its skills.
import type { McpConnection } from "../../../mcp/client/connection.js";
import type { QuestionDesk } from "../questions/question-desk.js";
import { safeLine } from "../screen/safe-text.js";
import type { ModelChoice } from "../terminal-agent.js";
import { counted } from "../transcript/quantities.js";
import type { Command } from "./command.js";
import { pluginsCommand } from "./plugins-command.js";

const modelCommand: Command = {
  name: "model",
  argument: "[name]",
  summary: "show or switch the model",
  async run({ conversation, desk, options, say, screen }, argument) {
    const { dim } = screen.theme;
    const { models } = options;
    const current = `${conversation.provider.id}/${conversation.provider.model}`;
    if (!models) {
      say(`The model is ${safeLine(current)}. ${dim("It cannot be switched here.")}`);
      return;
    }
    const name = argument === "" ? await pickModel(desk, models, current) : argument;
    if (name === "") return;
    conversation.setProvider(await models.connect(name));
    const when = conversation.isRunning ? " from the next prompt on" : "";
    say(`The model is ${safeLine(`${conversation.provider.id}/${conversation.provider.model}`)}${when}.`);
  },
};

/** The model of a list, of one that a server on this machine has, or one that is typed. `""`: none. */
async function pickModel(desk: QuestionDesk, models: ModelChoice, current: string): Promise<string> {
  const at = models.names.indexOf(current);
  const choices = [
    ...models.names.map((name, index) => ({ label: safeLine(name), note: index === at ? "in use" : undefined })),
    { label: "Another", asks: "vendor/model, such as openai/gpt-5.1" },
    ...(models.findLocal ? [{ label: "Look on this machine", note: "Ollama, LM Studio, llama.cpp, vLLM" }] : []),
  ];
  const chosen = await desk.pick({ title: `Model: ${safeLine(current)}`, choices, selected: Math.max(0, at) });
  if (!chosen) return "";
  if (chosen.index <= models.names.length) return models.names[chosen.index] ?? chosen.text;
  const found = (await models.findLocal?.()) ?? [];
  if (found.length === 0)
    throw new Error("No model server answers on this machine. Other addresses belong into models.json.");
  const local = await desk.pick({
    title: "On this machine",
    choices: found.map((name) => ({ label: safeLine(name) })),
  });
  return local ? found[local.index]! : "";
}

const mcpCommand: Command = {
  name: "mcp",
  argument: "[server]",
  summary: "servers and their tools",
  run({ agent, say, screen }, argument) {
    const { bold, dim, green, red, yellow } = screen.theme;
    const { connections = [], agentServers = [] } = agent;
    const started = agentServers.flatMap(({ connection }) => connection ?? []);
    if (argument !== "") {
      const found = [...connections, ...started].find(({ name }) => name === argument);
      if (!found) throw new Error(`There is no server "${safeLine(argument)}". /mcp lists them.`);
      const tools = found.tools().map((tool) => {
        const { name, description } = tool.definition();
        return `${safeLine(name)} ${dim(safeLine(description).slice(0, 120))}`;
      });
      say([bold(safeLine(found.name)), ...tools].join("\n"));
      return;
    }
    if (connections.length + agentServers.length === 0) {
      say(dim("No MCP server is configured. Add one to .mcp.json."));
      return;
    }
    const lineOf = (connection: McpConnection, of = "") => {
      const { name, status, problems } = connection;
      const paint = status === "connected" ? green : status === "connecting" ? yellow : red;
      const why = problems.map((problem) => `\n  ${red(safeLine(problem))}`).join("");
      return `${bold(safeLine(name))} ${paint(status)} ${dim(counted(connection.tools().length, "tool") + of)}${why}`;
    };
    const lines = connections.map((connection) => lineOf(connection));
    const own = agentServers.map(({ name, agents, connection }) => {
      const whose = `${agents.length === 1 ? "agent" : "agents"} ${agents.map((each) => safeLine(each)).join(", ")}`;
      return connection ? lineOf(connection, ` of ${whose}`) : `${bold(safeLine(name))} ${dim(`starts with ${whose}`)}`;
    });
    say([...lines, ...own, ...untrustedLines(agent.untrusted, ".mcp.json", dim)].join("\n"));
  },
};

const skillsCommand: Command = {
  name: "skills",
  summary: "choose a skill to use",
  async run({ agent, desk, say, screen }) {
    const { dim, yellow } = screen.theme;
    const { skills } = agent;
    if (!skills || skills.skills.length + skills.untrusted.length === 0) {
      say(dim("There are no skills. A skill is a directory with a SKILL.md in .claude/skills."));
      return;
    }
    const notes = [
      ...skills.problems.map((problem) => yellow(safeLine(JSON.stringify(problem)))),
      ...(skills.untrusted.length > 0
        ? [
            yellow(
              `Not in use, as the project is not trusted: ${skills.untrusted.map(({ name }) => safeLine(name)).join(", ")}`,
            ),
          ]
        : []),
    ];
    if (skills.skills.length === 0) {
      say(notes.join("\n"));
      return;
    }
    const offered = skills.skills.filter(({ usedBy }) => usedBy !== "model");
    const choices = offered.map(({ name, description }) => ({
      label: safeLine(name),
      note: safeLine(description),
    }));
    const chosen = await desk.pick({ title: "Use which skill?", body: notes, choices });
    if (chosen) screen.editor.setText(`Use the skill "${offered[chosen.index]!.name}": `);
  },
};

const initCommand: Command = {
  name: "init",
  summary: "let the agent write AGENTS.md for this project",
  needsIdle: true,
  run({ options, submit }) {
    submit(options.initPrompt ?? INIT_PROMPT);
  },
};

const INIT_PROMPT = `Look at this project and write AGENTS.md in its root: what an agent needs to know that it cannot see at a glance.
Name the commands to build, test and check it (run them once to be sure), how the code is arranged, and the conventions the code follows.
Keep it under 60 lines. If there is an AGENTS.md or a CLAUDE.md already, improve it instead.`;

export const agentCommands: readonly Command[] = [modelCommand, mcpCommand, skillsCommand, pluginsCommand, initCommand];

function untrustedLines(
  untrusted: readonly { readonly source: string; readonly what: string }[] | undefined,
  part: string,
  dim: (text: string) => string,
): readonly string[] {
  const found = (untrusted ?? []).filter(({ source }) => source.endsWith(part));
  return found.map(({ what }) => dim(`not trusted: ${safeLine(what)}`));
}
