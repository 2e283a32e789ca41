import { expect, test } from "vitest";
import { createPermissionChecker, testPolicy } from "../../src/permissions/index.js";
import { bash } from "./kit.js";

const checker = createPermissionChecker({
  rules: { allow: ["Bash(npm run *)", "Edit(src/**)"], ask: ["Bash(npm publish:*)"] },
  sources: [{ source: "project", deny: ["Bash(git push:*)", "Read(./.env)"] }],
});

test("an explanation names every rule, where it came from, whether it matched, and what won", async () => {
  const explanation = await checker.explain(bash("npm run build && git push"));

  expect(explanation).toMatchObject({
    decision: { behavior: "deny", source: "project" },
    step: "deny-rule",
    mode: "default",
  });
  expect(explanation.rules).toEqual([
    {
      rule: "Bash(git push:*)",
      behavior: "deny",
      source: "project",
      matched: true,
      won: true,
      about: 'the command "git push"',
    },
    { rule: "Read(./.env)", behavior: "deny", source: "project", matched: false, won: false, about: null },
    { rule: "Bash(npm publish:*)", behavior: "ask", source: "flag", matched: false, won: false, about: null },
    {
      rule: "Bash(npm run *)",
      behavior: "allow",
      source: "flag",
      matched: true,
      won: false,
      about: 'the command "npm run build"',
    },
    { rule: "Edit(src/**)", behavior: "allow", source: "flag", matched: false, won: false, about: null },
  ]);
  expect(explanation.commands.map(({ text }) => text)).toEqual(["npm run build", "git push"]);
});

test("its text can be read by people", async () => {
  const { text } = await checker.explain(bash("npm publish"));

  expect(
    text,
  ).toBe(`ask: The rule "Bash(npm publish:*)" asks about the command "npm publish". (step "ask-rule", mode "default")
It runs "npm publish"; what "npm" writes, runs and connects to is not in the line.
commands:
  npm publish
rules:
    deny Bash(git push:*) (project): does not match
    deny Read(./.env) (project): does not match
  > ask Bash(npm publish:*) (flag): matches the command "npm publish"
    allow Bash(npm run *) (flag): does not match
    allow Edit(src/**) (flag): does not match`);
});

test("an explanation decides as the gate does, without consequences", async () => {
  let asked = 0;
  const classified = createPermissionChecker({
    classifier: () => {
      asked++;
      return { behavior: "deny" };
    },
  });
  for (let index = 0; index < 5; index++) await classified.explain(bash("npm test"));

  expect(asked).toBe(0);
  expect((await checker.explain({ tool: "Edit", input: { file_path: "src/a.ts" } })).decision).toEqual(
    await checker.decide({ tool: "edit_file", input: { path: "src/a.ts" } }),
  );
});

test("a policy's own tests report what differs, with the explanation", async () => {
  const failures = await testPolicy(checker, [
    { tool: "bash", input: { command: "npm run build" }, expect: "allow" },
    { tool: "bash", input: { command: "git push" }, expect: "allow", name: "pushing" },
    { tool: "Edit", input: { file_path: "src/a.ts" }, mode: "plan", expect: "allow" },
  ]);

  expect(failures).toMatchObject([
    { name: "pushing", expected: "allow", actual: "deny", explanation: { step: "deny-rule" } },
    { name: 'Edit {"file_path":"src/a.ts"}', expected: "allow", actual: "deny", explanation: { step: "mode" } },
  ]);
});

test.each([
  [
    "cat src/a.ts > out.txt",
    /^It runs "cat src\/a\.ts", reads ".*src\/a\.ts" and writes ".*out\.txt"; nothing in it is unclear\.$/,
  ],
  ["curl http://example.com", /connects to "example\.com"; nothing in it is unclear\.$/],
  [
    "cargo test --config x",
    /; what "cargo" writes, runs and connects to is not in the line; .*needs approval: "--config" makes "cargo" run another program\.$/,
  ],
  ["frobnicate --all", /^It runs "frobnicate --all"; what "frobnicate" does is not known\.$/],
  ["kubectl get pods", /; what "kubectl" connects to is not in the line\.$/],
  ["mkdir -p a", /; nothing in it is unclear\.$/],
  ['eval "$x"', /; not understood: .*\.$/],
])("a command line is summed up in one sentence: %s", async (line, sentence) => {
  expect((await checker.explain(bash(line))).summary).toMatch(sentence);
});

test("a tool that is not a command has no summary", async () => {
  expect((await checker.explain({ tool: "edit_file", input: { path: "src/a.ts" } })).summary).toBeUndefined();
});
