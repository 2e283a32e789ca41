// Deciding on a command line, once per call: everyday ones fast, hostile ones in bounded time, under many rules.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeCommand, createPermissionChecker, type PermissionRules } from "loopwright/permissions";
import { createWorkspace } from "loopwright/workspace";
import { HOSTILE_LINES } from "../hostile-lines.js";
import { median, now } from "../measure.js";
import { isQuick, report } from "../row.js";

const ROUNDS = isQuick ? 200 : 1_000;
const EVERYDAY = [
  "ls -la",
  "git status",
  "git diff --stat HEAD~1 -- src",
  "grep -rn foo src --include=*.ts",
  "npm run build && npm test 2>&1 | tail -50",
  "find . -name '*.ts' -not -path './node_modules/*' | head -20",
  'for f in src/*.ts; do wc -l "$f"; done',
  "git add -A && git commit -m \"$(cat <<'EOF'\nfix: a thing\nEOF\n)\"",
  "timeout 30 python3 -m pytest tests -x -q",
  "sed -n '1,80p' src/a.ts",
  "rm -rf node_modules dist && mkdir -p out",
];
const numbers = Array.from({ length: 50 }, (_, index) => index);
const FEW: PermissionRules = {
  allow: ["Bash(npm run *)", "Bash(npm test *)", "Bash(git add *)", "Bash(git commit *)", "Edit(src/**)"],
  deny: ["Bash(git push:*)", "Bash(sudo:*)", "Read(.env)", "Read(./secrets/**)"],
};
const MANY: PermissionRules = {
  allow: [...numbers.map((n) => `Bash(tool${n} run *)`), "Bash(npm *)", "Bash(git *)", "Read", "Edit(src/**)"],
  ask: numbers.map((n) => `Bash(ask${n} *)`),
  deny: [
    ...numbers.flatMap((n) => [`Read(./secrets${n}/**)`, `Edit(**/*.key${n})`, `Bash(danger${n} --force *)`]),
    ...["Read(.env)", "Read(~/.ssh/**)", "Bash(git push:*)", "Bash(rm -rf:*)", "WebFetch(domain:example.com)"],
  ],
};

/** Processor time, of which other programs on the machine take nothing: the median, since a collection of garbage hits any. */
async function milliseconds(work: () => unknown): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < 3; i++) {
    const startedAt = now("cpu");
    await work();
    took.push(now("cpu") - startedAt);
  }
  return median(took);
}

const root = await mkdtemp(join(tmpdir(), "loopwright-decisions-"));
await mkdir(join(root, "src"));
for (const n of numbers) await writeFile(join(root, "src", `file${n}.ts`), "");
const workspace = await createWorkspace({ root });
const decide = (rules: PermissionRules) => {
  const checker = createPermissionChecker({ workspace, rules });
  return async (command: string) => checker.decide({ tool: "bash", input: { command } });
};

/** How long one waits: of 100, all but the slowest. */
async function everyday(work: (script: string) => unknown): Promise<number> {
  const took: number[] = [];
  for (let round = -ROUNDS / 4; round < ROUNDS; round++) {
    for (const script of EVERYDAY) {
      const startedAt = now("wall");
      await work(script);
      if (round >= 0) took.push(now("wall") - startedAt);
    }
  }
  return took.sort((left, right) => left - right)[Math.floor(took.length * 0.99)]!;
}

const read = (script: string) => analyzeCommand(script, { cwd: root, home: "/home/user" });
const readWithin = await everyday(read);
const decidedWithin = await everyday(decide(FEW));
const worst = { read: 0, decided: 0 };
for (const script of HOSTILE_LINES) {
  worst.read = Math.max(worst.read, await milliseconds(() => read(script)));
  worst.decided = Math.max(worst.decided, await milliseconds(() => decide(MANY)(script)));
}
await workspace.close();
await rm(root, { recursive: true, force: true });

report([
  { what: "read an everyday command line: 99 of 100 within", unit: "ms", ours: readWithin, budgets: [{ max: 1 }] },
  { what: "decide on one, with rules: 99 of 100 within", unit: "ms", ours: decidedWithin, budgets: [{ max: 1 }] },
  { what: "read the worst of some hostile command lines", unit: "ms", ours: worst.read, budgets: [{ max: 100 }] },
  {
    what: "decide on the worst of them, under 209 rules",
    unit: "ms",
    ours: worst.decided,
    budgets: [{ max: 100 }],
  },
]);
