// The same loop over `fetch` with a signal, so that each agent can be stopped.
import { httpAgents as agentsOf } from "./fetch.mjs";

export function httpAgents(url) {
  return agentsOf(url, () => ({ signal: new AbortController().signal }));
}
