// Whether a settings file changes while an agent works. Files are polled: editors replace them, and most do not exist yet.

import { unwatchFile, watchFile } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { HookMap } from "../../contracts/hook.js";
import { HookRunner } from "../../engine/run/hooks/hook-runner.js";
import { sha256 } from "../../files/sha256.js";
import { checkOptions, FUNCTION, numberFrom, type OptionTable, TEXT } from "../../json/check-options.js";
import type { SettingsPlace } from "./settings-places.js";
import type { SettingsSource } from "./settings-reader.js";

/** A settings file whose content is not what it was. */
export interface SettingsChange {
  readonly source: SettingsSource;
  readonly file: string;
  /** Whether a ConfigChange hook asks the host not to take the change over. */
  readonly blocked: boolean;
  readonly reason?: string | undefined;
}

/** Options of `watchSettings()`. */
export interface WatchSettingsOptions {
  /** Called after the ConfigChange hooks of a change; load the settings again to take it over. */
  readonly onChange?: ((change: SettingsChange) => void) | undefined;
  /** The session id for hooks. Default: an empty string. */
  readonly sessionId?: string | undefined;
  /**
   * The time between looks at the files, and for which a new content must last to be reported: an editor may be half way
   * through writing it. Unit: milliseconds. Default: 1_000.
   */
  readonly intervalMs?: number | undefined;
}

/** Returned by `watchSettings()`. */
export interface SettingsWatch {
  /** No hook runs and nothing is called once it has resolved. */
  close(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 1_000;

const OPTIONS = {
  onChange: FUNCTION,
  sessionId: TEXT,
  intervalMs: numberFrom(1, "milliseconds"),
} satisfies OptionTable<WatchSettingsOptions>;

const SOURCE_NAMES = {
  policy: "policy_settings",
  user: "user_settings",
  project: "project_settings",
  local: "local_settings",
} as const;

export function watchSettings(
  places: readonly SettingsPlace[],
  hooks: HookMap,
  options: WatchSettingsOptions,
): SettingsWatch {
  checkOptions("watch()", options, OPTIONS);
  const { intervalMs = DEFAULT_INTERVAL_MS } = options;
  const closing = new AbortController();
  const watched = places.map((place) => new WatchedFile(place, new HookRunner(hooks), options, closing.signal));
  const listeners = watched.map((file) => () => file.check());
  for (const [index, { path }] of places.entries()) {
    watchFile(path, { interval: intervalMs, persistent: false }, listeners[index]!);
  }
  return {
    async close() {
      for (const [index, { path }] of places.entries()) unwatchFile(path, listeners[index]);
      closing.abort(new Error("the settings are no longer watched"));
      await Promise.all(watched.map((file) => file.idle));
    },
  };
}

class WatchedFile {
  /** Resolves when no check is under way. */
  idle: Promise<void>;
  #digest: string | null = null;

  constructor(
    private readonly place: SettingsPlace,
    private readonly hooks: HookRunner,
    private readonly options: WatchSettingsOptions,
    private readonly signal: AbortSignal,
  ) {
    this.idle = digestOf(place.path).then((digest) => {
      this.#digest = digest;
    });
  }

  /** One check after the other: a file that changes twice is seen twice, or once with its last content. */
  check(): void {
    this.idle = this.idle.then(() => this.#check()).catch(() => {}); // A listener of the host that throws ends nothing.
  }

  async #check(): Promise<void> {
    const { source, path } = this.place;
    const digest = await this.#settledDigest();
    if (this.signal.aborted || digest === this.#digest) return;
    this.#digest = digest;
    const outcome = await this.hooks.run(
      {
        hookEventName: "ConfigChange",
        sessionId: this.options.sessionId ?? "",
        runId: "",
        agentPath: [],
        source: SOURCE_NAMES[source],
        filePath: path,
      },
      { signal: this.signal, matchValue: SOURCE_NAMES[source] },
    );
    if (this.signal.aborted) return;
    const { blocked, reason } = outcome;
    this.options.onChange?.({ source, file: path, blocked, ...(reason !== undefined && { reason }) });
  }

  /** The known digest, or one that two looks agree on. Rejects when the settings are no longer watched. */
  async #settledDigest(): Promise<string | null> {
    const { intervalMs = DEFAULT_INTERVAL_MS } = this.options;
    for (let last = this.#digest; ; ) {
      const digest = await digestOf(this.place.path);
      if (digest === last || digest === this.#digest) return digest;
      last = digest;
      await sleep(intervalMs, undefined, { signal: this.signal });
    }
  }
}

/** `null` for a file that does not exist or cannot be read. */
async function digestOf(path: string): Promise<string | null> {
  const content = await readFile(path).catch(() => null);
  return content === null ? null : sha256(content);
}
