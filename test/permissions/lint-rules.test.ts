import { expect, test } from "vitest";
import { type LintCode, lintRules, type PermissionRules } from "../../src/permissions/index.js";
import { POLICIES } from "./corpus/policies.js";

test.each<[PermissionRules, string, LintCode]>([
  [{ deny: ["Bash("] }, "Bash(", "malformed"],
  [{ deny: ["Read(!x)"] }, "Read(!x)", "malformed"],
  [{ deny: ["Bsh(rm *)"] }, "Bsh(rm *)", "unknown-tool"],
  [{ allow: ["bash(npm test)", "Bash(npm test)"] }, "Bash(npm test)", "duplicate"],
  [{ allow: ["Bash(npm *)", "Bash(npm test)"] }, "Bash(npm test)", "shadowed"],
  [{ allow: ["Edit(src/**)", "Edit(src/a.ts)"] }, "Edit(src/a.ts)", "shadowed"],
  [{ deny: ["Edit"], ask: ["Write(src/x)"] }, "Write(src/x)", "contradicted"],
  [{ deny: ["Bash(git push:*)"], allow: ["Bash(git push origin main)"] }, "Bash(git push origin main)", "contradicted"],
  [{ ask: ["Bash(npm *)"], allow: ["Bash(npm test)"] }, "Bash(npm test)", "contradicted"],
  [
    { deny: ["Read(./secrets/**)"], allow: ["Read(./secrets/public.txt)"] },
    "Read(./secrets/public.txt)",
    "contradicted",
  ],
  [{ deny: ["mcp__github"], allow: ["mcp__github__get"] }, "mcp__github__get", "contradicted"],
  [{ allow: ["Bash(npm test && git *)"] }, "Bash(npm test && git *)", "unreachable"],
  [{ allow: ["Bash"] }, "Bash", "over-broad"],
  [{ allow: ["Bash(*)"] }, "Bash(*)", "over-broad"],
  [{ allow: ["Bash(python:*)"] }, "Bash(python:*)", "over-broad"],
  [{ allow: ["Bash(sudo *)"] }, "Bash(sudo *)", "over-broad"],
  [{ allow: ["Bash(* --version)"] }, "Bash(* --version)", "over-broad"],
  [{ allow: ["WebFetch"] }, "WebFetch", "over-broad"],
  [{ allow: ["Edit(//**)"] }, "Edit(//**)", "over-broad"],
])("%j: %s is %s", (rules, rule, code) => {
  expect(lintRules(rules)).toContainEqual(
    expect.objectContaining({ rule, code, message: expect.stringMatching(/\.$/) }),
  );
});

test("a sound policy has no findings", () => {
  expect(
    lintRules({
      allow: [
        "Bash(npm run test:*)",
        "Bash(git commit *)",
        "Edit(src/**)",
        "mcp__github__get_issue",
        "WebFetch(domain:nodejs.org)",
      ],
      ask: ["Bash(git push:*)"],
      deny: ["Bash(git push --force:*)", "Read(.env)", "Edit(.github/**)"],
    }),
  ).toEqual([]);
});

test("rules of several sources are compared with each other, and the host's own tools can be named", () => {
  const findings = lintRules(
    [
      { source: "policy", deny: ["deploy"] },
      { source: "project", allow: ["deploy(staging)"] },
    ],
    { tools: ["deploy"] },
  );

  expect(findings).toMatchObject([
    { rule: "deploy(staging)", source: "project", code: "contradicted", by: { rule: "deploy", source: "policy" } },
  ]);
});

test.each(Object.entries(POLICIES))("a policy with %s has these findings, and no others", (_, { rules, findings }) => {
  expect(
    lintRules(rules)
      .map(({ code, rule }) => `${code} ${rule}`)
      .sort(),
  ).toEqual([...findings].sort());
});
