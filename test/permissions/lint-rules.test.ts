import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../src/hooks/index.js";
import {
  createPermissionChecker,
  type LintCode,
  lintRules,
  type PermissionRules,
} from "../../src/permissions/index.js";
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

test.each<[keyof PermissionRules, string, string, string, string]>([
  [
    "allow",
    "Bash(curl http://localhost:*)",
    "curl http://localhost:8080/x",
    "Bash(curl http://localhost:8080/*)",
    "port",
  ],
  ["allow", "Bash(curl http://localhost:*)", "curl http://localhost:3000", "Bash(curl http://localhost:**)", "port"],
  ["allow", 'Bash("npm test")', "npm test", "Bash(npm test)", "quotes"],
  ["allow", 'Bash("npm test":*)', "npm test x", "Bash(npm test:*)", "quotes"],
  ["deny", 'Read(".env")', "cat .env", "Read(.env)", "quotes"],
  ["allow", "Read(/etc/hosts)", "cat /etc/hosts", "Read(//etc/hosts)", 'no "etc"'],
  ["deny", "Edit(C:\\etc\\x)", "echo x > /etc/x", "Edit(//etc/x)", "/"],
  ["deny", "Edit(src\\a.ts)", "echo x > src/a.ts", "Edit(src/a.ts)", "/"],
  ["deny", "Bash(git push)", "git push origin main", "Bash(git push:*)", "these words alone"],
  ["ask", "Bash(npm publish)", "npm publish x", "Bash(npm publish:*)", "these words alone"],
])("%s %s does not match %s, and %s does: lintRules says so", async (behavior, rule, command, instead, why) => {
  const findings = lintRules({ [behavior]: [rule] });

  expect(findings).toMatchObject([{ rule, behavior, code: "misleading" }]);
  expect(findings[0]!.message).toContain(`"${instead}"`);
  expect(findings[0]!.message).toContain(why);
  expect(await matches(behavior, rule, command)).toBe(false);
  expect(await matches(behavior, instead, command)).toBe(true);
});

async function matches(behavior: string, rule: string, command: string): Promise<boolean> {
  const checker = createPermissionChecker({ rules: { [behavior]: [rule] } });
  const { rules } = await checker.explain({ tool: "bash", input: { command } });
  return rules[0]!.matched;
}

test.each([
  { allow: ["Bash(git push)", "Bash(npm test)", 'Bash("npm" test)', "Bash('./my tool/run' x)"] },
  { deny: ["Bash(rm -rf /)", "Bash(git push:*)", "Bash(git push origin main:*)", "Bash(cat ./x)"] },
  { allow: ["Edit(/src/**)", "Edit(/no-such-name/**)", "Read(//etc/hosts)", "Edit(a\\*b)", "Edit(\\#x)"] },
  { allow: ["Bash(curl http://localhost:3000/*)", "Bash(npm run test:*)"] },
])("%j means what it says", (rules) => {
  expect(lintRules(rules).filter(({ code }) => code === "misleading")).toEqual([]);
});

test("what loadSettings returns is taken as it is", async () => {
  const root = mkdtempSync(join(tmpdir(), "loopwright-lint-"));
  mkdirSync(join(root, ".claude"));
  const permissions = { allow: ["Bash(npm test)"], deny: ["Bash(git push)"] };
  writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ permissions }));
  const settings = await loadSettings(root, { home: null, managed: null, trustProject: true });

  expect(lintRules(settings, { root })).toMatchObject([
    { rule: "Bash(git push)", behavior: "deny", source: "project", code: "misleading" },
  ]);
  await settings.close();
  rmSync(root, { recursive: true });
});
