// Runs the demo and draws what it shows: `npm run docs:demo` writes docs/public/demo.svg, the picture of the README.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DOCS } from "./pages.js";
import { terminalSvg } from "./terminal-svg.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Turns that a picture has room for; a line marks what is left out. */
const SHOWN_TURNS: ReadonlySet<number> = new Set([1, 2, 5, 12, 13]);
const MARK = "    \u001b[2m⋮\u001b[22m";

const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "examples/coding-agent/demo.ts"], {
  cwd: ROOT,
  env: { ...process.env, FORCE_COLOR: "1", NO_COLOR: undefined },
});
mkdirSync(join(DOCS, "public"), { recursive: true });
writeFileSync(join(DOCS, "public/demo.svg"), terminalSvg(excerpt(stdout), "npm run demo"));

/** The opening, some turns, and the end. */
function excerpt(output: string): string[] {
  const lines: string[] = [];
  let isShown = true;
  for (const line of output.trim().split("\n")) {
    const turn = turnOf(line);
    if (turn !== null) {
      const wasShown = isShown;
      isShown = SHOWN_TURNS.has(turn);
      if (wasShown && !isShown) lines.push(MARK, "");
    }
    // Where the copy lies is the business of this machine.
    if (isShown && !line.includes("loopwright-demo-")) lines.push(line);
  }
  return lines;
}

/** The number of the turn that begins in this line. */
function turnOf(line: string): number | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal is sent
  const found = /^\u001b\[2m *(\d+)\u001b\[22m {2}\S/.exec(line);
  return found ? Number(found[1]) : null;
}
