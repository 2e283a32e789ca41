// What a commit or a pull request is told names no file, and what only looks like that does.
import { expect, test } from "vitest";
import { createPermissionChecker } from "../../../../src/permissions/index.js";
import { bash, behaviorOf } from "../../kit.js";

const checker = createPermissionChecker({
  rules: { allow: ["Bash(git:*)", "Bash(gh:*)"], deny: ["Read(.env)", "WebFetch(domain:evil.example)"] },
});

test.each([
  'git commit -m ".env is ignored, and evil.example is not asked"',
  "git commit -qam 'fix: read .env last'",
  "git commit -q --no-verify -m a -m .env",
  "git commit -m \"$(cat <<'E'\nfix: no .env (it held keys)\nE\n)\"",
  "git stash push -m .env",
  "git tag -a v1 -m 'without .env'",
  "git merge topic --no-ff -m 'brings .env.example'",
  "gh pr create --base main --title 'Keep .env out' --body 'It is read from .env no more'",
  "gh issue close 3 --comment 'see .env'",
])("%s names no file", async (line) => {
  expect(await behaviorOf(checker, bash(line))).toBe("allow");
});

test.each([
  "git commit -m x .env",
  "git commit -m x -- .env",
  "git commit -- -m .env",
  "git commit -m -m .env",
  "git commit -F -m .env",
  "git commit --author -m .env",
  "git commit -Fm .env",
  "git commit $x -m .env",
  "git stash push -m x .env",
  "git tag v1 -m x -F .env",
  "git checkout -m .env",
  "gh pr create --recover -b .env",
  "gh pr create -t x -F .env",
  "gh issue create --title x --body-file .env",
  "gh pr review --comment -F.env",
  "gh pr review --comment --body-file=.env",
  "gh pr review -a -b -b -F.env",
  "gh pr merge -r -t -b -F.env",
  "gh release create v1 -t -t .env",
  "gh release create v1 -t $x -t .env",
  "git stash list -m .env -p",
])("%s does", async (line) => {
  expect(await behaviorOf(checker, bash(line))).not.toBe("allow");
});
