// A vendor that compacts on demand, and what can go wrong with that.
import type { JsonObject, ProviderAdapter } from "loopwright";
import { anthropic } from "loopwright/providers/anthropic";
import { openai } from "loopwright/providers/openai";
import {
  anthropicEvents,
  createFaultServer,
  type FaultReply,
  namedSse,
  responseEvents,
  sse,
} from "loopwright/testing/fault-server";
import { onTestFinished } from "vitest";

export const VENDORS = ["anthropic", "openai"] as const;
export type Vendor = (typeof VENDORS)[number];

/** What the servers make of a conversation, as it has to come back. */
export const BLOCKS: Readonly<Record<Vendor, JsonObject>> = {
  anthropic: { type: "compaction", content: "Pages were looked at.", encrypted_content: "c2VjcmV0", signature: "c2ln" },
  openai: { type: "compaction", id: "cmp_1", encrypted_content: "c2VjcmV0", status: "completed" },
};

export function providerOf(vendor: Vendor, baseURL: string, options: object = {}): ProviderAdapter {
  const common = { apiKey: "k", baseURL, contextWindow: 4_000, maxOutputTokens: 500, ...options };
  if (vendor === "anthropic") return anthropic({ model: "claude-opus-5", ...common });
  return openai({ model: "gpt-5.1", api: "responses", ...common });
}

export function isCompaction(body: unknown): boolean {
  const { compaction, input } = body as { compaction?: unknown; input?: readonly JsonObject[] };
  return compaction !== undefined || input?.at(-1)?.type === "compaction_trigger";
}

/** The body of an answer that holds `blocks`. */
export function compacted(vendor: Vendor, blocks: readonly JsonObject[] = [BLOCKS[vendor]]): string {
  if (vendor === "anthropic") {
    const counts = { input_tokens: 0, output_tokens: 0 };
    const usage = { ...counts, iterations: [{ type: "compaction", input_tokens: 3_000, output_tokens: 40 }] };
    const message = {
      id: "msg_c",
      type: "message",
      role: "assistant",
      model: "claude-opus-5",
      content: [],
      usage: counts,
    };
    return namedSse([
      { type: "message_start", message },
      ...blocks.flatMap((content_block, index): JsonObject[] => [
        { type: "content_block_start", index, content_block },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: "compaction" }, usage },
      { type: "message_stop" },
    ]);
  }
  const head = { id: "resp_c", object: "response", model: "gpt-5.1" };
  const usage = { input_tokens: 3_000, output_tokens: 40 };
  return sse([
    { type: "response.created", response: { ...head, status: "in_progress", output: [] } },
    ...blocks.flatMap((item, output_index): JsonObject[] => [
      { type: "response.output_item.added", output_index, item: { type: "compaction", id: "cmp_1" } },
      { type: "response.compaction.compacting", output_index, item_id: "cmp_1" },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { ...head, status: "completed", output: [...blocks], usage } },
  ]);
}

/** Each answer is short; a compaction is answered by `compact`, and a request with a summary in it by `adopt`, where it is given. */
export async function compactingServer(
  vendor: Vendor,
  compact: () => FaultReply = () => ({ body: compacted(vendor) }),
  adopt?: () => FaultReply,
) {
  let answers = 0;
  const server = await createFaultServer(({ body, text }) => {
    if (isCompaction(body)) return compact();
    if (adopt && text.includes('"compaction"')) return adopt();
    const said = `Answer ${++answers}.`;
    return {
      body: vendor === "anthropic" ? namedSse(anthropicEvents({ text: said })) : sse(responseEvents({ text: said })),
    };
  });
  onTestFinished(() => server.close());
  return server;
}
