// Policies as people write them, and everything a careful reviewer would say about each: the code, then the rule.
import type { PermissionRules, SourcedRules } from "../../../src/permissions/index.js";

export interface ReviewedPolicy {
  readonly rules: PermissionRules | readonly SourcedRules[];
  readonly findings: readonly string[];
}

export const POLICIES: Readonly<Record<string, ReviewedPolicy>> = {
  "a JavaScript project": {
    rules: {
      allow: [
        "Bash(npm run test:*)",
        "Bash(npm run lint)",
        "Bash(git commit:*)",
        "Edit(src/**)",
        "WebFetch(domain:npmjs.com)",
      ],
      deny: ["Bash(git push:*)", "Read(.env)", "Edit(.github/**)"],
    },
    findings: [],
  },
  "a Python project": {
    rules: {
      allow: ["Bash(pytest:*)", "Bash(ruff check:*)", "Bash(uv sync)", "Edit(src/**)", "Edit(tests/**)"],
      ask: ["Bash(pip install:*)"],
      deny: ["Read(./secrets/**)", "Bash(twine:*)"],
    },
    findings: [],
  },
  "a Go project": {
    rules: { allow: ["Bash(go test:*)", "Bash(go build:*)", "Bash(gofmt -l *)"], deny: ["Bash(sudo:*)"] },
    findings: [],
  },
  "a reader": {
    rules: { allow: ["Read", "Grep", "Glob", "Bash(git log:*)"], deny: ["Edit", "Bash(git push:*)", "WebFetch"] },
    findings: ["shadowed Grep", "shadowed Glob"],
  },
  "a bot that may use one server": {
    rules: {
      allow: ["mcp__github__get_issue", "mcp__github__list_issues"],
      deny: ["mcp__github__delete_repo", "Bash"],
    },
    findings: [],
  },
  "everything and a deny list": {
    rules: { allow: ["Bash", "Edit", "Read"], deny: ["Bash(rm -rf:*)", "Bash(git push:*)"] },
    findings: ["over-broad Bash"],
  },
  "everything in a wildcard": {
    rules: { allow: ["Bash(*)", "WebFetch"] },
    findings: ["over-broad Bash(*)", "over-broad WebFetch"],
  },
  interpreters: {
    rules: { allow: ["Bash(python3:*)", "Bash(node *)", "Bash(bash -c *)", "Bash(xargs *)", "Bash(npx:*)"] },
    findings: [
      "over-broad Bash(python3:*)",
      "over-broad Bash(node *)",
      "over-broad Bash(xargs *)",
      "over-broad Bash(npx:*)",
    ],
  },
  "interpreters by their path": {
    rules: { allow: ["Bash(/usr/bin/python3 *)"] },
    findings: ["over-broad Bash(/usr/bin/python3 *)"],
  },
  "programs left open": {
    rules: { allow: ["Bash(* --help)", "Bash(*test*)"] },
    findings: ["over-broad Bash(* --help)", "over-broad Bash(*test*)"],
  },
  "the whole disk": { rules: { allow: ["Edit(//**)", "Read(//**)"] }, findings: ["over-broad Edit(//**)"] },
  "the same twice": {
    rules: { allow: ["Bash(npm test)", "bash(npm test)", "Edit(src/**)", "edit_file(src/**)"] },
    findings: ["duplicate bash(npm test)", "duplicate edit_file(src/**)"],
  },
  "the same in two sources": {
    rules: [
      { source: "project", allow: ["Bash(make check)"] },
      { source: "user", allow: ["Bash(make check)"] },
    ],
    findings: ["duplicate Bash(make check)"],
  },
  "narrow beside broad": {
    rules: { allow: ["Bash(npm run:*)", "Bash(npm run build)", "Edit(docs/**)", "Edit(docs/a.md)", "Edit", "Edit(x)"] },
    findings: [
      "shadowed Bash(npm run build)",
      "shadowed Edit(docs/**)",
      "shadowed Edit(docs/a.md)",
      "shadowed Edit(x)",
    ],
  },
  "allows that never count": {
    rules: {
      allow: ["Bash(git push origin main)", "Bash(rm -fr dist)", "Read(./secrets/public.txt)", "mcp__db__query"],
      deny: ["Bash(git push:*)", "Bash(rm -rf:*)", "Read(./secrets/**)", "mcp__db"],
    },
    findings: [
      "contradicted Bash(git push origin main)",
      "contradicted Bash(rm -fr dist)",
      "contradicted Read(./secrets/public.txt)",
      "contradicted mcp__db__query",
    ],
  },
  "asks that a deny takes": {
    rules: { ask: ["Bash(npm publish --tag next)", "Write(docs/x)"], deny: ["Bash(npm publish:*)", "Edit(docs/**)"] },
    findings: ["contradicted Bash(npm publish --tag next)", "contradicted Write(docs/x)"],
  },
  "a policy over a project's allows": {
    rules: [
      { source: "policy", deny: ["WebFetch", "Bash(curl:*)"] },
      { source: "project", allow: ["WebFetch(domain:example.com)", "Bash(curl https://example.com)"] },
    ],
    findings: ["contradicted WebFetch(domain:example.com)", "contradicted Bash(curl https://example.com)"],
  },
  "wildcards over operators": {
    rules: { allow: ["Bash(cd * && npm test)", "Bash(git add -A && git commit -m *)", "Bash(make && make check)"] },
    findings: ["unreachable Bash(cd * && npm test)", "unreachable Bash(git add -A && git commit -m *)"],
  },
  "programs known only at run time": {
    rules: { allow: ["Bash($EDITOR notes.md)"] },
    findings: ["unreachable Bash($EDITOR notes.md)"],
  },
  "misspelt tools": {
    rules: { allow: ["Bsh(npm test)", "Reed"], deny: ["WebFech(domain:evil.com)"] },
    findings: ["unknown-tool WebFech(domain:evil.com)", "unknown-tool Bsh(npm test)", "unknown-tool Reed"],
  },
  "what is no rule": {
    rules: { allow: ["Bash(npm test", "Edit(!src/**)", "", "Edit(a/../b)"], deny: ["Read()"] },
    findings: [
      "malformed Read()",
      "malformed Bash(npm test",
      "malformed Edit(!src/**)",
      "malformed ",
      "malformed Edit(a/../b)",
    ],
  },
  escalation: {
    rules: { allow: ["Bash(sudo *)", "Bash(docker:*)", "Bash(ssh:*)", "Bash(find:*)"], ask: ["Bash(docker run:*)"] },
    findings: [
      "over-broad Bash(sudo *)",
      "over-broad Bash(docker:*)",
      "over-broad Bash(ssh:*)",
      "over-broad Bash(find:*)",
    ],
  },
};
