// How many planted facts compaction keeps: writes the table of docs/concepts/context.md and prints the whole by kind.
// Run: npx tsx bench/compaction/run.ts
import { readFile, writeFile } from "node:fs/promises";
import { markdown } from "../row.js";
import { type Retention, retention, SESSION_SETS } from "./retention.js";

const PAGE = new URL("../../docs/concepts/context.md", import.meta.url);
const percent = (share: number) => `${Math.round(share * 100)} %`;
const thousands = (tokens: number) => `${Math.round(tokens / 1_000)}k`;

const tables = new Map<string, Retention[]>();
for (const set of SESSION_SETS) {
  const rows = await retention(set);
  tables.set(set, rows);
  const kinds = [...rows[0]!.kept.keys()];
  const lines = rows.map(({ what, tokens, kept, found }) => {
    return [what, thousands(tokens), ...kinds.map((kind) => percent(kept.get(kind)!)), percent(found)];
  });
  process.stdout.write(`## ${set}\n\n${markdown(["after", "tokens", ...kinds, "or by one recall"], lines)}\n\n`);
}

const [first] = tables.values();
const lines = first!.map(({ what }, index) => {
  const shares = [...tables.values()].map((rows) => {
    const { kept, found } = rows[index]!;
    const all = kept.get("all")!;
    return found > all ? `${percent(all)} (${percent(found)})` : percent(all);
  });
  return [what, ...shares];
});
const table = markdown(["after", ...tables.keys()], lines.slice(1));
const page = await readFile(PAGE, "utf8");
const marked = /(<!-- retention:start -->)[\s\S]*?(<!-- retention:end -->)/;
if (!marked.test(page)) throw new Error(`${PAGE.pathname} has no place for the table.`);
await writeFile(
  PAGE,
  page.replace(marked, (_all, start: string, end: string) => `${start}\n${table}\n${end}`),
);
