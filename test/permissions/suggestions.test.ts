import { afterAll, beforeAll, expect, test } from "vitest";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type Asked, bash, behaviorOf, project } from "./kit.js";

let world: Awaited<ReturnType<typeof project>>;
beforeAll(async () => {
  world = await project();
});
afterAll(() => world.close());

async function suggestedFor(request: Asked): Promise<readonly string[]> {
  const { suggestions = [] } = await createPermissionChecker({ workspace: world.workspace }).decide(request);
  return suggestions.flatMap((update) => (update.type === "addRules" ? update.rules : []));
}

const edit = (path: string): Asked => ({ tool: "edit_file", input: { path } });

test.each<[Asked, string[]]>([
  [bash("npm run test -- --watch"), ["bash(npm run test:*)"]],
  [bash("npm test"), ["bash(npm test:*)"]],
  [bash("cargo build --release"), ["bash(cargo build:*)"]],
  [bash("pytest -k x tests"), ["bash(pytest:*)"]],
  [bash("git add -A && git commit -m 'x y'"), ["bash(git add:*)", "bash(git commit:*)"]],
  [bash("ls && npm test | head"), ["bash(npm test:*)"]],
  [bash("make all"), ["bash(make all:*)"]],
  [bash("npx vitest run src/a.test.ts 2>&1 | tail"), ["bash(npx vitest:*)"]],
  [bash(".venv/bin/python -m pytest tests -q"), ["bash(.venv/bin/python -m pytest:*)"]],
  [bash("uv run ruff check ."), ["bash(uv run ruff:*)"]],
  [bash("bunx cowsay hi"), ["bash(bunx cowsay hi)"]],
  [bash("git -C src add a.ts"), ["bash(git -C src add:*)"]],
  [bash("gh run view 7 --json jobs --jq '.jobs[]'"), ["bash(gh run view:*)"]],
  [bash("gh workflow run ci.yml"), ["bash(gh workflow run ci.yml)"]],
  [bash("docker compose logs --tail 9 web"), ["bash(docker compose logs:*)"]],
  [bash("./deploy.sh staging"), ["bash(./deploy.sh staging)"]],
  [bash("git push origin main"), ["bash(git push origin main)"]],
  [bash("node build.js '*'"), ["bash(node build.js '\\*')"]],
  [bash("cd src && npm test && cd -"), ["bash(cd src && npm test && cd -)"]],
  [bash("LESS='+!x*' less README.md"), ["bash(LESS='+!x\\*' less README.md)"]],
  [bash("echo x > docs/new.md"), ["edit_file(/docs/new.md)"]],
  [bash("cat /etc/hosts"), ["read_file(//etc/hosts)"]],
  [bash("cp src/a.ts src/b.ts"), ["edit_file(/src/**)"]],
  [bash("mv src/a.ts docs/b.ts"), ["edit_file(/src/**)", "edit_file(/docs/**)"]],
  [bash("cp a b"), ["bash(cp a b)"]],
  [bash("mkdir -p src/x && sed -i s/a/b/ src/a.ts"), ["edit_file(/src/**)"]],
  [edit("src/a.ts"), ["edit_file(/src/**)"]],
  [edit("README.md"), ["edit_file(/README.md)"]],
  [edit(".github/workflows/ci.yml"), ["edit_file(/.github/workflows/ci.yml)"]],
  [{ tool: "web_fetch", input: { url: "https://example.com/x" } }, ["web_fetch(domain:example.com)"]],
  [{ tool: "mcp__github__push", input: {} }, ["mcp__github__push"]],
])("%j is answered for good by %j", async (request, rules) => {
  expect(await suggestedFor(request)).toEqual(rules);
  const checker = createPermissionChecker({ workspace: world.workspace, rules: { allow: rules } });
  expect(await behaviorOf(checker, request)).toBe("allow");
});

test.each([
  "rm -rf src",
  "git push --force",
  "git reset --hard",
  "$X",
  'eval "$X"',
  "npm test $(evil)",
  "python3 - <<'E'\nprint(1)\nE",
  "kill 4711",
  "gh pr create --title x --body 'y z'",
  "git tag -a v1 -m x",
])("nothing is suggested for %s", async (command) => {
  expect(await suggestedFor(bash(command))).toEqual([]);
});

test("a suggestion allows nothing much broader", async () => {
  const allow = [
    ...(await suggestedFor(bash("npm run test"))),
    ...(await suggestedFor(bash("git add -A && git commit -m x"))),
    ...(await suggestedFor(edit("src/a.ts"))),
  ];
  const checker = createPermissionChecker({ workspace: world.workspace, rules: { allow } });
  for (const command of [
    "npm run build",
    "npm publish",
    "git push",
    "git reset --hard",
    "npm run test; git push",
    "rm src/a.ts",
  ]) {
    expect({ command, behavior: await behaviorOf(checker, bash(command)) }).toEqual({ command, behavior: "ask" });
  }
  for (const path of ["docs/x.md", "package.json", ".env", "src/.env"]) {
    expect({ path, behavior: await behaviorOf(checker, edit(path)) }).toEqual({ path, behavior: "ask" });
  }
});

test("nothing is suggested against an ask rule or a hook", async () => {
  const checker = createPermissionChecker({ rules: { ask: ["Bash(npm *)"] } });
  expect(await checker.decide(bash("npm test"))).not.toHaveProperty("suggestions");
  const hook = { behavior: "ask" } as const;
  expect(await createPermissionChecker().decide({ ...bash("npm test"), hook })).not.toHaveProperty("suggestions");
});
