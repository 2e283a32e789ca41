// Reading a command line, once per decision.
import { analyzeCommand } from "loopwright/permissions";
import { isQuick, report } from "../row.js";

const ROUNDS = isQuick ? 200 : 2_000;
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
const HOSTILE = ["a;".repeat(500_000), "$(".repeat(30_000), "xargs ".repeat(5_000), "sudo strace ".repeat(3_000)];

function milliseconds(script: string): number {
  const startedAt = performance.now();
  analyzeCommand(script, { cwd: "/project", home: "/home/user" });
  return performance.now() - startedAt;
}

const took = Array.from({ length: ROUNDS }, () => EVERYDAY.map(milliseconds))
  .slice(ROUNDS / 4)
  .flat()
  .sort((left, right) => left - right);

report([
  {
    what: "read an everyday command line: 99 of 100 within",
    unit: "ms",
    ours: took[Math.floor(took.length * 0.99)]!,
    budgets: [{ max: 1 }],
  },
  {
    what: "read the worst of some hostile command lines",
    unit: "ms",
    ours: Math.max(...HOSTILE.map(milliseconds)),
    budgets: [{ max: 200 }],
  },
]);
