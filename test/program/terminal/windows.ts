// Windows with the fixture program in them, in a project of their own; closed after each test.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll } from "vitest";
import { bundled, temporaryDirectory } from "../../sessions/kit.js";
import { TerminalWindow, type WindowOptions } from "./terminal-window.js";

/** A directory with a project that has a wrong sum, and these files. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const dir = temporaryDirectory();
  const all = { "sum.js": "export const add = (a, b) => a - b;\nconsole.log(add(1, 2));\n", ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(dir, "project", name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
  return dir;
}

export interface StartOptions extends Omit<WindowOptions, "cwd"> {
  /** Of the session to go on with, or `latest`. */
  readonly sessionId?: string;
  /** What is waited for. Default: the footer of an agent that is ready. */
  readonly sees?: string;
}

/** To be called at the top of a test file. What it returns starts the fixture with a scenario. */
export function useWindows() {
  let program = "";
  const windows: TerminalWindow[] = [];
  beforeAll(async () => {
    program = await bundled(new URL("fixture.ts", import.meta.url));
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });
  return async (
    scenario: string,
    dir = makeProject(),
    { sessionId, sees = "shift+tab", ...options }: StartOptions = {},
  ) => {
    const session = sessionId === undefined ? [] : [sessionId];
    const command = [process.execPath, program, scenario, join(dir, "state"), ...session];
    const window = new TerminalWindow(command, { ...options, cwd: join(dir, "project") });
    windows.push(window);
    await window.sees(sees);
    return { window, dir, project: join(dir, "project") };
  };
}
