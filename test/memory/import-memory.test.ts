import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryFactStore, importMemory } from "../../src/memory/index.js";

function directoryWith(files: Readonly<Record<string, string>>): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "memory-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

const NOTES = {
  "MEMORY.md": "# Memory\n\n- [Tests](tests.md)\n- The user prefers short answers.\n",
  "tests.md":
    "---\nname: tests\ntype: project\n---\n\nTests run with\n`npm test`.\n\n1. Start the database first.\n2. It is on port 5433.\n",
};

test("each item and each paragraph is a fact with its file as the source, and twice adds nothing", async () => {
  const directory = directoryWith(NOTES);
  const store = createMemoryFactStore();

  expect(await importMemory(store, directory)).toEqual({ added: 4, known: 0, problems: [] });
  expect(await importMemory(store, directory)).toEqual({ added: 0, known: 4, problems: [] });

  const facts = [...(await store.list({ tags: ["imported"] }))].map(({ text, source, tags }) => ({
    text,
    source,
    tags,
  }));
  expect(facts).toHaveLength(4);
  expect(facts).toContainEqual({
    text: "Tests run with `npm test`.",
    source: { kind: "model", reference: join(directory, "tests.md") },
    tags: ["imported", "tests"],
  });
  expect(facts.map(({ text }) => text)).toContain("The user prefers short answers.");
});

test("what cannot be read is named, and nothing outside the directory is", async () => {
  const directory = directoryWith({ ...NOTES, "giant.md": "x".repeat(300 * 1024), "long.md": "y".repeat(5_000) });
  symlinkSync("/etc/passwd", join(directory, "evil.md"));
  const store = createMemoryFactStore();

  const { added, problems } = await importMemory(store, directory);

  expect(added).toBe(5);
  expect(problems.map(({ file, message }) => [file.slice(directory.length + 1), message])).toEqual([
    ["evil.md", "it is a link that leads out of its directory, so it was not read"],
    ["giant.md", "it has 307200 bytes; at most 262144 are read"],
  ]);
  expect((await store.list()).every(({ text }) => text.length <= 2_000)).toBe(true);
});

test("a directory that is not there holds nothing", async () => {
  expect(await importMemory(createMemoryFactStore(), join(directoryWith({}), "missing"))).toEqual({
    added: 0,
    known: 0,
    problems: [],
  });
});
