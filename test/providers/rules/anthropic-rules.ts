// What the Messages API refuses, as its documentation and its error messages say.
type Fields = { readonly [field: string]: unknown };

/** The first rule that a request breaks, in the words of the API; `null` for one that it takes. */
export function anthropicRefusal(body: unknown): string | null {
  const {
    model,
    max_tokens,
    messages,
    system,
    tools = [],
    stream,
  } = body as {
    model: unknown;
    max_tokens: unknown;
    messages: { role: string; content: Fields[] }[];
    system?: Fields[];
    tools?: Fields[];
    stream: unknown;
  };
  if (typeof model !== "string" || stream !== true) return "model and stream: Field required";
  if (!Number.isSafeInteger(max_tokens) || (max_tokens as number) < 1) return "max_tokens: Field required";
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required";
  if (messages[0]!.role !== "user") return 'messages: first message must use the "user" role';
  if (messages.at(-1)!.role !== "user") return "This model does not support assistant message prefill.";
  for (const [at, message] of messages.entries()) {
    if (message.role !== "user" && message.role !== "assistant")
      return `messages.${at}.role: Input should be 'user' or 'assistant'`;
    if (messages[at - 1]?.role === message.role) return "messages: roles must alternate";
    if (!Array.isArray(message.content) || message.content.length === 0)
      return `messages.${at}: content must not be empty`;
    for (const block of message.content) {
      const problem = blockProblem(block, message.role);
      if (problem) return `messages.${at}: ${problem}`;
    }
    if (message.role === "assistant" && /thinking/.test(String(message.content.at(-1)!.type))) {
      return "The final block in an assistant message cannot be `thinking`.";
    }
    const problem = pairProblem(message.content, messages[at + 1]?.content ?? []);
    if (problem) return problem;
    if (message.role === "user") {
      const kinds = message.content.map(({ type }) => type === "tool_result");
      if (kinds.lastIndexOf(true) > kinds.indexOf(false) && kinds.includes(false))
        return "tool_result blocks must come first";
      const calls =
        at === 0 ? [] : messages[at - 1]!.content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
      const stray = message.content.find(
        ({ type, tool_use_id }) => type === "tool_result" && !calls.includes(tool_use_id),
      );
      if (stray) return `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray.tool_use_id)}`;
    }
  }
  for (const block of system ?? [])
    if (String(block.text).trim() === "") return "system: text content blocks must be non-empty";
  const hasCalls = messages.some(({ content }) => content.some(({ type }) => type === "tool_use"));
  if (hasCalls && tools.length === 0) return "Requests which have `tool_use` or `tool_result` blocks must define tools";
  for (const { name, input_schema } of tools) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) return `tools: name ${String(name)} does not match the pattern`;
    const schema = input_schema as Fields;
    if (schema?.type !== "object") return "tools.0.custom.input_schema.type: Field required";
    if (schema.anyOf || schema.oneOf || schema.allOf)
      return "input_schema does not support oneOf, allOf, or anyOf at the top level";
  }
  const markers = (JSON.stringify(body).match(/"cache_control":/g) ?? []).length;
  if (markers > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${markers}.`;
  return null;
}

function blockProblem(block: Fields, role: string): string | null {
  const { type } = block;
  if (block.cache_control && /thinking/.test(String(type))) return "cache_control cannot be set on thinking blocks";
  switch (type) {
    case "text":
      return typeof block.text === "string" && block.text.trim() !== ""
        ? null
        : "text content blocks must contain non-whitespace text";
    case "image": {
      const { media_type } = block.source as Fields;
      return role === "user" && /^image\/(jpeg|png|gif|webp)$/.test(String(media_type))
        ? null
        : `unsupported image ${String(media_type)}`;
    }
    case "document": {
      const { type: kind, media_type } = block.source as Fields;
      return (kind === "base64" && media_type === "application/pdf") || (kind === "text" && media_type === "text/plain")
        ? null
        : "document";
    }
    case "thinking":
      return role === "assistant" && typeof block.signature === "string" ? null : "thinking.signature: Field required";
    case "redacted_thinking":
      return role === "assistant" && typeof block.data === "string" ? null : "redacted_thinking.data: Field required";
    case "tool_use": {
      if (role !== "assistant") return "tool_use in a user message";
      if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
        return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(block.name))) return "tool_use.name: String should match pattern";
      const isObject = typeof block.input === "object" && block.input !== null && !Array.isArray(block.input);
      return isObject ? null : "tool_use.input: Input should be a valid dictionary";
    }
    case "tool_result": {
      if (role !== "user") return "tool_result in an assistant message";
      const content = (
        typeof block.content === "string" ? [{ type: "text", text: block.content }] : (block.content ?? [])
      ) as Fields[];
      if (block.is_error && content.some(({ type: kind }) => kind !== "text"))
        return "all content must be type `text` if `is_error` is true";
      if (block.is_error && content.length === 0) return "content cannot be empty if `is_error` is true";
      for (const inner of content) {
        const problem = blockProblem(inner, "user");
        if (problem) return problem;
      }
      return null;
    }
    default:
      return `Input tag '${String(type)}' found using 'type' does not match any of the expected tags`;
  }
}

function pairProblem(content: readonly Fields[], next: readonly Fields[]): string | null {
  const calls = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  if (new Set(calls).size < calls.length) return "`tool_use` ids must be unique";
  const results = next.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id);
  const missing = calls.find((id) => !results.includes(id));
  return missing === undefined
    ? null
    : `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${String(missing)}`;
}
