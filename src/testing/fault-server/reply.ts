/** One response of a fault server. Offsets count the bytes of the encoded body, before compression. */
export interface FaultReply {
  /** Default: 200. */
  readonly status?: number;
  /** Default: `content-type: text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. Default: nothing. */
  readonly body?: string | Uint8Array;
  /** Waits before the head is sent. Unit: milliseconds. Default: 0. */
  readonly delayMs?: number;
  /** Byte offsets at which the body is cut into separate packets. */
  readonly splitAt?: readonly number[];
  /** The same at every so many bytes. */
  readonly splitEvery?: number;
  /** Waits between packets. Unit: milliseconds. Default: 0, which still sends them apart. */
  readonly packetDelayMs?: number;
  /** Sends only so many bytes, and then ends as `end` says. */
  readonly cutAt?: number;
  /**
   * The end of the response: `close` in good order, `reset` by destroying the socket, `stall` by saying nothing more
   * until the client leaves or the server closes. Default: `close`.
   */
  readonly end?: "close" | "reset" | "stall";
  /** Compresses the body; splits, cuts and offsets then count compressed bytes. */
  readonly gzip?: boolean;
  /** Sends the body over and over until this many bytes have gone or the client has left. Default: once. */
  readonly floodBytes?: number;
}

/** A request to a fault server. */
export interface FaultRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body, or its text when it is not JSON. */
  readonly body: unknown;
  /** The body as it was sent. */
  readonly text: string;
  /** Resolves when the exchange is over: `true` when the client left before the response had ended. */
  readonly left: Promise<boolean>;
}

/**
 * The answers of a fault server: one reply for every request, one for each in turn (the last one goes on), or a function
 * of the request and its number, counted from 0.
 */
export type FaultScript =
  | FaultReply
  | readonly FaultReply[]
  | ((request: FaultRequest, index: number) => FaultReply | Promise<FaultReply>);
