// What a hand-written loop over `fetch` does: nothing is validated, retried, recorded or reported, and nothing can stop it.
export function httpAgents(url) {
  return loopOver(async (messages) => {
    const headers = { "content-type": "application/json", authorization: "Bearer k" };
    const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body: chatBody(messages) });
    return readAnswer(response.body);
  });
}

const TOOLS = [{ type: "function", function: { name: "noop", description: "Does nothing.", parameters: {} } }];

export function chatBody(messages) {
  return JSON.stringify({ model: "bench", messages, tools: TOOLS, stream: true });
}

/** Starts one agent after another. `ask` sends the messages and resolves with the answer. */
export function loopOver(ask) {
  return async () => {
    const messages = [{ role: "user", content: "go" }];
    for (let calls = 1; ; calls++) {
      const { text, toolCalls } = await ask(messages);
      if (toolCalls.length === 0) return calls;
      messages.push({ role: "assistant", content: text, tool_calls: toolCalls });
      for (const { id } of toolCalls) messages.push({ role: "tool", tool_call_id: id, content: "ok" });
    }
  };
}

export async function readAnswer(stream) {
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
