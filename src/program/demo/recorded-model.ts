import type { ProviderAdapter } from "../../contracts/provider.js";
import type { RecordedRequest } from "../../providers/scripted/recorded-request.js";
import { scripted } from "../../providers/scripted/scripted.js";
import { type ScriptedToolCall, toolCall } from "../../providers/scripted/scripted-turn.js";

const TEST = toolCall("bash", { command: "node --test --test-reporter=tap", description: "Run the tests" });

interface Step {
  /** The text that earlier results must contain, or the names of all tests that fail; the recording knows no other way. */
  readonly after: RegExp | { readonly failing: readonly string[] };
  readonly text: string;
  readonly calls: readonly ScriptedToolCall[];
}

const STEPS: readonly Step[] = [
  {
    after: /./,
    text: "I'll look at what is here, then run the tests.",
    calls: [
      todos("in_progress", "pending", "pending"),
      toolCall("glob", { pattern: "**/*" }),
      toolCall("read_file", { path: "package.json" }),
    ],
  },
  { after: /slug\.test\.js/, text: "One module and its tests. What do they say?", calls: [TEST] },
  {
    after: { failing: ["accents are dropped and letters kept"] },
    text: "One fails: **accents are dropped and letters kept**. Letters with accents seem to become dashes.",
    calls: [todos("completed", "in_progress", "pending"), toolCall("read_file", { path: "slug.js" })],
  },
  {
    after: /a-z0-9/,
    text: "As I thought: everything outside `a-z0-9` is replaced, and `è` is outside. Taking letters and accents apart first keeps the letters.",
    calls: [
      toolCall("edit_file", {
        path: "slug.js",
        old_text: "    .toLowerCase()\n",
        new_text: '    .normalize("NFD")\n    .replace(/\\p{M}/gu, "")\n    .toLowerCase()\n',
      }),
    ],
  },
  { after: /normalize/, text: "And the tests again.", calls: [todos("completed", "completed", "in_progress"), TEST] },
  { after: { failing: [] }, text: "", calls: [todos("completed", "completed", "completed")] },
  {
    after: /./,
    text: 'Fixed. `slug` now takes letters and accents apart with `normalize("NFD")` and drops the accents, in slug.js:4. All three tests pass, and no test was changed.',
    calls: [],
  },
];

/**
 * A model whose answers were recorded: no key, no network, the same words every time. Its calls are carried out for real;
 * where their results are not those of the recording, because a call was denied, it says so and ends.
 */
export function recordedModel({ isFast = false } = {}): ProviderAdapter {
  let at = 0;
  const pace = isFast ? {} : { delayMs: 400, chunkSize: 4, argumentChunkSize: 12, chunkDelayMs: 14 };
  const answer = (request: RecordedRequest) => {
    const step = STEPS[at++];
    const usage = { inputTokens: tokensOf(request.messages) + 2_000, outputTokens: 60, estimated: true } as const;
    if (!step || !isAsRecorded(heardIn(request), step.after)) return { text: OFF_SCRIPT, usage, ...pace };
    return { text: step.text, toolCalls: step.calls, usage, ...pace };
  };
  return scripted([answer], { id: "recorded", model: "recorded", loop: true });
}

const OFF_SCRIPT =
  "This is a recording, and it goes on only if the calls run as they did then. Start `loopwright demo` again and allow them, or set a key and give a real model a task.";

/** Whether a result is as recorded. A test run's TAP lines and their names count; order and details differ between versions of Node. */
function isAsRecorded(heard: string, after: Step["after"]): boolean {
  if (after instanceof RegExp) return after.test(heard);
  const lines = [...heard.matchAll(/^\s*(not )?ok \d+ - (.*)$/gm)];
  const failed = lines.flatMap(([, mark, name]) => (mark ? [name!] : []));
  return lines.length > 0 && failed.sort().join() === [...after.failing].sort().join();
}

function heardIn({ lastToolResults, lastUserText }: RecordedRequest): string {
  return lastToolResults.map(({ output }) => String(output)).join("\n") || lastUserText;
}

function todos(...statuses: readonly string[]): ScriptedToolCall {
  const contents = ["Run the tests", "Fix the cause", "Run the tests again"];
  return toolCall("todo_write", { todos: contents.map((content, index) => ({ content, status: statuses[index]! })) });
}

/** The usual rule of thumb: four characters a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
