// Git in another repository than the one the line starts in runs what that one's settings say.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world({ "ws/bare/HEAD": "ref: refs/heads/main\n", "ws/bare/config": "[core]\n\tfsmonitor = x\n" });
  const repository = (name: string, ...settings: readonly (readonly [string, string])[]) => {
    mkdirSync(join(files.root, name), { recursive: true });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: join(files.root, name), stdio: "ignore" });
    git("init", "-q");
    for (const [key, value] of settings) git("config", key, value);
  };
  mkdirSync(join(files.root, "bare/objects"), { recursive: true });
  mkdirSync(join(files.root, "bare/refs"), { recursive: true });
  repository("evil/r", ["core.fsmonitor", "touch pwn"]);
  repository("evil/pager", ["core.pager", "touch pwn"]);
  repository("evil/diff", ["diff.external", "touch pwn"]);
  repository("evil/filter", ["filter.x.clean", "touch pwn"]);
  repository("evil/later", ["core.sshCommand", "touch pwn"]);
  repository("evil/hook");
  writeFileSync(join(files.root, "evil/hook/.git/hooks/pre-commit"), "touch pwn\n");
  repository("good/r");
  mkdirSync(join(files.root, "evil/r/deep"));
});
afterAll(() => files.close());

const RULES = [
  ["Bash"],
  ["Bash(git:*)", "Bash(cd:*)"],
  ["Bash(git status:*)", "Bash(git log:*)", "Bash(git diff:*)", "Bash(git add:*)", "Bash(cd:*)"],
];

const FOREIGN = String.raw`
  cd evil/r && git status
  cd evil/r; git status
  cd ./evil/r/deep && git status
  (cd evil/r && git log)
  cd evil && cd r && git status
  cd src && cd ../evil/r && git status
  pushd evil/r && git status
  { cd evil/r; git diff; }
  x=evil/r; cd $x && git status
  x=$(cd evil/r && git status)
  cd evil/r && git status | head
  cd evil/pager && git log
  cd evil/diff && git diff
  cd evil/filter && git add .
  cd evil/r && /usr/bin/git status
  cd evil/r && timeout 5 git status
  cd evil/r && bash -c 'git status'
  bash -c 'cd evil/r && git status'
  env -C evil/r git status
  git -C evil/r status
  git -C ./evil/r/deep status
  git -C evil -C r status
  git -C evil/r -c color.ui=never log
  git -C $PWD/evil/r status
  git --git-dir=evil/r/.git status
  git --git-dir evil/r/.git --work-tree=. status
  git --git-dir=bare status
  git --work-tree=evil/r status
  cd bare && git status
  git -C bare status
  for d in evil/*; do git -C "$d" status; done
  for d in evil/*; do (cd "$d" && git status); done
  git -C evil/hook commit -m x
  cd evil/hook && git commit -m x
  cd evil/later && git fetch
  git -C evil/later push
  git -C "$x" status
  cd "$x" && git status
  ls evil | xargs -I{} git -C evil/{} status
`;

test.each(RULES)("settings of another repository count under %s", async (...allow) => {
  expect(await files.others("stopped", [...allow], FOREIGN)).toEqual([]);
});

const OWN = String.raw`
  git status
  git -C . status
  git -C src status
  cd src && git status
  cd src && git log
  cd good/r && git status
  git -C good/r status
  git -C good/r log --oneline
  cd src && git add .
  git -C src diff
  for d in good/*; do git -C "$d" status; done
`;

test.each([["Bash"], ["Bash(git:*)", "Bash(cd:*)"]])(
  "the own repository, and one that names no program, is as before under %s",
  async (...allow) => {
    expect(await files.others("allow", [...allow], OWN)).toEqual([]);
  },
);
