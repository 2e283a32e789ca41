// Deciding on a command line, once per call: everyday ones fast, hostile ones in bounded time, under many rules.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeCommand, createPermissionChecker, type PermissionRules } from "loopwright/permissions";
import { createWorkspace } from "loopwright/workspace";
import { now } from "../measure.js";
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

const times = (text: string, count: number) => text.repeat(count);
const each = (count: number, make: (index: number) => string, between = ";") =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);
/** Too long, too deep, too many, or made for the loops of this analysis. */
const HOSTILE = [
  times("a;", 500_000),
  times("x ", 500_000),
  `echo ${times("a", 1_000_000)}`,
  times(".en ", 250_000),
  each(150_000, (n) => `secrets${n % 90}x`, " "),
  each(100_000, (n) => `a*${n}?b`, " "),
  times("$'\\x41' ", 120_000),
  times("danger1 --forc ", 65_000),
  times("é\u0301\u200b", 300_000),
  each(10_000, (n) => `command${n} a b c`),
  each(10_000, (n) => `cat file${n}`),
  times("$(", 30_000),
  times("(", 30_000),
  times("xargs ", 5_000),
  times("sudo strace ", 3_000),
  each(199, () => `cat ${times("a./", 100)}`),
  each(199, (n) => `cat ${times("a/", 150)}${n}`),
  each(199, (n) => `cat src/*f*i*l*e*${n}*`),
  each(60, (n) => `cat ${times("*a", 500)}${n}`),
  each(60, (n) => `cat ${times("?", 1_000)}${n}`),
  each(60, (n) => `cat ${times("[ab]", 250)}${n}`),
  each(199, (n) => `rm {a,b,c}{d,e,f}{g,h,i}${n}`),
  `rm ${times("{a,", 60)}${times("}", 60)}`,
  each(199, (n) => `unknown${n} ${each(19, (at) => `danger${at}`, " ")}`),
  each(13, (n) => `cp ${each(290, (at) => `a${at}x${n}`, " ")} src`),
  each(100, (n) => `rm -rf ${times("a/", 60)}${n}`),
  each(199, (n) => `python -c '${times('system("ls");', 20)}' ${n}`),
  `a='ls;ls;ls;ls';b='ls;ls';${each(190, () => "eval $a $b")}`,
  each(99, (n) => `find . -name 'a${n}*' -exec cat {} \\;`, "\n"),
  each(199, (n) => `PAGER='ls; cat ${n}' git log`),
  `${times("echo $(", 59)}ls${times(")", 59)}`,
  `${times('echo "$(', 28)}ls${times(')"', 28)}`,
  `cat "${times("a/../", 10_000)}.env"`,
  each(99, () => `cat "${times("a/../", 60)}.env"`),
  `cat ${times("é\u0301", 10_000)}`,
  times('"', 60_000),
  times("a|", 2_000),
  `a=x;b=y;${each(190, (n) => `cat $a$b$a$b$a$b$a$b/${n}`)}`,
];

/** Processor time, of which other programs on the machine take nothing. */
async function milliseconds(work: () => unknown): Promise<number> {
  const startedAt = now("cpu");
  await work();
  return now("cpu") - startedAt;
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
for (const script of HOSTILE) {
  worst.read = Math.max(worst.read, await milliseconds(() => read(script)));
  const underMany = decide(MANY);
  worst.decided = Math.max(worst.decided, await milliseconds(() => underMany(script)));
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
