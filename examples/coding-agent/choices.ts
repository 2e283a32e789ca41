// What the command line and the environment ask for.
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { findLiveModel, type LiveModel } from "./live-model.js";

export const USAGE = `Usage: npm run demo                                   fixes a copy of a small package
       npm run demo -- --dir <directory> "<task>"        works in a directory of yours; asks before it writes or runs anything
       npm run demo -- --yes --dir <directory> "<task>"  the same without asking: the mode bypassPermissions
       npm run demo -- --plan "<goal>"                   makes a plan, carries it out, verifies it; in an empty directory
       npm run demo -- --model <name> …               this model, such as gpt-5.1 or anthropic/claude-sonnet-5

With ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL set, the model is live, the first of them by
default; otherwise the demo plays a recording.`;

/** A directory of the user's own, and what is to be done there. */
export interface OwnWork {
  readonly directory: string;
  readonly task: string;
}

export interface Choices {
  /** `null`: the recording. */
  readonly liveModel: LiveModel | null;
  /** `null`: the demo's own package and task. */
  readonly own: OwnWork | null;
  /** A goal to be reached by a plan; `null`: the agent works without one. */
  readonly plan: string | null;
  /** Nothing is asked. */
  readonly yes: boolean;
  /** Only the usage is wanted. */
  readonly help: boolean;
}

/** @throws Error whose message is for the user's eyes */
export function readChoices(argv: readonly string[], env: NodeJS.ProcessEnv): Choices {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      dir: { type: "string" },
      model: { type: "string" },
      plan: { type: "string" },
      yes: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  const liveModel = findLiveModel(env, values.model);
  const plan = values.plan?.trim() ?? null;
  if (plan === "") throw new Error('A plan needs a goal: pass --plan "create output/hello.txt".');
  const own = ownWork(values.dir, plan === null ? positionals : [plan], plan !== null);
  if (!liveModel && ((own && plan === null) || values.model)) {
    throw new Error(
      "This needs a live model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or OPENAI_BASE_URL for a server of your own.",
    );
  }
  if (values.yes && !own) throw new Error("--yes is for a directory of yours: pass --dir <directory> and a task.");
  return { liveModel, own, plan, yes: values.yes, help: values.help };
}

function ownWork(dir: string | undefined, positionals: readonly string[], isPlan: boolean): OwnWork | null {
  const task = positionals.join(" ").trim();
  if (dir === undefined && (task === "" || isPlan)) return null;
  if (dir === undefined) throw new Error("A task needs a directory to work in: pass --dir <directory>.");
  if (task === "") throw new Error('A directory needs a task: pass it in quotes, for example "Fix the failing test".');
  const directory = resolve(process.env.INIT_CWD ?? process.cwd(), dir);
  if (!existsSync(directory) || !statSync(directory).isDirectory())
    throw new Error(`There is no directory "${directory}".`);
  return { directory, task };
}
