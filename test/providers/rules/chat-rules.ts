// What chat completions and the responses API refuse, as their documentation and their error messages say.
type Fields = { readonly [field: string]: unknown };

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The first rule of chat completions that a request breaks; `null` for one that it takes. */
export function chatRefusal(body: unknown): string | null {
  const { messages, tools = [] } = body as { messages: Fields[]; tools?: Fields[] };
  if (!Array.isArray(messages) || messages.length === 0) return "messages is empty";
  let open: unknown[] = [];
  for (const [at, message] of messages.entries()) {
    const where = `messages[${at}]`;
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) return `${where}: role 'tool' must follow a message with 'tool_calls'`;
      if (typeof message.content !== "string") return `${where}: content of a tool message is a string`;
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return `${where}: tool_call_ids did not have response messages: ${open.join(", ")}`;
    if (message.role === "assistant") {
      const calls = (message.tool_calls ?? []) as Fields[];
      const images = (message.images ?? []) as Fields[];
      const urls = images.map(({ image_url }) => String((image_url as Fields).url));
      if (!urls.every((url) => url.startsWith("data:image/"))) return `${where}: images are data URLs`;
      if (typeof message.content !== "string" && calls.length === 0) return `${where}: content is required`;
      for (const { id, function: called } of calls) {
        const { name, arguments: args } = called as Fields;
        if (typeof id !== "string" || id.length === 0 || id.length > 40) return `${where}: tool call id too long`;
        if (!NAME.test(String(name))) return `${where}: invalid function name ${String(name)}`;
        if (!isObjectText(args)) return `${where}: arguments are not an object`;
        open.push(id);
      }
      if (new Set(open).size < open.length) return `${where}: duplicate tool call ids`;
    } else if (message.role === "user" || message.role === "system" || message.role === "developer") {
      const parts = typeof message.content === "string" ? [] : (message.content as Fields[]);
      if (!Array.isArray(parts)) return `${where}: invalid content`;
      const known = ["text", "image_url", "file", "input_audio"];
      const unknown = parts.find(({ type }) => !known.includes(String(type)));
      if (unknown) return `${where}: invalid part ${String(unknown.type)}`;
    } else return `${where}: invalid role ${String(message.role)}`;
  }
  if (open.length > 0) return `tool_call_ids did not have response messages: ${open.join(", ")}`;
  for (const { function: called } of tools) {
    if (!NAME.test(String((called as Fields).name))) return "invalid function name";
  }
  return null;
}

/** The first rule of the responses API that a request breaks; `null` for one that it takes. */
export function responsesRefusal(body: unknown): string | null {
  const { input, tools = [] } = body as { input: Fields[]; tools?: Fields[] };
  if (!Array.isArray(input) || input.length === 0) return "input is empty";
  const open = new Set<unknown>();
  for (const [at, item] of input.entries()) {
    const where = `input[${at}]`;
    if (item.type === "function_call") {
      if (typeof item.call_id !== "string" || item.call_id.length > 64) return `${where}: call_id too long`;
      if (!NAME.test(String(item.name))) return `${where}: invalid function name ${String(item.name)}`;
      if (!isObjectText(item.arguments)) return `${where}: arguments are not an object`;
      if (open.has(item.call_id)) return `${where}: duplicate call_id`;
      open.add(item.call_id);
    } else if (item.type === "function_call_output") {
      if (!open.delete(item.call_id))
        return `${where}: No tool call found for function call output ${String(item.call_id)}`;
    } else if (item.type === "reasoning") {
      const next = input[at + 1];
      const isFollowed =
        next && (/_call$/.test(String(next.type)) || next.type === "reasoning" || next.role === "assistant");
      if (!isFollowed) return `${where}: reasoning was provided without its required following item`;
    } else if (item.type === "image_generation_call") {
      if (typeof item.id !== "string" || typeof item.result !== "string") return `${where}: id and result are required`;
    } else {
      const roles = ["user", "assistant", "system", "developer"];
      if (!roles.includes(String(item.role))) return `${where}: invalid role`;
      const parts = typeof item.content === "string" ? [] : (item.content as Fields[]);
      const known =
        item.role === "assistant" ? ["output_text"] : ["input_text", "input_image", "input_file", "input_audio"];
      const unknown = parts.find(({ type }) => !known.includes(String(type)));
      if (unknown) return `${where}: invalid part ${String(unknown.type)}`;
    }
  }
  if (open.size > 0) return `No tool output found for function call ${[...open].join(", ")}`;
  for (const { name } of tools) if (!NAME.test(String(name))) return "invalid function name";
  return null;
}

/** The first rule of a prompt of the AI SDK that is broken; `null` for a good one. */
export function promptRefusal(body: unknown): string | null {
  const { prompt } = body as { prompt: { role: string; content: Fields[] | string }[] };
  let open: unknown[] = [];
  for (const [at, { role, content }] of prompt.entries()) {
    if (role === "system") {
      if (at > 0 || typeof content !== "string") return "system messages come first, as strings";
      continue;
    }
    const parts = content as Fields[];
    if (!Array.isArray(parts) || parts.length === 0) return `prompt[${at}]: empty content`;
    const empty = parts.find(
      ({ type, text, providerOptions }) => type === "text" && String(text).trim() === "" && !providerOptions,
    );
    if (empty) return `prompt[${at}]: empty text`;
    if (role === "tool") {
      for (const { toolCallId } of parts) {
        if (!open.includes(toolCallId)) return `prompt[${at}]: a result without its call`;
        open = open.filter((id) => id !== toolCallId);
      }
    } else if (open.length > 0) return `prompt[${at}]: AI_MissingToolResultsError ${open.join(", ")}`;
    if (role === "assistant") {
      for (const { type, toolCallId, providerExecuted } of parts) {
        if (type === "tool-call" && !providerExecuted) open.push(toolCallId);
      }
    }
  }
  return open.length === 0 ? null : `AI_MissingToolResultsError ${open.join(", ")}`;
}

function isObjectText(value: unknown): boolean {
  try {
    const parsed: unknown = JSON.parse(String(value));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}
