/** What is searched for, and what of it is reported. */
export interface SearchTask {
  readonly source: string;
  readonly flags: string;
  /** UTF-8 bytes every matching file holds, as a quick test. */
  readonly literal: string | null;
  readonly multiline: boolean;
  /** `files` stops at a file's first match, `count` counts its matches, `content` collects lines. */
  readonly mode: "files" | "count" | "content";
  readonly before: number;
  readonly after: number;
  /** Lines collected of one file at most. */
  readonly maxLines: number;
}

/** What a worker is started with. */
export interface WorkerTask extends SearchTask {
  /** Where files come from that are not on this machine's disk: see `ByteBridge`. */
  readonly bridge?: SharedBytes;
}

/** Memory through which a thread that cannot wait for promises reads a file: it asks, sleeps, and finds the bytes. */
export interface SharedBytes {
  /** 1 when an answer is there, and how many bytes it has; -1 when the file cannot be read. */
  readonly state: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** Asks for the bytes of a file from a position on. */
export interface BytesRequest {
  readonly bytesOf: string;
  readonly position: number;
}

/** Number, whether it matches, and text of a line. */
export type FoundLine = readonly [number: number, matches: boolean, text: string];

export interface FileMatch {
  readonly path: string;
  /** Matching lines, or matches in a multiline search; 1 in mode `files`. */
  readonly count: number;
  readonly lines: readonly FoundLine[];
  /** Not searched, or not to its end, since a line of it is too large, or all of it in a multiline search. */
  readonly isTooLarge: boolean;
}

/** What a worker answers to a group of paths. */
export interface GroupAnswer {
  readonly matches: readonly FileMatch[];
  /** How many paths were searched, from the first: an answer ends early when it grows too large for one message. */
  readonly searched: number;
}
