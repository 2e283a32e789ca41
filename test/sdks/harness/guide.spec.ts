// The program of the guide, with the real `HarnessAgent`: it prints what the guide says.
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { blocksOf, readPage } from "../../docs/pages.js";
import { moduleOf } from "./guide-code.js";
import { newDirectory } from "./hosts.js";

test("the program of the guide prints what the guide shows", async () => {
  const directory = newDirectory();
  const blocks = blocksOf(readPage("docs/guides/your-agent-behind-the-ai-sdk.md"));
  const at = blocks.findIndex(({ language }) => language === "js");
  const program = blocks[at]!.code.replace('dir: "sessions"', `dir: ${JSON.stringify(join(directory, "sessions"))}`);
  const sandbox = `import { localSandbox } from "./local-sandbox.js";\nconst sandbox = localSandbox(${JSON.stringify(directory)});\n`;
  const file = await moduleOf(sandbox + program);
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  onTestFinished(() => log.mockRestore());

  await import(file);

  expect(lines.join("\n")).toBe(blocks[at + 1]!.code);
});
