// `npm run bench` measures the built package against the floors and writes bench/results.md and the README's table.
// `--quick`: fewer rounds, no sizes, prints only. `--only <word>`: the topics whose name has the word, prints only.
// `--peers`: other libraries on the same script, instead; writes bench/results-peers.md.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundleSizes } from "./bundle-size.js";
import { readProgram } from "./child.js";
import { bundlePrograms, type Installation, install, uninstall } from "./installation.js";
import { packageSizes } from "./package-size.js";
import { comparePeers } from "./peers.js";
import { type Row, shortTableOf, tableOf } from "./row.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, only: { type: "string" }, peers: { type: "boolean" } },
});
if (flags.quick) process.env.BENCH_QUICK = "1";
const isWhole = !flags.quick && flags.only === undefined;

async function topicNames(): Promise<string[]> {
  const names = (await readdir(join(HERE, "topics"))).map((file) => basename(file, ".ts"));
  return names.filter((name) => name.includes(flags.only ?? "")).sort();
}

async function measure(installation: Installation): Promise<Row[]> {
  await bundlePrograms(installation, ["topics", "programs"]);
  const rows: Row[] = [];
  for (const name of await topicNames()) {
    const startedAt = performance.now();
    rows.push(...(await readProgram<Row[]>(join(installation.folder, "topics", `${name}.mjs`), [], ["--expose-gc"])));
    process.stderr.write(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
  if (flags.only !== undefined) return rows;
  rows.push(...(await bundleSizes(installation)));
  return isWhole ? [...rows, ...(await packageSizes(installation))] : rows;
}

function heading(what: string): string {
  const load = loadavg().map((value) => value.toFixed(1));
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load.join(" / ")}`;
  return `# ${what}\n\n${new Date().toISOString().slice(0, 10)}, ${machine}.\n\n`;
}

const NOTES = `
Each row is one interleaved measurement on one machine; compare columns, not runs. **Floor**: the same work by a bare
hand-written loop (for \`stream()\`: the contract floor of \`run()\`). **Contract floor**: the smallest loop over the provider
contract, for streams with one more generator to the consumer. Turns, deltas and agents are processor time of the whole
process; calls, aborts and imports are time on the wall. Budgets relative to other libraries: \`npm run bench -- --peers\`.
`;

/** The README shows the rows that have something to keep. */
async function writeReadme(rows: readonly Row[]): Promise<void> {
  const table = shortTableOf(rows.filter(({ budgets }) => budgets?.length));
  const path = join(HERE, "..", "README.md");
  const text = await readFile(path, "utf8").catch(() => "");
  const marked = /(<!-- bench:start -->)[\s\S]*?(<!-- bench:end -->)/;
  if (marked.test(text)) {
    await writeFile(
      path,
      text.replace(marked, (_all, start: string, end: string) => `${start}\n${table}\n${end}`),
    );
  }
}

const installation = await install({ declarations: isWhole && !flags.peers });
try {
  if (flags.peers) {
    const report = await comparePeers(installation);
    process.stdout.write(`${report}\n`);
    if (isWhole) await writeFile(join(HERE, "results-peers.md"), heading("Peers") + report);
  } else {
    const rows = await measure(installation);
    const table = tableOf(rows);
    process.stdout.write(`${table}\n`);
    if (isWhole) {
      await writeFile(join(HERE, "results.md"), `${heading("Results")}${table}\n${NOTES}`);
      await writeReadme(rows);
    }
  }
} finally {
  await uninstall(installation);
}
