/** Who follows a signal, and their one listener on it: platforms take an eleventh listener for a leak, and warn. */
interface Following {
  readonly followers: Set<() => void>;
  readonly tell: () => void;
}

const FOLLOWED = new WeakMap<AbortSignal, Following>();

/** Calls `onAbort` once when a signal of the host aborts, at once if it has. Returns what ends this. */
export function followSignal(signal: AbortSignal, onAbort: () => void): () => void {
  if (signal.aborted) {
    onAbort();
    return () => {};
  }
  const { followers, tell } = FOLLOWED.get(signal) ?? begin(signal);
  const follower = () => onAbort();
  followers.add(follower);
  return () => {
    followers.delete(follower);
    if (followers.size > 0 || FOLLOWED.get(signal)?.followers !== followers) return;
    FOLLOWED.delete(signal);
    signal.removeEventListener("abort", tell);
  };
}

function begin(signal: AbortSignal): Following {
  const followers = new Set<() => void>();
  const tell = () => {
    for (const follower of followers) follower();
  };
  const following = { followers, tell };
  FOLLOWED.set(signal, following);
  signal.addEventListener("abort", tell, { once: true });
  return following;
}

/** Why a signal has aborted, if that is an error: its reason can be anything, also what throws when it is looked at. */
export function signalError({ reason }: AbortSignal): Error | undefined {
  try {
    return reason instanceof Error ? reason : undefined;
  } catch {
    return undefined;
  }
}
