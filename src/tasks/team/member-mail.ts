import { isHarnessError } from "../../contracts/errors.js";
import { clip } from "../../text/cut.js";
import type { Mailbox, TeamMessage } from "./mailbox.js";

/** The most mail that a model reads at once; the rest comes with its next turn. */
const MAX_READ_CHARS = 20_000;

/** The messages that have come for one member, and that its model has not read. */
export class MemberMail {
  readonly #waiting: TeamMessage[] = [];
  readonly #readers = new Set<() => void>();
  #taking: Promise<void> = Promise.resolve();
  readonly #unwatch: () => void;

  constructor(
    readonly name: string,
    private readonly mailbox: Mailbox,
  ) {
    this.#unwatch = mailbox.watch(name, () => void this.look());
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Takes what is in the mailbox. One that fails is looked into again next time. */
  look(): Promise<void> {
    this.#taking = this.#taking.then(() => this.#take()).catch(noop);
    return this.#taking;
  }

  /** The mail that a model reads now; `null` without any. */
  read(): string | null {
    if (this.isEmpty) return null;
    const texts: string[] = [];
    let chars = 0;
    while (!this.isEmpty && (texts.length === 0 || chars + this.#waiting[0]!.text.length <= MAX_READ_CHARS)) {
      const { from, text } = this.#waiting.shift()!;
      chars += text.length;
      texts.push(`[Message from the team member "${from}", not from the user]\n\n${clip(text, MAX_READ_CHARS)}`);
    }
    if (!this.isEmpty)
      texts.push(`[${this.#waiting.length} more messages are waiting and will come with your next step.]`);
    return texts.join("\n\n");
  }

  /** Calls `wake` when there is something to read. Returns what ends this. */
  onMail(wake: () => void): () => void {
    this.#readers.add(wake);
    return () => void this.#readers.delete(wake);
  }

  /** Puts back what was not read, for a member of this name that comes later. */
  async close(): Promise<void> {
    this.#unwatch();
    await this.#taking;
    for (const message of this.#waiting.splice(0)) {
      await this.mailbox.send(message).catch((error) => {
        // Full: newer messages have taken its place.
        if (!isHarnessError(error)) throw error;
      });
    }
  }

  async #take(): Promise<void> {
    this.#waiting.push(...(await this.mailbox.take(this.name)));
    if (!this.isEmpty) for (const wake of [...this.#readers]) wake();
  }
}

function noop(): void {}
