// Messages sent to a run under way, until the session has them: in a file, so that a restart of the server does not lose them.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { SessionEntry } from "loopwright";

interface SentMessage {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class SteeringBox {
  readonly #sent = new Map<string, SentMessage[]>();

  constructor(private readonly file: string) {
    mkdirSync(dirname(file), { recursive: true });
    try {
      for (const [id, sent] of Object.entries(JSON.parse(readFileSync(file, "utf8")))) {
        this.#sent.set(id, sent as SentMessage[]);
      }
    } catch {
      // The file is not there yet, or the process ended before its first line.
    }
  }

  add(sessionId: string, text: string): void {
    this.#sent.set(sessionId, [...(this.#sent.get(sessionId) ?? []), { text, at: Date.now() }]);
    this.#save();
  }

  /** What the session does not have yet. */
  waiting(sessionId: string, entries: readonly SessionEntry[]): readonly string[] {
    const said = entries.flatMap((entry) => {
      if (entry.type !== "message" || entry.message.role !== "user") return [];
      return {
        at: entry.at,
        text: entry.message.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
      };
    });
    const waiting = (this.#sent.get(sessionId) ?? []).filter(({ text, at }) => {
      const found = said.findIndex((one) => one.text === text && one.at >= at);
      if (found >= 0) said.splice(found, 1);
      return found < 0;
    });
    return waiting.map(({ text }) => text);
  }

  clear(sessionId: string): void {
    if (this.#sent.delete(sessionId)) this.#save();
  }

  /** All or nothing: a process that ends meanwhile leaves the file as it was. */
  #save(): void {
    const next = `${this.file}.next`;
    writeFileSync(next, JSON.stringify(Object.fromEntries(this.#sent)));
    renameSync(next, this.file);
  }
}
