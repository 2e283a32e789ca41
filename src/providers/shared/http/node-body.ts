import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import type { ByteReader } from "./transport.js";

type Packet = Awaited<ReturnType<ByteReader["read"]>>;

/** The most codings that are unpacked; a body with more stays packed, since each takes memory. */
const MAX_CODINGS = 5;

/** The header of deflate, which the low half of its first byte identifies. */
const DEFLATE_START = Uint8Array.of(0x78, 0x9c);

/** The body of a response of Node's client, unpacked as `fetch` does it, in the packets it comes in. Read one at a time. */
export class NodeBody implements ByteReader {
  readonly #response: IncomingMessage;
  readonly #stream: Readable;
  #resolve: ((packet: Packet) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #isOver = false;
  #fault: { readonly error: unknown } | undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    this.#stream = unpacked(response);
    this.#stream.on("readable", this.#answer);
    this.#stream.on("end", this.#onEnd);
    this.#stream.on("close", this.#onEnd);
    this.#stream.on("error", (error) => this.fail(error));
  }

  /** Whether somebody waits for a packet. */
  get isAwaited(): boolean {
    return this.#resolve !== undefined;
  }

  read(): Promise<Packet> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#answer();
    });
  }

  async cancel(): Promise<void> {
    this.#isOver = true;
    this.#stream.destroy();
    this.#answer();
  }

  /** Closes the connection: what is read next, or is being waited for, fails with this error. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#fault ??= { error };
    this.#stream.destroy();
    this.#answer();
  }

  readonly #onEnd = (): void => {
    this.#isOver = true;
    // The packed data may end before the response, whose rest nobody would read.
    if (!this.#response.readableEnded) this.#response.destroy();
    this.#answer();
  };

  /** Settles what is being waited for, if that has come. */
  readonly #answer = (): void => {
    if (!this.#resolve) return;
    const value: Uint8Array | null = this.#fault || this.#isOver ? null : this.#stream.read();
    if (value !== null) this.#resolve({ value, done: false });
    else if (this.#fault) this.#reject!(this.#fault.error);
    else if (this.#isOver) this.#resolve({ done: true });
    else return;
    this.#resolve = undefined;
    this.#reject = undefined;
  };
}

function unpacked(response: IncomingMessage): Readable {
  const codings = response.headers["content-encoding"]?.toLowerCase().split(",") ?? [];
  if (codings.length > MAX_CODINGS) return response;
  return codings.reduceRight((stream: Readable, coding) => unpackedOf(stream, coding.trim()), response);
}

function unpackedOf(packed: Readable, coding: string): Readable {
  const codec = codecOf(coding);
  if (!codec) return packed;
  const { pipeline } = process.getBuiltinModule("node:stream");
  // Their callback hears nothing that the reader of the codec does not.
  if (coding === "deflate") return pipeline(packed, withStart, codec, () => {});
  return pipeline(packed, codec, () => {});
}

/** A codec that passes on what it has: events must not wait for the end. `undefined` for what nobody here knows. */
function codecOf(coding: string): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const lenient = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip(lenient);
    case "deflate":
      return zlib.createInflate(lenient);
    case "br":
      return zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH });
    case "zstd":
      return (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress?.(); // From Node 22.15 on.
    default:
      return undefined;
  }
}

/** Some servers send deflate without its first two bytes. */
async function* withStart(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const packet of packed) {
    if (isFirst && (packet[0]! & 0x0f) !== 0x08) yield DEFLATE_START;
    isFirst = false;
    yield packet;
  }
}
