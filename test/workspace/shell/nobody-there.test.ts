// Nobody sits at a command: it never waits for an editor, a pager or a password.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeToolContext } from "loopwright/testing";
import { createBashTool } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { expect, onTestFinished, test } from "vitest";

async function shell(env: Readonly<Record<string, string>> = {}) {
  const root = await mkdtemp(join(tmpdir(), "nobody-"));
  const workspace = await createWorkspace({ root, env });
  onTestFinished(async () => {
    await workspace.close();
    await rm(root, { recursive: true, force: true });
  });
  const bash = createBashTool(workspace);
  return async (command: string) => {
    const answer = await bash.execute({ command, timeout_ms: 20_000 }, fakeToolContext());
    return String((answer as { readonly output: string }).output);
  };
}

const REPOSITORY = `git init -q . && git config user.name a && git config user.email a@b && touch a && git add a &&
  git commit -q -m one && git commit -q --allow-empty -m two`;

test.each([
  ["git commit without a message", "git commit --allow-empty", /empty commit message/],
  ["git rebase -i", "git rebase -i HEAD~1", /There is no editor here/],
  ["git log", "git -c core.pager=less log --oneline", /two\n.*one/],
  ["git log with a pager forced", "git -p log --oneline", /two\n.*one/],
  ["an editor of the environment", '"$EDITOR" a; echo "ended with $?"', /ended with 1/],
  ["a pager of the environment", "echo page | $PAGER", /page/],
  [
    "a password for git",
    "printf 'protocol=https\\nhost=localhost\\n\\n' | git credential fill",
    /could not read|prompts disabled/,
  ],
  ["standard input", "cat; read -r line; echo end", /end/],
])("%s ends at once with a message that can be read", async (_what, command, said) => {
  const run = await shell();
  await run(REPOSITORY);

  const output = await run(command);

  expect(output).toMatch(said);
  expect(output).not.toMatch(/timed out/i);
});

test("git takes the message it was given, without an editor", async () => {
  const run = await shell();
  await run(REPOSITORY);
  expect(await run("git commit --amend --allow-empty && git log --oneline")).toMatch(/two/);
});

test("variables of the host win", async () => {
  const run = await shell({ PAGER: "tr a-z A-Z", GIT_EDITOR: "sh -c 'echo mine > $0'" });
  expect(await run("echo page | $PAGER")).toContain("PAGE");
  await run(REPOSITORY);
  await run("git commit --allow-empty");
  expect(await run("git log -1 --format=%s")).toContain("mine");
});
