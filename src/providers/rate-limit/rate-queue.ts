// The queue of requests under limits. Requests wait in one line; its head goes as soon as all limits allow it, so that
// nobody is overtaken and nobody starves. The windows of a minute slide: what began longer than 60 seconds ago is
// forgotten. Cost: constant per request, apart from those of the last minute that expire.
import { followSignal } from "../../time/follow-signal.js";
import type { RateLimits } from "./with-rate-limit.js";

const WINDOW_MS = 60_000;

/** The right to send one request. */
export interface Permit {
  /** The response is over, and used so many tokens; `undefined` keeps the estimate. */
  release(tokens: number | undefined): void;
}

interface Waiting {
  readonly tokens: number;
  readonly go: (permit: Permit) => void;
}

interface Started {
  readonly at: number;
  tokens: number;
}

/** One line for all requests to one provider. */
export class RateQueue {
  readonly #waiting: Waiting[] = [];
  #started: Started[] = [];
  #tokens = 0;
  #underWay = 0;
  #pausedUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly limits: RateLimits) {}

  /** Resolves when a request of about so many tokens may be sent. Rejects with the signal's reason when it aborts. */
  enter(tokens: number, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        this.#advance();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        tokens,
        go: (permit) => {
          leave();
          resolve(permit);
        },
      };
      this.#waiting.push(waiting);
      const leave = followSignal(signal, onAbort);
      this.#advance();
    });
  }

  /** Nobody goes before this time has passed: the server has said so. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  #advance(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) {
      const [head] = this.#waiting as [Waiting];
      const waitMs = this.#waitFor(head.tokens);
      if (waitMs === undefined) return; // Until one that is under way ends.
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#advance(), Math.ceil(waitMs));
        return;
      }
      this.#waiting.shift();
      head.go(this.#start(head.tokens));
    }
  }

  /** The wait until a request of this size may begin; `undefined`: not before another one has ended. */
  #waitFor(tokens: number): number | undefined {
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity, concurrent = Infinity } = this.limits;
    const now = performance.now();
    this.#forget(now);
    if (this.#underWay >= concurrent) return undefined;
    let until = this.#pausedUntil;
    let [requests, used] = [this.#started.length, this.#tokens];
    // The oldest requests leave the window one by one until there is room.
    for (const { at, tokens: leaving } of this.#started) {
      const hasRoom = requests < requestsPerMinute && (used === 0 || used + tokens <= tokensPerMinute);
      if (hasRoom) break;
      until = Math.max(until, at + WINDOW_MS);
      requests--;
      used -= leaving;
    }
    return Math.max(0, until - now);
  }

  #forget(now: number): void {
    let expired = 0;
    while (expired < this.#started.length && this.#started[expired]!.at + WINDOW_MS <= now) {
      this.#tokens -= this.#started[expired++]!.tokens;
    }
    if (expired > 0) this.#started = this.#started.slice(expired);
  }

  #start(tokens: number): Permit {
    const started: Started = { at: performance.now(), tokens };
    this.#started.push(started);
    this.#tokens += tokens;
    this.#underWay++;
    let isHeld = true;
    return {
      release: (used) => {
        if (!isHeld) return;
        isHeld = false;
        this.#underWay--;
        if (used !== undefined) this.#correct(started, used);
        this.#advance();
      },
    };
  }

  #correct(started: Started, used: number): void {
    if (started.at + WINDOW_MS > performance.now()) this.#tokens += used - started.tokens;
    else return;
    started.tokens = used;
  }
}
