// Commands and users write files between the changes of file tools: a rewind gives back what is known, and says what is not.
import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentIn, SESSION, treeOf } from "../checkpoint-kit.js";

/** Times of files come from a clock of coarse steps, so moments lie well before or after what is done. */
const justNow = () => Date.now() - 10_000;

function writtenBefore(path: string): void {
  const seconds = Date.now() / 1_000 - 60;
  utimesSync(path, seconds, seconds);
}

const report = (root: string, { files, notKept, wouldRefuse }: Awaited<ReturnType<Rewind>>) => ({
  files: files.map(({ action, path, why }) => `${action} ${path.slice(root.length + 1)}${why ? `: ${why}` : ""}`),
  notKept: notKept.map(({ change, path }) => `${change} ${path.slice(root.length + 1)}`),
  wouldRefuse,
});
type Rewind = Awaited<ReturnType<typeof agentIn>>["rewinder"]["rewindFiles"];

test("what a command wrote over an earlier edit is a conflict, and overwrite gives back what the edit left", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  for (const path of ["a", "b", "same"]) {
    writeFileSync(join(root, path), "one\ntwo\n");
    await call("edit", { path, old_text: "one", new_text: "ONE" });
  }
  const before = treeOf(root);
  const prompt = await mark(justNow());
  await call("bash", { command: "echo overwritten > a; rm b; touch same" });
  const after = treeOf(root);

  const dry = await rewinder.rewindFiles(SESSION, prompt, { dryRun: true });
  await expect(rewinder.rewindFiles(SESSION, prompt)).rejects.toMatchObject({ code: "REWIND_REFUSED" });
  await rewinder.rewindFiles(SESSION, prompt, { onConflict: "skip" });
  expect(treeOf(root)).toEqual(after);
  const { files } = await rewinder.rewindFiles(SESSION, prompt, { onConflict: "overwrite" });
  const rewound = treeOf(root);
  await rewinder.undoRewind(SESSION);

  expect(report(root, dry)).toEqual({
    files: [
      "keep a: it was changed by a command or by others since the session changed it",
      "keep b: it was removed by a command or by others since the session changed it",
    ],
    notKept: [],
    wouldRefuse: true,
  });
  expect(files.map(({ action }) => action)).toEqual(["write", "write"]);
  expect(rewound).toEqual(before);
  expect(treeOf(root)).toEqual(after);
});

test("what a command wrote between two edits, after the moment, is a conflict, and overwrite gives back the first edit", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  for (const path of ["a", "b"]) {
    writeFileSync(join(root, path), "one\ntwo\n");
    await call("edit", { path, old_text: "one", new_text: "ONE" });
  }
  const before = treeOf(root);
  const prompt = await mark(justNow());
  await call("bash", { command: "echo by a command > a; rm b" });
  await call("edit", { path: "a", old_text: "command", new_text: "agent" });
  await call("write", { path: "b", content: "anew" });

  const dry = await rewinder.rewindFiles(SESSION, prompt, { dryRun: true });
  await rewinder.rewindFiles(SESSION, prompt, { onConflict: "overwrite" });

  expect(report(root, dry)).toMatchObject({
    files: [expect.stringMatching(/^keep a: .*between changes/), expect.stringMatching(/^keep b: .*between changes/)],
    wouldRefuse: true,
  });
  expect(treeOf(root)).toEqual(before);
});

test("a file that a command wrote before the agent edited it goes back to the command's text and is listed as not kept", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  for (const path of ["read", "unread"]) {
    writeFileSync(join(root, path), "one\n");
    writtenBefore(join(root, path));
  }
  const prompt = await mark(justNow());
  await call("read", { path: "read" });
  await call("bash", { command: "echo by a command | tee read unread > made" });
  for (const path of ["read", "unread", "made"]) await call("edit", { path, old_text: "command", new_text: "agent" });
  await call("write", { path: "own", content: "new" });

  const rewound = report(root, await rewinder.rewindFiles(SESSION, prompt));

  expect(rewound.notKept).toEqual(["change read", "change unread", "change made"]);
  expect(rewound.files).toEqual(["write made", "remove own", "write read", "write unread"]);
  expect(treeOf(root)).toEqual(Object.fromEntries(["made", "read", "unread"].map((n) => [n, "644 by a command\n"])));
});

test("what others did before the moment is as it was then: no conflict, and nothing to tell", async () => {
  const { root, rewinder, call, mark } = await agentIn();
  for (const path of ["changed", "edited", "removed"]) await call("write", { path, content: "agent" });
  for (const path of ["changed", "edited"]) {
    writeFileSync(join(root, path), "mine");
    writtenBefore(join(root, path));
  }
  rmSync(join(root, "removed"));
  writtenBefore(root);
  const before = treeOf(root);
  const prompt = await mark(justNow());

  const dry = report(root, await rewinder.rewindFiles(SESSION, prompt, { dryRun: true }));
  await call("read", { path: "edited" });
  await call("edit", { path: "edited", old_text: "mine", new_text: "ours" });
  writtenBefore(root);
  const rewound = report(root, await rewinder.rewindFiles(SESSION, prompt));

  expect(dry).toEqual({ files: [], notKept: [], wouldRefuse: false });
  expect(rewound).toEqual({ files: ["write edited"], notKept: [], wouldRefuse: false });
  expect(treeOf(root)).toEqual(before);
});

test("what a change left is not known when its call was not answered: a later change by others is listed as not kept", async () => {
  const { root, checkpoints, rewinder, mark } = await agentIn();
  const path = join(root, "a");
  const change = { sessionId: SESSION, turn: 1, path, before: Buffer.from("1"), mode: 0o644 };
  await checkpoints.before({ ...change, after: Buffer.from("2") });
  const prompt = await mark(Date.now() + 1_000);
  writeFileSync(path, "1");
  utimesSync(path, Date.now() / 1_000 + 60, Date.now() / 1_000 + 60);

  const rewound = report(root, await rewinder.rewindFiles(SESSION, prompt));

  expect(rewound).toEqual({ files: [], notKept: ["change a"], wouldRefuse: false });
  expect(readFileSync(path, "utf8")).toBe("1");
});
