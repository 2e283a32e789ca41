import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Prompts offered by the arrow keys. */
const OFFERED = 100;
const MAX_CHARS = 20_000;

/** The prompts of earlier sessions, newest last. Nothing here is worth an error: without the file there is no history. */
export async function readPromptHistory(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.slice(-OFFERED).flatMap((line) => {
    try {
      const prompt: unknown = JSON.parse(line);
      return typeof prompt === "string" ? [prompt] : [];
    } catch {
      return [];
    }
  });
}

/** Keeps a prompt, readable for its owner alone. */
export async function keepPrompt(file: string | undefined, prompt: string): Promise<void> {
  if (file === undefined || prompt.length > MAX_CHARS) return;
  await mkdir(dirname(file), { recursive: true }).catch(() => {});
  await appendFile(file, `${JSON.stringify(prompt)}\n`, { mode: 0o600 }).catch(() => {});
}
