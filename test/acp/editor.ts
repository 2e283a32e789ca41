// An editor for tests: the official client, with files, terminals and a user who answers, over real streams.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { type AcpServer, type ServeAcpOptions, serveAcp } from "../../src/acp/index.js";
import { bundled } from "../bundled.js";

export type Update = acp.SessionUpdate;
type Asked = acp.RequestPermissionRequest;

export interface EditorOptions {
  readonly capabilities?: acp.ClientCapabilities;
  /** Chooses an option by its kind or name, or cancels. */
  readonly permit?: (asked: Asked) => string | null | Promise<string | null>;
  readonly elicit?: (asked: acp.CreateElicitationRequest) => acp.CreateElicitationResponse;
  /** Unsaved buffers by path. */
  readonly buffers?: Map<string, string>;
  readonly onUpdate?: (update: Update, sessionId: string) => void;
}

interface Running {
  readonly child: ReturnType<typeof spawn>;
  output: string;
  exit: { exitCode: number | null; signal: string | null } | undefined;
  readonly ended: Promise<void>;
}

export class TestEditor {
  readonly updates: Update[] = [];
  readonly asked: Asked[] = [];
  readonly released: string[] = [];
  readonly written: string[] = [];
  readonly terminals = new Map<string, Running>();
  agent!: acp.ClientContext;
  connection!: acp.ClientConnection;
  /** The server in this process, of `openEditor`. */
  server!: AcpServer;

  constructor(readonly options: EditorOptions) {}

  /** The texts of one kind of chunk, joined. */
  text(kind: Update["sessionUpdate"] = "agent_message_chunk"): string {
    return this.of(kind)
      .map((update) => ("content" in update && "text" in Object(update.content) ? Object(update.content).text : ""))
      .join("");
  }

  of<K extends Update["sessionUpdate"]>(kind: K): Extract<Update, { sessionUpdate: K }>[] {
    return this.updates.filter(
      (update): update is Extract<Update, { sessionUpdate: K }> => update.sessionUpdate === kind,
    );
  }

  /** What an editor would show of one call: every update of it, merged. */
  call(toolCallId: string): Record<string, unknown> {
    const all = this.updates.filter((update) => "toolCallId" in update && update.toolCallId === toolCallId);
    return Object.assign({}, ...all);
  }

  async initialize(): Promise<acp.InitializeResponse> {
    const { capabilities = {} } = this.options;
    return this.agent.request("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  }

  async open(cwd: string): Promise<acp.NewSessionResponse> {
    await this.initialize();
    return this.agent.request("session/new", { cwd, mcpServers: [] });
  }

  prompt(sessionId: string, prompt: string | acp.ContentBlock[]): Promise<acp.PromptResponse> {
    const blocks = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : prompt;
    return this.agent.request("session/prompt", { sessionId, prompt: blocks });
  }

  connect(stream: acp.Stream): this {
    this.connection = this.#app().connect(stream);
    this.agent = this.connection.agent;
    return this;
  }

  #app(): acp.ClientApp {
    const { permit = () => "allow_once", elicit, buffers = new Map(), onUpdate } = this.options;
    const app = acp
      .client({ name: "test-editor" })
      .onNotification("session/update", ({ params }) => {
        this.updates.push(params.update);
        onUpdate?.(params.update, params.sessionId);
      })
      .onRequest("session/request_permission", async ({ params }) => {
        this.asked.push(params);
        const wanted = await permit(params);
        if (wanted === null) return { outcome: { outcome: "cancelled" } };
        const option = params.options.find(({ kind, name }) => kind === wanted || name === wanted);
        return { outcome: { outcome: "selected", optionId: option?.optionId ?? wanted } };
      })
      .onRequest("fs/read_text_file", ({ params }) => {
        const content = buffers.get(params.path);
        if (content === undefined) throw acp.RequestError.resourceNotFound(params.path);
        return { content };
      })
      .onRequest("fs/write_text_file", async ({ params }) => {
        const { writeFile } = await import("node:fs/promises");
        await writeFile(params.path, params.content);
        this.written.push(params.path);
        buffers.set(params.path, params.content);
        return {};
      })
      .onRequest("terminal/create", ({ params }) => this.#create(params))
      .onRequest("terminal/output", ({ params }) => {
        const { output, exit } = this.#terminal(params.terminalId);
        return { output, truncated: false, ...(exit && { exitStatus: exit }) };
      })
      .onRequest("terminal/wait_for_exit", async ({ params }) => {
        const terminal = this.#terminal(params.terminalId);
        await terminal.ended;
        return terminal.exit!;
      })
      .onRequest("terminal/kill", ({ params }) => {
        this.#terminal(params.terminalId).child.kill("SIGKILL");
        return {};
      })
      .onRequest("terminal/release", async ({ params }) => {
        const terminal = this.#terminal(params.terminalId);
        terminal.child.kill("SIGKILL");
        await terminal.ended;
        this.released.push(params.terminalId);
        return {};
      });
    return elicit ? app.onRequest("elicitation/create", ({ params }) => elicit(params)) : app;
  }

  #create({ command, args = [], cwd, env = [] }: acp.CreateTerminalRequest): acp.CreateTerminalResponse {
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(command, args, { cwd: cwd ?? undefined, env: { ...process.env, ...variables } });
    const terminal: Running = {
      child,
      output: "",
      exit: undefined,
      ended: new Promise<void>((resolve) => {
        child.once("close", (exitCode, signal) => {
          terminal.exit = { exitCode, signal };
          resolve();
        });
      }),
    };
    const write = (chunk: Buffer) => {
      terminal.output += chunk.toString();
    };
    child.stdout?.on("data", write);
    child.stderr?.on("data", write);
    const terminalId = `terminal-${this.terminals.size + 1}`;
    this.terminals.set(terminalId, terminal);
    return { terminalId };
  }

  #terminal(id: string): Running {
    const terminal = this.terminals.get(id);
    if (!terminal) throw acp.RequestError.resourceNotFound(id);
    return terminal;
  }
}

/** An editor and a server in this process, over a pair of byte streams. */
export function openEditor(server: ServeAcpOptions, options: EditorOptions = {}): TestEditor {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toEditor = new TransformStream<Uint8Array, Uint8Array>();
  const served = serveAcp({ ...server, input: toAgent.readable, output: toEditor.writable });
  const editor = new TestEditor(options).connect(acp.ndJsonStream(toAgent.writable, toEditor.readable));
  editor.server = served;
  onTestFinished(async () => {
    editor.connection.close();
    await served.close();
  });
  return editor;
}

/** An editor that starts an agent as a program, as editors do. */
export async function startProgram(source: URL, args: readonly string[], options: EditorOptions = {}) {
  const child = spawn(process.execPath, [await bundled(source), ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const editor = new TestEditor(options).connect(acp.ndJsonStream(input, output));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return { editor, child, exited, stderr: () => Buffer.concat(errors).toString() };
}
