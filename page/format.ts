/** 950 ms, 3.2 s, 4 min 05 s, 2 h 10 min. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  const hours = Math.floor(seconds / 3_600);
  if (hours < 48) return `${hours} h ${pad(Math.floor((seconds % 3_600) / 60))} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** 950 ms, 3.2 s, 5 min, 2 h, 12 d: where there is room for one number. */
export function roughDuration(ms: number): string {
  if (ms < 60_000) return duration(ms);
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} d`;
}

/** 950, 1.2k, 34k, 1.2M. */
export function count(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  if (value < 10_000) return `${(value / 1_000).toFixed(1)}k`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(value < 10_000_000 ? 2 : 1)}M`;
}

/** $0.0012, $0.34, $12.30. */
export function dollars(value: number): string {
  if (value === 0) return "$0";
  return `$${value < 0.1 ? value.toPrecision(2) : value.toFixed(2)}`;
}

export function byteSize(value: number): string {
  if (value < 1_024) return `${value} B`;
  return value < 1_048_576 ? `${(value / 1_024).toFixed(1)} KB` : `${(value / 1_048_576).toFixed(1)} MB`;
}

/** 93%. A part is at most the whole. */
export function percent(part: number, whole: number): string {
  return `${Math.round((100 * Math.min(part, whole)) / Math.max(1, whole))}%`;
}

/** The time of day, in the reader's zone. */
export function clock(at: number): string {
  return at === 0 ? "" : new Date(at).toLocaleTimeString();
}

export function dateAndTime(at: number): string {
  return at === 0 ? "" : new Date(at).toLocaleString();
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? one : many}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
