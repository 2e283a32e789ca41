import type { Task } from "../contracts/task.js";
import { followSignal } from "../time/follow-signal.js";

/** Passes changed tasks on to those who watch. Bounded: of each task a slow watcher gets the newest state alone. */
export class TaskFeed {
  readonly #watchers = new Set<(task: Task) => void>();
  readonly #onFirst: () => () => void;
  #stop: (() => void) | undefined;

  /** `onFirst` is called when somebody begins to watch, and what it returns once nobody does any more. */
  constructor(onFirst: () => () => void = () => () => {}) {
    this.#onFirst = onFirst;
  }

  publish(task: Task): void {
    for (const notify of this.#watchers) notify(task);
  }

  /** From this call on, not from the first `next()`. */
  watch(signal: AbortSignal | undefined): AsyncIterableIterator<Task> {
    const waiting = new Map<string, Task>();
    const versions = new Map<string, number>();
    let wake: (() => void) | undefined;
    let isOver = false;
    const notify = (task: Task) => {
      if (task.version <= (versions.get(task.id) ?? -1)) return;
      versions.set(task.id, task.version);
      waiting.set(task.id, task);
      wake?.();
    };
    const end = () => {
      if (isOver) return;
      isOver = true;
      unfollow();
      this.#watchers.delete(notify);
      if (this.#watchers.size === 0) this.#stop?.();
      wake?.();
    };
    this.#watchers.add(notify);
    if (this.#watchers.size === 1) this.#stop = this.#onFirst();
    let unfollow = () => {};
    if (signal?.aborted) end();
    else if (signal) unfollow = followSignal(signal, end);
    return {
      async next() {
        while (!isOver && waiting.size === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const [first] = waiting.values();
        if (isOver || !first) return { done: true, value: undefined };
        waiting.delete(first.id);
        return { done: false, value: first };
      },
      async return() {
        end();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
