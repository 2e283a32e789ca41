import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Screen } from "../screen/screen.js";

/**
 * Lets the person write the prompt in their own editor, which has the terminal until it ends: the one of `VISUAL`, else of
 * `EDITOR`, else `vi`. What they have saved takes the place of what was typed.
 *
 * @throws Error when the editor cannot be started or ends with an error; what was typed stays
 */
export async function editOutside(screen: Screen, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const command = env.VISUAL || env.EDITOR || "vi";
  const directory = await mkdtemp(join(tmpdir(), "loopwright-prompt-"));
  const file = join(directory, "prompt.md");
  try {
    await writeFile(file, screen.editor.getExpandedText(), { mode: 0o600 });
    const exitCode = await screen.lend(() => runEditor(command, file));
    if (exitCode !== 0)
      throw new Error(`The editor "${command}" ended with ${exitCode}. Set VISUAL or EDITOR to one that works here.`);
    screen.editor.setText((await readFile(file, "utf8")).trimEnd());
    screen.draw();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The setting may have arguments, as in `code --wait`. */
function runEditor(command: string, file: string): Promise<number | string> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", `exec ${command} "$1"`, "sh", file], { stdio: "inherit" });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(code ?? signal ?? 1));
  });
}
