/** A web stream as an async iterator, also where streams are not themselves; leaving it cancels the stream. */
export class StreamSteps implements AsyncIterableIterator<unknown, undefined> {
  readonly #reader: ReadableStreamDefaultReader<unknown>;

  constructor(stream: ReadableStream<unknown>) {
    this.#reader = stream.getReader();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    const { value, done } = await this.#reader.read();
    return done ? { value: undefined, done: true } : { value, done: false };
  }

  async return(): Promise<IteratorResult<unknown, undefined>> {
    await this.#reader.cancel();
    return { value: undefined, done: true };
  }
}
