// A deny for a command holds for the same words in order behind another command of the program.
import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world();
});
afterAll(() => files.close());

test.each([
  [
    "git push",
    "git subtree push --prefix=a o m\ngit lfs push o m\ngit -C src subtree push --prefix a o m\ngit subtree --prefix a push o m\ngit lfs push --all o\ngit flow feature push\nsudo git lfs push o m\ngit annex push",
  ],
  ["docker rm", "docker container rm x\ndocker compose rm\ndocker volume rm x\ndocker image rm x\ndocker network rm x"],
  ["docker run", "docker container run x\ndocker compose run x"],
  ["npm publish", "npm run publish\nnpm workspaces publish"],
  ["git commit", "git gui commit"],
  ["git reset", "git bisect reset"],
  ["cargo publish", "cargo workspaces publish\ncargo release publish"],
  ["kubectl delete", "kubectl krew delete\nkubectl rollout delete x"],
  ["pnpm publish", "pnpm recursive publish\npnpm -r publish"],
  ["yarn publish", "yarn npm publish\nyarn workspace a publish"],
  ["gh release", "gh api release\ngh alias release"],
  ["dotnet publish", "dotnet tool publish"],
])("%s", async (denied, lines) => {
  expect(await files.others("stopped", "Bash", lines, { deny: [`Bash(${denied}:*)`] })).toEqual([]);
  expect(await files.others("stopped", "Bash", lines, { deny: [`Bash(${denied})`] })).toEqual([]);
});

const OTHERS = `
  git stash push -m x
  git stash push
  git commit -m push
  git commit -m "git push"
  git commit -am 'push it'
  git log --grep push
  git log push
  git add push.ts
  git branch push-fix
  git fetch origin
  git pull
  git lfs fetch
  git remote add push x
  docker ps
  docker compose up
  docker image ls
  npm run build
  npm run publish-docs
  npm run pre:publish
  npm test -- publish.test.ts
  cargo test publish_works
  echo git push
  grep push README.md
`;

test("other commands that hold the word do not ask", async () => {
  const deny = ["Bash(git push:*)", "Bash(docker rm:*)", "Bash(npm publish:*)", "Bash(cargo publish:*)"];
  const lines = OTHERS.replace("  git remote add push x\n", "").replace("  git log --grep push\n", "");
  expect(await files.others("allow", "Bash", lines, { deny })).toEqual([]);
});
