/*
 * Content of any length in one file of bounded size, with flat memory.
 *
 * The file has a head and a ring: byte `n` of the content lies at `n` in the head, later ones go round in the ring, so
 * that it always holds the newest. What fits is in place then and only has to be named. What does not is copied in order,
 * head, note, tail, into a second file. Either way the name is the digest of what the file holds.
 */
import { createHash, type Hash, randomBytes } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";

/** Written and copied at once. */
const STEP_BYTES = 1024 * 1024;

export interface WrittenFile {
  /** The digest of what the file holds. */
  readonly id: string;
  /** The place where it is until it has its own. */
  readonly temporaryPath: string;
  /** The size of the whole content. */
  readonly bytes: number;
}

export interface KeepOptions<T> {
  readonly dir: string;
  readonly maxBytes: number;
  /** Moves the file to its place. What it leaves behind is removed. */
  place(file: WrittenFile): T;
}

/** Answers what `place` does. Rejects with the error of `content` or of the disk, and leaves no file then. */
export async function keepInFile<T>(
  content: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  { dir, maxBytes, place }: KeepOptions<T>,
): Promise<T> {
  const name = join(dir, randomBytes(8).toString("hex"));
  const whole = { path: `${name}.tmp`, hash: createHash("sha256") };
  const cut = { path: `${name}.cut.tmp`, hash: createHash("sha256") };
  try {
    const { bytes } = await withFile(whole.path, async (file) => {
      const ring = new RingFile(file, maxBytes);
      for await (const chunk of content) await ring.write(chunk, whole.hash);
      await ring.flush(whole.hash);
      if (ring.bytes > maxBytes)
        await withFile(cut.path, (target) => copyHeadAndTail(ring, target, cut.hash, maxBytes));
      return ring;
    });
    const kept = bytes > maxBytes ? cut : whole;
    return place({ id: kept.hash.digest("hex"), temporaryPath: kept.path, bytes });
  } finally {
    await rm(whole.path, { force: true });
    await rm(cut.path, { force: true });
  }
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, "wx+", 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

class RingFile {
  /** Written so far, also what the ring has lost. */
  bytes = 0;
  readonly #head: number;
  readonly #step = Buffer.allocUnsafe(STEP_BYTES);
  #stepBytes = 0;

  constructor(
    readonly file: FileHandle,
    private readonly capacity: number,
  ) {
    this.#head = Math.floor(capacity / 2);
  }

  /** Gathers small chunks. `hash` gets what is in place; it is of no use once the ring has gone round. */
  async write(chunk: Uint8Array, hash: Hash): Promise<void> {
    if (this.#stepBytes + chunk.length > STEP_BYTES) await this.flush(hash);
    if (chunk.length > STEP_BYTES) return this.#append(chunk, hash);
    this.#step.set(chunk, this.#stepBytes);
    this.#stepBytes += chunk.length;
  }

  async flush(hash: Hash): Promise<void> {
    const gathered = this.#step.subarray(0, this.#stepBytes);
    this.#stepBytes = 0;
    await this.#append(gathered, hash);
  }

  async #append(chunk: Uint8Array, hash: Hash): Promise<void> {
    if (this.bytes + chunk.length <= this.capacity) hash.update(chunk);
    for (let at = 0; at < chunk.length; ) {
      const position = this.positionOf(this.bytes);
      const part = chunk.subarray(at, at + this.capacity - position);
      await writeAll(this.file, part, position);
      at += part.length;
      this.bytes += part.length;
    }
  }

  /** The place of byte `n` of the content. */
  positionOf(n: number): number {
    if (n < this.#head) return n;
    return this.#head + ((n - this.#head) % (this.capacity - this.#head));
  }

  /** Bytes from `n` on, as many as lie together and fit; `n` is in the head or among the newest. */
  async read(n: number, target: Uint8Array): Promise<Uint8Array> {
    const position = this.positionOf(n);
    const end = n < this.#head ? this.#head : this.capacity;
    const length = Math.min(target.length, end - position, this.bytes - n);
    const { bytesRead } = await this.file.read(target, 0, length, position);
    return target.subarray(0, bytesRead);
  }
}

async function copyHeadAndTail(ring: RingFile, target: FileHandle, hash: Hash, maxBytes: number): Promise<void> {
  const note = Buffer.from(`\n[… ${ring.bytes} bytes in all; the middle was not kept …]\n`);
  const room = Math.max(0, maxBytes - note.length);
  const headEnd = await characterStart(ring, Math.ceil(room / 2));
  const tailStart = await characterStart(ring, ring.bytes - Math.floor(room / 2));
  let written = 0;
  const append = async (part: Uint8Array) => {
    hash.update(part);
    await writeAll(target, part, written);
    written += part.length;
  };
  await copy(ring, 0, headEnd, append);
  await append(note);
  await copy(ring, tailStart, ring.bytes, append);
}

async function copy(ring: RingFile, from: number, to: number, append: (part: Uint8Array) => Promise<void>) {
  const step = Buffer.allocUnsafe(STEP_BYTES);
  for (let n = from; n < to; ) {
    const part = (await ring.read(n, step)).subarray(0, to - n);
    await append(part);
    n += part.length;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

/** The start of the UTF-8 character that byte `index` is in. */
async function characterStart(ring: RingFile, index: number): Promise<number> {
  const byte = Buffer.alloc(1);
  let start = index;
  while (start > index - 4 && start > 0 && ((await ring.read(start, byte))[0]! & 0xc0) === 0x80) start--;
  return start;
}
