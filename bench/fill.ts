import { readFile, writeFile } from "node:fs/promises";

/** Replaces what stands between the marks of a page, which is named from the root of the project. */
export async function fill(page: string, mark: string, content: string): Promise<void> {
  const path = new URL(`../${page}`, import.meta.url);
  const text = await readFile(path, "utf8");
  const marked = new RegExp(`(<!-- ${mark}:start -->)[\\s\\S]*?(<!-- ${mark}:end -->)`);
  if (!marked.test(text)) throw new Error(`${page} has no marks for "${mark}".`);
  await writeFile(
    path,
    text.replace(marked, (_all, start: string, end: string) => `${start}\n${content}\n${end}`),
  );
}
