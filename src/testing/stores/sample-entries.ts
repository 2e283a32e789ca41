import type { Label } from "../../contracts/label.js";
import type { SessionEntry, SessionRecord } from "../../contracts/session.js";

/** JSON strings whose values a careless store would change. */
export const AWKWARD_JSON = [
  '{"__proto__":{"polluted":true},"constructor":1,"toString":null}',
  '"line\\nbreak\\r\\n \\u0000 \\u2028 \\u2029 \\ufeff \\u001b[31m"',
  '"👩‍👩‍👧 नि 中文 e\\u0301 \\ud800 lone"',
  '[0,-1,1e300,5e-324,0.1,9007199254740991,true,false,null,"",[],{}]',
  `${"[".repeat(200)}1${"]".repeat(200)}`,
  '{"":{"":""},"a.b":1,"{\\"v\\":1}":"\\"}\\n{\\"v\\":1}"}',
];

const LABEL: Label = { integrity: "untrusted", audience: [], sources: [{ kind: "web", name: "x", untrusted: true }] };
const RESULT = { toolCallId: "call-1", name: "look", output: "", durationMs: 0.5, isError: false } as const;
/** Records with the fields that a store with columns of its own may forget; the last has one of a later version. */
const RECORDS: readonly SessionRecord[] = [
  { type: "message", message: { role: "user", content: [], origin: "hook" }, label: LABEL, descriptions: [] },
  { type: "tool-result", result: { ...RESULT, status: "success" }, calls: "sub-1", label: LABEL },
  { type: "run-start", given: { limits: { maxTurns: 3 }, mode: "plan" } },
  { type: "custom", name: "contract", data: null, ...{ state: [1], via: "a", later: { label: LABEL } } },
];
/** Entries with the fields that may be left out. */
export const FULL_ENTRIES = RECORDS.map((record, at) => ({ ...makeEntry(at), ...record }) as SessionEntry);

/** Session ids a careless store would mix up or let out of its directory; `ID` represents a unique id. */
export const AWKWARD_IDS = [
  "ID/a",
  "ID/../ID-b",
  "../ID",
  "ID\\a",
  "ID.",
  "ID ",
  "ID:a",
  "ID%2Fa",
  "ID\u0000",
  "ID\n",
  "ID-😀",
  "__proto__-ID",
  "ID-case",
  "ID-CASE",
  "ID-\u00e9",
  "ID-e\u0301",
  `ID-${"long".repeat(100)}`,
  `ID-${"long".repeat(100)}x`,
];

/** Entries that follow each other, the first numbered `from`. */
export function makeEntries(count: number, from = 0): SessionEntry[] {
  return Array.from({ length: count }, (_, index) => makeEntry(from + index));
}

/** A frozen entry; `at` and `data` depend on `index` unless given. */
export function makeEntry(index: number, { at = 1_000 + index, data = { index } as unknown } = {}): SessionEntry {
  const parent = index === 0 ? null : `entry-${index - 1}`;
  const entry = {
    v: 1,
    id: `entry-${index}`,
    parent,
    at,
    runId: "run-1",
    turn: 1,
    type: "custom",
    name: "contract",
    data,
  };
  return Object.freeze(entry) as SessionEntry;
}
