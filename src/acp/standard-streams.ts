// Bytes in and out. On standard output nothing but the protocol may be written: a line of anything else, such as a tool's
// console.log, would break the connection, so while a server runs such lines go to standard error.
import { Readable, Writable } from "node:stream";

/** The stream of the client's messages: a web stream, or one of Node's. */
export type AcpInput = ReadableStream<Uint8Array> | NodeJS.ReadableStream;
/** The stream of messages to the client: a web stream, or one of Node's. */
export type AcpOutput = WritableStream<Uint8Array> | NodeJS.WritableStream;

export interface ByteStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Gives standard output back. */
  release(): void;
}

export function openStreams(input: AcpInput = process.stdin, output: AcpOutput = process.stdout): ByteStreams {
  const readable = input instanceof ReadableStream ? input : (Readable.toWeb(input as Readable) as ReadableStream);
  if (output instanceof WritableStream) return { readable, writable: output, release: () => {} };
  // An editor that is gone is noticed by what is read of it: a write that fails must not end the process.
  output.on("error", ignore);
  const release = () => void output.off("error", ignore);
  if (output !== process.stdout) return { readable, writable: writableOf(output), release };
  const write = process.stdout.write;
  const toProtocol = write.bind(process.stdout);
  const toError = process.stderr.write.bind(process.stderr) as typeof write;
  process.stdout.write = toError;
  return {
    readable,
    writable: writableOf(process.stdout, toProtocol),
    release: () => {
      release();
      if (process.stdout.write === toError) process.stdout.write = write;
    },
  };
}

function ignore(): void {}

/** A stream of Node's that is written to, and never ended: it is the caller's. */
export function writableOf(
  output: NodeJS.WritableStream,
  write: NodeJS.WritableStream["write"] = output.write.bind(output),
): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        write(chunk, (error?: Error | null) => (error ? reject(error) : resolve()));
      }),
  });
}

/** Whether something can be read or written as a stream. */
export function isInput(value: unknown): boolean {
  return value instanceof ReadableStream || value instanceof Readable;
}

export function isOutput(value: unknown): boolean {
  return value instanceof WritableStream || value instanceof Writable;
}
