import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundleProgram } from "../workspace/bundled-program.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

test("while no more files can be opened tools say so, nothing counts as missing, and the shell keeps its directory", async () => {
  const directory = await temporaryDirectory();
  const root = join(directory, "root");
  await mkdir(join(root, "sub"), { recursive: true });
  await writeFile(join(root, "a.txt"), "x\n");
  const program = await bundleProgram(new URL("./few-descriptors-program.ts", import.meta.url), directory);

  const script = 'ulimit -n 120 && exec "$0" "$@"';
  const { stdout } = await promisify(execFile)("bash", ["-c", script, process.execPath, program, root]);

  const refused = expect.stringMatching(/^TOOL_FAILED: .*too many files are open/);
  expect(JSON.parse(stdout)).toEqual({
    directory: refused,
    read: refused,
    write: refused,
    list: refused,
    glob: refused,
    grep: refused,
    bash: refused,
    search: expect.stringMatching(/^TOOL_FAILED: The search could not be finished: /),
    after: "sub\n",
  });
});
