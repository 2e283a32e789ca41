// Calls tools in a directory while no more files can be opened: `bash -c "ulimit -n 120; node program.mjs <root>"`.
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { builtinTools } from "../../src/tools/builtin-tools.js";
import { readSearchPattern } from "../../src/tools/search/pattern/search-pattern.js";
import { DiskSource } from "../../src/tools/search/walk/disk-source.js";
import { searchFiles } from "../../src/tools/search/worker/file-search.js";
import { createWorkspace } from "../../src/workspace/create-workspace.js";
import { callTool } from "./call-tool.js";

const [root = "."] = process.argv.slice(2);
const workspace = await createWorkspace({ root });
const tools = builtinTools(workspace);
const held: number[] = [];
const hold = () => {
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    // None is left.
  }
};
const release = () => {
  for (const descriptor of held.splice(0)) closeSync(descriptor);
};
const told = (work: Promise<string>) => work.catch((error) => `${error.code}: ${error.message}`);
const call = (name: string, args: Record<string, string>) =>
  told(callTool(tools.find((tool) => tool.name === name)!, args).then(({ text }) => text));

async function search(): Promise<string> {
  async function* paths() {
    for (let index = 0; index < 64; index++) yield join(root, "a.txt");
    hold();
    // The worker may have had a file open just now.
    await wait(100);
    hold();
    for (let index = 0; index < 64; index++) yield join(root, "a.txt");
  }
  const pattern = readSearchPattern("x", { ignoreCase: false, multiline: false });
  const task = { ...pattern, pattern: "x", multiline: false, before: 0, after: 0, maxLines: 10_000 };
  const options = { timeoutMs: 10_000, signal: new AbortController().signal };
  let count = 0;
  for await (const match of searchFiles(paths, { ...task, mode: "count" }, options)) count += match.count;
  return String(count);
}

await call("bash", { command: "cd sub" });
hold();
const answers = {
  directory: await told((async () => JSON.stringify([...new DiskSource(root).readDirectory(join(root, "sub"))]))()),
  read: await call("read_file", { path: "a.txt" }),
  write: await call("write_file", { path: "new.txt", content: "x" }),
  list: await call("list_dir", { path: "." }),
  glob: await call("glob", { pattern: "**/*.txt" }),
  grep: await call("grep", { pattern: "x" }),
  bash: await call("bash", { command: "pwd" }),
  search: "",
  after: "",
};
release();
answers.search = await told(search());
release();
answers.after = await call("bash", { command: "basename $PWD" });
await workspace.close();
process.stdout.write(JSON.stringify(answers));
