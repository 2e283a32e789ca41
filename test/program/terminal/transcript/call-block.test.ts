import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { CallBlock } from "../../../../src/program/terminal/transcript/call-block.js";
import { OutputProgress } from "../../../../src/tools/shell/output-progress.js";

/** What is seen below a running command that writes these pieces, each an update of its own. */
function seen(...pieces: readonly string[]): readonly string[] {
  const block = new CallBlock(createTheme({ NO_COLOR: "1" }), { name: "bash", arguments: {} });
  const progress = new OutputProgress(({ output }) => block.report({ text: output, isMore: true }));
  for (const piece of pieces) {
    progress.write(Buffer.from(piece));
    progress.end();
  }
  return block.render(60).slice(1);
}

test("a line that a program writes again takes the place of what it was, wherever its output is parted", () => {
  expect(seen("Start\n", "\r10%", "\r20%", "\r30%")).toEqual(["    Start", "    30%"]);
  expect(seen("Start\n10%\r", "20%\r", "30%\r")).toEqual(["    Start", "    30%"]);
  expect(seen("a", "b\r\nc", "\r\nd")).toEqual(["    ab", "    c", "    d"]);
});
