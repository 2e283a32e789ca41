// The options of a fleet's factory and methods.
import type { ContentPart } from "../contracts/content.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import { checkInput } from "../engine/options/read-options.js";
import {
  ANYTHING,
  byDefault,
  checkOptions,
  eitherOf,
  FUNCTION,
  numberFrom,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  recordOf,
  required,
  tableOf,
  type WithDefaults,
} from "../json/check-options.js";
import { copyJson } from "../json/copy.js";
import { isStorable, POOL, SCHEMA, TENANT } from "../sessions/postgres/options.js";
import type {
  FleetEventOptions,
  FleetListOptions,
  FleetMoveOptions,
  FleetOptions,
  FleetQueueOptions,
  FleetSchedule,
  FleetStartOptions,
} from "./fleet-types.js";

const ENGINE = optionOf((value) => ENGINE_PARTS.has(Object(value)), "an AgentEngine");
const NAME = optionOf(
  (value) => typeof value === "string" && /^[\w.-]{1,100}$/.test(value),
  "a name of 1 to 100 characters: a–z A–Z 0–9 _ . -",
);
const STRING_TO_KEEP = optionOf(
  (value) => typeof value === "string" && value.length >= 1 && value.length <= 500 && isStorable(value),
  "a string of 1 to 500 characters",
);
const MAX_DELAY_MS = 366 * 24 * 60 * 60 * 1_000;

const QUEUE = {
  concurrency: numberFrom(1, "runs"),
  perTenant: numberFrom(1, "runs"),
  ratePerMinute: numberFrom(1, "runs"),
  perWorker: numberFrom(1, "runs"),
} satisfies OptionTable<FleetQueueOptions>;

const OPTIONS = {
  pool: POOL,
  engine: ENGINE,
  engines: eitherOf(FUNCTION, recordOf(ENGINE, "engines, each with the name of its queue")),
  queues: byDefault({}, recordOf(tableOf(QUEUE), "queues")),
  contextFor: FUNCTION,
  heartbeatMs: byDefault(5_000, numberFrom(50, "milliseconds", 600_000)),
  version: byDefault("1", NAME),
  schema: SCHEMA,
  onProblem: byDefault(() => {}, FUNCTION),
} satisfies OptionTable<FleetOptions>;

/** A sub-agent's session is a part of its root's. */
const SESSION_ID = optionOf(
  (value) => STRING_TO_KEEP.accepts(value) && !String(value).startsWith("sub-"),
  `${STRING_TO_KEEP.expected} that does not begin with "sub-"`,
);

const START = {
  sessionId: SESSION_ID,
  key: STRING_TO_KEEP,
  queue: ANYTHING,
  tenant: TENANT,
  priority: numberFrom(0, "lower is more urgent", 2 ** 31 - 1),
  delayMs: numberFrom(0, "milliseconds", MAX_DELAY_MS, true),
  context: optionOf(isJson, "a JSON value"),
} satisfies OptionTable<FleetStartOptions>;

const { key: _key, delayMs: _delay, ...SCHEDULED_START } = START;
const SCHEDULE = {
  ...SCHEDULED_START,
  cron: required(STRING_TO_KEEP),
  timeZone: optionOf(isTimeZone, 'the name of a time zone, such as "Europe/Paris"'),
  prompt: required(STRING_TO_KEEP),
} satisfies OptionTable<FleetSchedule>;

const EVENTS = {
  from: numberFrom(0, "the number of an event"),
  signal: optionOf((value) => value instanceof AbortSignal, "an AbortSignal"),
} satisfies OptionTable<FleetEventOptions>;

const LIST = {
  status: oneOf(
    ...(["queued", "running", "needs-approval", "cancelled", "completed", "failed", "aborted", "max-turns"] as const),
    ...(["budget-exceeded", "deadline", "hook-stopped", "output-invalid"] as const),
  ),
  sessionId: STRING_TO_KEEP,
  limit: numberFrom(1, "runs", 100_000),
} satisfies OptionTable<FleetListOptions>;

const MOVE = { from: required(NAME), to: NAME } satisfies OptionTable<FleetMoveOptions>;

export type FleetSettings = WithDefaults<FleetOptions, typeof OPTIONS>;

export function checkFleetOptions(options: FleetOptions): FleetSettings {
  const settings = checkOptions("createFleet()", options, OPTIONS);
  if (options.engine && options.engines) {
    throw optionError(
      "createFleet()",
      "engines",
      options.engines,
      "nothing, since there is an engine: pass one of the two",
    );
  }
  for (const name of Object.keys(settings.queues)) {
    if (!NAME.accepts(name)) throw optionError("createFleet()", "queues", name, `a queue with ${NAME.expected}`);
  }
  return settings;
}

export function checkStartOptions(options: FleetStartOptions, queues: readonly string[]): void {
  checkOptions("fleet.start()", options, START);
  checkQueue("fleet.start()", options.queue, queues);
}

export function checkSchedule(name: string, schedule: FleetSchedule, queues: readonly string[]): void {
  checkScheduleName("fleet.schedule()", name);
  checkOptions("fleet.schedule()", schedule, SCHEDULE);
  checkQueue("fleet.schedule()", schedule.queue, queues);
}

export function checkScheduleName(owner: string, name: string): void {
  if (!NAME.accepts(name)) throw optionError(owner, "name", name, NAME.expected);
}

export const checkEventOptions = (options: FleetEventOptions) => checkOptions("fleet.events()", options, EVENTS);
export const checkListOptions = (options: FleetListOptions) => checkOptions("fleet.list()", options, LIST);
export const checkMoveOptions = (options: FleetMoveOptions) => checkOptions("fleet.move()", options, MOVE);

export function checkTenant(tenant: string): void {
  if (!TENANT.accepts(tenant)) throw optionError("fleet.forTenant()", "tenant", tenant, TENANT.expected);
}

export function checkPrompt(prompt: string | readonly ContentPart[]): void {
  checkInput(prompt);
}

export function checkAnswer(answer: unknown): void {
  if (!isJson(answer)) throw optionError("fleet.answer()", "answer", answer, "an answer that is JSON");
}

function checkQueue(owner: string, queue: string | undefined, queues: readonly string[]): void {
  if (queue === undefined || queues.includes(queue)) return;
  throw optionError(owner, "queue", queue, `the name of a queue of createFleet(): ${queues.join(", ")}`);
}

function isJson(value: unknown): boolean {
  try {
    copyJson(value);
    return true;
  } catch {
    return false;
  }
}

function isTimeZone(value: unknown): boolean {
  try {
    return typeof value === "string" && Intl.DateTimeFormat(undefined, { timeZone: value }) !== null;
  } catch {
    return false;
  }
}
