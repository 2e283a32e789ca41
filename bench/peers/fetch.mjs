// What a hand-written loop over `fetch` does: nothing is validated, retried, recorded or reported, and nothing can stop it.
/** `optionsOf`: what an agent adds to each of its requests. */
export function httpAgents(url, optionsOf = () => ({})) {
  const tools = [{ type: "function", function: { name: "noop", description: "Does nothing.", parameters: {} } }];
  return async () => {
    const messages = [{ role: "user", content: "go" }];
    const options = optionsOf();
    for (let calls = 1; ; calls++) {
      const body = JSON.stringify({ model: "bench", messages, tools, stream: true });
      const headers = { "content-type": "application/json", authorization: "Bearer k" };
      const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body, ...options });
      const { text, toolCalls } = await readAnswer(response.body);
      if (toolCalls.length === 0) return calls;
      messages.push({ role: "assistant", content: text, tool_calls: toolCalls });
      for (const { id } of toolCalls) messages.push({ role: "tool", tool_call_id: id, content: "ok" });
    }
  };
}

async function readAnswer(stream) {
  const decoder = new TextDecoder();
  const toolCalls = [];
  let text = "";
  let rest = "";
  for await (const bytes of stream) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const { delta } = JSON.parse(line.slice(6)).choices[0];
      if (delta.content) text += delta.content;
      if (delta.tool_calls) toolCalls.push(...delta.tool_calls);
    }
  }
  return { text, toolCalls };
}
