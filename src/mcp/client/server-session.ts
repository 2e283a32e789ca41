// One session with a server, from its start to its end. It is never repaired: the connection opens another one.
import type { Client, Transport } from "@modelcontextprotocol/client";
import { clip } from "../../text/cut.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { followSignal } from "../../time/follow-signal.js";
import type { ClientSdk } from "../mcp-sdk.js";
import { HttpTransport, type ServerAddress } from "../transport/http-transport.js";
import type { ServerCommand } from "../transport/server-process.js";
import { StdioTransport } from "../transport/stdio-transport.js";
import type { HostAnswers } from "./host-answers.js";
import { type AskUser, answerRequests } from "./host-requests.js";
import { statusOf } from "./http-reason.js";
import { visibleText } from "./listing.js";
import { asSentence, mcpFailed, reasonOf } from "./mcp-errors.js";
import type { OpenCalls } from "./open-calls.js";
import { startClock } from "./pausable-timeout.js";

/** A server: a program, or a URL. */
export type ServerTarget = { readonly name: string } & (ServerCommand | ServerAddress);

export interface LinkOptions {
  readonly timeoutMs: number;
  readonly answers: HostAnswers;
  readonly calls: OpenCalls;
  readonly signal: AbortSignal;
  /** The server says that a list has changed. */
  onListChanged(): void;
  /** No new call could succeed, for this reason, although what has been sent may still be answered. Without one: calls can again. */
  onUsable(link: Link, whyNot: string | undefined): void;
}

export interface Link {
  readonly client: Client;
  readonly instructions: string | undefined;
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
  /** Asks the user in the server's name; `undefined` when nobody can be asked. */
  readonly askUser: AskUser | undefined;
  /** The reason, once the session is over. */
  readonly endedBecause: string | undefined;
  /** Whether a new call may be made. */
  readonly isUsable: boolean;
  /** Resolves with the reason once the session is over. */
  readonly ended: Promise<string>;
  /** A call begins; `onEnd` is called with the reason if the session ends meanwhile, at once if it has. Returns what ends the call. */
  enter(onEnd: (reason: string) => void): () => void;
  /** Whether this is the answer to a request of a session that the server does not know any more. */
  isForgottenBy(error: unknown): boolean;
  /** The session is over, but calls in it may still be answered: what is left of it stays until they are. */
  forget(): void;
  readonly isForgotten: boolean;
  /** Finds out whether the server is still there; the session ends if it is not. `doubt`: until then it is not called, for this reason. */
  check(doubt?: string): void;
  /** Ends it. Resolves when the server's processes are gone. */
  close(): Promise<void>;
}

/** A server that has not said that it is there within this time is not called; one that still has not later is given up. Unit: milliseconds. */
const PING_MS = 5_000;
/** JSON-RPC's own errors for a request that is not understood: the server may speak a later protocol only. */
const NOT_UNDERSTOOD = new Set([-32600, -32601, -32602, -32022]);
const CHECK_URL = "Check its URL: it has to take MCP over streamable HTTP, not the older transport of two URLs.";
const MAX_INSTRUCTIONS_CHARS = 8_000;
const CLIENT_INFO = { name: "loopwright", version: "0.1.0" };
const LISTS = ["tools", "resources", "prompts"] as const;

/**
 * Starts or reaches a server and agrees on a protocol with it.
 *
 * @throws ToolError `MCP_FAILED`; nothing of the server is left then
 */
export async function openLink(sdk: ClientSdk, server: ServerTarget, options: LinkOptions): Promise<Link> {
  try {
    return await open(sdk, server, options, "legacy");
  } catch (error) {
    const { code } = error as { code?: unknown };
    const speaksLater = sdk.ProtocolError.isInstance(error) && NOT_UNDERSTOOD.has(code as number);
    if (!speaksLater || options.signal.aborted) throw explain(server, error);
  }
  try {
    return await open(sdk, server, options, "auto");
  } catch (error) {
    throw explain(server, error);
  }
}

async function open(
  sdk: ClientSdk,
  server: ServerTarget,
  options: LinkOptions,
  mode: "legacy" | "auto",
): Promise<Link> {
  const transport = createTransport(sdk, server);
  const { elicit, sample, suspends } = options.answers;
  const client = new sdk.Client(CLIENT_INFO, {
    capabilities: {
      ...((elicit || suspends) && { elicitation: { form: { applyDefaults: true }, url: {} } }),
      ...(sample && { sampling: {} }),
    },
    versionNegotiation: { mode, probe: { timeoutMs: options.timeoutMs } },
  });
  const calls = new Set<(reason: string) => void>();
  let endedBecause: string | undefined;
  let dyingBecause: string | undefined;
  let isForgotten = false;
  let link: Link | undefined;
  let settle = (_: string) => {};
  const ended = new Promise<string>((resolve) => {
    settle = resolve;
  });
  let onIdle = () => {};
  const die = (reason: string | undefined) => {
    dyingBecause = reason;
    if (link) options.onUsable(link, reason);
  };
  const end = (reason: string) => {
    if (endedBecause !== undefined) return;
    endedBecause = reason;
    die(reason);
    settle(reason);
    if (!isForgotten) for (const interrupt of calls) interrupt(reason);
  };
  client.onclose = () => end(endOf(transport));
  const askUser = answerRequests(client, server.name, options.answers, options.calls);
  for (const list of LISTS) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => options.onListChanged());
  }
  const clock = startClock(options.timeoutMs, () =>
    stop.abort(new Error("it did not answer in time: request timed out.")),
  );
  const stop = new AbortController();
  const unfollow = followSignal(options.signal, () => stop.abort(options.signal.reason));
  if (transport instanceof StdioTransport) transport.ondying = die;
  if (transport instanceof HttpTransport) {
    transport.onSignIn = (signedIn) => {
      const resume = clock.pause();
      const resumeCalls = options.calls.pauseAll();
      signedIn
        .catch(() => undefined)
        .finally(() => {
          resume();
          resumeCalls();
        });
    };
  }
  try {
    await client.connect(transport, { signal: stop.signal, timeout: LONGEST_TIMER_MS });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close();
    throw withOutput(transport, stop.signal.aborted ? stop.signal.reason : error);
  } finally {
    clock.stop();
    unfollow();
  }
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const isModern = client.getProtocolEra() === "modern";
  // This revision sends changes only to subscribers; a server may have none.
  if (isModern) client.listen({ toolsListChanged: true }, { timeout: options.timeoutMs }).catch(() => undefined);
  let isChecking = false;
  const check = (doubt?: string) => {
    if (doubt !== undefined && endedBecause === undefined) die(doubt);
    if (isChecking) return;
    isChecking = true;
    const { timeoutMs } = options;
    const slow = setTimeout(() => die("it does not answer."), Math.min(PING_MS, timeoutMs));
    const limit = { timeout: PING_MS + timeoutMs };
    const answered = isModern ? client.discover(limit) : client.ping(limit);
    answered
      .catch((error) => {
        // A server that does not know the request is there.
        if (!sdk.ProtocolError.isInstance(error)) end(reasonOf(error));
      })
      .finally(() => {
        clearTimeout(slow);
        isChecking = false;
        if (dyingBecause !== undefined && endedBecause === undefined) die(undefined);
      });
  };
  client.onerror = (error) => {
    if (transport instanceof HttpTransport && /disconnected|reconnect/i.test(error.message)) check();
  };
  link = {
    client,
    instructions: readInstructions(client.getInstructions()),
    hasResources: resources !== undefined,
    hasPrompts: prompts !== undefined,
    askUser,
    get endedBecause() {
      return endedBecause;
    },
    get isUsable() {
      return dyingBecause === undefined;
    },
    get isForgotten() {
      return isForgotten;
    },
    ended,
    enter(onEnd) {
      if (endedBecause !== undefined) onEnd(endedBecause);
      else calls.add(onEnd);
      return () => {
        calls.delete(onEnd);
        if (calls.size === 0) onIdle();
      };
    },
    isForgottenBy: (error) => transport.sessionId !== undefined && statusOf(error) === 404,
    forget() {
      isForgotten = true;
      end("the server has forgotten the session.");
    },
    check,
    async close() {
      end("it was closed.");
      if (isForgotten && calls.size > 0) {
        const idle = new Promise<void>((resolve) => {
          onIdle = resolve;
        });
        const unfollow = followSignal(options.signal, () => onIdle());
        await idle;
        unfollow();
      }
      await client.close().catch(() => undefined);
      await transport.close();
    },
  };
  return link;
}

function readInstructions(text: string | undefined): string | undefined {
  const visible = visibleText(text ?? "").trim();
  return visible === "" ? undefined : clip(visible, MAX_INSTRUCTIONS_CHARS);
}

function createTransport(sdk: ClientSdk, server: ServerTarget): Transport {
  return "command" in server ? new StdioTransport(server) : new HttpTransport(sdk, server);
}

function endOf(transport: Transport): string {
  const isOurs = transport instanceof StdioTransport || transport instanceof HttpTransport;
  return (isOurs && transport.endedBecause) || "the connection was closed.";
}

/** The output of a program often says why it did not work. */
function withOutput(transport: Transport, error: unknown): unknown {
  if (!(transport instanceof StdioTransport)) return error;
  const { endedBecause, lastWords, strayOutput } = transport;
  const isGone = endedBecause !== undefined && endedBecause !== "it was closed.";
  if (isGone) return new Error(endedBecause, { cause: error });
  const { lines, sample } = strayOutput;
  const stray =
    lines === 0 ? "" : ` It printed ${lines} lines that are not messages, first ${asSentence(JSON.stringify(sample))}`;
  if (lastWords === "" && stray === "") return error;
  const { code } = error as { code?: unknown };
  return Object.assign(new Error(`${reasonOf(error)}${stray}${lastWords}`, { cause: error }), { code });
}

function explain({ name }: ServerTarget, error: unknown): Error {
  const status = statusOf(error);
  const hint = status === 404 || status === 405 ? ` ${CHECK_URL}` : "";
  return mcpFailed(name, `could not be connected: ${reasonOf(error)}${hint}`, error);
}
