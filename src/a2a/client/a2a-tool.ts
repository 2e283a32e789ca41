import type { Part } from "@a2a-js/sdk";
import type { Answer } from "../../contracts/approval.js";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import {
  byDefault,
  checkOptions,
  eitherOf,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  recordOf,
  required,
  STRING,
  secret,
  TEXT,
} from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { withoutControls } from "../../text/terminal-text.js";
import { settlesWithin } from "../../time/settles-within.js";
import { loadA2aClientSdk } from "../a2a-sdk.js";
import { dataPart, textPart } from "../message-parts.js";
import { type Destination, fetchCard, RemoteCall } from "./agent-call.js";
import type { CallBounds } from "./call-fetch.js";
import { questionOf, readParts } from "./read-parts.js";
import type { RemoteTask } from "./remote-task.js";

/** Options of `a2aTool()`. */
export interface A2aToolOptions {
  /**
   * The agent's address. Its card is looked for below it, at `.well-known/agent-card.json`, and then at the origin; a URL that ends in
   * `.json` is the card's own.
   */
  readonly url: string;
  /** The tool's name. */
  readonly name: string;
  /** The agent's purpose, as the model reads it. The agent's own description is not shown to the model. */
  readonly description: string;
  /**
   * Sent along with each request to the origin of `url`, and to no other, whatever the agent's card says. A function is called for each
   * request. Default: none.
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** Other origins that the card may name as the agent's, such as `https://api.example.com`. They get no `headers`. Default: none. */
  readonly otherOrigins?: readonly string[] | undefined;
  /** The time of a call in all. A shorter `limits.toolTimeoutMs` of the host caps it. Unit: milliseconds. Default: 600,000. */
  readonly timeoutMs?: number | undefined;
  /** The time without a byte from the agent after which it counts as gone. Unit: milliseconds. Default: 60,000. */
  readonly silenceMs?: number | undefined;
  /** Largest response that is read, and largest task. Unit: bytes. Default: 32 MiB. */
  readonly maxBytes?: number | undefined;
}

const OPTIONS = {
  url: required(
    secret(
      optionOf((value) => {
        if (typeof value !== "string" || !/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
        const { username, password } = new URL(value);
        return username === "" && password === "";
      }, "an http or https URL without a user or password; those go into headers"),
    ),
  ),
  name: required(STRING),
  description: required(STRING),
  headers: eitherOf(FUNCTION, recordOf(secret(TEXT), "strings")),
  otherOrigins: listOf(
    optionOf(
      (value) => typeof value === "string" && URL.canParse(value) && new URL(value).origin === value,
      "an origin",
    ),
    "origins",
  ),
  timeoutMs: byDefault(600_000, numberFrom(1, "milliseconds")),
  silenceMs: byDefault(60_000, numberFrom(1, "milliseconds")),
  maxBytes: byDefault(32 * 1024 * 1024, numberFrom(1, "bytes")),
} satisfies OptionTable<A2aToolOptions>;

interface Input {
  readonly message: string;
  readonly conversation?: string;
}

const INPUT = {
  type: "object",
  properties: {
    message: {
      type: "string",
      minLength: 1,
      description: "What the agent is to do. It sees nothing of this conversation.",
    },
    conversation: { type: "string", description: "From an earlier result: continues that conversation." },
  },
  required: ["message"],
  additionalProperties: false,
} as const;

/** The most that is quoted of an agent in a sentence of ours. Unit: characters. */
const MAX_QUOTED_CHARS = 4_000;
/** The time that an ended call has left to ask the agent to stop. */
const CANCEL_MS = 5_000;

/**
 * Another agent as a tool, by A2A 1.0 or 0.3, over JSON-RPC or REST. Needs the package `@a2a-js/sdk`, which is loaded with the first call.
 *
 * The permission is `execute`: what the agent does is outside of any gate here. A call waits until the agent's task is over, also over
 * connections that break off. What the agent asks suspends the call, as one of kind `question`, and the answer is the task's next message;
 * `{ value }` is sent as text, or as data if it is no string. An agent that fails, refuses or asks for a sign-in is an error result
 * that says so. Whatever else ends the call cancels the task: an abort of the run, the end of the call's time, an agent that is gone.
 *
 * @throws ConfigurationError `OPTION_INVALID`, and `TOOL_INVALID` for a name that no provider takes
 */
export function a2aTool(options: A2aToolOptions): BaseTool<Input> {
  const {
    url,
    name,
    description,
    headers = {},
    otherOrigins = [],
    timeoutMs,
    ...limits
  } = checkOptions("a2aTool()", options, OPTIONS);
  const bounds: CallBounds = {
    origin: new URL(url).origin,
    otherOrigins,
    headers: async () => (typeof headers === "function" ? headers() : headers),
    ...limits,
  };
  const agent = new RemoteAgent(name, url, bounds);
  return defineTool<Input>({
    name,
    description,
    input: INPUT as never,
    permission: "execute",
    onUnknown: "fail",
    replayable: false,
    timeoutMs,
    claims: ({ conversation }) => (conversation ? [{ mode: "write", key: `a2a:${url} ${conversation}` }] : []),
    describe: ({ message = "" }) => ({ title: `${name}: ${message}`, kind: "other" }),
    execute: (input, context) => agent.call(input, context),
  });
}

class RemoteAgent {
  /** As long as calls succeed. */
  #card: Awaited<ReturnType<typeof fetchCard>> | undefined;

  constructor(
    private readonly name: string,
    private readonly url: string,
    private readonly bounds: CallBounds,
  ) {}

  async call(input: Input, context: ToolContext): Promise<ToolOutput> {
    const { signal, resumed } = context;
    const sdk = await loadA2aClientSdk();
    let call: RemoteCall | undefined;
    try {
      this.#card ??= await fetchCard(sdk, this.url, this.bounds, signal);
      call = new RemoteCall(sdk, this.#card, this.bounds, signal, (task) => report(task, context));
      const waiting = resumed && readState(resumed.state);
      const destination: Destination = waiting || { contextId: input.conversation ?? "", taskId: "" };
      call.task.contextId = destination.contextId;
      const parts = waiting ? answerParts(resumed.answer) : [textPart(input.message)];
      if (!parts) {
        call.task.id = destination.taskId;
        await this.#cancel(call);
        return { output: "The question of the agent was not answered, and its task was canceled.", isError: true };
      }
      await call.send(parts, destination);
    } catch (error) {
      this.#card = undefined;
      if (call) await this.#cancel(call);
      throw signal.aborted ? signal.reason : this.#failed(error, call);
    }
    return this.#result(call.task, context);
  }

  #result(task: RemoteTask, context: ToolContext): ToolOutput | Promise<ToolOutput> {
    if (task.state !== "input-required") return this.#outcome(task, context);
    const { text, data } = questionOf(task.said);
    const reason = clip(text, MAX_QUOTED_CHARS) || `The agent "${this.name}" asks for more.`;
    const state = { taskId: task.id, contextId: task.contextId };
    return context.suspend({ kind: "question", reason, ...(data.length > 0 && { input: [...data] }) }, state);
  }

  async #outcome(task: RemoteTask, context: ToolContext): Promise<ToolOutput> {
    const { state, id, contextId } = task;
    const read = await readParts(task.output, context);
    const footer = contextId === "" ? "" : `\n\n(conversation: ${quoted(contextId)})`;
    const isError = state !== "completed";
    const head = isError ? `${PROBLEMS[state as keyof typeof PROBLEMS]}\n` : "";
    const details = { state, taskId: id, contextId };
    if (typeof read === "string") return { output: `${head}${read || NOTHING}${footer}`, isError, details };
    const parts = [...(head ? [{ type: "text" as const, text: head }] : []), ...read];
    return { output: [...parts, { type: "text" as const, text: footer.trim() }], isError, details };
  }

  /** Nothing more can be done if the agent does not take it. */
  async #cancel(call: RemoteCall): Promise<void> {
    await settlesWithin(call.cancel(), CANCEL_MS);
  }

  #failed(error: unknown, call: RemoteCall | undefined): unknown {
    if (isHarnessError(error)) return error;
    const { task } = call ?? {};
    const outcome = call?.isSent ? "unknown" : "not-started";
    return new ToolError("TOOL_FAILED", {
      message: `The agent "${this.name}" could not be asked, or its answer not be read: ${quoted(describeThrown(error))}`,
      details: { outcome, ...(task?.id && { taskId: task.id }) },
      cause: error,
    });
  }
}

const NOTHING = "The agent returned nothing.";
const PROBLEMS = {
  failed: "The agent has failed:",
  canceled: "The agent's task was canceled:",
  rejected: "The agent refuses:",
  "auth-required": "The agent asks for a sign-in that only the host can make:",
};

function report({ state, said }: RemoteTask, { progress }: ToolContext): void {
  const { text } = questionOf(said);
  progress({ state, ...(text !== "" && { message: clip(text, MAX_QUOTED_CHARS) }) });
}

function readState(state: JsonValue): Destination | undefined {
  if (!isObject(state) || typeof state.taskId !== "string" || typeof state.contextId !== "string") return undefined;
  return { taskId: state.taskId, contextId: state.contextId };
}

/** `undefined` for an answer that says nothing. */
function answerParts(answer: Answer): Part[] | undefined {
  if (!("value" in answer) || answer.value === null || answer.value === "") return undefined;
  return [typeof answer.value === "string" ? textPart(answer.value) : dataPart(answer.value)];
}

function quoted(text: string): string {
  return clip(withoutControls(text).replace(/\s+/g, " ").trim(), MAX_QUOTED_CHARS);
}
