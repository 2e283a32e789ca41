import type { Workspace } from "../contracts/workspace.js";
import {
  checkOptions,
  eitherOf,
  FLAG,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  PATH,
  recordOf,
  required,
  STRING,
  secret,
  TEXT,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import type { ReconnectOptions } from "./client/backoff.js";
import { type McpConnection, ServerConnection } from "./client/connection.js";
import type { HostAnswers } from "./client/host-answers.js";
import type { DefinitionMemory } from "./client/toolbox.js";
import type { ServerAddress } from "./transport/http-transport.js";
import type { ServerCommand } from "./transport/server-process.js";

/** A server that is a program, spoken to on its standard input and output. */
export interface McpCommandServer extends ServerCommand {
  /** In the names of its tools: `mcp__name__tool`. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Beside `PATH`, `HOME`, `USER`, `SHELL`, `LANG`, `LC_*`, `TERM`, `TMPDIR` and `TZ`: nothing else of this process reaches it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: that of this process; where it is started elsewhere, the directory that programs start in there. */
  readonly cwd?: string | undefined;
  /** Starts it on another machine, as `startProgram` of a workspace does: of the variables of this process none reaches it. */
  readonly start?: Workspace["startProgram"] | undefined;
  /** Called each time before it is started. When it throws, the server is not started: the connection has failed. */
  readonly beforeStart?: (() => Promise<void>) | undefined;
}

/** A server at a URL, spoken to over streamable HTTP. */
export interface McpUrlServer extends ServerAddress {
  /** In the names of its tools: `mcp__name__tool`. */
  readonly name: string;
  readonly url: string;
  /** Sent with each request to the server, and to no other. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** From `createMcpAuth`; or an `OAuthClientProvider` or `AuthProvider` of `@modelcontextprotocol/client`. */
  readonly auth?: object | undefined;
}

/** Options of `connectMcp()`. */
export interface ConnectMcpOptions extends Pick<HostAnswers, "sample"> {
  /**
   * The time for the server to connect and to list, and for a call without a report of progress: each report
   * begins that time again. Unit: milliseconds. Default: 60_000.
   */
  readonly timeoutMs?: number | undefined;
  /** The time of one call in all, however much progress it reports. Unit: milliseconds. Default: ten times `timeoutMs`. */
  readonly maxCallMs?: number | undefined;
  /**
   * Asks the user in the server's name. Default: the question suspends the tool call, as one of kind `elicitation`; once it is
   * answered the call is made again, and the server's question is answered then. Outside a run, and where several calls are
   * open, the server gets the answer that the user declines. `false`: the server is told that nobody can be asked.
   */
  readonly elicit?: HostAnswers["elicit"] | false | undefined;
  /** Asks a model in the server's name. Default: the server is told that there is no model. */
  readonly sample?: HostAnswers["sample"] | undefined;
  /**
   * Keeps over restarts which definitions of tools were accepted, so that one that has changed meanwhile is asked about before its
   * first use. Default: for this connection alone.
   */
  readonly definitions?: DefinitionMemory | undefined;
  /** Whether, and how, a server that is gone is connected again. Default: `true`. */
  readonly reconnect?: boolean | ReconnectOptions | undefined;
}

/** Whether a server may be called so. */
export function isServerName(name: unknown): boolean {
  return typeof name === "string" && /^[\w .@/-]{1,64}$/.test(name) && name.trim() !== "";
}

const NAME = optionOf(isServerName, "a name of 1 to 64 letters, digits, spaces and . _ - @ /");
/** Not repeated in messages: what is wrong with it may be the password it holds. */
const URL_OPTION = secret(
  optionOf((value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return false;
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username === "" && password === "";
  }, "an http or https URL without a user or password; those go into headers"),
);

const COMMAND_SERVER = {
  name: required(NAME),
  command: required(STRING),
  args: listOf(TEXT, "strings"),
  env: recordOf(secret(TEXT), "strings"),
  cwd: PATH,
  start: FUNCTION,
  beforeStart: FUNCTION,
} satisfies OptionTable<McpCommandServer>;

const URL_SERVER = {
  name: required(NAME),
  url: required(URL_OPTION),
  headers: recordOf(secret(TEXT), "strings"),
  auth: optionOf(
    (value) => typeof value === "object" && value !== null,
    "what createMcpAuth() returns, an OAuthClientProvider or an AuthProvider",
  ),
} satisfies OptionTable<McpUrlServer>;

const RECONNECT = {
  baseMs: numberFrom(1, "milliseconds"),
  maxMs: numberFrom(1, "milliseconds"),
  maxAttempts: numberFrom(0, "attempts"),
} satisfies OptionTable<ReconnectOptions>;

const OPTIONS = {
  timeoutMs: numberFrom(1, "milliseconds"),
  maxCallMs: numberFrom(1, "milliseconds"),
  elicit: eitherOf(FUNCTION, oneOf(false)),
  sample: FUNCTION,
  definitions: withMethods("load", "save"),
  reconnect: eitherOf(FLAG, tableOf(RECONNECT)),
} satisfies OptionTable<ConnectMcpOptions>;

/**
 * Connects a server, in the background: returns at once.
 *
 * Needs the package `@modelcontextprotocol/client`. Whatever goes wrong with the server shows in `status` and `problems`,
 * and as errors of its tools; `ready` rejects if the first attempt fails. Close the connection when it is not needed any
 * more: it keeps the process alive.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function connectMcp(server: McpCommandServer | McpUrlServer, options: ConnectMcpOptions = {}): McpConnection {
  checkServer(server);
  checkOptions("connectMcp()", options, OPTIONS);
  const { timeoutMs = 60_000, maxCallMs = 10 * timeoutMs, elicit, sample, definitions, reconnect = true } = options;
  const again = reconnect === true ? {} : reconnect || null;
  const suspends = elicit === undefined;
  return new ServerConnection(
    { ...server },
    { timeoutMs, maxCallMs, elicit: elicit || undefined, sample, suspends, definitions, reconnect: again },
  );
}

function checkServer(server: McpCommandServer | McpUrlServer): void {
  const isUrl = typeof server === "object" && server !== null && "url" in server;
  if (isUrl && "command" in server) {
    throw optionError("connectMcp()", "url", "given beside command", "either a command or a url");
  }
  checkOptions("connectMcp()", server, isUrl ? URL_SERVER : COMMAND_SERVER);
}
