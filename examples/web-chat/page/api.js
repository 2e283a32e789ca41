// The routes, as the page asks them.

/** @returns {Promise<Response>} rejects with what the server says of a refusal */
export async function ask(method, path, body, signal) {
  const headers = method === "GET" ? {} : { "content-type": "application/json" };
  const sent = method === "GET" ? undefined : JSON.stringify(body ?? {});
  const response = await fetch(path, { method, headers, body: sent, signal });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(error?.message ?? `The server has answered ${response.status}.`), {
    status: response.status,
    code: error?.code,
  });
}

export const chatPath = (id, rest = "") => `/chat/${encodeURIComponent(id)}${rest}`;

/** The chunks of a stream of server-sent events. */
export async function* chunksOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data && data !== "[DONE]") yield JSON.parse(data);
    }
  }
}
