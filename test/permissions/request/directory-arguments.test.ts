import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPermissionChecker, type PermissionRules } from "../../../src/permissions/index.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { bash } from "../kit.js";

const DENIED: PermissionRules = { allow: ["Bash"], deny: ["Read(.env)", "Read(./secrets/**)"] };
const WHOLE = [
  "docker build .",
  "docker build -t app -f Dockerfile ./",
  "docker compose up --build",
  "git add -A",
  "git add .",
  "git stash -u",
  "npm pack",
  "yarn pack",
  "someprogram .",
  "someprogram --dir=.",
  "someprogram src/..",
  "rclone copy . there:",
];

async function decide(line: string, files: Readonly<Record<string, string>>, rules: PermissionRules = DENIED) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-taken-")));
  for (const name of ["src", "secrets"]) mkdirSync(join(root, name));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const workspace = await createWorkspace({ root });
  try {
    return (await createPermissionChecker({ workspace, rules }).decide(bash(line))).behavior;
  } finally {
    await workspace.close();
    rmSync(root, { recursive: true, force: true });
  }
}

test.each(WHOLE)("%s asks while a denied file lies below", async (line) => {
  expect(await decide(line, { ".env": "A=b" })).toBe("ask");
});

test.each(WHOLE)("%s runs where no denied file is", async (line) => {
  expect(await decide(line, { "src/a.ts": "" }, { allow: ["Bash"], deny: ["Read(.env)"] })).toBe("allow");
});

test.each(WHOLE)("%s runs where nothing is denied", async (line) => {
  expect(await decide(line, { ".env": "A=b" }, { allow: ["Bash"] })).toBe("allow");
});

test.each(["tsc -p .", "eslint .", "npx prettier --check .", "make", "pytest ."])(
  "%s reads as the project says, which no rule can know",
  async (line) => {
    expect(await decide(line, { ".env": "A=b" })).toBe("allow");
  },
);

test.each(["docker build src", "eslint src", "git add src", "someprogram src", "someprogram docs"])(
  "%s runs while the denied file lies elsewhere",
  async (line) => {
    expect(await decide(line, { ".env": "A=b", "src/a.ts": "" })).toBe("allow");
  },
);

test.each([
  ["git add -A", "allow"],
  ["git add .", "allow"],
  ["git stash -u", "allow"],
  ["git add -f .", "ask"],
  ["git stash --all", "ask"],
])("where git ignores the denied file, %s: %s", async (line, behavior) => {
  expect(await decide(line, { ".env": "A=b", ".gitignore": ".env\n" }, { allow: ["Bash"], deny: ["Read(.env)"] })).toBe(
    behavior,
  );
});

test("a rule that spells out the line is the user's word", async () => {
  expect(await decide("docker build .", { ".env": "A=b" }, { ...DENIED, allow: ["Bash(docker build .)"] })).toBe(
    "allow",
  );
});

test.each(["npx prettier --write src", "npx eslint --fix src", "black src", "gofmt -w src", "yapf -i ."])(
  "%s does not run while a rule denies changes below",
  async (line) => {
    const rules = (deny: string): PermissionRules => ({ allow: ["Bash"], deny: [deny] });
    expect(["ask", "deny"]).toContain(await decide(line, {}, rules("Edit(src/gen/**)")));
    expect(await decide(line, {}, rules("Edit(../lib/**)"))).toBe("allow");
  },
);
