import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const WORDS =
  "import export const return function await async string number result value error options path file line".split(" ");

/** In 12 files of the tree, once each. */
export const RARE_WORD = "quixotryOfTheDay";
/** In every file. */
export const COMMON_WORD = "return";
/** What 12 files of the tree are called. */
export const RARE_NAME = "rare-name.cfg";

/** Writes a repository of `count` small source files, in directories of 70. The same one each time. */
export function writeFileTree(root: string, count: number): void {
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".gitignore"), "node_modules/\ndist/\n*.log\n");
  const every = Math.floor(count / 12);
  for (let i = 0; i < count; i++) {
    const directory = join(root, `package-${Math.floor(i / 1_400)}`, "src", `part-${Math.floor(i / 70) % 20}`);
    if (i % 70 === 0) mkdirSync(directory, { recursive: true });
    const isRare = i % every === every - 1;
    writeFileSync(join(directory, isRare ? `${i}-${RARE_NAME}` : `module-${i}.ts`), textOf(i, isRare ? RARE_WORD : ""));
  }
}

function textOf(seed: number, last: string): string {
  let state = seed + 1;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 8;
  };
  const lines = Array.from({ length: 20 + (next() % 80) }, () =>
    Array.from({ length: 2 + (next() % 8) }, () => WORDS[next() % WORDS.length]).join(" "),
  );
  return `${lines.join("\n")}\n${COMMON_WORD} ${last};\n`;
}

/** The ripgrep this repository is developed with. */
export async function ripgrepPath(): Promise<string> {
  const { resolve } = createRequire(join(process.cwd(), "package.json"));
  return ((await import(resolve("@vscode/ripgrep"))) as { rgPath: string }).rgPath;
}
