// Decisions about files on another machine: those about the same files on this one, in few round trips.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { PermissionMode } from "../../src/index.js";
import { createPermissionChecker, type PermissionRules } from "../../src/permissions/index.js";
import { runs } from "../runs.js";
import { counted } from "../workspace/machines/counted-machine.js";
import { openMachine } from "../workspace/machines/open-machine.js";
import { BUILDING, BUILDING_RULES, LOOKING, TEMPTING, TYPED } from "./corpus/texts.js";
import { everydayFiles } from "./files-kit.js";
import { bash } from "./kit.js";

interface Setting {
  readonly lines: readonly string[];
  readonly rules?: PermissionRules;
  readonly mode?: PermissionMode;
  /** Round trips of a decision, on average. */
  readonly most: number;
}

const STEP = runs(6, 2, 1);
const some = (lines: readonly string[]) => lines.filter((_, index) => index % STEP === 0);
/** Where files are looked for by their names, their content, or a repository's settings. */
const LOOKS = `cat keys/real.pem
cat keys/public.pem
cat ~/.ssh/id_rsa
cat ../outside/x
cat linked/a.ts
rm -rf out/*
rm -rf build
git -C sub status
git branch -r | xargs git log
find . -name '*.ts' -exec grep -l x {} +
ls node_modules/*/package.json
for f in *.md; do cat "$f"; done
rg -uu needle
cat *.pem keys/*`.split("\n");

const SETTINGS: Readonly<Record<string, Setting>> = {
  "lines that look": { lines: some([...LOOKING, ...TYPED]), most: 2.5 },
  "lines that build": { lines: some(BUILDING), rules: BUILDING_RULES, mode: "acceptEdits", most: 2.5 },
  "lines that do more than they seem to": { lines: some(TEMPTING), most: 2.5 },
  "lines about files": { lines: LOOKS, most: 4 },
  "lines about files that rules name": {
    lines: LOOKS,
    rules: { allow: ["Bash"], deny: ["Read(*.md)", "Edit(src/**)"] },
    most: 4,
  },
};

test.each(Object.entries(SETTINGS))(
  "%s are decided as on this machine, in a few round trips",
  async (_name, setting) => {
    const { lines, rules = {}, mode, most } = setting;
    const files = await everydayFiles();
    onTestFinished(() => files.close());
    files.put("keys/real.pem", "keys/public.pem", "sub/.git/HEAD", "sub/.git/config", "node_modules/p/package.json");
    writeFileSync(join(files.root, "keys/public.pem"), "-----BEGIN CERTIFICATE-----\n");
    files.link("../outside", "out");
    files.link("src", "linked");
    const machine = counted();
    const there = await openMachine(machine, { root: files.root });
    const [here, elsewhere] = [files.workspace, there].map((workspace) =>
      createPermissionChecker({ workspace, rules, ...(mode && { mode }) }),
    );
    const before = machine.trips;

    for (const line of lines) {
      const [expected, found] = [await here!.decide(bash(line)), await elsewhere!.decide(bash(line))];
      // Names of a directory come in no order, so that a reason may name another file.
      expect.soft({ line, behavior: found.behavior }, found.reason).toEqual({ line, behavior: expected.behavior });
    }

    expect((machine.trips - before) / lines.length).toBeLessThan(most);
  },
);
