// The server's HTTP interface, as chat-server.ts documents it.

/** A response that is a refusal: its code and the message for the user. */
export class Refusal extends Error {
  constructor(status, { code = "INTERNAL", message = `The server answered with the status ${status}.` } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @throws Refusal, or TypeError when there is no connection
 */
async function request(path, init = {}) {
  const response = await fetch(`/api/${path}`, init);
  const body = response.status === 204 ? null : await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, body.error);
  return body;
}

/** A POST that may be sent again: the same key has its effect once. */
function post(path, body, key = crypto.randomUUID()) {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

const of = (id) => `sessions/${encodeURIComponent(id)}`;

export const api = {
  about: () => request("about"),
  sessions: () => request("sessions"),
  session: (id, signal) => request(of(id), { signal }),
  start: (input, key) => post("sessions", { input }, key),
  say: (id, input, key) => post(`${of(id)}/messages`, { input }, key),
  answer: (id, answers) => post(`${of(id)}/answers`, { answers }),
  stop: (id) => post(`${of(id)}/stop`, {}),
  remove: (id) => request(of(id), { method: "DELETE" }),
  eventsUrl: (id, runId, after) =>
    `/api/${of(id)}/runs/${encodeURIComponent(runId)}/events${after ? `?after=${encodeURIComponent(after)}` : ""}`,
};
