/** The followers of a signal, and the one listener they share: platforms take an eleventh listener for a leak, and warn. */
interface Following {
  readonly followers: Set<() => void>;
  readonly notify: () => void;
}

const FOLLOWED = new WeakMap<AbortSignal, Following>();

/** Calls `onAbort` once when a signal of the host aborts, at once if it has. Returns what ends this. */
export function followSignal(signal: AbortSignal, onAbort: () => void): () => void {
  if (signal.aborted) {
    onAbort();
    return () => {};
  }
  const { followers, notify } = FOLLOWED.get(signal) ?? begin(signal);
  const follower = () => onAbort();
  followers.add(follower);
  return () => {
    followers.delete(follower);
    if (followers.size > 0 || FOLLOWED.get(signal)?.followers !== followers) return;
    FOLLOWED.delete(signal);
    signal.removeEventListener("abort", notify);
  };
}

function begin(signal: AbortSignal): Following {
  const followers = new Set<() => void>();
  const notify = () => {
    for (const follower of followers) follower();
  };
  const following = { followers, notify };
  FOLLOWED.set(signal, following);
  signal.addEventListener("abort", notify, { once: true });
  return following;
}

/** The reason why a signal was aborted, if the reason is an error: it can be anything, even a value that throws when it is read. */
export function signalError({ reason }: AbortSignal): Error | undefined {
  try {
    return reason instanceof Error ? reason : undefined;
  } catch {
    return undefined;
  }
}

/** The reason of an aborted signal, in words. */
export function abortReason(signal: AbortSignal): string {
  return signalError(signal)?.message ?? "its signal was aborted";
}
