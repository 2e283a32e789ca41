import { ToolError } from "../../contracts/errors.js";
import { byDefault, checkOptions, numberFrom, type OptionTable } from "../../json/check-options.js";

/** A message from one member of a team to another. */
export interface TeamMessage {
  /** Names of members. */
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

/** The messages that the members of a team leave for each other, in one process or in several. */
export interface Mailbox {
  /**
   * Keeps a message until it is taken; the member it is for need not be there yet.
   *
   * @throws ToolError `TOOL_FAILED` when too many messages wait for that member
   */
  send(message: TeamMessage): Promise<void>;
  /** Takes what waits for a member, oldest first. Of several that take at once, one gets each message. */
  take(name: string): Promise<readonly TeamMessage[]>;
  /** Calls `onMail` when a message may have come for a member, and now and then without reason. Returns what ends this. */
  watch(name: string, onMail: () => void): () => void;
}

/** Options of `createMemoryMailbox()`. */
export interface MailboxOptions {
  /** Messages that may wait for one member. Default: 1,000. */
  readonly maxWaiting?: number | undefined;
}

export const MAILBOX_OPTIONS = {
  maxWaiting: byDefault(1_000, numberFrom(1, "messages")),
} satisfies OptionTable<MailboxOptions>;

export function mailboxFull(name: string, maxWaiting: number): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `The message was not sent: ${maxWaiting} messages already wait for "${name}". Continue without it.`,
    retryable: true,
  });
}

/**
 * Keeps messages in this process.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createMemoryMailbox(options: MailboxOptions = {}): Mailbox {
  return new MemoryMailbox(checkOptions("createMemoryMailbox()", options, MAILBOX_OPTIONS).maxWaiting);
}

class MemoryMailbox implements Mailbox {
  readonly #waiting = new Map<string, TeamMessage[]>();
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(private readonly maxWaiting: number) {}

  async send(message: TeamMessage): Promise<void> {
    const { to } = message;
    const waiting = this.#waiting.get(to) ?? [];
    if (waiting.length >= this.maxWaiting) throw mailboxFull(to, this.maxWaiting);
    this.#waiting.set(to, [...waiting, Object.freeze({ ...message })]);
    for (const notify of this.#watchers.get(to) ?? []) notify();
  }

  async take(name: string): Promise<readonly TeamMessage[]> {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    return waiting;
  }

  watch(name: string, onMail: () => void): () => void {
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers.add(onMail));
    return () => {
      watchers.delete(onMail);
      if (watchers.size === 0 && this.#watchers.get(name) === watchers) this.#watchers.delete(name);
    };
  }
}
