import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory with these files, gone after the test. */
export function directoryWith(files: Readonly<Record<string, string>>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "skills-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

/** A SKILL.md with these frontmatter lines. */
export function skillText(front: string, body = "# Steps\n\nDo it well."): string {
  return `---\n${front}\n---\n\n${body}\n`;
}
