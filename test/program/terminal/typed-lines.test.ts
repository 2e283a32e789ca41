// What a person may type beside prompts, and what keys unfold, in a real pseudo-terminal.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checked } from "../../sessions/atif-schema.js";
import { KEYS } from "./terminal-window.js";
import { makeProject, useWindows } from "./windows.js";

const start = useWindows();

test("reasoning is one line once it is over, and all of it is unfolded with everything the tools said", async () => {
  const { window } = await start("thinking");

  window.type(`look${KEYS.enter}`);
  await window.sees("It has a minus.");
  await window.seesNoMore("esc to interrupt");
  expect(window.text).toContain(
    "  ∴ Thought · 4 lines\n\n  ● Read sum.js · 2 lines\n\n  ∴ Thought · 1 line\n\n  It has",
  );
  window.type(KEYS.altO);
  await window.sees("Done with thinking.");

  expect(window.text).toContain("First.\n  The **sum** has a minus.\n  It should be a plus.\n  I read it.");
  expect(window.text).toMatch(/Read sum\.js · 2 lines\n.*1.*export const add = /);
});

test("reasoning is shown whole or not at all on request, by a key and by a command", async () => {
  const { window } = await start("thinking");

  window.type(KEYS.ctrlT);
  await window.sees("reasoning: whole");
  window.type(`look${KEYS.enter}`);
  await window.sees("It has a minus.");
  await window.seesNoMore("esc to interrupt");
  expect(window.text).toContain("  ∴ Thought\n    First.\n    The **sum** has a minus.\n");
  window.type(`/thinking hidden${KEYS.enter}`);
  await window.sees("Reasoning: hidden");
  window.type(`again${KEYS.enter}`);
  await window.sees(/❯ again[\s\S]*It has a minus\./);
  await window.seesNoMore("esc to interrupt");

  expect(window.text.split("❯ again")[1]).not.toContain("∴");
  window.type(`/thinking loud${KEYS.enter}`);
  await window.sees('There is no level "loud". Choose one of hidden, short, whole.');
});

test("the end of a command's output is seen while it runs, and a key unfolds all of it", async () => {
  const { window } = await start("lines");

  window.type(`go${KEYS.enter}`);
  await window.sees("Run this command?");
  window.type("1");
  await window.sees("running\n    line 6\n    line 7\n    line 8\n");
  await window.sees("Eight lines.");
  await window.seesNoMore("esc to interrupt");
  expect(window.text).not.toContain("line 2");
  window.type(KEYS.ctrlO);

  await window.sees(/line 1\n {2}line 2\n {2}line 3\n {2}line 4\n[\s\S]*line 8\n {2}-1/);
});

test("code has the colours of its language and no fences; with NO_COLOR it is plain", async () => {
  const colored = await start("markdown");
  const plain = await start("markdown", makeProject(), { env: { NO_COLOR: "1" } });

  for (const { window } of [colored, plain]) {
    window.type(`show${KEYS.enter}`);
    await window.sees(/emoji[\s\S]*scripted · \d% context$/u);
    expect(window.text).toContain(
      "see:\n\n    export const add = (a: number, b: number) => a + b;\n\n  ┌──────┬──────┐\n",
    );
    expect(window.text).not.toContain("```");
  }

  await colored.window.wrote("\x1b[35mexport\x1b[39m \x1b[35mconst\x1b[39m");
  expect(plain.window.raw).not.toContain("\x1b[35m");
});

test("what is typed just as a question comes up answers nothing and is in the line afterwards", async () => {
  const { window } = await start("edits");

  window.type(`run it${KEYS.enter}`);
  await window.sees("Run this command?");
  window.type("use port 1");
  await window.sees("for your line: use port 1");
  expect(window.text).toContain("Run this command?");
  window.type(KEYS.escape);

  await window.sees(/Interrupted\.[\s\S]*─\n use port 1\s/);
});

test("a command of one's own runs unasked, deny rules hold, and the model reads it as the user's", async () => {
  const { window, project } = await start("own");

  window.type(`!echo made-by-hand > own.txt; cat own.txt${KEYS.enter}`);
  await window.sees(/● bash echo made-by-hand > own\.txt; cat own\.txt · ok.*\n {4}made-by-hand/);
  // One that only looks is seen, too: its user wants to know.
  window.type(`!cat own.txt${KEYS.enter}`);
  await window.sees(/● bash cat own\.txt · ok.*\n {4}made-by-hand/);
  window.type(`!git push origin main${KEYS.enter}`);
  await window.sees("● bash git push origin main · not allowed");
  window.type(`what do you see?${KEYS.enter}`);
  await window.sees("Your command: yes. Its output: yes.");

  expect(readFileSync(join(project, "own.txt"), "utf8")).toBe("made-by-hand\n");
});

test("a command of one's own that is sent while the agent works runs once it is done", async () => {
  const { window, project } = await start("slower");

  window.type(`go${KEYS.enter}`);
  await window.sees("running");
  window.type(`!echo by-hand > own.txt${KEYS.enter}`);
  await window.sees("! echo by-hand > own.txt: runs once the agent is done");
  await window.sees(/Nothing new\.\n\n {2}● bash echo by-hand > own\.txt · ok/);

  expect(readFileSync(join(project, "own.txt"), "utf8")).toBe("by-hand\n");
});

test("a command of one's own comes back into the line when the agent is interrupted before", async () => {
  const { window, project } = await start("long");

  window.type(`go${KEYS.enter}`);
  await window.sees("line 1");
  window.type(`!echo by-hand > own.txt${KEYS.enter}`);
  await window.sees("runs once the agent is done");
  window.type(KEYS.escape);
  await window.sees(/Interrupted\.[\s\S]*─\n !echo by-hand > own\.txt\s/);

  expect(existsSync(join(project, "own.txt"))).toBe(false);
});

test("escape ends a command of one's own", async () => {
  const { window } = await start("own");

  window.type(`!echo begun; sleep 60${KEYS.enter}`);
  await window.sees("begun");
  window.type(KEYS.escape);

  await window.sees("sleep 60 · interrupted");
});

test("a line that begins with # is remembered", async () => {
  const { window } = await start("own");

  window.type(`# Tests run with npm test${KEYS.enter}`);
  await window.sees("Kept: Tests run with npm test");
  window.type(`/memory${KEYS.enter}`);

  await window.sees("1. Tests run with npm test");
});

test("earlier prompts are searched, and escape twice goes back to one", async () => {
  const { window } = await start("own");
  for (const prompt of ["one about parsers", "two about docs"]) {
    window.type(prompt + KEYS.enter);
    await window.sees(new RegExp(`❯ ${prompt}\\n\\n.*Your command`));
    await window.seesNoMore("esc to interrupt");
  }

  window.type(KEYS.ctrlR);
  await window.sees("❯ 1. two about docs");
  window.type("pars");
  await window.sees("❯ one about parsers\n\n");
  window.type(KEYS.enter);
  await window.sees(/─\n one about parsers/);
  window.type(KEYS.ctrlC);
  await window.seesNoMore(/─\n one about parsers/);
  window.type(KEYS.escape);
  await window.sees("press esc again to go back to an earlier prompt");
  window.type(KEYS.escape);

  await window.sees("Go back to before which prompt?");
});

test("a prompt is written in one's own editor; one that fails loses nothing", async () => {
  const dir = makeProject();
  const editor = join(dir, "my editor");
  writeFileSync(editor, '#!/bin/sh\nprintf ", seen by %s" "$1" >> "$2"\n');
  chmodSync(editor, 0o755);
  const { window } = await start("own", dir, { env: { VISUAL: `'${editor}' --wait` } });
  window.type("draft");
  await window.sees(/─\n draft/);
  window.type(KEYS.ctrlG);
  await window.sees(/─\n draft, seen by --wait/);

  const broken = await start("own", makeProject(), { env: { VISUAL: "no-such-editor" } });
  broken.window.type("kept");
  await broken.window.sees(/─\n kept/);
  broken.window.type(KEYS.ctrlG);
  await broken.window.sees('The editor "no-such-editor" ended with 127.');

  expect(broken.window.text).toMatch(/─\n kept/);
});

test("an editor that hangs is ended by ctrl+c and loses nothing, and an emptied prompt comes back", async () => {
  const dir = makeProject();
  const editors = { hangs: "echo it hangs; exec sleep 1000", empties: ': > "$1"', removes: 'rm "$1"' };
  for (const [name, script] of Object.entries(editors))
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const write = async (name: string, text: string) => {
    const { window } = await start("own", dir, { columns: 200, env: { VISUAL: `'${dir}/${name}'` } });
    window.type(text);
    await window.sees(`\n ${text}`);
    window.type(KEYS.ctrlG);
    return window;
  };

  const hanging = await write("hangs", "kept");
  await hanging.sees("it hangs");
  hanging.type(KEYS.ctrlC);
  await hanging.sees(/The editor ".*hangs'" ended with SIGINT/);
  expect(hanging.text).toMatch(/─\n kept/);
  expect(hanging.text).not.toContain("press ctrl+c again");

  const emptied = await write("empties", "was here");
  await emptied.seesNoMore("was here");
  emptied.type("\x1f");
  await emptied.sees(/─\n was here/);

  const removed = await write("removes", "still here");
  await removed.sees("ENOENT");
  expect(removed.text).toMatch(/─\n still here/);
});

test("pasted marks are seen before they are sent as they are, and a session as Markdown shows them", async () => {
  const { window, dir, project } = await start("own", undefined, { columns: 120 });
  window.paste("a\u202eb \u009b31m c");
  await window.sees(String.raw` a\u202eb \x9b31m c`);
  window.type(KEYS.enter);
  await window.sees("Your command: no.");
  await window.seesNoMore("esc to interrupt");
  for (const name of ["session.md", "session.json"]) {
    window.type(`/export ${name}${KEYS.enter}`);
    await window.sees(`Written: ${project}/${name}`);
  }

  const sessions = join(dir, "state", "sessions");
  const [session] = readdirSync(sessions).filter((name) => name.endsWith(".jsonl"));
  expect(readFileSync(join(sessions, session!), "utf8")).toContain("a\u202eb \u009b31m c");
  expect(readFileSync(join(project, "session.json"), "utf8")).toContain("a\u202eb \u009b31m c");
  expect(readFileSync(join(project, "session.md"), "utf8")).toContain(String.raw`a\u202eb \x9b31m c`);
});

test("a picture whose path is dropped into the window goes with the prompt", async () => {
  const dir = makeProject({ "shot 1.png": "not really a picture", "b.txt": "x" });
  const { window, project } = await start("own", dir, { columns: 160 });

  window.paste(`'${project}/shot 1.png'`);
  window.type(` what is this? Not ${project}/b.txt or ${project}/none.png${KEYS.enter}`);
  await window.sees("[file shot 1.png: image/png, 21 bytes]");
  await window.sees("Your command: no.");

  const [session] = readdirSync(join(dir, "state", "sessions")).filter((name) => name.endsWith(".jsonl"));
  const stored = readFileSync(join(dir, "state", "sessions", session!), "utf8");
  expect(stored.split('"type":"image"')).toHaveLength(2);
  expect(stored).toContain(Buffer.from("not really a picture").toString("base64"));
});

test("the picture of the clipboard goes with the prompt, and what is no picture does not", async () => {
  const dir = makeProject();
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("pixels!")]);
  const programs = {
    "wl-paste": "exit 1",
    xclip: "echo text",
    osascript: `printf '«data PNGf${png.toString("hex").toUpperCase()}»\\n'`,
  };
  const withClipboard = async (count: number) => {
    const bin = join(dir, `bin${count}`);
    mkdirSync(bin);
    for (const [name, script] of Object.entries(programs).slice(0, count))
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return (await start("own", dir, { columns: 160, env: { PATH: `${bin}:${process.env.PATH}` } })).window;
  };
  const without = await withClipboard(2);
  without.type("\x16");
  await without.sees("there is no picture in the clipboard");

  const window = await withClipboard(3);
  window.type("what is this? ");
  window.type("\x16");
  await window.sees(/what is this\? \/.*clipboard\.png/);
  window.type(KEYS.enter);
  await window.sees("[file clipboard.png: image/png, 15 bytes]");
  const [, path] = /(\/\S*clipboard\.png)/.exec(window.text)!;
  expect(existsSync(path!)).toBe(true);
  window.type(KEYS.ctrlD);
  await window.exited();

  expect(existsSync(path!)).toBe(false);
});

test("commands of files are completed, listed and sent with what was typed behind them", async () => {
  const dir = makeProject({
    ".claude/commands/check/fast.md":
      "---\ndescription: Checks one thing\nargument-hint: <what>\nallowed-tools: bash(node sum.js)\n---\nCheck $1 of $ARGUMENTS.\n",
    ".claude/commands/Bad name.md": "x",
  });
  const { window } = await start("edits", dir);
  expect(window.text).toContain('"bad name" cannot be typed as the name of a command');

  window.type("/check");
  await window.sees("Checks one thing");
  window.type(`:fast "the sum" now${KEYS.enter}`);
  await window.sees('❯ Check the sum of "the sum" now.');
  // `node sum.js` is allowed by the command's file, and nothing beyond it.
  await window.sees("allow in this session: bash(node sum.js --again)");
  window.type("1");
  await window.sees("Printed");
  await window.seesNoMore("esc to interrupt");
  window.type(`without the command${KEYS.enter}`);

  await window.sees("allow in this session: bash(node sum.js)\n");
});

test("an answer is copied, and a session written to files that are not there yet", async () => {
  const { window, project } = await start("thinking");
  window.type(`look${KEYS.enter}`);
  await window.sees("It has a minus.");
  await window.seesNoMore("esc to interrupt");

  window.type(`/copy${KEYS.enter}`);
  await window.wrote(`\x1b]52;c;${Buffer.from("It has a minus.").toString("base64")}\x07`);
  for (const name of ["a.md", "a.json", "a.html", "a.atif.json"]) {
    window.type(`/export ${name}${KEYS.enter}`);
    await window.sees(`Written: ${project}/${name}`);
  }
  window.type(`/export a.md${KEYS.enter}`);
  await window.sees(/a\.md" exists already/);

  const markdown = readFileSync(join(project, "a.md"), "utf8");
  expect(markdown).toContain("## Prompt\n\nlook\n\n**read_file**");
  expect(markdown).toMatch(/```\n.*export const add[\s\S]*```\n\nIt has a minus\.\n$/);
  expect(JSON.parse(readFileSync(join(project, "a.json"), "utf8"))).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: "run-start" })]),
  );
  expect(readFileSync(join(project, "a.html"), "utf8")).toContain("<!doctype html>");
  expect(checked(readFileSync(join(project, "a.atif.json"), "utf8")).steps[0]!.message).toBe("look");
  expect(existsSync(join(project, "a.txt"))).toBe(false);
});

test("the footer names the branch where there is room", async () => {
  const dir = makeProject({ ".git/HEAD": "ref: refs/heads/feature/sums\n" });
  const { window } = await start("own", dir);

  await window.sees("feature/sums · scripted");
});

test("a prompt that the agent has not read is taken back, changed and sent again", async () => {
  const { window } = await start("slower");

  window.type(`go${KEYS.enter}`);
  await window.sees("○ bash sleep 2; echo done · running");
  window.type(`in Dutch${KEYS.enter}`);
  await window.sees("❯ in Dutch  read at the next step · ↑ to edit");
  window.type(KEYS.up);
  await window.sees(/─\n in Dutch/);
  await window.seesNoMore("↑ to edit");
  window.type(`, no: in French${KEYS.enter}`);
  await window.sees("French it is.");

  expect(window.text).toMatch(/· ok.*\n\n❯ in Dutch, no: in French\n\n {2}French it is\./);
  expect(window.text).not.toContain("❯ in Dutch\n");
});

test("a session with a budget ends its run there, keeps the next prompt where it was typed, and goes on with a higher one", async () => {
  const { window } = await start("thinking");

  window.type(`/budget a lot${KEYS.enter}`);
  await window.sees("such as 200k or 1.5m");
  window.type(`/budget 0.001k${KEYS.enter}`);
  await window.sees("0 of 1 tokens used");
  window.type(`look${KEYS.enter}`);
  await window.sees("used up");
  await window.seesNoMore("esc to interrupt");
  window.type(`and now${KEYS.enter}`);
  await window.sees(/budget of this session is used up: \d+ of 1 tokens\. Raise it with \/budget[\s\S]*and now/);
  window.type(`${KEYS.ctrlU}/budget 1m${KEYS.enter}`);
  await window.sees("of 1.0M tokens used");
  window.type(`again${KEYS.enter}`);

  await window.sees("It has a minus.");
});
