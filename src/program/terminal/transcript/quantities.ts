// Numbers as people read them.

/** `0.4 s`, `12 s`, `3 m 05 s`. */
export function inSeconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `940`, `1.2k`, `35k`, `1.4M`. */
export function inThousands(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 9_950) return `${(count / 1_000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** `940 bytes`, `1.2 KB`, `3.4 MB`. */
export function inBytes(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `$0.0123`, `$1.20`; `null` is a price that is not known. */
export function inDollars(cost: number | null): string {
  if (cost === null) return "price not known";
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `just now`, `5 minutes ago`, `2 hours ago`, `3 days ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${counted(hours, "hour")} ago` : `${counted(Math.floor(hours / 24), "day")} ago`;
}
