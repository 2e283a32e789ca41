import { expect, test } from "vitest";
import type { PermissionUpdate } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { bash, behaviorOf } from "./kit.js";

const add = (behavior: "allow" | "ask" | "deny", ...rules: string[]): PermissionUpdate => ({
  type: "addRules",
  behavior,
  rules,
  destination: "session",
});
const about = (sessionId: string) => ({ sessionId });
const call = (command: string, sessionId = "s") => ({ ...bash(command), sessionId });

test("what is remembered counts for its session alone", async () => {
  const checker = createPermissionChecker();
  checker.remember([add("allow", "bash(npm test)")], about("s"));

  expect(await behaviorOf(checker, call("npm test"))).toBe("allow");
  expect(await behaviorOf(checker, call("npm test", "other"))).toBe("ask");
  expect(await checker.decide(call("npm test"))).toMatchObject({ source: "session", rule: { rule: "bash(npm test)" } });
});

test("a remembered allow beats no deny or ask rule, and a remembered deny beats every allow", async () => {
  const checker = createPermissionChecker({
    rules: { deny: ["Bash(git push:*)"], ask: ["Bash(npm publish)"], allow: ["Bash(make:*)"] },
  });
  checker.remember([add("allow", "Bash"), add("deny", "Bash(make clean)")], about("s"));

  expect(await behaviorOf(checker, call("git push"))).toBe("deny");
  expect(await behaviorOf(checker, call("npm publish"))).toBe("ask");
  expect(await behaviorOf(checker, call("make clean"))).toBe("deny");
  expect(await behaviorOf(checker, call("make all"))).toBe("allow");
});

test("rules are replaced and removed, of what was remembered only", async () => {
  const checker = createPermissionChecker({ rules: { allow: ["Bash(make)"] } });
  checker.remember([add("allow", "Bash(npm test)", "Bash(npm ci)")], about("s"));
  checker.remember(
    [{ type: "removeRules", behavior: "allow", rules: ["Bash(npm ci)", "Bash(make)"], destination: "session" }],
    about("s"),
  );
  expect(await behaviorOf(checker, call("npm ci"))).toBe("ask");
  expect(await behaviorOf(checker, call("make"))).toBe("allow");

  checker.remember(
    [{ type: "replaceRules", behavior: "allow", rules: ["Bash(npm ci)"], destination: "session" }],
    about("s"),
  );
  expect(await behaviorOf(checker, call("npm test"))).toBe("ask");
  expect(await behaviorOf(checker, call("npm ci"))).toBe("allow");
});

test("a remembered mode counts until a request names another", async () => {
  const checker = createPermissionChecker();
  checker.remember([{ type: "setMode", mode: "acceptEdits", destination: "session" }], about("s"));
  const edit = { tool: "edit_file", input: { path: "src/x.ts" }, sessionId: "s" };

  expect(await behaviorOf(checker, edit)).toBe("allow");
  expect(await behaviorOf(checker, { ...edit, mode: "plan" })).toBe("deny");
});

test("a malformed update is refused, and nothing of it is kept", async () => {
  const checker = createPermissionChecker();
  expect(() => checker.remember([add("allow", "bash(npm test)", "bash(")], about("s"))).toThrow(/malformed/);
  expect(() =>
    checker.remember([{ type: "setMode", mode: "yolo" as never, destination: "session" }], about("s")),
  ).toThrow(/not a permission mode/);
  expect(await behaviorOf(checker, call("npm test"))).toBe("ask");
});

test("what is remembered is bounded, by rules and by sessions", async () => {
  const checker = createPermissionChecker();
  const many = Array.from({ length: 501 }, (_, index) => `bash(make ${index})`);
  expect(() => checker.remember([add("allow", ...many)], about("s"))).toThrow(/at most 500/);

  for (let index = 0; index <= 1_000; index++) checker.remember([add("allow", "bash(make)")], about(`s${index}`));
  expect(await behaviorOf(checker, call("make", "s0"))).toBe("ask");
  expect(await behaviorOf(checker, call("make", "s1000"))).toBe("allow");
});
