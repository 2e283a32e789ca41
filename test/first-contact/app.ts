// What a person types in an empty directory: the packed library, installed there, in place of the one of the registry.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, type Page } from "../docs/pages.js";
import { environmentOf, type NodeRelease } from "./node-release.js";
import { commandsOf, placeOf, type SavedProgram, savedProgramsOf } from "./page-commands.js";
import { type Ended, type Steps, wantsOutput, wantsSuccess } from "./steps.js";

/** `npx loopwright` by what it does without a model and without a terminal. */
const PROGRAM: readonly (readonly [args: string, problem: (ended: Ended) => string | undefined])[] = [
  ["", saysThatThereIsNoModel],
  [" --help", wantsOutput(/^loopwright: .*\n[\s\S]*^Usage$/m)],
  [" demo", wantsOutput(/All three tests pass[\s\S]*Done: /)],
];

/** Everything that a page says of an app, in the order of the page. */
export async function runApp(
  page: Page,
  tarball: string,
  { node, steps, parent }: { readonly node: NodeRelease; readonly steps: Steps; readonly parent: string },
): Promise<void> {
  const directory = join(parent, `app ${node.major} ${page.path.replaceAll(/\W/g, "-")}`);
  const home = join(directory, "home");
  mkdirSync(home, { recursive: true });
  const env = { ...environmentOf(node), HOME: home };
  let cwd = join(directory, "empty");
  mkdirSync(cwd);
  const step = (name: string, command: string, problem = wantsSuccess) =>
    steps.run({ name: `Node ${node.major}, ${page.path}: ${name}`, command, cwd, env, problem });

  for (const script of scriptsOf(page)) {
    const place = join(directory, "place");
    const isDone = await step(script.replaceAll("\n", "; "), `${packed(script, tarball)}\npwd > '${place}'`);
    if (!isDone) return;
    cwd = readFileSync(place, "utf8").trim();
  }
  for (const program of savedProgramsOf(page)) {
    writeFileSync(join(cwd, program.file), program.code);
    await step(program.text, program.text, (ended) => wantsSuccess(ended) ?? wantsWhatThePageShows(program, ended));
  }
  if (!commandsOf(page).some(({ text }) => text === "npx loopwright")) return;
  for (const [args, problem] of PROGRAM)
    await step(`npx loopwright${args}`, `npx --no-install loopwright${args}`, problem);
}

/** The `sh` blocks that belong to an app. A block is one script: what it changes into is where the next one runs. */
function scriptsOf(page: Page): string[] {
  const commands = commandsOf(page).filter((command) => placeOf(command) === "app");
  return blocksOf(page)
    .filter(({ language, line, code }) => {
      const last = line + code.split("\n").length;
      return language === "sh" && commands.some((command) => command.line >= line && command.line < last);
    })
    .map(({ code }) => code);
}

function packed(script: string, tarball: string): string {
  return script.replace(/^(npm install .*?)\bloopwright\b/m, `$1'${tarball}'`);
}

function wantsWhatThePageShows({ prints }: SavedProgram, { stdout, stderr }: Ended): string | undefined {
  if (stdout === `${prints}\n` && stderr === "") return undefined;
  return `the page shows ${JSON.stringify(prints)}, and nothing on standard error`;
}

function saysThatThereIsNoModel({ exitCode, stderr }: Ended): string | undefined {
  const isRight = exitCode === 2 && /There is no model to talk to\. Set a key[\s\S]*loopwright demo/.test(stderr);
  return isRight ? undefined : `exit code ${exitCode}, without saying that there is no model and what to do`;
}
