// As much of Node's HTTP classes as is used: those of node:http, node:https and the compatibility API of node:http2 fit, and nobody
// needs the types of Node.

/** The part of Node's `IncomingMessage` or `Http2ServerRequest` that is read, and of what Express adds to it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The URL as the client sent it, where a framework has cut `url` down to what follows its mount point. */
  readonly originalUrl?: string | undefined;
  readonly httpVersionMajor: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket?: object | null | undefined;
  /** Whether somebody has begun to read the body. */
  readonly readableDidRead?: boolean | undefined;
  /** The body as a body parser has left it. */
  readonly body?: unknown;
  on(event: string, listener: (value?: unknown) => void): unknown;
  off(event: string, listener: (value?: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

type OutgoingHeaders = Record<string, string | string[]>;

/** The part of Node's `ServerResponse` or `Http2ServerResponse` in use. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly destroyed?: boolean | undefined;
  /** The stream of HTTP/2. */
  readonly stream?: { readonly destroyed: boolean } | undefined;
  getHeader(name: string): unknown;
  writeHead(status: number, headers: OutgoingHeaders): unknown;
  writeHead(status: number, statusText: string, headers: OutgoingHeaders): unknown;
  /** Not needed in HTTP/2, where `writeHead` sends the head. */
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(error?: Error): unknown;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}
