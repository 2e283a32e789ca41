// Changes of a list of facts, when one is remembered, changed or forgotten. Pure: the stores bring the list and keep
// what comes out.
import { ToolError } from "../contracts/errors.js";
import type {
  Fact,
  FactFilter,
  FactPatch,
  FactSource,
  FactStore,
  NewFact,
  RecalledFact,
  RememberedFact,
} from "../contracts/fact.js";
import { byDefault, checkOptions, listOf, oneOf, optionError, optionOf, STRING, TEXT } from "../json/check-options.js";
import { readLabel } from "../labels/read-label.js";
import { describeValue, quoteShort } from "../text/describe-value.js";
import { rankDocuments } from "../text/word-index.js";

/** Unit: characters. */
const MAX_TEXT_CHARS = 2_000;
const MAX_SUBJECT_CHARS = 200;
const MAX_TAGS = 20;
/** The number of steps for which a replaced fact is kept. */
const MAX_REPLACED = 5;

export interface BookContext {
  readonly now: number;
  readonly newId: () => string;
  readonly maxFacts: number;
}

/** A list of facts after a change, and what the change came to. */
export interface Changed<Result> {
  readonly facts: readonly Fact[];
  readonly result: Result;
}

export function rememberIn(facts: readonly Fact[], fact: NewFact, context: BookContext): Changed<RememberedFact> {
  const { now, newId, maxFacts } = context;
  const checked = checkFact(fact);
  const current = facts.filter((one) => !hasExpired(one, now));
  const rivals = current.filter((one) => isAboutSame(one.subject, checked.subject));
  const same = current.find((one) => saysTheSame(one, checked));
  if (same) {
    const seen = withoutUndefined({
      ...same,
      subject: same.subject ?? checked.subject,
      expiresAt: checked.expiresAt ?? same.expiresAt,
      tags: [...new Set([...same.tags, ...checked.tags])].slice(0, MAX_TAGS),
      updatedAt: now,
      version: same.version + 1,
    });
    return {
      facts: current.map((one) => (one === same ? seen : one)),
      result: { ...seen, outcome: "known" },
    };
  }
  const trail = rivals.flatMap((one) => [...(one.replaced ?? []), { id: one.id, text: one.text, at: now }]);
  const added: Fact = Object.freeze(
    withoutUndefined({
      id: newId(),
      ...checked,
      createdAt: now,
      updatedAt: now,
      replaced: trail.length > 0 ? trail.slice(-MAX_REPLACED) : undefined,
      version: 1,
    }),
  );
  const kept = current.filter((one) => !rivals.includes(one));
  const room = [...kept].sort((a, b) => b.updatedAt - a.updatedAt).slice(0, maxFacts - 1);
  return {
    facts: [...kept.filter((one) => room.includes(one)), added],
    result: { ...added, outcome: rivals.length > 0 ? "replaced" : "added" },
  };
}

export function forgetIn(facts: readonly Fact[], id: string): Changed<Fact> {
  const fact = findFact(facts, id);
  return { facts: facts.filter((one) => one !== fact), result: fact };
}

export function updateIn(facts: readonly Fact[], id: string, patch: FactPatch, now: number): Changed<Fact> {
  const fact = findFact(facts, id);
  const { text, subject, tags, expiresAt, source } = checkFact({ ...fact, ...patch });
  const changed: Fact = Object.freeze(
    withoutUndefined({
      ...fact,
      text,
      subject,
      tags,
      expiresAt,
      source,
      updatedAt: now,
      version: fact.version + 1,
    }),
  );
  return { facts: facts.map((one) => (one === fact ? changed : one)), result: changed };
}

const RECALL_OPTIONS = {
  limit: byDefault(
    10,
    optionOf((value) => typeof value === "number" && value >= 0, "the number of facts to find at most"),
  ),
};

export function recallFrom(
  facts: readonly Fact[],
  query: string,
  options: Parameters<FactStore["recall"]>[1] = {},
  now: number,
): RecalledFact[] {
  if (typeof query !== "string") throw optionError("facts.recall()", "query", query, "a string");
  const { limit } = checkOptions("facts.recall()", options, RECALL_OPTIONS);
  const current = facts.filter((fact) => !hasExpired(fact, now));
  const documents = current.map(({ text, subject = "", tags }) => [
    { text },
    { text: subject, weight: 2 },
    { text: tags.join(" "), weight: 1.5 },
  ]);
  const found = rankDocuments(query, documents).map(({ index, score, matches }) => ({
    fact: current[index]!,
    score,
    matches,
  }));
  // The newer of two facts that match alike is likelier to hold still.
  found.sort((a, b) => b.score - a.score || b.fact.updatedAt - a.fact.updatedAt);
  return found.slice(0, limit).map(({ fact, score, matches }) => ({ ...fact, score, matches }));
}

const KINDS: readonly FactSource["kind"][] = ["user", "model", "host"];

const FILTER = {
  tags: byDefault([], listOf(TEXT, "tags")),
  sessionId: STRING,
  kind: oneOf(...KINDS),
};

export function listFrom(facts: readonly Fact[], filter: FactFilter = {}, now: number): Fact[] {
  const { tags, sessionId, kind } = checkOptions("facts.list()", filter, FILTER);
  return facts
    .filter((fact) => !hasExpired(fact, now))
    .filter((fact) => tags.every((tag) => fact.tags.includes(tag)))
    .filter(({ source }) => sessionId === undefined || source.sessionId === sessionId)
    .filter(({ source }) => kind === undefined || source.kind === kind)
    .sort((a, b) => b.updatedAt - a.updatedAt);
}

type Statement = Pick<NewFact, "text" | "subject">;

/** Equal texts, white space and a full stop at the end aside, that are not about different subjects. */
function saysTheSame(one: Statement, other: Statement): boolean {
  const isAboutAnother =
    one.subject !== undefined && other.subject !== undefined && !isAboutSame(one.subject, other.subject);
  return !isAboutAnother && comparable(one.text).replace(/\.$/u, "") === comparable(other.text).replace(/\.$/u, "");
}

/** Equal subjects that somebody gave, letter case and white space aside. */
function isAboutSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return comparable(one).toLowerCase() === comparable(other).toLowerCase();
}

function comparable(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim();
}

function hasExpired({ expiresAt }: Fact, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function findFact(facts: readonly Fact[], id: string): Fact {
  const fact = facts.find((one) => one.id === id);
  if (fact) return fact;
  throw new ToolError("FACT_NOT_FOUND", {
    message: `There is no fact with the id ${quoteShort(String(id))}. List or recall the facts to find the right id.`,
    details: { id: String(id) },
  });
}

function checkFact(fact: NewFact) {
  if (typeof fact !== "object" || fact === null) {
    throw invalidFact(`it is ${describeValue(fact)}`, 'an object such as { text: "The tests run with pnpm test." }');
  }
  const { text, subject, tags = [], source = { kind: "host" }, expiresAt } = fact;
  if (typeof text !== "string" || text.trim() === "") throw invalidFact("its text is empty", "one statement");
  if (text.length > MAX_TEXT_CHARS) {
    throw invalidFact(
      `its text has ${text.length} characters`,
      `at most ${MAX_TEXT_CHARS}; keep the one statement that lasts`,
    );
  }
  if (subject !== undefined && (typeof subject !== "string" || subject.length > MAX_SUBJECT_CHARS)) {
    throw invalidFact("its subject is not usable", `a string of at most ${MAX_SUBJECT_CHARS} characters`);
  }
  if (!Array.isArray(tags) || tags.length > MAX_TAGS || !tags.every((tag) => typeof tag === "string")) {
    throw invalidFact("its tags are not usable", `at most ${MAX_TAGS} strings`);
  }
  if (typeof source !== "object" || source === null || !KINDS.includes(source.kind)) {
    throw invalidFact("its source is not usable", `a source of kind ${KINDS.join(", ")}`);
  }
  if (source.label !== undefined && !readLabel(source.label))
    throw invalidFact("its label is not usable", "integrity, audience and sources, as ToolContext.label has them");
  if (expiresAt !== undefined && !Number.isFinite(expiresAt)) {
    throw invalidFact("its expiry is not usable", "milliseconds since 1970");
  }
  return {
    text: text.trim(),
    subject: subject?.trim() || undefined,
    tags: Object.freeze([...new Set(tags)]),
    source: Object.freeze(withoutUndefined({ ...source })),
    expiresAt,
  };
}

function invalidFact(what: string, expected: string): ToolError {
  return new ToolError("TOOL_INPUT_INVALID", { message: `The fact is not kept: ${what}; expected ${expected}.` });
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}
