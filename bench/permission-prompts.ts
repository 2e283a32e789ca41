// How often the permission checker asks about real command lines: `npx tsx bench/permission-prompts.ts`.
// Takes what is installed here: the scripts of every package.json, and the shell blocks of every README.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPermissionChecker, type PermissionRules } from "../src/permissions/index.js";
import { createWorkspace } from "../src/workspace/index.js";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const SHELL_BLOCK = /```(?:sh|bash|shell|console|terminal)\n([\s\S]*?)```/g;

/** What developers of each kind allow in their own repository, and what they keep for themselves. */
export const COMMON_RULES: Readonly<Record<string, PermissionRules>> = {
  "no rules": {},
  JavaScript: {
    allow:
      words(`npm test *,npm run *,npm ci,npm install,npm ls *,npm pack *,npx tsc *,npx eslint *,npx vitest *,rm -rf dist,rm -rf coverage,pnpm *,yarn *,tsc *,node *,eslint *,prettier *,
      biome *,vitest *,jest *,mocha *,ava *,tap *,tape *,c8 *,nyc *,xo *,standard *,rollup *,esbuild *,webpack *,vite *,tsup *,
      babel *,tsx *,ts-node *,rimraf *,mkdirp *,cpy *,run-s *,run-p *,concurrently *,turbo *,tsd *,attw *,publint *,microbundle *,
      playwright test *,git add *,git commit *,git fetch *,git pull *`),
    deny: ["Bash(npm publish:*)", "Bash(git push:*)", "Read(./.env)"],
  },
  Python: {
    allow: words(
      "pytest *,python -m pytest *,python -m unittest *,ruff *,mypy *,black *,tox *,nox *,uv sync *,uv run *,poetry install *,poetry run *,pip list *,git add *,git commit *",
    ),
    deny: ["Bash(twine:*)", "Bash(git push:*)", "Read(./.env)"],
  },
  Go: {
    allow: words(
      "go build *,go test *,go vet *,go fmt *,go mod tidy *,go run *,gofmt *,golangci-lint *,make *,git add *,git commit *",
    ),
    deny: ["Bash(git push:*)", "Read(./.env)"],
  },
  Rust: {
    allow: words(
      "cargo build *,cargo test *,cargo check *,cargo clippy *,cargo fmt *,cargo run *,cargo doc *,rustc *,git add *,git commit *",
    ),
    deny: ["Bash(cargo publish:*)", "Bash(git push:*)", "Read(./.env)"],
  },
};

/** The commands a developer or an agent types many times a day. */
export const EVERYDAY: Readonly<Record<string, readonly string[]>> = {
  "looking around":
    lines(`ls; ls -la src; pwd; cat package.json; cat src/index.ts | head -50; head -n 20 README.md; tail -5 README.md; wc -l src/*.ts
    find . -name "*.ts" -not -path "./node_modules/*"; find src -type f | sort; grep -rn "TODO" src; grep -n export src/index.ts; rg -n "foo" src; rg --files src
    tree -L 2; file README.md; stat README.md; du -sh src; diff README.md CHANGELOG.md; sort README.md | uniq -c | sort -rn | head; which node
    git status; git status --short; git diff; git diff --stat HEAD~1; git log --oneline -10; git log -p -1 -- src; git show HEAD; git branch -a; git blame src/index.ts
    git ls-files; git remote -v; git rev-parse HEAD; git stash list; git tag; node --version; npm --version; echo done; cd src && ls; date; uname -a; env | grep PATH
    jq .version package.json; sed -n 1,20p README.md; awk '{print $1}' README.md; cut -d: -f1 README.md; test -f x && echo yes; basename src/a.ts; tr a-z A-Z < README.md`),
  JavaScript:
    lines(`npm test; npm run build; npm run lint -- --fix; npm test -- --watch=false 2>&1 | tail -20; npm ci; npx tsc --noEmit; node --test; npx vitest run src/a.test.ts
    npm run build && npm test; cd src && npx eslint .; CI=1 npm test; npm ls react; timeout 60 npm test; git add -A && git commit -m "fix: it"; tsc -p . > /dev/null; NODE_ENV=test npm test`),
  Python:
    lines(`pytest -q; pytest tests/test_a.py -k name -x 2>&1 | tail -30; python -m pytest; ruff check .; ruff check --fix src; mypy src; black --check .; uv run pytest; poetry run pytest
    git add -A && git commit -m "fix: it"; tox -e py312; PYTHONDONTWRITEBYTECODE=1 pytest`),
  Go: lines(`go build ./...; go test ./... 2>&1 | tail; go test -run TestX ./pkg; go vet ./...; gofmt -l .; golangci-lint run; make build; go mod tidy; git add . && git commit -m "fix: it"
    CGO_ENABLED=0 go build ./cmd/x; go test -race -count=1 ./...`),
  Rust: lines(`cargo build; cargo test; cargo test name -- --nocapture; cargo clippy --all-targets -- -D warnings; cargo fmt --check; cargo check 2>&1 | head -40; cargo doc --no-deps
    RUST_BACKTRACE=1 cargo test; git add -A && git commit -m "fix: it"`),
};

function words(list: string): string[] {
  return list.split(",").map((each) => `Bash(${each.trim().replace(/\s+/g, " ")})`);
}

function lines(list: string): string[] {
  return list.split(/[;\n]\s+/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function installedPackages(): string[] {
  const directories = readdirSync(MODULES).filter((name) => !name.startsWith("."));
  return directories.flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(join(MODULES, name)).map((each) => join(MODULES, name, each))
      : [join(MODULES, name)],
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function scriptsOf(directory: string): string[] {
  const text = read(join(directory, "package.json"));
  const { scripts = {} } = text === "" ? {} : (JSON.parse(text) as { scripts?: Record<string, string> });
  return Object.values(scripts).filter((script) => typeof script === "string" && script !== "");
}

function readmeCommands(directory: string): string[] {
  const blocks = [...read(join(directory, "README.md")).matchAll(SHELL_BLOCK)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .split("\n")
      .map((line) => line.replace(/^\s*\$ /, "").trim())
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
}

const packages = installedPackages();
const collected: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(EVERYDAY).map(([name, commands]) => [`everyday, ${name}`, commands])),
  "scripts of installed packages": [...new Set(packages.flatMap(scriptsOf))],
  "READMEs of installed packages": [...new Set(packages.flatMap(readmeCommands))],
};

const root = mkdtempSync(join(tmpdir(), "loopwright-prompts-"));
const workspace = await createWorkspace({ root });
const why = new Map<string, number>();
console.log("| command lines | number | rules | run | asked | denied |\n| --- | --- | --- | --- | --- | --- |");
for (const [name, commands] of Object.entries(collected)) {
  for (const [kind, rules] of Object.entries(COMMON_RULES)) {
    const isFor = kind === "no rules" || name.includes(kind) || (kind === "JavaScript" && name.includes("packages"));
    if (!isFor && name !== "everyday, looking around") continue;
    const checker = createPermissionChecker({ workspace, rules });
    const count = { allow: 0, ask: 0, deny: 0 };
    for (const command of commands) {
      const { behavior, reason = "" } = await checker.decide({ tool: "bash", input: { command } });
      count[behavior]++;
      if (process.argv.includes("--why") && behavior !== "allow")
        console.error(`${kind} | ${behavior} | ${command} | ${reason}`);
      const cause = reason.replace(/"[^"]*"/g, "…").slice(0, 80);
      if (behavior === "ask" && kind === "JavaScript") why.set(cause, (why.get(cause) ?? 0) + 1);
    }
    const share = (part: number) => `${((100 * part) / commands.length).toFixed(1)} %`;
    console.log(
      `| ${name} | ${commands.length} | ${kind} | ${share(count.allow)} | ${share(count.ask)} | ${share(count.deny)} |`,
    );
  }
}
console.log("\nWhy it asks, with the JavaScript rules:");
for (const [cause, count] of [...why].sort((a, b) => b[1] - a[1]).slice(0, 12))
  console.log(`  ${String(count).padStart(4)}  ${cause}`);
await workspace.close();
rmSync(root, { recursive: true, force: true });
