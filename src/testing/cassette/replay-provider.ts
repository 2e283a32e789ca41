import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import { isRetrying, markRetrying, modelCardOf } from "../../engine/model/retry.js";
import { equalJson } from "../../json/copy.js";
import { wait } from "../../time/wait.js";
import type { CassettePlayer, RecordedModelCall } from "./cassette-player.js";
import { asJson } from "./cassette-recorder.js";
import { requestSettings } from "./record-provider.js";
import { errorOf, eventOf } from "./recorded-errors.js";

/** The time a response that the recorded run left may stay open in a replay that does not. Unit: milliseconds. */
const LEFT_MS = 1_000;

/** The recorded run's provider, which plays the responses of a cassette. */
export function replayingProvider(player: CassettePlayer, given: ProviderAdapter | undefined): ProviderAdapter {
  const prices = given && Reflect.get(given, "prices");
  return playing(player, { ...player.head.provider, ...(prices !== undefined && { prices }) }, given);
}

/** The same for a model that a sub-agent has of its own. */
export function replayingModel(player: CassettePlayer, given: ProviderAdapter): ProviderAdapter {
  return playing(player, modelCardOf(given), given);
}

function playing(
  player: CassettePlayer,
  names: Omit<ProviderAdapter, "stream">,
  given: ProviderAdapter | undefined,
): ProviderAdapter {
  const replaying: ProviderAdapter = { ...names, stream: (request) => play(player, request) };
  return given && isRetrying(given) ? markRetrying(replaying) : replaying;
}

async function* play(player: CassettePlayer, request: ProviderRequest): AsyncGenerator<ProviderEvent> {
  if (player.divergence) throw player.error();
  const { response } = find(player, request);
  for (const recorded of response?.events ?? []) {
    await player.order.turn(recorded);
    request.signal.throwIfAborted();
    yield eventOf(recorded.event);
  }
  if (!response?.end) await waitForAbort(player, request);
  else {
    if (response.end.moment) await player.order.turn(response.end.moment);
    if (response.end.error) throw errorOf(response.end.error);
  }
}

/** The first request of the cassette that says the same; otherwise the next one shows what is different. */
function find(player: CassettePlayer, request: ProviderRequest): RecordedModelCall {
  const settings = player.scrub(requestSettings(request));
  const messages = withoutEstimates(player.scrub(asJson(request.messages) as JsonValue[]));
  const open = player.calls.filter((call) => !call.isTaken);
  const found = open.find(
    (call) => equalJson(call.settings, settings) && equalJson(withoutEstimates(call.messages), messages),
  );
  if (found) {
    found.isTaken = true;
    return found;
  }
  const [next] = open;
  const replayed = { ...settings, messages };
  if (!next) throw player.diverge(`request ${player.calls.length + 1}, which was not recorded`, undefined, replayed);
  throw player.diverge(
    `request ${next.number + 1}`,
    { ...next.settings, messages: withoutEstimates(next.messages) },
    replayed,
  );
}

/** Usage that was estimated follows from the text, which may be shorter than it was: secrets are left out of a cassette. */
function withoutEstimates(messages: readonly JsonValue[]): JsonValue[] {
  return messages.map((message) => {
    const { usage, ...rest } = message as JsonObject;
    return (usage as JsonObject | undefined)?.estimated === true ? rest : message;
  });
}

/** The recorded run left the response here: so does the replay, unless something has changed. */
async function waitForAbort(player: CassettePlayer, { signal }: ProviderRequest): Promise<never> {
  await wait(LEFT_MS, signal);
  signal.throwIfAborted();
  throw player.diverge("a response that the recorded run left before its end", "left", "still read");
}
