/** Clock, ids and randomness: exchange them for tests and replays. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new id, unique for good. Used for runs, sessions and pending requests. */
  newId(): string;
  /** At least 0 and less than 1; used for retry jitter. */
  random(): number;
}
