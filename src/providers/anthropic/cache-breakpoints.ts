// The breakpoints of prompt caching. The API caches the prompt up to each of them, at most four, and looks back some
// 20 blocks from each for what an earlier request left. The prefix is stable within an epoch, so four places pay: the end
// of the tools, the end of the system prompt, the end of the request, and where the request before ended.
import type { AnthropicBlock, AnthropicMessage } from "./wire.js";

/** The lifetime of a cached prefix after its last use. */
export type CacheLifetime = "5m" | "1h";

/** A list with its last item marked. */
export function markLast<T extends object>(items: readonly T[], lifetime: CacheLifetime | undefined): readonly T[] {
  const last = items.at(-1);
  if (lifetime === undefined || !last) return items;
  return [...items.slice(0, -1), { ...last, cache_control: marker(lifetime) }];
}

/** The tools with the last one marked that the model sees from the beginning: what is found later is not in the prefix. */
export function markTools(tools: readonly object[], lifetime: CacheLifetime | undefined): readonly object[] {
  const seen = tools.filter((tool) => !("defer_loading" in tool));
  return [...markLast(seen, lifetime), ...tools.filter((tool) => "defer_loading" in tool)];
}

/** The messages with the end of this request and of the one before marked. */
export function markMessages(
  messages: readonly AnthropicMessage[],
  lifetime: CacheLifetime | undefined,
): readonly AnthropicMessage[] {
  if (lifetime === undefined) return messages;
  const marked = [...messages];
  const ends = [marked.length - 1, marked.findLastIndex(({ role }, at) => role === "user" && at < marked.length - 1)];
  for (const at of ends) {
    const message = marked[at];
    if (message) marked[at] = { ...message, content: markedContent(message.content, lifetime) };
  }
  return marked;
}

function markedContent(content: readonly AnthropicBlock[], lifetime: CacheLifetime): readonly AnthropicBlock[] {
  const at = content.length - 1;
  return content.map((block, index) => (index === at ? { ...block, cache_control: marker(lifetime) } : block));
}

function marker(lifetime: CacheLifetime): object {
  return lifetime === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl: lifetime };
}
