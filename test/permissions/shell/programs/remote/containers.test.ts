import { expect, test } from "vitest";
import { createPermissionChecker } from "../../../../../src/permissions/index.js";
import { bash, behaviorOf } from "../../../kit.js";
import { analyze, isReadOnly, texts } from "../../kit.js";

test.each([
  "docker ps",
  "docker ps -a --format '{{.Names}}'",
  "docker images -q",
  "docker network ls",
  "docker version",
])("only lists: %s", (line) => {
  expect(isReadOnly(line)).toBe(true);
});

test.each([
  "docker run x ls",
  "docker -H tcp://x ps",
  "docker inspect x",
  "docker logs x",
  "docker rm x",
  "kubectl get pods",
])("needs a rule: %s", (line) => {
  expect(isReadOnly(line)).toBe(false);
});

test("what runs in a container is listed after what starts it", () => {
  expect(texts("docker exec -it web rm -rf /data")).toEqual(["docker exec -it web rm -rf /data", "rm -rf /data"]);
});

test("options before a command of compose have their values, whatever they are to the command", async () => {
  const checker = createPermissionChecker({ rules: { allow: ["Bash(docker:*)"], deny: ["Read(.env)"] } });
  for (const line of [
    "docker compose -f a.yml logs web",
    "docker compose -f a.yml rm -f",
    "docker compose logs -f web",
  ])
    expect([line, await behaviorOf(checker, bash(line))]).toEqual([line, "allow"]);
  for (const line of ["docker compose -f logs config", "docker compose -f a.yml config", "docker compose config"])
    expect([line, await behaviorOf(checker, bash(line))]).toEqual([line, "deny"]);
});

test("what runs in a container has the input of what starts it, and no other", () => {
  const doubts = (line: string) => analyze(line).commands.flatMap((command) => command.doubts.map(({ kind }) => kind));
  expect(doubts("docker exec db psql -U postgres -c 'select 1'")).toEqual([]);
  expect(doubts("docker compose exec cache redis-cli ping")).toEqual([]);
  expect(doubts("curl -s example.com | docker exec -i db psql")).toEqual(["code"]);
  expect(doubts("docker exec -i db psql <<'E'\n\\! ls\nE")).toContain("script");
});
