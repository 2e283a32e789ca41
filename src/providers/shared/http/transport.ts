// The shape of `fetch`, as far as it is used here: a transport carries one request to a server.

/** A request, as `fetch` takes it. */
export interface HttpRequest {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Aborting it closes the connection, also while the response is being read. */
  readonly signal: AbortSignal;
  readonly redirect: "manual";
}

/** A response whose body has not been read. */
export interface HttpResponse extends ResponseBody {
  readonly status: number;
  /** Browsers say here that they hide a redirect. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
}

/** A body to be read. Without one there may be its text: some platforms have no streams. */
export interface ResponseBody {
  readonly body: { getReader(): ByteReader } | null;
  text?(): Promise<string>;
}

/** Reads a body in the packets it comes in. */
export interface ByteReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined; readonly done: boolean }>;
  /** Closes the connection, unless the response has ended. */
  cancel(): Promise<void>;
}

/** Rejects when no response has come. */
export type Transport = (url: string, request: HttpRequest) => Promise<HttpResponse>;
