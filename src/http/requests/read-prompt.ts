import type { Answer } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import { byDefault, checkOptions, numberFrom, type OptionTable } from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { readAgUi } from "./ag-ui-input.js";
import { readAnswerList } from "./answer.js";
import { knownByInput, type PromptOfRequest, readPromptContent } from "./prompt-content.js";
import { type Body, badRequest, type PromptRequest, readRequestBody } from "./request-body.js";
import { readUiMessages } from "./ui-messages.js";

/** Options of `readPrompt()` and `readAnswers()`. */
export interface ReadRequestOptions {
  /** Largest body that is read. Unit: bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

export const READ_TABLE = {
  maxBytes: byDefault(16 * 1024 * 1024, numberFrom(1, "bytes")),
} satisfies OptionTable<ReadRequestOptions>;

/**
 * Reads what a client asks for, in whichever dialect: `{ sessionId?, input, answers? }`, the request of the AI SDK's
 * `useChat`, or AG-UI's `RunAgentInput`. The chat's or thread's id is the session's.
 *
 * The newest user message that a client sends is the prompt. The others, and the fields `trigger` and `messageId`,
 * say where in the session it belongs, which `hub.send` looks up; nothing of them reaches the model. Files come as data URLs; nothing is
 * fetched.
 *
 * Rejects with `OPTION_INVALID` for what is too large or not understood; answer it with the status 400.
 */
export async function readPrompt(request: PromptRequest, options: ReadRequestOptions = {}): Promise<PromptOfRequest> {
  const { maxBytes } = checkOptions("readPrompt()", options, READ_TABLE);
  const body = await readRequestBody(request, maxBytes);
  if (!isObject(body)) throw badRequest("The body of the request is not a JSON object. Send one.", "body");
  const prompt = promptOf(body);
  if (prompt.input.length === 0 && prompt.answers.length === 0 && prompt.replaces === undefined)
    throw badRequest('The request has neither a prompt nor an answer. Send "input", or "answers".', "input");
  const asksAgain = body.trigger === "regenerate-message" || typeof body.messageId === "string";
  return asksAgain && prompt.input.length > 0 ? knownByInput(prompt) : prompt;
}

/**
 * Reads the answers a client sends, in the same dialects; also one answer alone, or an array of them.
 *
 * Check that this user may answer: `by` and `remember` are what the client says.
 *
 * Rejects with `OPTION_INVALID` for what is too large or not understood.
 */
export async function readAnswers(
  request: PromptRequest,
  options: ReadRequestOptions = {},
): Promise<readonly Answer[]> {
  const { maxBytes } = checkOptions("readAnswers()", options, READ_TABLE);
  const body = await readRequestBody(request, maxBytes);
  if (!isObject(body)) return readAnswerList(body as JsonValue);
  const isOneAnswer = body.messages === undefined && body.answers === undefined && body.resume === undefined;
  return isOneAnswer ? readAnswerList([body]) : promptOf(body).answers;
}

function promptOf(body: Body): PromptOfRequest {
  if (body.threadId !== undefined || body.resume !== undefined) return withSession(body.threadId, readAgUi(body));
  const id = body.sessionId ?? body.id;
  if (body.messages !== undefined) return withSession(id, readUiMessages(body.messages));
  if (body.message !== undefined) {
    const { shown: _, ...prompt } = readUiMessages([body.message]);
    return withSession(id, { ...prompt, ...(prompt.answers.length === 0 && replacedBy(body)) });
  }
  const input = body.input ?? body.prompt;
  const answers = body.answers === undefined ? [] : readAnswerList(body.answers);
  const content = input === undefined ? "" : readPromptContent(input);
  return withSession(id, { input: content, answers, ...replacedBy(body) });
}

/** The message that `useChat` replaces, where its transport sends one message or none. */
function replacedBy({ trigger, messageId }: Body): Pick<PromptOfRequest, "replaces"> {
  if (typeof messageId === "string" && messageId !== "") return { replaces: messageId };
  if (trigger !== "regenerate-message") return {};
  throw badRequest(
    'The request has neither "messages" nor a "messageId" to say which answer is asked for again.',
    "messageId",
  );
}

function withSession(id: JsonValue | undefined, prompt: Omit<PromptOfRequest, "sessionId">): PromptOfRequest {
  return id === undefined || id === null ? prompt : { sessionId: readSessionId(id), ...prompt };
}

/** Sub-agents have transcripts of their own, which no client may name. */
function readSessionId(id: JsonValue): string {
  const isId = typeof id === "string" && /^[^\p{Cc}]{1,512}$/u.test(id) && !id.startsWith("sub-");
  if (!isId) throw badRequest("The session id is not valid. Send a string of 1 to 512 characters.", "sessionId");
  return id;
}
