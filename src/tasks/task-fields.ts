// The fields of a task: the same for tasks made in code, asked for by a model, or read from a file.
import { ConfigurationError } from "../contracts/errors.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { NewTask, TaskClaim, TaskFilter, TaskPatch, TaskStatus, TaskUpdateOptions } from "../contracts/task.js";
import {
  ANYTHING,
  checkOptions,
  FLAG,
  numberFrom,
  type OptionTable,
  optionOf,
  required,
} from "../json/check-options.js";
import { copyJson } from "../json/copy.js";
import { isObject } from "../json/is-object.js";

export const TASK_STATUSES: readonly TaskStatus[] = ["pending", "in_progress", "completed", "failed", "cancelled"];
/** The states that end a task. */
export const ENDED: ReadonlySet<TaskStatus> = new Set<TaskStatus>(["completed", "failed", "cancelled"]);

export const MAX_SUBJECT_CHARS = 500;
export const MAX_DESCRIPTION_CHARS = 50_000;
export const MAX_BLOCKERS = 1_000;
/** The limit of a result, and of the metadata, as JSON text. */
const MAX_JSON_CHARS = 200_000;
const MAX_OWNER_CHARS = 200;
/** A lease of a day is a mistake in units. */
export const LONGEST_LEASE_MS = 24 * 60 * 60 * 1_000;
export const DEFAULT_LEASE_MS = 60_000;

const ID = /^[\w-]{1,64}$/;

/** Whether a string can be the id of a task, and so the name of a file. */
export function isTaskId(id: unknown): id is string {
  return typeof id === "string" && ID.test(id);
}

const taskId = optionOf(isTaskId, "1 to 64 characters of a–z A–Z 0–9 _ -");
const subject = optionOf(
  (value) => typeof value === "string" && value.trim() !== "" && value.length <= MAX_SUBJECT_CHARS,
  `a non-empty string of at most ${MAX_SUBJECT_CHARS} characters`,
);
const description = optionOf(
  (value) => typeof value === "string" && value.length <= MAX_DESCRIPTION_CHARS,
  `a string of at most ${MAX_DESCRIPTION_CHARS} characters`,
);
const blockedBy = optionOf(
  (value) => Array.isArray(value) && value.length <= MAX_BLOCKERS && value.every((id) => typeof id === "string"),
  `an array of at most ${MAX_BLOCKERS} task ids`,
);
const owner = optionOf(
  (value) => typeof value === "string" && value.trim() !== "" && value.length <= MAX_OWNER_CHARS,
  `a non-empty string of at most ${MAX_OWNER_CHARS} characters`,
);
const status = optionOf((value) => TASK_STATUSES.includes(value as TaskStatus), `one of ${TASK_STATUSES.join(", ")}`);
const leaseMs = numberFrom(1, "milliseconds", LONGEST_LEASE_MS);
const metadata = optionOf(
  (value) => isObject(value) && isSmallJson(value),
  `an object of JSON values, at most ${MAX_JSON_CHARS} characters as JSON`,
);
const result = optionOf(isSmallJson, `a JSON value, at most ${MAX_JSON_CHARS} characters as JSON`);
const version = numberFrom(1, "a version");

const NEW_TASK = {
  subject: required(subject),
  description,
  blockedBy,
  metadata,
  id: taskId,
} satisfies OptionTable<NewTask>;
const PATCH = { subject, description, status, blockedBy, result, metadata } satisfies OptionTable<TaskPatch>;
const UPDATE = { ifVersion: version, owner } satisfies OptionTable<TaskUpdateOptions>;
const CLAIM = { owner: required(owner), leaseMs, id: ANYTHING } satisfies OptionTable<TaskClaim>;
const LEASE = { owner: required(owner), leaseMs };
const RELEASE = { owner: required(owner) };
const FILTER = {
  status: optionOf(
    (value) => [value].flat().every((one) => TASK_STATUSES.includes(one as TaskStatus)),
    `one of ${TASK_STATUSES.join(", ")}, or an array of them`,
  ),
  owner,
  ready: FLAG,
} satisfies OptionTable<TaskFilter>;

export const checkNewTask = (task: NewTask) => checkOptions("create()", task, NEW_TASK);
export const checkPatch = (patch: TaskPatch) => checkOptions("update()", patch, PATCH);
export const checkUpdate = (options: TaskUpdateOptions) => checkOptions("update()", options, UPDATE);
export const checkClaim = (claim: TaskClaim) => checkOptions("claim()", claim, CLAIM);
export const checkLease = (lease: object) => checkOptions("renew()", lease, LEASE);
export const checkRelease = (lease: object) => checkOptions("release()", lease, RELEASE);
export const checkFilter = (filter: TaskFilter) => checkOptions("list()", filter, FILTER);

/** A frozen copy that shares nothing with what was passed. */
export function ownJson<T extends JsonValue | JsonObject | readonly string[]>(value: T): T {
  return copyJson(value, true) as T;
}

function isSmallJson(value: unknown): boolean {
  try {
    return JSON.stringify(copyJson(value)).length <= MAX_JSON_CHARS;
  } catch {
    return false;
  }
}

/** The fields of a stored task, as `parseTask` checks them. */
const STORED: Readonly<Record<string, { readonly accepts: (value: unknown) => boolean; readonly isOptional?: true }>> =
  {
    id: taskId,
    subject,
    description,
    status,
    blockedBy,
    version,
    createdAt: numberFrom(0, "milliseconds", undefined, true),
    updatedAt: numberFrom(0, "milliseconds", undefined, true),
    owner: { ...owner, isOptional: true },
    leaseUntil: { ...numberFrom(0, "milliseconds", undefined, true), isOptional: true },
    result: { ...result, isOptional: true },
    metadata: { ...metadata, isOptional: true },
  };

/** The first field of a stored task that is wrong; `null` when it is whole. */
export function wrongField(stored: object): string | null {
  const isWrong = ([name, { accepts, isOptional }]: [string, (typeof STORED)[string]]) => {
    const value: unknown = Reflect.get(stored, name);
    return value === undefined ? !isOptional : !accepts(value);
  };
  return Object.entries(STORED).find(isWrong)?.[0] ?? null;
}

/** @throws ConfigurationError `OPTION_INVALID` for a signal that is not one */
export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new ConfigurationError("OPTION_INVALID", {
    message: "watch() takes an AbortSignal, as of `new AbortController().signal`, or nothing.",
  });
}
