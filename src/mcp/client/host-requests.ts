// A server's requests to the host, answered by the host's own functions. Hooks of the run whose call it belongs to come first.
import type { Client } from "@modelcontextprotocol/client";
import type { HookOutcome, HookPayloads } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import type { HostAnswers, McpElicitation, McpElicitationAnswer } from "./host-answers.js";
import type { OpenCall, OpenCalls } from "./open-calls.js";
import { answerBySuspending } from "./suspended-question.js";

const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"];
/** The text of a question for a person, and the part that is kept while it waits. */
const MAX_MESSAGE_CHARS = 4_000;
const MAX_QUESTION_CHARS = 64_000;
/** Questions of one server at once. */
const MAX_OPEN = 20;

/** Asks the user in the server's name. @throws Error when it is not to be asked */
export type AskUser = (
  asked: Pick<McpElicitation, "message" | "mode" | "requestedSchema" | "url" | "elicitationId" | "signal">,
  call: OpenCall | undefined,
) => Promise<McpElicitationAnswer>;

/**
 * Answers `elicitation/create` and `sampling/createMessage` of a client, as far as the host can. Returns what asks the user otherwise,
 * if there is one to ask.
 */
export function answerRequests(
  client: Client,
  server: string,
  answers: HostAnswers,
  calls: OpenCalls,
): AskUser | undefined {
  const { elicit, sample, suspends } = answers;
  let open = 0;
  /** A person thinks, or a model writes: that is not the server's time. */
  const waiting = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (open >= MAX_OPEN || !calls.mayAsk()) throw new Error("Too many questions were asked.");
    open++;
    const resume = calls.pauseAll();
    try {
      return await work();
    } finally {
      open--;
      resume();
    }
  };
  const ask: AskUser = async (question, call) => {
    if (JSON.stringify(question).length > MAX_QUESTION_CHARS) throw new Error("The question is too large.");
    if (question.mode === "url" && !isWebAddress(question.url)) throw new Error("The URL is not one of http or https.");
    const asked: McpElicitation = { ...question, server, message: clip(question.message, MAX_MESSAGE_CHARS) };
    return waiting(() => (elicit ? answerElicitation(asked, elicit, call) : answerBySuspending(asked, call)));
  };
  const mayAsk = elicit !== undefined || suspends === true;
  if (mayAsk) {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => {
      const { message } = params;
      const signal = AbortSignal.any([mcpReq.signal, calls.only?.context.signal ?? mcpReq.signal]);
      const question =
        params.mode === "url"
          ? { message, mode: "url" as const, url: params.url, elicitationId: params.elicitationId, signal }
          : { message, mode: "form" as const, requestedSchema: params.requestedSchema as never, signal };
      return ask(question, calls.only) as never;
    });
  }
  if (sample) {
    client.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }) =>
      waiting(async () => {
        const { messages, systemPrompt, maxTokens, temperature, stopSequences, modelPreferences } = params;
        const answer = await sample({
          server,
          messages: messages as never,
          systemPrompt,
          maxTokens,
          temperature,
          stopSequences,
          modelPreferences: modelPreferences as never,
          signal: mcpReq.signal,
        });
        const {
          text,
          model = "unknown",
          stopReason = "endTurn",
        } = typeof answer === "string" ? { text: answer } : answer;
        return { role: "assistant" as const, content: { type: "text" as const, text }, model, stopReason };
      }),
    );
  }
  return mayAsk ? ask : undefined;
}

/** A program must not be made to open a file, or to run what a URL holds. */
function isWebAddress(url: unknown): url is string {
  return typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

async function answerElicitation(
  asked: McpElicitation,
  elicit: NonNullable<HostAnswers["elicit"]>,
  call: OpenCall | undefined,
): Promise<McpElicitationAnswer> {
  const before = await fire(call, "Elicitation", (toolUseId) => payloadOf(asked, toolUseId));
  const given = readHook(before) ?? readAnswer(asked, await elicit(asked));
  const { action, content = null } = given;
  const after = await fire(call, "ElicitationResult", (toolUseId) => ({
    toolUseId,
    action,
    content: content as JsonValue,
    ...kindOf(asked),
  }));
  return readHook(after) ?? given;
}

function payloadOf(asked: McpElicitation, toolUseId: string) {
  const { message, url, requestedSchema } = asked;
  const about = { message, toolUseId, requestedSchema: requestedSchema ?? null, ...kindOf(asked) };
  return url === undefined ? about : { ...about, url };
}

function kindOf({ server, mode, elicitationId }: McpElicitation) {
  return { mcpServerName: server, mode, ...(elicitationId !== undefined && { elicitationId }) };
}

async function fire<P extends "Elicitation" | "ElicitationResult">(
  call: OpenCall | undefined,
  point: P,
  payload: (toolUseId: string) => HookPayloads[P],
): Promise<HookOutcome | null> {
  const { context } = call ?? {};
  return (await context?.notify?.(point, payload(context.toolCallId ?? ""))) ?? null;
}

/** The hooks' decision in the host's place; `undefined`: none. */
function readHook(outcome: HookOutcome | null): McpElicitationAnswer | undefined {
  const { permission, updatedInput } = outcome ?? {};
  if (permission === "deny") return { action: "decline" };
  if (permission !== "allow" || !isObject(updatedInput)) return undefined;
  return { action: "accept", content: updatedInput as never };
}

/** An answer of the host's that is not understood declines. */
function readAnswer({ mode }: McpElicitation, given: McpElicitationAnswer): McpElicitationAnswer {
  if (!isObject(given) || !ACTIONS.includes(given.action)) return { action: "decline" };
  const { action, content } = given;
  return action === "accept" && mode === "form" ? { action, content: content ?? {} } : { action };
}
