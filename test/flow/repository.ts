// A git repository of a test's own.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Runs git without the settings of whoever runs the tests. */
export function git(cwd: string, ...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  execFileSync("git", [...own, ...args], { cwd, env, stdio: "pipe" });
}

/** A directory with a repository that tracks the files, removed after the test. */
export function repository(...files: string[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "flow-git-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "app");
  const put = (name: string, content = "content\n") => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  trackedFiles(root, files);
  return { home, root, put, git: (...args: string[]) => git(root, ...args) };
}

/** Makes the files in a directory, and a repository that tracks them. */
export function trackedFiles(root: string, files: readonly string[]): void {
  for (const name of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "content\n");
  }
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "a");
}
