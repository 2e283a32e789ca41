// The protocol's methods, each a few lines around a session of this connection.
import { randomUUID } from "node:crypto";
import { isAbsolute } from "node:path";
import type {
  AgentApp,
  AgentContext,
  ClientCapabilities,
  Implementation,
  LoadSessionResponse,
  NewSessionRequest,
} from "@agentclientprotocol/sdk";
import { isHarnessError } from "../contracts/errors.js";
import type { PermissionMode } from "../contracts/permission.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { SessionStore } from "../contracts/session.js";
import { describeThrown } from "../text/describe-thrown.js";
import type { AcpSdk } from "./acp-sdk.js";
import { type ClientSide, editorOf } from "./client-side.js";
import { checkEditorUse, editorWorkspace } from "./editor/editor-workspace.js";
import { readPromptBlocks } from "./prompt-content.js";
import type { AcpCommand } from "./session/commands.js";
import { LiveSession, type Served } from "./session/live-session.js";
import { configOptions, MODE_OPTION, MODEL_OPTION, modeState } from "./session/modes.js";
import { type AcpSession, readSessionRequest } from "./session/session-info.js";
import { sessionsForEditor } from "./session/session-record.js";

export interface AgentAppOptions {
  readonly name: string;
  readonly version: string;
  readonly title: string | undefined;
  /** Gives a session its engine. */
  serve(session: AcpSession): Promise<Served>;
  /** Whether a session has an engine of its own, so that its servers and directories can be used. */
  readonly isPerSession: boolean;
  /** The store in which sessions are listed and deleted; `undefined`: only while they are open. */
  readonly store: SessionStore | undefined;
  readonly commands: readonly AcpCommand[];
  readonly models: Readonly<Record<string, ProviderAdapter>>;
  readonly modes: readonly PermissionMode[];
  readonly mode: PermissionMode | undefined;
}

/** The sessions of one connection, and the app that answers for them. */
export class AgentConnectionState {
  readonly #sessions = new Map<string, LiveSession>();
  /** Sessions whose engine is being made. */
  readonly #opening = new Set<Promise<unknown>>();
  #capabilities: ClientCapabilities = {};
  #info: Implementation | null | undefined;

  constructor(
    private readonly sdk: AcpSdk,
    private readonly options: AgentAppOptions,
  ) {}

  /** Ends every session: the editor is gone. */
  async close(): Promise<void> {
    await this.#closeAll();
    await Promise.allSettled(this.#opening);
    await this.#closeAll();
  }

  async #closeAll(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.close().catch(() => {})));
  }

  app(): AgentApp {
    const { methods, PROTOCOL_VERSION } = this.sdk;
    const { session } = methods.agent;
    const { name, version, title, isPerSession, store } = this.options;
    return this.sdk
      .agent({ name })
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.#capabilities = params.clientCapabilities ?? {};
        this.#info = params.clientInfo;
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name, version, ...(title !== undefined && { title }) },
          authMethods: [],
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, embeddedContext: true },
            mcpCapabilities: { http: isPerSession },
            sessionCapabilities: {
              close: {},
              resume: {},
              ...(store && { list: {}, delete: {} }),
              ...(isPerSession && { additionalDirectories: {} }),
            },
          },
        };
      })
      .onRequest(methods.agent.authenticate, () => ({}))
      .onRequest(session.new, async ({ params, client }) => {
        const live = await this.#open(randomUUID(), params, client);
        queueMicrotask(() => void live.announce());
        return { sessionId: live.options.id, ...this.#stateOf(live) };
      })
      .onRequest(session.load, ({ params, client }) => this.#takeUp(params, client, true))
      .onRequest(session.resume, ({ params, client }) => this.#takeUp({ mcpServers: [], ...params }, client, false))
      .onRequest(session.list, ({ params }) => {
        if (!store) throw this.sdk.RequestError.methodNotFound(session.list);
        return sessionsForEditor(store, params);
      })
      .onRequest(session.delete, async ({ params }) => {
        if (!store) throw this.sdk.RequestError.methodNotFound(session.delete);
        this.#refuseInner(params.sessionId);
        await this.#close(params.sessionId);
        await this.#orError(store.delete(params.sessionId));
        return {};
      })
      .onRequest(session.close, async ({ params }) => {
        this.#find(params.sessionId);
        await this.#close(params.sessionId);
        return {};
      })
      .onRequest(session.setMode, async ({ params }) => {
        await this.#setMode(this.#find(params.sessionId), params.modeId);
        return {};
      })
      .onRequest(session.setConfigOption, async ({ params }) => {
        const live = this.#find(params.sessionId);
        await this.#setOption(live, params.configId, params.value);
        return { configOptions: this.#configOf(live) };
      })
      .onRequest(session.prompt, async ({ params, signal }) => {
        const live = this.#find(params.sessionId);
        if (live.isBusy) {
          const message = "This session has a prompt under way. Wait for it, or cancel it first.";
          throw this.sdk.RequestError.invalidRequest(undefined, message);
        }
        const content = readPromptBlocks(params.prompt);
        if (content.length === 0) throw this.sdk.RequestError.invalidParams(undefined, "The prompt is empty.");
        return this.#orError(live.prompt(content, signal));
      })
      .onNotification(session.cancel, ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
  }

  #find(sessionId: string): LiveSession {
    const live = this.#sessions.get(sessionId);
    if (!live) throw this.sdk.RequestError.sessionNotFound(sessionId);
    return live;
  }

  /** A sub-agent's transcript is a part of its session, not one of its own. */
  #refuseInner(sessionId: string): void {
    if (sessionId.startsWith("sub-")) throw this.sdk.RequestError.sessionNotFound(sessionId);
  }

  async #close(sessionId: string): Promise<void> {
    const live = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await live?.close();
  }

  async #open(
    id: string,
    params: Pick<NewSessionRequest, "cwd" | "additionalDirectories" | "mcpServers">,
    client: AgentContext,
  ): Promise<LiveSession> {
    const asked = readSessionRequest(params);
    for (const directory of [asked.cwd, ...asked.additionalDirectories]) {
      if (isAbsolute(directory)) continue;
      throw this.sdk.RequestError.invalidParams(undefined, `"${directory}" is not an absolute path.`);
    }
    const { commands, models, mode } = this.options;
    const side = this.#clientSide(id, client);
    const { cwd, additionalDirectories } = asked;
    const live = new LiveSession({ id, cwd, additionalDirectories, client: side, commands, models, mode });
    const session: AcpSession = {
      id,
      ...asked,
      editor: side.editor,
      approver: live.approver,
      withEditor: (workspace, use = {}) => {
        checkEditorUse(use);
        const own = editorWorkspace(workspace, side, use, async (command, terminalId) => {
          for (const update of live.view.terminalOf(command, terminalId)) await side.update(update);
        });
        live.textOf = async (path) => {
          try {
            return new TextDecoder("utf-8", { fatal: true }).decode(await own.files.read(path));
          } catch {
            return null;
          }
        };
        return own;
      },
    };
    const opening = this.#serve(live, session);
    this.#opening.add(opening);
    try {
      await opening;
    } finally {
      this.#opening.delete(opening);
    }
    return live;
  }

  async #serve(live: LiveSession, session: AcpSession): Promise<void> {
    await live.serve(await this.#orError(this.options.serve(session)));
    // Requests for one session may come at once: the last one to be ready is the session.
    const other = this.#sessions.get(session.id);
    this.#sessions.set(session.id, live);
    await other?.close().catch(() => {});
  }

  async #takeUp(
    params: NewSessionRequest & { readonly sessionId: string },
    client: AgentContext,
    isShown: boolean,
  ): Promise<LoadSessionResponse> {
    const { sessionId } = params;
    this.#refuseInner(sessionId);
    await this.#close(sessionId);
    const live = await this.#open(sessionId, params, client);
    if (!(await this.#orError(live.takeUp(isShown, this.options.modes)))) {
      await this.#close(sessionId);
      throw this.sdk.RequestError.sessionNotFound(sessionId);
    }
    queueMicrotask(() => void live.announce());
    return this.#stateOf(live);
  }

  #clientSide(sessionId: string, client: AgentContext): ClientSide {
    const { session } = this.sdk.methods.client;
    return {
      editor: editorOf(this.#capabilities, this.#info),
      capabilities: this.#capabilities,
      update: (update) => client.notify(session.update, { sessionId, update }).catch(() => {}),
      request: (method, params, signal) =>
        client.request(
          method,
          { sessionId, ...params },
          signal && { cancellationSignal: signal, stopWaitingOnCancel: true },
        ),
    };
  }

  #stateOf(live: LiveSession) {
    return { modes: modeState(this.options.modes, live.mode.current), configOptions: this.#configOf(live) };
  }

  #configOf({ mode, model }: LiveSession) {
    return configOptions(this.options.modes, mode.current, this.options.models, model);
  }

  async #setMode(live: LiveSession, mode: string): Promise<void> {
    const { modes } = this.options;
    const known = modes.find((each) => each === mode);
    if (!known) {
      const message = `There is no mode "${mode}". Choose one of ${modes.join(", ")}.`;
      throw this.sdk.RequestError.invalidParams(undefined, message);
    }
    await this.#orError(live.mode.set(known));
    if (!live.isBusy) await this.#orError(live.noteMode());
  }

  async #setOption(live: LiveSession, option: string, value: string | boolean): Promise<void> {
    const { client } = live.options;
    if (option === MODE_OPTION) {
      await this.#setMode(live, String(value));
      await client.update({ sessionUpdate: "current_mode_update", currentModeId: live.mode.current });
      return;
    }
    if (option === MODEL_OPTION && Object.hasOwn(this.options.models, String(value))) {
      live.model = String(value);
      return;
    }
    const message = `Option "${option}" cannot be ${JSON.stringify(value)}.`;
    throw this.sdk.RequestError.invalidParams(undefined, message);
  }

  /** The library's errors with their code, so that a client sees more than "internal error". */
  async #orError<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof this.sdk.RequestError) throw error;
      const code = isHarnessError(error) ? error.code : undefined;
      const message = describeThrown(error);
      throw new this.sdk.RequestError(-32603, message, { ...(code !== undefined && { code }), message });
    }
  }
}
