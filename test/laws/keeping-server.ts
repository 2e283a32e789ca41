// A server that keeps conversations as a vendor does: it takes the new messages alone, forgets, and refuses.

import type { JsonObject, JsonValue } from "../../src/index.js";
import {
  type AnthropicAnswer,
  anthropicEvents,
  createFaultServer,
  namedSse,
  responseEvents,
  sse,
} from "../../src/testing/fault-server/index.js";
import { compacted } from "../compaction/stages/compacting-server.js";

export const VENDORS = ["anthropic", "openai"] as const;
export type Vendor = (typeof VENDORS)[number];

export interface KeepingOptions {
  /**
   * `fields`: it does not know the field that asks it to keep; `rights`: it keeps nothing for this key; `nothing`: it takes the
   * field and keeps nothing.
   */
  readonly broken?: "fields" | "rights" | "nothing";
}

export interface KeepingServer {
  readonly url: string;
  /** The requests as they came. */
  readonly sent: string[];
  /** The conversation that each answered request was about, put together by the server. */
  readonly wholes: string[];
  readonly refusals: string[];
  /** The summaries that it has made of conversations. */
  readonly summaries: readonly string[];
  /** It loses all that it keeps, as when threads expire. */
  forget(): void;
  close(): Promise<void>;
}

type Answer = Pick<AnthropicAnswer, "text" | "toolCalls">;
type Body = { readonly [field: string]: JsonValue | undefined };

/** Answers by the number of answers in a conversation, so that it answers the same whatever way the conversation came. */
export async function keepingServer(
  vendor: Vendor,
  answerTo: (answers: number) => Answer,
  { broken }: KeepingOptions = {},
): Promise<KeepingServer> {
  const wire = WIRES[vendor];
  const kept = new Map<string, JsonValue[]>();
  const sent: string[] = [];
  const wholes: string[] = [];
  const refusals: string[] = [];
  const summaries: string[] = [];
  const refuse = (message: string, status = 400) => {
    refusals.push(message);
    return { status, body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }) };
  };
  const server = await createFaultServer(({ body, text, headers }) => {
    sent.push(text);
    const asked = body as Body;
    const { previous, keeps, added } = wire.read(asked);
    if (keeps && broken === "fields") return refuse(wire.unknownField);
    if (keeps && broken === "rights") return refuse(wire.unknownField, 403);
    const betas = String(headers["anthropic-beta"]);
    const summed = JSON.stringify(wire.read(asked).added).match(SUMMARY) ?? [];
    if (summed.some((one) => !summaries.includes(one))) return refuse("a compaction was changed");
    if (vendor === "anthropic" && (asked.compaction ?? summed[0]) && !betas.includes("compact-2026-09-04"))
      return refuse("compaction: the beta header is missing");
    if (wire.isCompaction(asked)) {
      const answers = wire.answersIn(wire.read(asked).added.filter((item) => !isTrigger(item)));
      const body = wire.writeSummary(answers);
      summaries.push(...body.match(SUMMARY)!.filter((one) => !summaries.includes(one)));
      return { body };
    }
    if (vendor === "anthropic" && asked.thread && !betas.includes("message-threads-"))
      return refuse("thread: the beta header is missing");
    const before = previous === undefined ? [] : kept.get(previous);
    if (!before) return refuse(wire.lost(previous!));
    const whole = [...before, ...added];
    const answers = wire.answersIn(whole);
    const id = `kept_${sent.length}`;
    const answer = answerTo(answers);
    wholes.push(JSON.stringify(whole));
    if (keeps && broken !== "nothing") kept.set(id, [...whole, ...wire.items(answer)]);
    return { body: wire.write(answer, id) };
  });
  return {
    url: server.url,
    sent,
    wholes,
    refusals,
    summaries,
    forget: () => kept.clear(),
    close: () => server.close(),
  };
}

interface Wire {
  readonly unknownField: string;
  lost(id: string): string;
  read(body: Body): { readonly previous?: string | undefined; readonly keeps: boolean; readonly added: JsonValue[] };
  answersIn(whole: readonly JsonValue[]): number;
  items(answer: Answer): JsonValue[];
  write(answer: Answer, id: string): string;
  isCompaction(body: Body): boolean;
  /** The reply to a request for a summary of a conversation with so many answers. */
  writeSummary(answers: number): string;
}

/** A summary, as each vendor words it: it says how many answers it represents. */
const SUMMARY = /\{"type":"compaction","[^}]*\}/g;

const isTrigger = (item: JsonValue) => (item as JsonObject).type === "compaction_trigger";

/** The answers that a summary represents. */
function answersSummedUp(value: JsonValue): number {
  return Number(/"type":"compaction".*?(\d+) answers/.exec(JSON.stringify(value))?.[1] ?? 0);
}

/** Marks for the cache move from request to request; they are no part of the conversation. */
function withoutMarks(value: JsonValue | undefined): JsonValue[] {
  return JSON.parse(JSON.stringify(value ?? [], (key, inner) => (key === "cache_control" ? undefined : inner)));
}

const WIRES: Readonly<Record<Vendor, Wire>> = {
  anthropic: {
    unknownField: "thread: Extra inputs are not permitted",
    lost: (id) => `thread.previous_message_id: "${id}" was not found`,
    read({ thread, messages }) {
      const previous = (thread as JsonObject | undefined)?.previous_message_id as string | undefined;
      return { previous, keeps: thread !== undefined, added: withoutMarks(messages) };
    },
    answersIn: (whole) =>
      answersSummedUp(whole as JsonValue[]) +
      whole.filter((message) => {
        const { role, content } = message as { role?: string; content?: { type: string }[] };
        return role === "assistant" && content!.some(({ type }) => type !== "compaction");
      }).length,
    isCompaction: ({ compaction }) => compaction !== undefined,
    writeSummary: (answers) =>
      compacted("anthropic", [{ type: "compaction", content: `${answers} answers`, signature: `signed ${answers}` }]),
    items: ({ text, toolCalls = [] }) => [
      {
        role: "assistant",
        content: [
          ...(text ? [{ type: "text", text }] : []),
          ...toolCalls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id: id!, name, input })),
        ],
      },
    ],
    write: (answer, id) => namedSse(anthropicEvents(answer)).replace('"msg_1"', JSON.stringify(id)),
  },
  openai: {
    unknownField: "Unknown parameter: 'store'",
    lost: (id) => `Previous response with id '${id}' not found.`,
    read: ({ previous_response_id: previous, store, input }) => ({
      previous: previous as string | undefined,
      keeps: store === true,
      added: withoutMarks(input),
    }),
    isCompaction: ({ input }) => isTrigger((input as JsonValue[]).at(-1)!),
    writeSummary: (answers) =>
      compacted("openai", [{ type: "compaction", id: `cmp_${answers}`, encrypted_content: `${answers} answers` }]),
    answersIn: (whole) =>
      answersSummedUp(whole as JsonValue[]) +
      whole.filter((item, at) => isAnswer(item as JsonObject) && !isAnswer((whole[at - 1] ?? {}) as JsonObject)).length,
    items: ({ text, toolCalls = [] }) => [
      ...(text
        ? [{ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }]
        : []),
      ...toolCalls.map(({ id, name, arguments: given }) => ({
        type: "function_call",
        call_id: id!,
        name,
        arguments: JSON.stringify(given),
      })),
    ],
    write: ({ text = "", toolCalls = [] }, id) =>
      sse(responseEvents({ text, toolCalls: toolCalls.map((call) => ({ ...call, id: call.id! })) })).replaceAll(
        '"resp_1"',
        JSON.stringify(id),
      ),
  },
};

function isAnswer({ type, role }: JsonObject): boolean {
  return type === "function_call" || role === "assistant";
}
