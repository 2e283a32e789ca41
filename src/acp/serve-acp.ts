import { ConfigurationError } from "../contracts/errors.js";
import type { PermissionMode } from "../contracts/permission.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { SessionStore } from "../contracts/session.js";
import type { AgentEngine } from "../engine/engine.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  recordOf,
  required,
  STRING,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import { loadAcpSdk } from "./acp-sdk.js";
import { AgentConnectionState } from "./agent-app.js";
import type { AcpCommand } from "./session/commands.js";
import type { Served } from "./session/live-session.js";
import { EDITOR_MODES } from "./session/modes.js";
import type { AcpSession } from "./session/session-info.js";
import { type AcpInput, type AcpOutput, isInput, isOutput, openStreams } from "./standard-streams.js";

/** An engine with whatever was opened for it. */
export interface AcpAgent {
  readonly engine: AgentEngine;
  /** Called when the session is over. */
  close(): Promise<void>;
}

/** Options of `serveAcp()`. */
export interface ServeAcpOptions {
  /** The engine of all sessions. It stays yours: closing the server does not close it. */
  readonly engine?: AgentEngine | undefined;
  /**
   * Makes the engine of one session, in place of `engine`: with the editor's directory, its files and terminals, and the MCP
   * servers of its user. It is closed with its session.
   */
  readonly createEngine?:
    | ((session: AcpSession) => AgentEngine | AcpAgent | Promise<AgentEngine | AcpAgent>)
    | undefined;
  /** The stream of the client's messages. Default: standard input. */
  readonly input?: AcpInput | undefined;
  /** The stream of messages to the client. Default: standard output, which then carries nothing else. */
  readonly output?: AcpOutput | undefined;
  /** Lists and deletes earlier sessions. Default: the store of `engine`. With `createEngine`, the one your engines use. */
  readonly sessions?: SessionStore | undefined;
  /** Commands the user can type as `/name`. `/compact` is there when the engine can compact. */
  readonly commands?: readonly AcpCommand[] | undefined;
  /** Models to choose from, by the name that is shown; the first is used until another is chosen. Default: the engine's. */
  readonly models?: Readonly<Record<string, ProviderAdapter>> | undefined;
  /** Permission modes to choose from. Default: all. */
  readonly modes?: readonly PermissionMode[] | undefined;
  /** The mode sessions begin with. Default: the engine's or its gate's. */
  readonly mode?: PermissionMode | undefined;
  /** The name of the agent. Default: `loopwright`. */
  readonly name?: string | undefined;
  /** For people. Default: the name. */
  readonly title?: string | undefined;
  /** Default: `1.0.0`. */
  readonly version?: string | undefined;
}

/** A server at work. */
export interface AcpServer {
  /** Resolves when the editor is gone, or the server was closed, and nothing is left running. Rejects with `PEER_MISSING`, `PEER_UNSUPPORTED`. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const COMMAND = {
  name: optionOf(
    (value) => typeof value === "string" && /^[^\s/]+$/.test(value),
    "a name without whitespace or slashes",
  ),
  description: required(STRING),
  hint: STRING,
  prompt: required(FUNCTION),
} satisfies OptionTable<AcpCommand>;

const OPTIONS = {
  engine: optionOf((value) => ENGINE_PARTS.has(Object(value)), "an AgentEngine"),
  createEngine: FUNCTION,
  input: optionOf(isInput, "a readable stream"),
  output: optionOf(isOutput, "a writable stream"),
  sessions: withMethods("read", "append", "list", "delete"),
  commands: byDefault([], listOf(tableOf({ ...COMMAND, name: required(COMMAND.name) }), "commands")),
  models: byDefault({}, recordOf(withMethods("stream"), "providers by name")),
  modes: byDefault(EDITOR_MODES, listOf(oneOf(...EDITOR_MODES), "permission modes")),
  mode: oneOf(...EDITOR_MODES),
  name: byDefault("loopwright", STRING),
  title: STRING,
  version: byDefault("1.0.0", STRING),
} satisfies OptionTable<ServeAcpOptions>;

/**
 * Puts an agent into an editor that speaks the Agent Client Protocol, over this process's standard input and output or any pair
 * of streams.
 *
 * Each session of the editor is a session of an engine. Every call passes the engine's gate; what it asks is put to the editor's
 * user. When the editor is gone, its runs are aborted, and can be taken up again from the session store. Needs the package
 * `@agentclientprotocol/sdk`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function serveAcp(options: ServeAcpOptions): AcpServer {
  const settings = checkOptions("serveAcp()", options, OPTIONS);
  const { engine, createEngine, input, output, commands, models, modes, mode } = settings;
  if ((engine === undefined) === (createEngine === undefined)) {
    const given = engine === undefined ? undefined : "given with createEngine";
    throw optionError("serveAcp()", "engine", given, "an AgentEngine, or createEngine in its place");
  }
  const { name, title, version } = settings;
  const store = settings.sessions ?? (engine && ENGINE_PARTS.get(engine)!.config.store);
  const serve = (session: AcpSession) => (engine ? shared(engine) : own(createEngine!, session));
  const about = { name, title, version, serve, isPerSession: engine === undefined, store };
  const streams = openStreams(input, output);
  const ending = new AbortController();

  async function run(): Promise<void> {
    try {
      const sdk = await loadAcpSdk();
      const state = new AgentConnectionState(sdk, { ...about, commands, models, modes, mode });
      const connection = state.app().connect(sdk.ndJsonStream(streams.writable, streams.readable));
      const end = () => connection.close();
      ending.signal.addEventListener("abort", end);
      if (ending.signal.aborted) end();
      await connection.closed.catch(() => {});
      await state.close();
    } finally {
      streams.release();
    }
  }

  const closed = run();
  return {
    closed,
    async close() {
      ending.abort();
      await closed.catch(() => {});
    },
  };
}

/** The engine is the host's: only the session's own is ended with it. */
async function shared(engine: AgentEngine): Promise<Served> {
  return { engine, parts: ENGINE_PARTS.get(engine)!, close: async () => {} };
}

async function own(createEngine: NonNullable<ServeAcpOptions["createEngine"]>, session: AcpSession): Promise<Served> {
  const made: unknown = await createEngine(session);
  const engine = ENGINE_PARTS.has(Object(made)) ? made : Object(made).engine;
  const parts = ENGINE_PARTS.get(Object(engine));
  if (!parts) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: "serveAcp(): createEngine() returned neither an AgentEngine nor an object with one as `engine`.",
      details: { option: "createEngine" },
    });
  }
  const { close } = made as AcpAgent;
  return { engine: engine as AgentEngine, parts, close: () => close.call(made) };
}
