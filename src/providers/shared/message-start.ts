import type { ProviderEvent } from "../../contracts/provider.js";

/** The first event of a message, with what the server calls it and its model; some leave a name out, or empty. */
export function messageStart(id: unknown, model: unknown): ProviderEvent {
  return {
    type: "message-start",
    ...(typeof id === "string" && id !== "" && { id }),
    ...(typeof model === "string" && model !== "" && { model }),
  };
}
