/*
 * The host's services for an agent: files and commands, as calls of this engine's tools, each through hooks, gate, approver and record.
 * Calls are made one after the other: a command that is at work keeps the next one waiting.
 */
import type {
  ClientApp,
  ClientCapabilities,
  CreateTerminalRequest,
  TerminalExitStatus,
} from "@agentclientprotocol/sdk";
import type { JsonObject } from "../../contracts/json.js";
import type { NestedResult } from "../../contracts/tool-call.js";
import type { ForeignHost } from "../../engine/subagents/foreign-work.js";
import { fieldsOf } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import type { AcpSdk } from "../acp-sdk.js";

/** Reads of files, writes of files, and commands. */
export const HOST_SERVICES = ["read", "write", "commands"] as const;
export type HostService = (typeof HOST_SERVICES)[number];

/** Terminals of one agent at once. */
const MAX_TERMINALS = 100;
/** The part of a terminal's output that is kept. Unit: characters. */
const MAX_OUTPUT_CHARS = 2_000_000;

interface Terminal {
  output: string;
  exit: TerminalExitStatus | undefined;
  readonly ended: Promise<void>;
}

export class HostServices {
  readonly capabilities: ClientCapabilities;
  readonly #terminals = new Map<string, Terminal>();
  #count = 0;
  #isClosed = false;

  constructor(
    private readonly sdk: AcpSdk,
    services: readonly HostService[],
    private readonly host: ForeignHost,
    private readonly cwd: string,
  ) {
    const has = (service: HostService) => host.calls !== null && services.includes(service);
    this.capabilities = {
      fs: { readTextFile: has("read"), writeTextFile: has("write") },
      terminal: has("commands"),
    };
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Registers the methods of the offered services; the others do not exist for the agent. */
  offer(app: ClientApp): ClientApp {
    const { fs, terminal } = this.capabilities;
    if (fs?.readTextFile) {
      app.onRequest("fs/read_text_file", async ({ params }) => ({ content: await this.#read(params) }));
    }
    if (fs?.writeTextFile) {
      app.onRequest("fs/write_text_file", async ({ params: { path, content } }) => {
        await this.#call("write_file", { path, content });
        return {};
      });
    }
    if (!terminal) return app;
    return app
      .onRequest("terminal/create", ({ params }) => ({ terminalId: this.#start(params) }))
      .onRequest("terminal/output", ({ params }) => {
        const { output, exit } = this.#find(params.terminalId);
        return { output, truncated: output.length >= MAX_OUTPUT_CHARS, ...(exit && { exitStatus: exit }) };
      })
      .onRequest("terminal/wait_for_exit", async ({ params }) => {
        const found = this.#find(params.terminalId);
        await found.ended;
        return found.exit!;
      })
      .onRequest("terminal/kill", () => {
        const message =
          "A command of this host cannot be ended before its own time limit; the agent can go on without it.";
        throw this.sdk.RequestError.invalidRequest(undefined, message);
      })
      .onRequest("terminal/release", ({ params }) => {
        this.#terminals.delete(params.terminalId);
        return {};
      });
  }

  async #read({ path, line, limit }: { path: string; line?: number | null; limit?: number | null }): Promise<string> {
    const pages: string[] = [];
    const wanted = limit ?? Number.POSITIVE_INFINITY;
    let read = 0;
    for (let offset = line ?? 1; read < wanted; ) {
      const left = wanted - read;
      const { value } = await this.#call("read_file", { path, offset, ...(Number.isFinite(left) && { limit: left }) });
      const { text, lines, hasMore, cutLines } = fieldsOf(value);
      if (typeof text !== "string" || typeof lines !== "number") throw this.#refused(`"${path}" is not a text file.`);
      if (Array.isArray(cutLines) && cutLines.length > 0) {
        throw this.#refused(`Line ${cutLines[0]} of "${path}" is too long to be read through this host.`);
      }
      pages.push(text);
      read += lines;
      offset += lines;
      if (hasMore !== true || lines === 0) return pages.join("\n") + (read > 0 ? "\n" : "");
    }
    return pages.join("\n");
  }

  #start({ command, args = [], env = [], cwd }: CreateTerminalRequest): string {
    if (this.#terminals.size >= MAX_TERMINALS)
      throw this.#refused(`There are ${MAX_TERMINALS} terminals. Release some.`);
    const variables = env.map(({ name, value }) => `${name}=${quoted(value)} `);
    // A command alone is a line for the shell, as agents use it.
    const line = args.length === 0 && variables.length === 0 ? command : [command, ...args].map(quoted).join(" ");
    const run = variables.join("") + line;
    const id = `terminal_${++this.#count}`;
    const terminal: Terminal = {
      output: "",
      exit: undefined,
      ended: this.#run(cwd && cwd !== this.cwd ? `cd ${quoted(cwd)} && ${run}` : run).then(({ output, exit }) => {
        terminal.output = clip(output, MAX_OUTPUT_CHARS);
        terminal.exit = exit;
      }),
    };
    this.#terminals.set(id, terminal);
    return id;
  }

  async #run(command: string): Promise<{ output: string; exit: TerminalExitStatus }> {
    try {
      const { value } = await this.#call("bash", { command });
      const { output, exitCode } = fieldsOf(value);
      return { output: String(output ?? ""), exit: { exitCode: typeof exitCode === "number" ? exitCode : null } };
    } catch (error) {
      return { output: String((error as Error).message), exit: { exitCode: 126 } };
    }
  }

  #find(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (!terminal) throw this.sdk.RequestError.resourceNotFound(id);
    return terminal;
  }

  /** @throws RequestError for a call that is refused or fails, which the agent reads */
  async #call(name: string, input: JsonObject): Promise<NestedResult> {
    if (this.#isClosed) throw this.#refused("The call of this agent is over.");
    const [result] = await this.host.calls!([{ name, input }]);
    if (result!.isError)
      throw this.#refused(typeof result!.output === "string" ? result!.output : JSON.stringify(result!.output));
    return result!;
  }

  #refused(message: string): Error {
    return new this.sdk.RequestError(-32603, clip(message, 4_000));
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
