// The same loop over Node's own HTTP client: the least that a model call can take there.
import { Agent, request } from "node:http";
import { chatBody, loopOver, readAnswer } from "./fetch.mjs";

const agent = new Agent({ keepAlive: true });

export function httpAgents(url) {
  return loopOver(
    (messages) =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json", authorization: "Bearer k" };
        const sent = request(`${url}/chat/completions`, { method: "POST", headers, agent }, (response) => {
          readAnswer(response).then(resolve, reject);
        });
        sent.on("error", reject);
        sent.end(chatBody(messages));
      }),
  );
}
