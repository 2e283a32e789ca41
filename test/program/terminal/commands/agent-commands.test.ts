import { expect, test } from "vitest";
import { agentCommands } from "../../../../src/program/terminal/commands/agent-commands.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { closing, connectHostile } from "../../../mcp/servers.js";

/** What /mcp says about an agent of these parts. */
async function sayMcp(agent: object, argument = ""): Promise<string> {
  const said: string[] = [];
  const scene = { agent, say: (text: string) => said.push(text), screen: { theme: createTheme({ NO_COLOR: "1" }) } };
  await agentCommands.find(({ name }) => name === "mcp")!.run(scene as never, argument);
  return said.join("\n");
}

test("/mcp lists the servers, and those of agents' own before and after they have started", async () => {
  const connection = closing(connectHostile("none"));
  await connection.ready;
  const agentServers = [
    { name: "voice", agents: ["speaker"], connection: undefined },
    { name: "hostile", agents: ["a", "b"], connection },
  ];

  expect(await sayMcp({ connections: [connection], agentServers })).toBe(
    "hostile connected 1 tool\nvoice starts with agent speaker\nhostile connected 1 tool of agents a, b",
  );
  expect(await sayMcp({ agentServers }, "hostile")).toBe("hostile\nmcp__hostile__echo Says it again.");
  expect(await sayMcp({})).toBe("No MCP server is configured. Add one to .mcp.json.");
});

test("/model lists servers on this machine once it is asked to, and switches to one of their models", async () => {
  const titles: string[] = [];
  const picks = [
    { index: 2, text: "" },
    { index: 1, text: "" },
  ];
  const desk = {
    pick: async ({ title }: { title: string }) => {
      titles.push(title);
      return picks.shift();
    },
  };
  const said: string[] = [];
  let local: readonly string[] = [];
  const conversation = {
    provider: { id: "a", model: "b" },
    setProvider: (provider: { id: string; model: string }) => {
      conversation.provider = provider;
    },
  };
  const connect = (name: string) => ({ id: "ollama", model: name.slice("ollama/".length) });
  const options = { models: { names: ["a/b"], connect, findLocal: async () => local } };
  const scene = {
    conversation,
    desk,
    options,
    say: (text: string) => said.push(text),
    screen: { theme: createTheme({}) },
  };
  const run = () => agentCommands.find(({ name }) => name === "model")!.run(scene as never, "");

  await expect(run()).rejects.toThrow("No model server answers on this machine.");
  picks.splice(0, 2, { index: 2, text: "" }, { index: 1, text: "" });
  local = ["ollama/x", "ollama/qwen3:8b"];
  await run();

  expect(titles).toEqual(["Model: a/b", "Model: a/b", "On this machine"]);
  expect(said).toEqual(["The model is ollama/qwen3:8b."]);
});
