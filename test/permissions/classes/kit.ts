// What the tests of the eight classes share: a workspace beside a home and another directory, with links and code in files.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPermissionChecker, type PermissionRules } from "../../../src/permissions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { bash } from "../kit.js";

const FILES: Readonly<Record<string, string>> = {
  "home/notes": "x\n",
  "outside/secret": "x\n",
  "outside/lib/a.ts": "x\n",
  "ws/a.ts": "let a;\n",
  "ws/b.ts": "let b;\n",
  "ws/src/c.ts": "let c;\n",
  "ws/docs/d.md": "# d\n",
  "ws/Makefile": "all:\n\ttrue\n",
  "ws/package.json": "{}\n",
};

/** `home`, `outside` and the workspace `ws` in one directory; in the workspace `out` leads to the home. */
export async function world(files: Readonly<Record<string, string>> = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-classes-")));
  const root = join(top, "ws");
  for (const [name, text] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  symlinkSync("../home", join(root, "out"));
  const before = process.env.HOME;
  process.env.HOME = join(top, "home");
  const workspace = await createWorkspace({ root });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q");
  return {
    top,
    root,
    git,
    link: (target: string, name: string) => symlinkSync(target, join(root, name)),
    /** Of these lines, those that are answered in another way, each with its answer. `TOP` is the directory of all. */
    async others(
      answer: "allow" | "stopped",
      allow: string | readonly string[],
      lines: string,
      more: PermissionRules = {},
    ) {
      const rules = { ...more, allow: [allow].flat().map((rule) => rule.replaceAll("TOP", top)) };
      const checker = createPermissionChecker({ workspace, rules });
      const found: string[] = [];
      for (const line of lines.split("\n").map((each) => each.trim())) {
        if (line === "") continue;
        const { behavior, reason } = await checker.decide(bash(line.replaceAll("TOP", top).replaceAll("⏎", "\n")));
        if ((behavior === "allow") !== (answer === "allow")) found.push(`${line}: ${behavior}, ${reason}`);
      }
      return found;
    },
    async close() {
      await workspace.close();
      if (before === undefined) delete process.env.HOME;
      else process.env.HOME = before;
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** A bare rule, and one that names each of these programs. */
export function rulesFor(...programs: string[]): readonly (readonly string[])[] {
  return [["Bash"], programs.map((program) => `Bash(${program}:*)`)];
}
