// What a person types in a fresh clone.
import { join } from "node:path";
import { environmentOf, type NodeRelease } from "./node-release.js";
import type { Command } from "./page-commands.js";
import { type Ended, type Steps, wantsOutput, wantsSuccess } from "./steps.js";

/** The demo of the pages, and the other one that it has. */
const PLAN = `npm run demo -- --plan 'create output/hello.txt with this content: "Hi there"'`;

/** A clone of the checkout, of what is committed, for one Node. */
export class Clone {
  readonly directory: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(
    readonly node: NodeRelease,
    private readonly steps: Steps,
    parent: string,
  ) {
    // With a space, as in many a home directory.
    this.directory = join(parent, `clone ${node.major}`, "loopwright");
    this.#env = environmentOf(node);
  }

  make(checkout: string): Promise<boolean> {
    const command = `git clone --quiet '${checkout}' '${this.directory}'`;
    return this.#step("git clone", command, { cwd: checkout });
  }

  /** Once, although each command of the page begins with it. */
  install(): Promise<boolean> {
    return this.#step("npm ci", "npm ci");
  }

  /** The plain demo of the pages, and the one with a plan. */
  async runDemo(command: Command): Promise<void> {
    await this.#step(command.text, withoutInstall(command), { problem: wantsOutput(/original tests pass/) });
    await this.#step(PLAN, PLAN, { problem: wantsOutput(/4 of 4 tasks done/) });
  }

  /** `shard`: `1/2` for the first half of the files. `extra`: what the environment has besides a newcomer's. */
  async runTests(command: Command, shard: string | null, extra: NodeJS.ProcessEnv): Promise<void> {
    const flags = shard === null ? "" : ` -- --shard=${shard}`;
    let tests = "";
    await this.#step(`${command.text}${flags}`, `${withoutInstall(command)}${flags}`, {
      env: { ...this.#env, ...extra },
      problem: (ended) => {
        tests = closingLine(ended);
        // What was left out was not seen to pass, also where the environment is not that of CI.
        const isWhole = /^[1-9]\d* passed, 0 failed, 0 skipped$/.test(tests);
        return wantsSuccess(ended) ?? (isWhole ? undefined : `ended with "${tests}"`);
      },
    });
    if (tests !== "") console.log(tests);
  }

  /** Packs the library, and resolves with the path of the tarball, or `null`. */
  async pack(destination: string): Promise<string | null> {
    let name = "";
    const isPacked = await this.#step(
      "npm run build && npm pack",
      `npm run build >&2 && npm pack --silent --pack-destination '${destination}'`,
      {
        problem: (ended) => {
          name = ended.stdout.trim().split("\n").at(-1) ?? "";
          return wantsSuccess(ended) ?? (name.endsWith(".tgz") ? undefined : "did not print the name of a tarball");
        },
      },
    );
    return isPacked ? join(destination, name) : null;
  }

  #step(name: string, command: string, options: Partial<Parameters<Steps["run"]>[0]> = {}): Promise<boolean> {
    const step = { name: `Node ${this.node.major}: ${name}`, command, cwd: this.directory, env: this.#env };
    return this.steps.run({ ...step, ...options });
  }
}

function withoutInstall({ text }: Command): string {
  return text.replace(/^npm ci && /, "");
}

/** The totals of the tests, as `test/closing-line.ts` prints them. */
function closingLine({ stdout }: Ended): string {
  return stdout.match(/^\d+ passed, \d+ failed, \d+ skipped$/m)?.[0] ?? "";
}
