import { dirname } from "node:path/posix";
import type { ProviderAdapter } from "loopwright";
import { scripted } from "loopwright/providers/scripted";

const PATH = /(?:^|[\s"'`(])((?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+)(?=$|[\s"'`),:])/;
const CONTENT = /(?:content|text|containing|saying|says)[:,]?\s+([\s\S]+)$/i;
const DEFAULT_CONTENT = "Hello from a plan.";

/** What a recording can plan: one file, named in the goal. `null` for a goal that names none. */
export function fileInGoal(goal: string): { readonly path: string; readonly content: string } | null {
  const path = PATH.exec(goal)?.[1];
  if (path === undefined) return null;
  const content = CONTENT.exec(goal.trim())?.[1] ?? DEFAULT_CONTENT;
  return { path, content: `${content.trim().replace(/^(["'])([\s\S]*)\1$/, "$2")}\n` };
}

/** A planner whose one plan was recorded: no key, no network. The tools that carry it out are real. */
export function recordedPlanner(goal: string): ProviderAdapter {
  const file = fileInGoal(goal);
  if (!file) {
    throw new Error(
      'The recording plans goals that name one file to create, such as --plan "create output/hello.txt with this content: Hello". For other goals set a key, as --help says.',
    );
  }
  return scripted([{ text: JSON.stringify(planFor(file), null, 2), delayMs: 300, chunkSize: 40, chunkDelayMs: 4 }], {
    id: "recorded",
    model: "recorded",
  });
}

function planFor({ path, content }: { readonly path: string; readonly content: string }) {
  const directory = dirname(path);
  const tasks = [
    {
      id: "check",
      title: "See what is there",
      instructions: "List the directory, so that nothing is overwritten.",
      tool: { name: "list_dir", input: { path: "." } },
      dependsOn: [] as string[],
      criterion: { kind: "predicate", name: "name-is-free" },
    },
    {
      id: "directory",
      title: `Make the directory ${directory}`,
      instructions: "Make it if it is not there.",
      tool: { name: "create_dir", input: { path: directory } },
      dependsOn: ["check"],
      criterion: { kind: "file", path: directory },
    },
    {
      id: "write",
      title: `Write ${path}`,
      instructions: "Write the content.",
      tool: { name: "write_file", input: { path, content } },
      dependsOn: ["directory"],
      criterion: { kind: "file", path, equals: content },
    },
    {
      id: "read-back",
      title: "Read it back",
      instructions: "Show what is on disk now.",
      tool: { name: "read_file", input: { path } },
      dependsOn: ["write"],
      criterion: { kind: "command", command: `test -s ${path}` },
    },
  ];
  return { tasks };
}
