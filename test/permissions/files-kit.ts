// A directory with files of a test's own, in a workspace, next to a directory outside of it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionMode } from "../../src/index.js";
import { createPermissionChecker, isReadOnlyCommand, type PermissionRules } from "../../src/permissions/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { bash, behaviorOf } from "./kit.js";

export type Files = Awaited<ReturnType<typeof filesIn>>;

/** `files` lie in the workspace; `outside/x` beside it. */
export async function filesIn(...files: string[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-files-")));
  const root = join(home, "app");
  const put = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), "content\n");
    }
  };
  put("../outside/x", ...files);
  const workspace = await createWorkspace({ root });
  return {
    root,
    workspace,
    put,
    /** `target` as seen from the link. */
    link(target: string, name: string) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      symlinkSync(target, join(root, name));
    },
    remove: (name: string) => rmSync(join(root, name), { recursive: true }),
    git(...args: string[]) {
      const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root, env, stdio: "ignore" });
    },
    /** The lines that are not answered so, each with its answer. */
    async others(
      answer: string | readonly string[],
      lines: readonly string[],
      rules: PermissionRules = {},
      mode?: PermissionMode,
    ) {
      const checker = createPermissionChecker({ workspace, rules, ...(mode && { mode }) });
      const answers = await Promise.all(lines.map((line) => behaviorOf(checker, bash(line))));
      return lines
        .map((line, index) => `${answers[index]}: ${line}`)
        .filter((_, index) => !answer.includes(answers[index]!));
    },
    isReadOnly: isReadOnlyCommand,
    async close() {
      await workspace.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const FILES = `src/a.ts src/b.ts src/b.test.ts src/util/c.ts src/main.c src/main.go src/index.php docs/intro.md docs/guide.md
  packages/a/package.json packages/b/package.json README.md CHANGELOG.md package.json package-lock.json tsconfig.json data.csv data.tsv
  data.txt data.json other.csv tests/t.py Makefile Dockerfile docker-compose.yml .github/workflows/ci.yml .gitignore test/a.test.ts
  list.txt pyproject.toml Cargo.toml go.mod pom.xml scripts/build.sh scripts/gen.py app.log build.log logo.png`;

/** A repository with files of many languages. */
export async function everydayFiles(): Promise<Files> {
  const files = await filesIn(...FILES.split(/\s+/));
  files.git("init", "-q", "-b", "main");
  files.git("add", ".");
  files.git("commit", "-q", "-m", "a");
  return files;
}
