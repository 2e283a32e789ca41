import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** A release of Node with the npm that it comes with. */
export interface NodeRelease {
  readonly major: number;
  readonly bin: string;
}

const NPM_OF: Readonly<Record<number, number>> = { 20: 10, 22: 10, 24: 11, 26: 11 };
export const MAJORS: readonly number[] = Object.keys(NPM_OF).map(Number);

/** Below `directory` and not in npm's cache: tests run programs as another user, who may not look into root's home. */
export function installNode(major: number, directory: string): NodeRelease {
  const prefix = join(directory, `node-${major}`);
  const packages = [`node@${major}`, `npm@${NPM_OF[major]}`];
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", prefix, ...packages], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { major, bin: join(prefix, "node_modules/.bin") };
}

/** Set by npm for its scripts, by a test runner, or to reach a model: nothing that a newcomer has. */
const NOT_A_NEWCOMERS =
  /^(npm_(?!config_registry$).*|INIT_CWD|NODE|NODE_OPTIONS|NODE_TEST_CONTEXT|CI|RUNS|.*_API_KEY|OPENAI_BASE_URL)$/;

/** The environment of a newcomer's terminal with this Node. */
export function environmentOf({ bin }: NodeRelease): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_A_NEWCOMERS.test(name)));
  const path = (process.env.PATH ?? "").split(":").filter((directory) => !directory.includes("node_modules"));
  return { ...env, PATH: [bin, ...path].join(":") };
}
