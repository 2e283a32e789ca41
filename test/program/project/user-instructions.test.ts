// The user's own instructions count in every project, with what they import from beside them.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { userInstructions } from "../../../src/program/project/user-instructions.js";
import { createWorkspace } from "../../../src/workspace/index.js";
import { directoryWith } from "../kit.js";

async function load(home: string, deny: readonly string[] = []): Promise<string> {
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = await createWorkspace({ root: directoryWith() });
  onTestFinished(() => workspace.close());
  const checker = createPermissionChecker({ workspace, sources: [{ source: "user", deny }] });
  const about = { sessionId: "s", transcriptId: "s", agentPath: [], app: undefined, messages: () => [] };
  const section = await userInstructions(() => checker, home).load({ ...about, signal: new AbortController().signal });
  return section?.text ?? "";
}

const HOME = {
  ".claude/CLAUDE.md": "Mine. @other.md @~/.claude/more/deep.md @~/notes.md @~/.claude/gone.md @.credentials.json",
  ".claude/other.md": "Beside.",
  ".claude/more/deep.md": "Deeper.",
  ".claude/.credentials.json": "s3cret",
  ".claude/plugins/x/CLAUDE.md": "Of a plugin.",
  "notes.md": "Elsewhere.",
};

test("the user's file brings what it imports from its directory, and says what was not read", async () => {
  const said = await load(directoryWith(HOME));

  expect(said).toMatch(/^# Instructions of the user, for every project\n/);
  for (const text of ["Mine.", "Beside.", "Deeper."]) expect(said).toContain(text);
  for (const text of ["Elsewhere.", "s3cret", "plugins/x"]) expect(said).not.toContain(text);
  expect(said).toContain('"~/notes.md", imported by "CLAUDE.md", is outside');
  expect(said).toContain('"gone.md", imported by "CLAUDE.md", does not exist.');
  expect(said).toContain('".credentials.json" was not read: ');
});

test("a deny rule keeps what the user's file imports out, and not the file", async () => {
  const said = await load(directoryWith(HOME), ["Read(~/.claude/more/**)", "Read"]);

  expect(said).toContain("Mine.");
  expect(said).not.toContain("Deeper.");
  expect(said).toContain('"more/deep.md" is left out: the permission rules keep it from being read.');
});

test("a link to the user's file brings what lies beside its target; an empty file is passed over", async () => {
  const dotfiles = directoryWith({ "CLAUDE.md": "Linked. @style.md", "style.md": "Style." });
  const home = directoryWith({ ".loopwright/AGENTS.md": "\n" });
  mkdirSync(join(home, ".claude"));
  symlinkSync(join(dotfiles, "CLAUDE.md"), join(home, ".claude/CLAUDE.md"));

  const said = await load(home);

  expect(said).toContain("Linked.");
  expect(said).toContain("Style.");
  expect(await load(directoryWith())).toBe("");
});
