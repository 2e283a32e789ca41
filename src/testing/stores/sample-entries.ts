import type { SessionEntry } from "../../contracts/session.js";

/** JSON strings whose values a careless store would change. */
export const AWKWARD_JSON = [
  '{"__proto__":{"polluted":true},"constructor":1,"toString":null}',
  '"line\\nbreak\\r\\n \\u0000 \\u2028 \\u2029 \\ufeff \\u001b[31m"',
  '"👩‍👩‍👧 नि 中文 e\\u0301 \\ud800 lone"',
  '[0,-1,1e300,5e-324,0.1,9007199254740991,true,false,null,"",[],{}]',
  `${"[".repeat(200)}1${"]".repeat(200)}`,
  '{"":{"":""},"a.b":1,"{\\"v\\":1}":"\\"}\\n{\\"v\\":1}"}',
];

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
