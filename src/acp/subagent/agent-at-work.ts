// One call of an agent that speaks the protocol, from this side, which is the editor's: it starts, prompts, answers and ends it.
import type {
  ClientApp,
  ClientConnection,
  InitializeResponse,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { ToolError } from "../../contracts/errors.js";
import type { JsonObject } from "../../contracts/json.js";
import type { Usage } from "../../contracts/usage.js";
import {
  agentGone,
  type ForeignAgent,
  type ForeignEnd,
  type ForeignHost,
} from "../../engine/subagents/foreign-work.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { type AcpSdk, loadAcpSdk } from "../acp-sdk.js";
import { type AgentCommand, AgentProgram } from "./agent-program.js";
import { type HostService, HostServices } from "./host-services.js";

/** The part of the agent's answer that is kept. Unit: characters. */
const MAX_TEXT_CHARS = 2_000_000;
/** The part of a call's arguments that an approver sees. Unit: characters. */
const MAX_SHOWN_CHARS = 20_000;

interface AgentOptions extends AgentCommand {
  readonly name: string;
  readonly services: readonly HostService[];
}

interface Opened {
  readonly sdk: AcpSdk;
  readonly connection: ClientConnection;
  readonly capabilities: InitializeResponse["agentCapabilities"];
}

export class AcpAgentAtWork implements ForeignAgent {
  readonly missing = 'the capability "loadSession" of the Agent Client Protocol';
  #program: AgentProgram | undefined;
  #connection: ClientConnection | undefined;
  #services: HostServices | undefined;
  #session: string | undefined;
  /** False while a session is loaded: the updates until then are of earlier prompts. */
  #isListening = false;
  #text = "";
  #used = 0;
  #costUsd: number | undefined;
  #isClosed = false;

  constructor(private readonly options: AgentOptions) {}

  async work(prompt: string, host: ForeignHost): Promise<ForeignEnd> {
    const { sdk, connection } = await this.#open(host);
    const { cwd } = this.options;
    const { sessionId } = await connection.agent.request(sdk.methods.agent.session.new, { cwd, mcpServers: [] });
    return this.#prompt(sdk, connection, sessionId, prompt);
  }

  async takeUp(sessionId: string, message: string, host: ForeignHost): Promise<ForeignEnd> {
    const { sdk, connection, capabilities } = await this.#open(host);
    const { cwd, name } = this.options;
    if (!capabilities?.loadSession) {
      throw agentGone(name, `it does not offer ${this.missing} any more`, { missing: this.missing });
    }
    await connection.agent.request(sdk.methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    return this.#prompt(sdk, connection, sessionId, message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#services?.close();
    if (this.#session !== undefined) {
      await this.#connection?.agent.notify("session/cancel", { sessionId: this.#session }).catch(() => {});
    }
    this.#connection?.close();
    await this.#program?.close();
  }

  async #open(host: ForeignHost): Promise<Opened> {
    const sdk = await loadAcpSdk();
    const program = await AgentProgram.start(this.options);
    this.#program = program;
    if (this.#isClosed) await program.close();
    const services = new HostServices(sdk, this.options.services, host, this.options.cwd);
    this.#services = services;
    const app = sdk
      .client({ name: "loopwright" })
      .onNotification("session/update", ({ params }) => this.#hear(params.update, host))
      .onRequest("session/request_permission", ({ params }) => this.#ask(params, host));
    const connection = services.offer(app as ClientApp).connect(sdk.ndJsonStream(program.writable, program.readable));
    this.#connection = connection;
    const request = connection.agent.request(sdk.methods.agent.initialize, {
      protocolVersion: sdk.PROTOCOL_VERSION,
      clientInfo: { name: "loopwright", version: "1" },
      clientCapabilities: services.capabilities,
    });
    const { agentCapabilities } = await this.#orEnd(request);
    this.#canLoad = agentCapabilities?.loadSession === true;
    return { sdk, connection, capabilities: agentCapabilities };
  }

  #canLoad = false;

  async #prompt(sdk: AcpSdk, { agent }: ClientConnection, sessionId: string, text: string): Promise<ForeignEnd> {
    this.#session = sessionId;
    this.#isListening = true;
    const request = agent.request(sdk.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    const response = await this.#orEnd(request);
    this.#session = undefined;
    const unfinished = response.stopReason === "end_turn" ? undefined : `it stopped with "${response.stopReason}"`;
    return { text: this.#text, usage: this.#usageOf(response), costUsd: this.#costUsd, unfinished };
  }

  /** The agent's answer to a request, unless its program ends before. */
  async #orEnd<T>(request: Promise<T>): Promise<T> {
    const { name } = this.options;
    const gone = this.#program!.ended.then((how) => {
      throw new ToolError("TOOL_FAILED", { message: `The agent "${name}" ended before it had answered (${how}).` });
    });
    gone.catch(() => {});
    try {
      return await Promise.race([request, gone]);
    } catch (error) {
      // A connection that breaks with the program says less than the program's end.
      if (!(error instanceof ToolError)) await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 200))]);
      if (error instanceof ToolError) throw error;
      const message = `The agent "${name}" refused: ${clip(describeThrown(error), 1_000)}`;
      throw new ToolError("TOOL_FAILED", { message, cause: error });
    }
  }

  #hear(update: SessionUpdate, host: ForeignHost): void {
    if (!this.#isListening) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.content.type === "text") this.#text = clip(this.#text + update.content.text, MAX_TEXT_CHARS);
        break;
      case "tool_call":
        // Its last words are its answer; what it said before a call was on the way there.
        host.progress({ subagent: this.options.name, call: clip(update.title, 200) });
        this.#text = "";
        break;
      case "usage_update": {
        this.#used = Math.max(this.#used, update.used);
        const { amount, currency } = update.cost ?? {};
        if (typeof amount === "number" && currency === "USD") this.#costUsd = amount;
      }
    }
  }

  /** Agents that count say so with their answer; of others the size of their context is known, which they have read at least once. */
  #usageOf(response: PromptResponse): Usage | undefined {
    const { usage } = response as { usage?: unknown };
    if (isObject(usage) && typeof usage.inputTokens === "number" && typeof usage.outputTokens === "number") {
      return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
    }
    return this.#used > 0 ? { inputTokens: this.#used, outputTokens: 0, estimated: true } : undefined;
  }

  async #ask(request: RequestPermissionRequest, host: ForeignHost): Promise<RequestPermissionResponse> {
    const { toolCall, options, sessionId } = request;
    const title = clip(toolCall.title ?? toolCall.kind ?? "something", 1_000);
    const paths = toolCall.locations?.map(({ path }) => path) ?? [];
    const about: JsonObject = {
      ...(toolCall.kind && { kind: toolCall.kind }),
      ...(paths.length > 0 && { paths }),
      ...(toolCall.rawInput !== undefined && { input: clip(JSON.stringify(toolCall.rawInput), MAX_SHOWN_CHARS) }),
    };
    const answer = await host.ask({ title, about, ...(this.#canLoad && { session: sessionId }) });
    const kind = answer.isAllowed ? "allow_once" : "reject_once";
    const option = options.find((one) => one.kind === kind);
    // Never "always": what this host allows, it allows for one call.
    if (!option) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
}
