// The options of a chat's routes, with the callbacks that they ask about each request.
import type { AgentEngine } from "../../engine/engine.js";
import type { RunHub } from "../hub/hub-types.js";

/** Somebody who has signed in. */
export interface ChatUser {
  readonly id: string;
}

/** The action of a request on a session. */
export type ChatAction =
  | "send"
  | "resume"
  | "stop"
  | "history"
  | "branches"
  | "pending"
  | "answer"
  | "list"
  | "rename"
  | "archive"
  | "delete"
  | "share";

/** Options of `createChatRoutes()`. */
export interface ChatRoutesOptions<User extends ChatUser = ChatUser> {
  /** The engine, or a hub of its own settings, such as `usage` and `whenBusy`. */
  readonly engine: AgentEngine | RunHub;
  /**
   * The user who has sent a request: by its cookie or token, never by its body. `null`, or a user whose `id` is empty or no text: nobody,
   * which is answered with 401.
   */
  readonly identify: (request: Request) => User | null | Promise<User | null>;
  /**
   * Whether a user may do something with a session, also with one that does not exist yet. Called before the session is read. What is
   * refused, by anything but `true`, looks like a session that does not exist: 404, and is in no list.
   */
  readonly authorize: (asked: {
    readonly user: User;
    readonly session: string;
    readonly action: ChatAction;
  }) => boolean | Promise<boolean>;
  /** The `context` of the user's runs. Default: none. */
  readonly contextFor?: ((user: User, session: string) => unknown) | undefined;
  /** The clients: `useChat`, or those of AG-UI. Default: `"ui-messages"`. */
  readonly format?: "ui-messages" | "ag-ui" | undefined;
  /** The path in front of the routes. Default: `"/chat"`. */
  readonly basePath?: string | undefined;
  /**
   * Other origins whose pages may send requests, each with its scheme, such as `https://app.example.com`. Browsers let those pages read
   * the answers only where the host adds CORS headers: no route does. Default: the server's own alone.
   */
  readonly origins?: readonly string[] | undefined;
  /** Largest body that is read. Unit: bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** The number of requests a user may send to this process; more get 429. Unit: requests a minute. Default: 300. */
  readonly requestsPerMinute?: number | undefined;
  /**
   * The beginning of the ids of a user's sessions: a list then looks at no others. Default: "", so that each list asks `authorize` about
   * every session of the store.
   */
  readonly prefixFor?: ((user: User) => string) | undefined;
  /**
   * Makes the title of a chat from its first prompt, with a model of yours; its first line, of at most 80 characters, counts. If it
   * throws, the next message asks again. Default: the beginning of the prompt is the title.
   */
  readonly titleFor?:
    | ((about: { readonly user: User; readonly session: string; readonly prompt: string }) => string | Promise<string>)
    | undefined;
  /** Removes what else is kept of a session that is deleted, such as `checkpoints.forget`. Called before the session goes. Default: nothing. */
  readonly forget?: ((session: string) => void | Promise<void>) | undefined;
  /**
   * Called with what is answered with a status of 500 or more, as when one of these functions throws, with what `titleFor` has
   * thrown, and with the failure of a store that has ended a run. The client learns nothing of it. What is thrown because the client has left (`request.signal.reason`) is left out.
   *
   * Default: `console.error`.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A route: a function from `Request` to `Response`. */
export type ChatRoute = (request: Request) => Promise<Response>;
