// The place of a page's prompt in its session. A page shows one way through the session's tree: the messages both have, from the
// beginning, lead to the place; the rest of the session stays as a branch.
import { ConfigurationError, SessionError } from "../../contracts/errors.js";
import type { Message } from "../../contracts/message.js";
import type { SessionEntry } from "../../contracts/session.js";
import { contentOf } from "../../engine/options/read-options.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { clip } from "../../text/cut.js";
import { contentOfShown, type PromptOfRequest } from "../requests/prompt-content.js";
import { tipsOf } from "./branches.js";
import { keptMessages } from "./kept-messages.js";
import {
  type Compare,
  compareShown,
  compareWhole,
  isEmpty,
  joinShown,
  type ShownMessage,
  shownTurn,
} from "./shown-message.js";
import { type ChatTurn, turnsOf } from "./stored-chat.js";

/** A prompt, as a run takes it. */
interface PlacedPrompt {
  readonly input: PromptOfRequest["input"];
  readonly after?: string | null;
  readonly history?: readonly Message[];
}

/** Whether a prompt has a place of its own: others follow the newest message. */
export function isPlaced({ shown, replaces }: PromptOfRequest): boolean {
  return shown !== undefined || replaces !== undefined;
}

/**
 * Goes to the place of a prompt in its session. `hasWaited`: it came while the session was in use.
 *
 * @throws SessionError `CHAT_DIFFERS` where the page shows an answer that the session does not have there
 */
export function placePrompt(
  { input, shown, replaces }: PromptOfRequest,
  entries: readonly SessionEntry[],
  hasWaited: boolean,
): PlacedPrompt {
  if (replaces !== undefined) {
    const { after, prompt } = findMessage(entries, replaces);
    return { after, input: input.length > 0 ? input : prompt.content };
  }
  // The page could not know the answer that the message has waited for.
  if (!shown || (hasWaited && isBehindAll(entries, shown))) return { input };
  const { after, kept, unsent } = findPlace(entries, shown);
  const content = unsent.length > 0 ? [...unsent.flatMap(contentOfShown), ...contentOf(input)] : input;
  return { after, input: content, ...(kept.length > 0 && { history: kept }) };
}

/**
 * The entry that a prompt follows, where its place is no more than that.
 *
 * @throws ConfigurationError `OPTION_INVALID` where messages come between the two, SessionError `CHAT_DIFFERS`
 */
export function entryBefore(prompt: PromptOfRequest, entries: readonly SessionEntry[]): string | null | undefined {
  const { after, history, input } = placePrompt(prompt, entries, false);
  if (history === undefined && input === prompt.input) return after;
  throw new ConfigurationError("OPTION_INVALID", {
    message:
      "hub.start(): the page shows messages that the session does not have before this one. Use hub.send(prompt).",
    details: { option: "input" },
  });
}

/** The place of a prompt. */
interface ChatPlace {
  /** For `after` of a run. */
  readonly after: string | null;
  /** The messages that the page shows behind it, which follow another one in the session. */
  readonly kept: readonly Message[];
  /** The messages that it shows before the prompt: the user's, which never reached the session. */
  readonly unsent: readonly ShownMessage[];
}

interface Match {
  readonly after: string | null;
  /** The numbers of the page's groups that are there, of those among them that are not the same to the letter, and of messages of the group behind them. */
  readonly length: number;
  readonly partly: number;
  readonly begun: number;
  /** The message that the session has instead of the next one. */
  readonly instead: ShownMessage | undefined;
}

/**
 * The place behind the last of these messages. What the session has to the letter goes before the beginning of something longer, and what
 * names a run is looked at only where the texts alone lead nowhere.
 */
function findPlace(entries: readonly SessionEntry[], shown: readonly ShownMessage[]): ChatPlace {
  const texts = shown.map(({ role, text, parts }) => ({ role, text, parts }));
  const whole = placeBehind(entries, texts, compareWhole);
  const byText = whole instanceof SessionError ? placeBehind(entries, texts, compareShown) : whole;
  const place = byText instanceof SessionError ? placeBehind(entries, shown, compareShown) : byText;
  if (place instanceof SessionError) throw place;
  return place;
}

function placeBehind(
  entries: readonly SessionEntry[],
  shown: readonly ShownMessage[],
  compare: Compare,
): ChatPlace | SessionError {
  const page = joined(shown.map((message) => ({ message, last: "" })));
  let best: Match | undefined;
  for (const tip of tipsOf(entries)) {
    const match = matchBranch(turnsOf(branchOf(entries, tip)), tip, page, compare);
    if (!best || isBetter(match, best)) best = match;
    if (best.length === page.length && best.partly === 0) break;
  }
  const { after, length, begun, instead } = best ?? { after: null, length: 0, begun: 0, instead: undefined };
  if (length < page.length && isInOtherOrder(entries, page)) return { after: entries.at(-1)!.id, unsent: [], kept: [] };
  const rest = page.slice(length).map(({ members }) => members.map(({ message }) => message));
  rest[0]?.splice(0, begun);
  const unsent = rest.at(-1)?.[0]?.role === "user" ? rest.pop()! : [];
  const kept = keptMessages(entries, rest.flat(), compare);
  if (!kept) return differs(length, page[length]!.message, instead);
  return { after, kept, unsent };
}

/** Whether the page shows all that the user has said, in this order. What it has read of the answers does not matter. */
export function isBehindAll(entries: readonly SessionEntry[], shown: readonly ShownMessage[]): boolean {
  const page = shown.filter(({ role }) => role === "user");
  const said = turnsOf(branchOf(entries)).flatMap((turn) => (turn.role === "user" ? [shownTurn(turn)] : []));
  return page.length === said.length && page.every((message, index) => compareShown(message, said[index]!) !== null);
}

/** A client may put an answer behind what the user has said before it began. */
function isInOtherOrder(entries: readonly SessionEntry[], page: readonly Group[]): boolean {
  const stored = turnsOf(branchOf(entries)).map(shownTurn);
  return (["user", "assistant"] as const).every((role) => {
    const [shown, said] = [page.map(({ message }) => message), stored].map((all) =>
      joinShown(all.filter((one) => one.role === role)),
    );
    return compareShown(shown!, said!) === "exact";
  });
}

function matchBranch(turns: readonly ChatTurn[], tip: string, page: readonly Group[], compare: Compare): Match {
  const stored = joined(turns.map((turn) => ({ message: shownTurn(turn), last: turn.last })));
  let [length, partly] = [0, 0];
  for (; length < page.length && length < stored.length; length++) {
    const likeness = compare(page[length]!.message, stored[length]!.message);
    if (likeness === null) break;
    if (likeness === "partly") partly++;
  }
  const next = stored[length];
  const begun = begunAlike(page[length]?.members ?? [], next?.members ?? [], compare);
  const last = begun > 0 ? next!.members[begun - 1] : stored[length - 1]?.members.at(-1);
  return { after: next ? (last?.last ?? null) : tip, length, partly, begun, instead: next?.message };
}

function isBetter(match: Match, best: Match): boolean {
  return (match.length - best.length || match.begun - best.begun || best.partly - match.partly) > 0;
}

/** The number of the user's messages that are the same, where one side has more of them in a row than the other. */
function begunAlike(page: readonly Said[], stored: readonly Said[], compare: Compare): number {
  const differs = page.findIndex(({ message }, index) => {
    const said = stored[index]?.message;
    return message.role !== "user" || !said || compare(message, said) === null;
  });
  return differs < 0 ? page.length : differs;
}

/** A message, and the last entry of what the session has of it. */
interface Said {
  readonly message: ShownMessage;
  readonly last: string;
}

/** The messages of one side in a row, together and one by one. */
interface Group {
  readonly message: ShownMessage;
  readonly members: readonly Said[];
}

/** One for all that a side has said in a row: whether that is one message or several is not the same on both sides. */
function joined(all: readonly Said[]): Group[] {
  const groups: Said[][] = [];
  for (const one of all) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (isEmpty(one.message)) {
      // It ends what it was to answer.
      if (group && before) group[group.length - 1] = { ...before, last: one.last };
    } else if (group && before?.message.role === one.message.role) group.push(one);
    else groups.push([one]);
  }
  return groups.map((members) => ({ message: joinShown(members.map(({ message }) => message)), members }));
}

/** The place of the message with this id, as `toUiMessages()` and `toAgUiMessages()` name it, and its prompt. */
function findMessage(
  entries: readonly SessionEntry[],
  messageId: string,
): { readonly after: string | null; readonly prompt: Extract<ChatTurn, { readonly role: "user" }> } {
  for (const tip of tipsOf(entries)) {
    const turns = turnsOf(branchOf(entries, tip));
    const named = turns.findIndex(({ id }) => id === messageId);
    const at = turns.findLastIndex(({ role }, index) => role === "user" && index <= named);
    const prompt = turns[at];
    if (prompt?.role === "user") return { after: turns[at - 1]?.last ?? null, prompt };
  }
  throw new SessionError("CHAT_DIFFERS", {
    message: `The session has no message "${messageId}". Send the messages that the page shows, or the id of one that the session has.`,
    details: { messageId },
  });
}

function differs(index: number, page: ShownMessage, instead: ShownMessage | undefined): SessionError {
  const has = instead ? `${describe(instead)} there` : "nothing more there";
  return new SessionError("CHAT_DIFFERS", {
    message: `The page does not show the chat as it is kept: load it again. Message ${index + 1} of the page is ${describe(page)}; the session has ${has}.`,
    details: { index, shown: clip(page.text, 200), stored: instead ? clip(instead.text, 200) : null },
  });
}

function describe({ role, text }: ShownMessage): string {
  return `the ${role}'s ${JSON.stringify(clip(text, 60))}`;
}
