// Searches of files on another machine: the same answers as of a disk, in few round trips.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { localMachine, type Machine } from "loopwright/workspace";
import { expect, test } from "vitest";
import { createGlobTool } from "../../../src/tools/search/glob.js";
import { createGrepTool } from "../../../src/tools/search/grep.js";
import { findRipgrep } from "../../../src/tools/search/ripgrep.js";
import { runs } from "../../runs.js";
import { counted } from "../../workspace/machines/counted-machine.js";
import { openMachine, sharedDirectory } from "../../workspace/machines/open-machine.js";
import { openWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";
import { expectSameAnswers, SEARCHES, writeSearchTree } from "./search-tree.js";

/** This machine with these programs alone, by their names there. */
async function withPrograms(programs: Readonly<Record<string, string>>): Promise<Machine> {
  const bin = await sharedDirectory();
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(bin, name));
  return localMachine({ prefix: ["/usr/bin/env", `PATH=${bin}`] });
}

/** The programs of this machine but for some. */
function systemWithout(...leftOut: readonly string[]): Record<string, string> {
  const directories = ["/usr/bin", "/bin"];
  const files = directories.flatMap((directory) => readdirSync(directory).map((name) => [name, join(directory, name)]));
  return Object.fromEntries(files.filter(([name]) => !leftOut.includes(name!)));
}

async function program(name: string, script: string): Promise<string> {
  const file = join(await sharedDirectory(), name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

/** As that of busybox. */
const plainFind = () => program("find", 'case " $* " in *" -printf "*) exit 1;; esac\nexec /usr/bin/find "$@"');

const MACHINES = {
  "a usual machine": async () => withPrograms({ ...systemWithout("rg"), rg: (await findRipgrep())! }),
  "one without ripgrep": () => withPrograms(systemWithout("rg")),
  "one with a plain find, and bash as sh": async () =>
    withPrograms({ ...systemWithout("sh", "find"), sh: "/bin/bash", find: await plainFind() }),
};

test.each(Object.entries(MACHINES))(
  "searches over %s answer as on a disk, in at most 5 round trips",
  async (name, open) => {
    const [root, outside] = [await sharedDirectory(), await sharedDirectory()];
    writeSearchTree(root, outside);
    const machine = counted(await open());
    const [here, there] = [await openWorkspace({ root }), await openMachine(machine, { root })];
    const step = name === "a usual machine" ? 1 : runs(5, 1, 1);
    const searches = SEARCHES.filter((_, index) => index % step === 0);
    const greps = searches.filter(([tool]) => tool === "grep");

    await expectSameAnswers(here, there, { machine, searches });
    // Ripgrep is not asked where an ignore file is a link, and what is too large to be searched takes one trip more.
    for (const path of ["linked/.gitignore", "large.bin"]) await rm(join(root, path));
    await expectSameAnswers(here, there, { machine, searches: greps });
  },
);

test("a search of thousands of files asks the ripgrep of the machine, and reads each without one", async () => {
  const root = await sharedDirectory();
  for (let index = 0; index < 3_000; index++) {
    mkdirSync(join(root, `d${index % 50}`), { recursive: true });
    writeFileSync(join(root, `d${index % 50}/${index}.txt`), index % 1_000 === 7 ? "needle\n" : "x".repeat(4_000));
  }
  const call = { pattern: "needle", output_mode: "content" };
  const search = async (open: () => Promise<Machine>) => {
    const machine = counted(await open());
    const workspace = await openMachine(machine, { root });
    const [trips, bytes] = [machine.trips, machine.bytes];
    const { text } = await callTool(createGrepTool(workspace), call);
    return { text, trips: machine.trips - trips, isAllRead: machine.bytes - bytes > 12_000_000 };
  };

  const text = "d7/1007.txt:1:needle\nd7/2007.txt:1:needle\nd7/7.txt:1:needle";
  expect(await search(MACHINES["a usual machine"])).toEqual({ text, trips: 4, isAllRead: false });
  expect(await search(MACHINES["one without ripgrep"])).toEqual({ text, trips: 4, isAllRead: true });
});

test("a list without end is given up, and the directories are asked one by one", async () => {
  const root = await sharedDirectory();
  writeFileSync(join(root, "a.txt"), "needle");
  const find = await program("find", 'case " $* " in *" -mindepth "*) exec yes;; esac\nexec /usr/bin/find "$@"');
  const workspace = await openMachine(await withPrograms({ ...systemWithout("find"), find }), { root });

  expect((await callTool(createGlobTool(workspace), { pattern: "**/*.txt" })).text).toBe("a.txt");
  expect((await callTool(createGrepTool(workspace), { pattern: "needle" })).text).toBe("a.txt");
});
