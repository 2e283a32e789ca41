// An open question as others read it, and their next message as its answer.
import type { Message, Part } from "@a2a-js/sdk";
import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { readAnswerList } from "../../http/requests/answer.js";
import { badRequest } from "../../http/requests/request-body.js";
import { dataPart, textPart } from "../message-parts.js";
import type { UserId } from "./task-address.js";

/** Said of a run whose process has stopped. */
const INTERRUPTED =
  "The server stopped in the middle of this task. Send any message to it, and it goes on where it was.";

/** One line for people, then one data part for each question. */
export function questionParts(pending: readonly PendingRequest[]): Part[] {
  if (pending.length === 0) return [textPart(INTERRUPTED)];
  const lines = pending.map(({ kind, tool, reason }) =>
    kind === "approval" ? `May I call ${tool}? ${reason}` : reason,
  );
  return [textPart(lines.join("\n")), ...pending.map((request) => dataPart(questionData(request)))];
}

function questionData({ id, kind, tool, input, description, reason, expiresAt }: PendingRequest): JsonValue {
  return {
    id,
    kind,
    reason,
    tool,
    input,
    ...(description && { description: description as unknown as JsonObject }),
    ...(expiresAt !== undefined && { expiresAt }),
    answerWith: kind === "approval" ? { id, decision: "allow or deny", reason: "optional" } : { id, value: "any JSON" },
  };
}

/**
 * The answers of a message: its data parts `{ id, decision }` or `{ id, value }`; or a text, if there is one question. The user who
 * sends them is the one who answers, and changes no rules.
 *
 * @throws ConfigurationError `OPTION_INVALID` for what answers nothing
 */
export function answersOf(message: Message, pending: readonly PendingRequest[], user: UserId): Answer[] {
  const by = user ?? undefined;
  const data = message.parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as JsonValue] : []));
  const given = data.length > 0 ? readAnswerList(data) : [answerOfText(textOfParts(message), pending)];
  return given.map((answer) => {
    if (!pending.some(({ id }) => id === answer.id))
      throw badRequest(`The task has no open question "${answer.id}". Answer with the id of one that it has.`, "id");
    const { remember: _, by: __, ...rest } = answer as Answer & { readonly remember?: unknown };
    return { ...rest, ...(by !== undefined && { by }) } as Answer;
  });
}

function answerOfText(text: string, pending: readonly PendingRequest[]): Answer {
  const [only, another] = pending;
  if (!only || another)
    throw badRequest("The task has several open questions. Send a data part { id, … } for each.", "parts");
  if (only.kind !== "approval") return { id: only.id, value: text };
  const decision = text.trim().toLowerCase();
  if (decision === "allow" || decision === "deny") return { id: only.id, decision };
  const message = `The task asks for an approval. Answer "allow" or "deny", or with a data part { id, decision, reason? }.`;
  throw badRequest(message, "parts");
}

/** The text parts of a message, a line break between them. */
export function textOfParts({ parts }: Pick<Message, "parts">): string {
  const texts = parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []));
  return texts.join("\n");
}
