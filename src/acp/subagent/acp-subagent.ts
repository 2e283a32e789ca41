import type { BaseTool } from "../../contracts/tool.js";
import { foreignAgentTool } from "../../engine/subagents/foreign-agent.js";
import {
  byDefault,
  checkOptions,
  listOf,
  type OptionTable,
  oneOf,
  optionOf,
  recordOf,
  required,
  STRING,
  secret,
  TEXT,
} from "../../json/check-options.js";
import { AcpAgentAtWork } from "./agent-at-work.js";
import { HOST_SERVICES, type HostService } from "./host-services.js";

/** Options of `acpSubagent()`. */
export interface AcpSubagentOptions {
  /** The program that speaks the Agent Client Protocol over its standard input and output. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Variables beside those that every program gets, such as `PATH` and `HOME`. Keys of the host reach it in no other way. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Absolute. Where the agent works. Give the root of the engine's workspace. Default: the directory of this process. */
  readonly cwd?: string | undefined;
  /** The tool's name, as the model calls it: at most 50 letters, digits, `_` and `-`. */
  readonly name: string;
  /** The purpose of the agent, as the model reads it. */
  readonly description: string;
  /**
   * The services that the agent may ask its host for, done by this engine's tools `read_file`, `write_file` and `bash`. Default: all.
   */
  readonly services?: readonly HostService[] | undefined;
  /**
   * The agent's own tools pass no gate. Without this option it is not started where deny rules are about commands, files or addresses.
   */
  readonly ownTools?: "accepted" | undefined;
}

const OPTIONS = {
  command: required(STRING),
  args: listOf(TEXT, "strings"),
  env: recordOf(secret(TEXT), "strings"),
  cwd: STRING,
  name: required(
    optionOf((value) => typeof value === "string" && /^[\w-]{1,50}$/.test(value), "1 to 50 letters, digits, _ and -"),
  ),
  description: required(STRING),
  services: byDefault(HOST_SERVICES, listOf(oneOf(...HOST_SERVICES), "services")),
  ownTools: oneOf("accepted"),
} satisfies OptionTable<AcpSubagentOptions>;

/**
 * An agent that speaks the Agent Client Protocol as a sub-agent: a tool that gives it a task and returns its answer. Needs the package
 * `@agentclientprotocol/sdk`, which is loaded with the first call.
 *
 * The permission is `execute`. Each call starts the program and ends it, with all that it has started, when the call is over or this
 * process dies. What it asks is a call `NAME_permission` that the gate decides and the approver answers; what it reads, writes and runs
 * through its host are calls of this engine's tools. Its usage counts in the run's budgets, as far as it says it. What it does by itself
 * passes no gate: in mode `plan` it is refused, and where deny rules are about commands, files or addresses unless `ownTools` accepts it.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function acpSubagent(options: AcpSubagentOptions): BaseTool<{ prompt: string }> {
  const {
    command,
    args = [],
    env = {},
    cwd = process.cwd(),
    name,
    ...rest
  } = checkOptions("acpSubagent()", options, OPTIONS);
  const { description, services, ownTools = "refused" } = rest;
  return foreignAgentTool({
    name,
    description,
    protocol: "acp",
    ownTools,
    start: () => new AcpAgentAtWork({ command, args, env, cwd, name, services }),
  });
}
