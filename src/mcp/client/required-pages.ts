// A server may refuse a call until the user has opened a page: to sign in, to pay. The user is asked, and the call is made once
// more. What happens on the page, the server learns by itself.
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { AskUser } from "./host-requests.js";
import type { Unread } from "./listing.js";
import { asSentence, mcpFailed } from "./mcp-errors.js";
import type { OpenCall } from "./open-calls.js";

/** The protocol's code of that error. */
const PAGES_FIRST = -32042;
/** Pages of one call. */
const MAX_PAGES = 5;
const MAX_URL_CHARS = 2_000;

interface Page {
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
}

interface Asking {
  readonly server: string;
  /** `undefined`: nobody can be asked. */
  readonly askUser: AskUser | undefined;
  readonly call: OpenCall;
  readonly signal: AbortSignal;
}

/**
 * Sends a call, and once more after the user has agreed to open the pages that the server wants opened first.
 *
 * @throws what `send` throws; the reason of `signal`; ToolError `MCP_FAILED` with the pages when they are not opened
 */
export async function sendAfterPages(asking: Asking, send: () => Promise<Unread>): Promise<Unread> {
  const { server, askUser, call, signal } = asking;
  let pages: readonly Page[];
  try {
    return await send();
  } catch (error) {
    pages = pagesIn(error);
    if (pages.length === 0) throw error;
    if (!askUser) throw notOpened(server, pages, "nobody can be asked here", error);
  }
  for (const page of pages) {
    const { action } = await askUser({ mode: "url", ...page, signal }, call).catch((error) => {
      throw notOpened(server, pages, `the user was not asked: ${describeThrown(error)}`, error);
    });
    signal.throwIfAborted();
    if (action !== "accept") throw notOpened(server, pages, "the user did not agree to that");
  }
  try {
    return await send();
  } catch (error) {
    const left = pagesIn(error);
    if (left.length === 0) throw error;
    throw notOpened(server, left, "the user agreed, but has not finished there. Call the tool again afterwards", error);
  }
}

function pagesIn(error: unknown): readonly Page[] {
  const { code, data } = Object(error);
  const asked: unknown = code === PAGES_FIRST ? Object(data).elicitations : undefined;
  if (!Array.isArray(asked)) return [];
  return asked.slice(0, MAX_PAGES).flatMap((each: unknown) => {
    if (!isObject(each) || typeof each.url !== "string" || typeof each.message !== "string") return [];
    const { message, url, elicitationId } = each;
    return url.length > MAX_URL_CHARS
      ? []
      : [{ message, url, ...(typeof elicitationId === "string" && { elicitationId }) }];
  });
}

function notOpened(server: string, pages: readonly Page[], why: string, cause?: unknown): Error {
  const which = pages.map(({ message, url }) => `${asSentence(clip(message, 300))} ${url}`).join(" ");
  return mcpFailed(
    server,
    `wants the user to open a page before it takes the call: ${asSentence(why)} The page: ${which}`,
    cause,
  );
}
