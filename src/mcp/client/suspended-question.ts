/*
 * A server's question as a question of the run. The server waits for an answer in the middle of a call, and a run that waits for a
 * person may wait for days: so the call is left, and made again once there is an answer. What was answered before is kept with the
 * question, and given to the server when it asks the same again.
 */
import type { Answer } from "../../contracts/approval.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ToolContext } from "../../contracts/tool.js";
import { strongDigest } from "../../json/digest.js";
import { isObject } from "../../json/is-object.js";
import type { McpElicitation, McpElicitationAnswer } from "./host-answers.js";
import type { OpenCall } from "./open-calls.js";

/** The state of a suspended call: the answers by question, and the question that was asked last. */
interface Asked {
  readonly answers: { readonly [question: string]: JsonValue };
  readonly last: string;
}

const DECLINED: McpElicitationAnswer = { action: "decline" };

/** The recorded answer; without one the call is suspended, and what is returned reaches nobody. */
export function answerBySuspending(asked: McpElicitation, call: OpenCall | undefined): McpElicitationAnswer {
  const { context, leave } = call ?? {};
  // Only a run can wait for an answer, and only in a run can something be delivered later.
  if (!context?.suspend || !context.deliver || !leave) return DECLINED;
  const answers = answersOf(context.resumed);
  const { mode, message, requestedSchema } = asked;
  // Not by its URL, which may be another one each time.
  const question = strongDigest({ mode, message, requestedSchema: requestedSchema ?? null });
  if (Object.hasOwn(answers, question)) return readAnswer(asked, answers[question] as never);
  const reason = mode === "url" ? `${message}\n${asked.url}` : message;
  const input: JsonValue = mode === "url" ? { mode, url: asked.url ?? "" } : (requestedSchema ?? {});
  const state: Asked = { answers, last: question };
  try {
    context.suspend({ kind: "elicitation", reason, input }, state as unknown as JsonValue);
  } catch (why) {
    leave(why);
  }
  return { action: "cancel" };
}

function answersOf(resumed: ToolContext["resumed"]): Asked["answers"] {
  const { answers, last } = Object(resumed?.state) as Partial<Asked>;
  if (!resumed || !isObject(answers) || typeof last !== "string") return {};
  return { ...answers, [last]: resumed.answer as unknown as JsonValue };
}

/** `null` is neither yes nor no. Another value that is not an object is that of the only property there is. */
function readAnswer({ mode, requestedSchema }: McpElicitation, answer: Answer): McpElicitationAnswer {
  if (!("value" in answer)) return DECLINED;
  if (answer.value === null) return { action: "cancel" };
  if (mode === "url") return { action: "accept" };
  const { value } = answer;
  if (isObject(value)) return { action: "accept", content: value as never };
  const names = Object.keys(Object((requestedSchema as JsonObject | undefined)?.properties));
  return names.length === 1 ? { action: "accept", content: { [names[0]!]: value as never } } : DECLINED;
}
