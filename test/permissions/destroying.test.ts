// What is asked about even where every command is allowed, and what is not.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { DESTROYING, ORDINARY } from "./corpus/texts.js";
import { type Files, filesIn } from "./files-kit.js";
import { bash } from "./kit.js";

const ALL = { allow: ["Bash"] };

let files: Files;
beforeAll(async () => {
  files = await filesIn(
    "src/a.ts",
    "package.json",
    "list",
    "prod.db",
    "db.sqlite",
    "src/server.js",
    "script.sh",
    "a.zip",
  );
  files.git("init", "-q", "-b", "main");
  files.git("add", ".");
  files.git("commit", "-q", "-m", "a");
});
afterAll(() => files.close());

test("what takes the machine down, or cannot be undone, is asked about even where all is allowed", async () => {
  expect(await files.others(["ask", "deny"], DESTROYING, ALL)).toEqual([]);
});

test("what a project needs every day runs there", async () => {
  expect(await files.others("allow", ORDINARY, ALL)).toEqual([]);
});

test("a rule that names the program allows it", async () => {
  const rules = { allow: ["Bash(dropdb:*)", "Bash(ip:*)", "Bash(python3:*)"] };
  const lines = ["dropdb prod", "ip link set eth0 down", "python3 manage.py flush"];
  expect(await files.others("allow", lines, rules)).toEqual([]);
});

test.each([
  ["apt remove nginx", 'It deletes, stops or undoes something, as "remove" says.'],
  ["gcloud compute instances delete x", 'It deletes, stops or undoes something, as "delete" says.'],
  ["rake db:reset", 'It deletes, stops or undoes something, as "db:reset" says.'],
  ["frobnicate --purge x", 'It deletes, stops or undoes something, as "--purge" says.'],
  ["gh api -X DELETE /x", "It deletes or hides something on the server."],
  ["kubectl scale deploy/x --replicas=0", "It deletes or stops what runs in the cluster."],
  ["crontab -r", "It deletes or replaces the table of jobs."],
])("the question says what is lost, and no rule is suggested: %s", async (command, reason) => {
  const decision = await createPermissionChecker().decide(bash(command));
  expect(decision).toMatchObject({ behavior: "ask", reason });
  expect(decision.suggestions).toBeUndefined();
});

test("what is found outside the workspace is not changed unasked", async () => {
  files.put("../outside/y");
  const lines = [
    "find ../outside -exec touch {} +",
    "find /etc -name passwd -exec chmod 600 {} +",
    "chmod -x /bin/ls",
    "chown -R $USER /opt/x",
    "black ../outside/y",
    "npx prettier --write ../outside/y",
  ];
  expect(await files.others("ask", lines, ALL)).toEqual([]);
});
