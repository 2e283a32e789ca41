import { expect, test } from "vitest";
import type { PermissionResult } from "../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../src/permissions/index.js";
import { bash, behaviorOf } from "./kit.js";

function classified(answer: PermissionResult | (() => PermissionResult), options: PermissionCheckerOptions = {}) {
  const asked: unknown[] = [];
  const classify = (request: { readonly input: unknown }) => {
    asked.push(request.input);
    return typeof answer === "function" ? answer() : answer;
  };
  return { asked, checker: createPermissionChecker({ ...options, classifier: classify }) };
}

const run = { ...bash("npm test"), sessionId: "s" };

test("the classifier answers what would be asked", async () => {
  expect(await behaviorOf(classified({ behavior: "allow" }).checker, run)).toBe("allow");
  expect(await behaviorOf(classified({ behavior: "deny" }).checker, run)).toBe("deny");
  expect(await behaviorOf(classified({ behavior: "ask" }).checker, run)).toBe("ask");
  expect(await behaviorOf(classified({ behavior: "passthrough" }).checker, run)).toBe("ask");
});

test("edits inside the workspace and safe tools need no look", async () => {
  const { checker, asked } = classified({ behavior: "deny" });
  expect(await behaviorOf(checker, { tool: "edit_file", input: { path: "src/x.ts" } })).toBe("allow");
  expect(await behaviorOf(checker, { tool: "WebSearch", input: { query: "x" } })).toBe("allow");
  expect(asked).toEqual([]);
});

test("it is not asked where a rule, a hook, a tool or a destruction wants a human, or a rule denies", async () => {
  const { checker, asked } = classified(
    { behavior: "allow" },
    { rules: { ask: ["Bash(npm publish)"], deny: ["Bash(git push:*)"] } },
  );
  const own = { name: "deploy", permission: "execute" as const, checkPermission: () => ({ behavior: "ask" as const }) };

  expect(await behaviorOf(checker, bash("npm publish"))).toBe("ask");
  expect(await behaviorOf(checker, { ...run, hook: { behavior: "ask" } })).toBe("ask");
  expect(await behaviorOf(checker, { tool: own, input: {} })).toBe("ask");
  expect(await behaviorOf(checker, bash("git reset --hard"))).toBe("ask");
  expect(await behaviorOf(checker, bash("$X"))).toBe("ask");
  expect(await behaviorOf(checker, bash("git push"))).toBe("deny");
  expect(asked).toEqual([]);
});

test("after three denials in a row the session's calls are asked", async () => {
  const { checker, asked } = classified({ behavior: "deny" });
  const answers = [];
  for (let index = 0; index < 5; index++) answers.push(await behaviorOf(checker, run));

  expect(answers).toEqual(["deny", "deny", "deny", "ask", "ask"]);
  expect(asked).toHaveLength(3);
  expect(await behaviorOf(checker, { ...run, sessionId: "other" })).toBe("deny");
});

test("another answer in between starts the count again", async () => {
  const script: PermissionResult["behavior"][] = ["deny", "deny", "allow", "deny", "deny", "deny"];
  const { checker } = classified(() => ({ behavior: script.shift()! }));
  const answers = [];
  for (let index = 0; index < 7; index++) answers.push(await behaviorOf(checker, run));

  expect(answers).toEqual(["deny", "deny", "allow", "deny", "deny", "deny", "ask"]);
});

test("a classifier that throws or answers nonsense leaves the call to a human", async () => {
  const broken = classified(() => {
    throw new Error("down");
  });
  expect(await behaviorOf(broken.checker, run)).toBe("ask");
  expect(await behaviorOf(classified(undefined as never).checker, run)).toBe("ask");
  expect(await behaviorOf(classified({ behavior: "sure" } as never).checker, run)).toBe("ask");
});

test("policy stops it for good", async () => {
  const sources = [{ source: "policy", disableClassifier: true }] as const;
  const { checker, asked } = classified({ behavior: "allow" }, { sources });

  expect(await behaviorOf(checker, run)).toBe("ask");
  expect(asked).toEqual([]);
});

test("in mode dontAsk its no and its silence are both a no", async () => {
  expect(await behaviorOf(classified({ behavior: "ask" }, { mode: "dontAsk" }).checker, run)).toBe("deny");
  expect(await behaviorOf(classified({ behavior: "allow" }, { mode: "dontAsk" }).checker, run)).toBe("allow");
});

test("a classifier that does not settle in time is aborted, and the call is asked", async () => {
  let aborted = false;
  const checker = createPermissionChecker({
    classifier: {
      timeoutMs: 20,
      classify: (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            aborted = true;
          });
        }),
    },
  });
  expect(await behaviorOf(checker, run)).toBe("ask");
  expect(aborted).toBe(true);
});
