// Programs as a model writes them that knows the description of `run_program` and nothing else.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BaseTool, defineTool, type JsonValue } from "../../src/index.js";
import {
  createBashTool,
  createGlobTool,
  createGrepTool,
  createListDirTool,
  createReadFileTool,
  createWriteFileTool,
} from "../../src/tools/index.js";
import { createWorkspace, type Workspace } from "../../src/workspace/index.js";
import { ALLOW } from "../engine/kit.js";
import { runOf } from "./agents.js";

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "version": "1.2.0", "dependencies": { "left": "^1.0.0", "right": "2.1.0" } }\n',
  "src/cart.ts": "// TODO: tax\nexport const total = (prices: number[]) => prices.reduce((a, b) => a + b, 0);\n",
  "src/user.ts": "export const nameOf = (user: { name: string }) => user.name;\n",
  "src/deep/index.ts": "// TODO: remove\n// TODO: twice\nexport * from '../cart.js';\n",
  "data/sales.csv": "day,shop,amount\n1,north,10\n1,south,7\n2,north,5\n2,south,20\n",
  "README.md": "# Shop\n\nSells things.\n",
};

let root: string;
let workspace: Workspace;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "from-description-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  workspace = await createWorkspace({ root });
});
afterAll(async () => {
  await workspace.close();
  rmSync(root, { recursive: true });
});

const ANYTHING = { type: "object", additionalProperties: true } as never;

/** Tools as hosts write them: with data and no schema, with text, with a name that is no identifier, and one that fails. */
function hostTools(): BaseTool[] {
  const made = (name: string, description: string, execute: (input: Record<string, JsonValue>) => Promise<JsonValue>) =>
    defineTool({ name, description, permission: "none", input: ANYTHING, execute: execute as never });
  const jobs = new Map<string, number>();
  return [
    made("get_order", "Gets an order by its id.", async ({ id }) => ({
      id: id!,
      status: Number(id) % 2 ? "open" : "shipped",
      items: [{ sku: `s${id}`, price: Number(id) * 10 }],
    })),
    made(
      "mcp__crm__find-customer",
      "Finds a customer by name.",
      async ({ name }) => `{"name":"${name}","city":"Bern"}`,
    ),
    made("send_mail", "Sends a mail to a customer.", async ({ to }) => {
      if (!String(to).includes("@")) throw new Error(`"${to}" is no address`);
      return `sent to ${to}`;
    }),
    made("job_status", "Gives the state of a job.", async ({ id }) => {
      jobs.set(String(id), (jobs.get(String(id)) ?? 0) + 1);
      return jobs.get(String(id))! < 4 ? "running" : "finished";
    }),
  ];
}

/** What each program is for, the program, and what the model has to find in its result. */
const PROGRAMS: readonly (readonly [string, string, RegExp])[] = [
  [
    "count TODOs by file",
    `const { matches } = await tools.grep({ pattern: "TODO", output_mode: "content" });
     const counts = {};
     for (const { path } of matches) counts[path] = (counts[path] ?? 0) + 1;
     return Object.entries(counts).sort(([, a], [, b]) => b - a);`,
    /index\.ts",2\].*cart\.ts",1\]/,
  ],
  [
    "read many files at once",
    `const { paths } = await tools.glob({ pattern: "**/*.ts" });
     const files = await Promise.all(paths.map((path) => tools.read_file({ path })));
     return files.map(({ text }, i) => paths[i] + ": " + text.split("\\n").filter(Boolean).length + " lines").sort().join("\\n");`,
    /cart\.ts: 2 lines\n.*index\.ts: 3 lines\n.*user\.ts: 1 lines/,
  ],
  [
    "parse JSON of a file",
    `const pkg = JSON.parse((await tools.read_file({ path: "package.json" })).text);
     return Object.entries(pkg.dependencies).filter(([, version]) => version.startsWith("^")).map(([name]) => name);`,
    /^\["left"\]$/,
  ],
  [
    "add up a table",
    `const { text } = await tools.read_file({ path: "data/sales.csv" });
     const [head, ...rows] = text.trim().split("\\n").map((line) => line.split(","));
     const sums = {};
     for (const [, shop, amount] of rows) sums[shop] = (sums[shop] || 0) + Number(amount);
     return sums;`,
    /^\{"north":15,"south":27\}$/,
  ],
  [
    "write a report",
    `const { paths } = await tools.glob({ pattern: "**/*.ts" });
     await tools.write_file({ path: "report.md", content: "# Files\\n" + paths.map((p) => "- " + p).sort().join("\\n") });
     return (await tools.read_file({ path: "report.md" })).text;`,
    /^# Files\n- src\/cart\.ts\n/,
  ],
  [
    "filter orders, whose results have no declared type",
    `const orders = await Promise.all([1, 2, 3, 4].map((id) => tools.get_order({ id })));
     const data = orders.map((order) => typeof order === "string" ? JSON.parse(order) : order);
     return data.filter(({ status }) => status === "open").map(({ id, items }) => ({ id, total: items[0].price }));`,
    /^\[\{"id":1,"total":10\},\{"id":3,"total":30\}\]$/,
  ],
  [
    "call a tool whose name is no identifier",
    `const found = await tools["mcp__crm__find-customer"]({ name: "Ann" });
     const customer = typeof found === "string" ? JSON.parse(found) : found;
     return customer.city;`,
    /^Bern$/,
  ],
  ["the same under its other name", `return await tools.mcp__crm__find_customer({ name: "Bob" });`, /"name":"Bob"/],
  [
    "go on after failures",
    `const done = [], failed = [];
     for (const to of ["ann@a.ch", "bob", "cy@c.ch"]) {
       try { done.push(await tools.send_mail({ to })); }
       catch (error) { if (!(error instanceof ToolError)) throw error; failed.push(to + ": " + error.message); }
     }
     return { done: done.length, failed };`,
    /"done":2,"failed":\["bob: .*no address/,
  ],
  [
    "the same with allSettled",
    `const results = await Promise.allSettled(["a@a", "b", "c@c"].map((to) => tools.send_mail({ to })));
     return results.map((r) => r.status === "fulfilled" ? "ok" : r.reason.code);`,
    /^\["ok","TOOL_FAILED","ok"\]$/,
  ],
  [
    "poll a job",
    `let tries = 0, status;
     do { status = await tools.job_status({ id: "j" }); tries++; } while (status !== "finished" && tries < 20);
     return status + " after " + tries;`,
    /^finished after 4$/,
  ],
  [
    "find a tool by words",
    `const found = await searchTools("send mail to customer");
     console.log(found);
     return found.includes("send_mail");`,
    /send_mail\([\s\S]*true$/,
  ],
  [
    "look at a tool's definition",
    `const definition = await describeTool("grep");
     return Object.keys(definition.inputSchema.properties).includes("output_mode");`,
    /^true$/,
  ],
  [
    "run commands and look at their exit codes",
    `const checks = ["test -f package.json", "test -f missing.json"];
     const out = [];
     for (const command of checks) out.push((await tools.bash({ command })).exitCode);
     return out;`,
    /^\[0,1\]$/,
  ],
  [
    "log on the way",
    `for (const path of ["README.md", "package.json"]) {
       const { text } = await tools.read_file({ path });
       console.log(path, text.length);
     }`,
    /^README\.md \d+\npackage\.json \d+$/,
  ],
  [
    "functions of its own, called at the end",
    `async function sizeOf(path) { return (await tools.read_file({ path })).text.length; }
     async function main() { return Math.max(...await Promise.all(["README.md", "src/user.ts"].map(sizeOf))); }
     return main();`,
    /^\d+$/,
  ],
  [
    "a file that is not there",
    `try { await tools.read_file({ path: "nope.txt" }); return "found"; }
     catch (error) { return error.name + " " + error.code; }`,
    /^ToolError PATH_NOT_FOUND$/,
  ],
  [
    "Maps, dates and regular expressions",
    `const { text } = await tools.read_file({ path: "data/sales.csv" });
     const days = new Map([...text.matchAll(/^(\\d),\\w+,(\\d+)$/gm)].map(([, day, amount]) => [day, Number(amount)]));
     return [days.size, new Date().getFullYear() > 2000, [...days.values()].toSorted((a, b) => a - b)];`,
    /^\[2,true,\[7,20\]\]$/,
  ],
  [
    "more calls than go together at once",
    `const orders = await Promise.all(Array.from({ length: 70 }, (_, id) => tools.get_order({ id })));
     return orders.reduce((sum, { items }) => sum + items[0].price, 0);`,
    /^24150$/,
  ],
  [
    "a tree of directories",
    `const { paths } = await tools.list_dir({ path: "src" });
     return paths.some((path) => path.includes("deep"));`,
    /^true$/,
  ],
];

test.each(PROGRAMS)("%s", { timeout: 300_000 }, async (_name, program, expected) => {
  const create = [createReadFileTool, createGrepTool, createGlobTool, createListDirTool, createWriteFileTool];
  const tools = [...create.map((one) => one(workspace)), createBashTool(workspace), ...hostTools()];

  const { output, isError } = await runOf(tools, program, { permissions: ALLOW });

  expect(String(output)).toMatch(expected);
  expect(isError).toBe(false);
});

test.each([
  ["types", "const n: number = 1; return n", /JavaScript, not TypeScript/],
  ["modules", 'import fs from "node:fs"; return 1', /does not compile/],
  ["timers", "await new Promise((resolve) => setTimeout(resolve, 10)); return 1", /setTimeout is not defined/],
  [
    "a function that is not awaited",
    "async function main() { return tools.get_order({ id: 1 }) } main()",
    /not made, since the program did not await/,
  ],
])("what the description excludes is said again: %s", { timeout: 300_000 }, async (_name, program, expected) => {
  expect(String((await runOf(hostTools(), program, { permissions: ALLOW })).output)).toMatch(expected);
});
