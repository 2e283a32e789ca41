import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { HostAddress } from "./web-address.js";

export interface WebRequest {
  readonly url: URL;
  /** The connection goes to one of these and to nothing else. */
  readonly addresses: readonly HostAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The part of a response that is read; a `Response` of `fetch` is one. */
export interface WebResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Set by a `fetch` that went on to another address by itself. */
  readonly redirected?: boolean;
}

/**
 * Sends a GET request to addresses that were checked before: a name that resolves to something else by now is not
 * asked again. One connection for each request, no proxy, no cookies, no redirects.
 *
 * The body is decompressed as it is read, so that it grows no faster than its reader takes it.
 */
export function sendPinned({ url, addresses, headers, signal }: WebRequest): Promise<WebResponse> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first!.address, first!.family);
  };
  return new Promise((resolve, reject) => {
    const options = { lookup, signal, agent: false, headers: { ...headers, "accept-encoding": "gzip, deflate, br" } };
    const request = send(url, options, (response) => {
      const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
      const decoder = encoding === "" || encoding === "identity" ? null : DECODERS.get(encoding);
      if (decoder !== undefined) resolve(answerOf(response, decoder));
      else reject(Object.assign(new Error("An encoding nobody asked for."), { code: "Z_DATA_ERROR" }));
    });
    request.once("error", reject);
    // Without an error when the server wants to change to another protocol.
    request.once("close", () => reject(Object.assign(new Error("No response came."), { code: "ECONNRESET" })));
    request.end();
  });
}

type Decoder = () => Duplex;

const DECODERS = new Map<string, Decoder>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

function answerOf(response: IncomingMessage, decoder: Decoder | null): WebResponse {
  const { headers, statusCode = 0 } = response;
  return {
    status: statusCode,
    headers: {
      get(name) {
        const value = headers[name];
        return (Array.isArray(value) ? value.join(", ") : value) ?? null;
      },
    },
    // A reader of the second stream gets the failure of either; leaving its iteration closes the connection.
    body: decoder ? pipeline(response, decoder(), () => {}) : response,
  };
}
