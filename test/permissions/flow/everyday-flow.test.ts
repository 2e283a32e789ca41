// What `flow` costs a person: everyday lines under their project's rules, after nothing, after the workspace, and after a page.
import { expect, test } from "vitest";
import type { Containment, Label } from "../../../src/index.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { EVERYDAY, EVERYDAY_RULES, READING } from "../corpus/texts.js";
import { everydayFiles, type Files } from "../files-kit.js";
import { bash } from "../kit.js";

const TRUSTED: Label = { integrity: "trusted", audience: "anyone", sources: [{ kind: "workspace", name: "." }] };
const PAGE: Label = {
  integrity: "untrusted",
  audience: "anyone",
  sources: [{ kind: "web", name: "x.example", untrusted: true }],
};

/** The lines that ask after content with a label has been read. */
async function asking(files: Files, lines: readonly string[], context: Label, isHeld = false): Promise<string[]> {
  const held: Containment = {
    machine: "sandbox",
    by: "host",
    network: "none",
    kept: [files.root],
    acceptChanges: true,
    secrets: "unknown",
    isHere: true,
  };
  const workspace = { ...files.workspace, ...(isHeld && { contained: async () => held }) };
  const checker = createPermissionChecker({ workspace, rules: EVERYDAY_RULES, flow: {} });
  const asked: string[] = [];
  for (const line of lines) {
    const origin = (target: object) => ({ ...target, known: "unknown" });
    const { behavior } = await checker.decide({ ...bash(line), context, origin } as never);
    if (behavior !== "allow") asked.push(line);
  }
  return asked;
}

test("after the workspace everyday lines ask as little as without flow; after a page those that run code, connect or delete do", async () => {
  const files = await everydayFiles();
  try {
    const checker = createPermissionChecker({ workspace: files.workspace, flow: {} });
    const { label } = await checker.decide(bash("cat README.md src/a.ts && git log -3"));
    expect(label).toMatchObject({ integrity: "trusted" });

    expect(await asking(files, EVERYDAY, TRUSTED)).toEqual([]);
    const more = await asking(files, EVERYDAY, PAGE);
    // 15 would be needed to have it on by default: a name such as `npm test` is no promise of what runs, and no list of names is either.
    expect(more.length, more.join("\n")).toBeLessThanOrEqual(61);
    const held = await asking(files, EVERYDAY, PAGE, true);
    expect(held.length, held.join("\n")).toBeLessThanOrEqual(3);
    const before = await asking(files, READING, TRUSTED);
    expect((await asking(files, READING, PAGE)).length).toBe(before.length);
  } finally {
    await files.close();
  }
});
