import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { ByteReader } from "./transport.js";

type Packet = Awaited<ReturnType<ByteReader["read"]>>;

/** The body of a response of Node's client, unpacked as `fetch` does it, in the packets it comes in. Read one at a time. */
export class NodeBody implements ByteReader {
  readonly #stream: Readable;
  #resolve: ((packet: Packet) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #isOver = false;
  #fault: { readonly error: unknown } | undefined;

  constructor(response: IncomingMessage) {
    this.#stream = unpacked(response);
    this.#stream.on("readable", this.#answer);
    this.#stream.on("end", this.#onEnd);
    this.#stream.on("close", this.#onEnd);
    this.#stream.on("error", (error) => this.fail(error));
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

/** A codec's stream, each flushing what it has: events must not wait for the end. */
function unpacked(response: IncomingMessage): Readable {
  const codings = (response.headers["content-encoding"] ?? "").toLowerCase().split(",");
  return codings.reduceRight((stream: Readable, coding) => unpackedOf(stream, coding.trim()), response);
}

function unpackedOf(packed: Readable, coding: string): Readable {
  if (!/^(?:(?:x-)?gzip|deflate|br)$/.test(coding)) return packed;
  const zlib = process.getBuiltinModule("node:zlib");
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const lenient = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  const brotli = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };
  const codec =
    coding === "br"
      ? zlib.createBrotliDecompress(brotli)
      : coding === "deflate"
        ? zlib.createInflate(lenient)
        : zlib.createGunzip(lenient);
  // Its callback hears nothing that the reader of the codec does not.
  return process.getBuiltinModule("node:stream").pipeline(packed, codec, () => {});
}
