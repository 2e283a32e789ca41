// What the recorded model says in which moment of which conversation.
import type { JsonValue } from "loopwright";
import { readTestReport } from "../coding-agent/test-report.js";

/** What the model knows when it is asked. */
export interface Moment {
  readonly prompt: string;
  /** The messages it has already written since the prompt. */
  readonly step: number;
  /** The results of its newest calls. */
  readonly heard: string;
  /** The results of all calls since the prompt. */
  readonly everHeard: string;
}

export interface Step {
  readonly text: string;
  readonly calls?: readonly (readonly [name: string, args: { readonly [key: string]: JsonValue }])[];
}

interface Story {
  isFor(prompt: string, system: string): boolean;
  /** `undefined`: the story is over. */
  tell(moment: Moment): Step | undefined;
}

export const SUGGESTIONS = ["Find out why tests fail, and fix the code", "Explain this repository to me"] as const;

export const UNKNOWN = `This model is a **recording**: it needs no key, and knows two tasks only.

1. *${SUGGESTIONS[0]}*
2. *${SUGGESTIONS[1]}*

Its tool calls are real. For any other task, start the server with \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\` or
\`GEMINI_API_KEY\`, and \`--dir\` with a directory of yours.`;

const TESTS = ["bash", { command: "node --test --test-reporter=tap", description: "Run the tests" }] as const;
const PLAN = ["See which tests fail", "Find the cause", "Fix the code", "Have the fix reviewed"];

function plan(done: number): readonly [string, { readonly [key: string]: JsonValue }] {
  const todos = PLAN.map((content, index) => {
    return { content, status: index < done ? "completed" : index === done ? "in_progress" : "pending" };
  });
  return ["todo_write", { todos }];
}

const NOT_RECORDED = "The tests did not end as they did in this recording, so I stop here.";

/** The names of the tests that fail, in a fixed order; `undefined`: no test ran. */
function failingIn(heard: string): string | undefined {
  const report = readTestReport(heard);
  return report ? [...report.failed].sort().join(", ") : undefined;
}

const FIX: readonly ((moment: Moment) => Step | undefined)[] = [
  () => ({
    text: "I'll make a plan, and see what is here before I touch anything.",
    calls: [plan(0), ["glob", { pattern: "**/*.js" }], ["read_file", { path: "package.json" }]],
  }),
  () => ({ text: "A small package with tests of its own. What do they say?", calls: [TESTS] }),
  ({ heard }) => {
    const failing = failingIn(heard);
    if (failing === "")
      return { text: "All tests pass already, so there is nothing to fix. I changed **nothing**.", calls: [] };
    if (failing !== "accepts a decimal point, counts the decimals") return { text: NOT_RECORDED };
    return {
      text: "Two tests fail, both on decimals. I'll send two explorers: one to where amounts are read, one to what is promised.",
      calls: [
        plan(1),
        [
          "task",
          {
            subagent_type: "explorer",
            description: "Where amounts are read",
            prompt: "Where are the amounts of a duration read?",
          },
        ],
        [
          "task",
          {
            subagent_type: "explorer",
            description: "What is promised",
            prompt: "What does the documentation promise about decimals?",
          },
        ],
      ],
    };
  },
  () => ({
    text: "`PART` allows digits only, and behind it `parseInt` would cut the decimals off. First the tokenizer:",
    calls: [
      plan(2),
      [
        "edit_file",
        {
          path: "src/tokens.js",
          old_text: "const PART = /^\\s*(\\d+)\\s*(ms|[dhms])(?![a-z])/;",
          new_text: "const PART = /^\\s*(\\d+(?:\\.\\d+)?)\\s*(ms|[dhms])(?![a-z])/;",
        },
      ],
    ],
  }),
  () => ({
    text: "Then the parser. The tokenizer lets only numbers through, so `Number` is enough.",
    calls: [
      ["edit_file", { path: "src/parse.js", old_text: "Number.parseInt(amount, 10)", new_text: "Number(amount)" }],
    ],
  }),
  () => ({ text: "And the tests again.", calls: [TESTS] }),
  ({ heard }) =>
    failingIn(heard) === ""
      ? {
          text: "All pass. Somebody who has not watched me should look at it, too.",
          calls: [
            plan(3),
            [
              "task",
              {
                subagent_type: "reviewer",
                description: "Review the fix",
                prompt:
                  "Durations such as 1.5h are understood now: see PART in src/tokens.js and the amounts in src/parse.js.",
              },
            ],
          ],
        }
      : { text: NOT_RECORDED },
  () => ({
    text: "One thing is yours to decide.",
    calls: [
      plan(4),
      [
        "ask_user",
        {
          question:
            "The README says that amounts may have decimals, without an example that has hours. Shall I add one?",
          options: ["Yes, add 1.5h", "No, leave the README as it is"],
        },
      ],
    ],
  }),
  ({ heard }) => (/^yes/im.test(heard) ? { text: "I'll add it.", calls: [README_EDIT] } : undefined),
];

const README_EDIT = [
  "edit_file",
  {
    path: "README.md",
    old_text: 'parseDuration("2.5s"); // 2500',
    new_text: 'parseDuration("2.5s"); // 2500\nparseDuration("1.5h"); // 5400000',
  },
] as const;

function fixed({ everHeard }: Moment): Step {
  const readme = everHeard.includes('+parseDuration("1.5h")') ? "\n| `README.md` | an example with hours |" : "";
  return {
    text: `## Fixed

Decimals were lost in **two** places: the tokenizer refused them, and behind it the parser cut them off.

| file | change |
| --- | --- |
| \`src/tokens.js\` | \`PART\` takes an amount such as \`1.5\` |
| \`src/parse.js\` | \`Number\` instead of \`parseInt\` |${readme}

- No test was changed; all nine pass.
- The reviewer found nothing else that reads amounts.

\`\`\`js
parseDuration("1.5h"); // 5400000
\`\`\``,
  };
}

const EXPLANATION = `# short-duration

It reads and writes durations such as \`1h 30m\`, in **four** small files:

| file | what it does |
| --- | --- |
| \`src/index.js\` | exports the two functions |
| \`src/parse.js\` | text → milliseconds |
| \`src/format.js\` | milliseconds → text, longest units first |
| \`src/units.js\` | how long each unit is |

## How a duration is read

1. \`tokens.js\` splits the text into parts. *What is not understood throws a \`SyntaxError\`.*
2. \`parse.js\` adds them up:
   - the amount is a number,
   - the unit is looked up in \`UNITS\`.

\`\`\`js
import { parseDuration } from "short-duration";

parseDuration("1h 30m"); // 5400000
\`\`\`

> A text that was written by \`formatDuration\` reads as the same duration: there is a test for that.

More on regular expressions: [MDN](https://developer.mozilla.org/docs/Web/JavaScript/Guide/Regular_expressions).`;

/** A sub-agent's two steps: it reads, and reports. */
function readAndReport(text: string, paths: readonly string[], report: string): Story["tell"] {
  return ({ step }) =>
    step === 0 ? { text, calls: paths.map((path) => ["read_file", { path }] as const) } : { text: report };
}

export const STORIES: readonly Story[] = [
  {
    isFor: (prompt, system) => /explorer/.test(system) && /amounts/.test(prompt),
    tell: readAndReport(
      "Two files read amounts.",
      ["src/tokens.js", "src/parse.js"],
      "`src/tokens.js:1` lets only digits through (`\\d+`), and `src/parse.js` reads them with `parseInt`, which stops at the point.",
    ),
  },
  {
    isFor: (prompt, system) => /explorer/.test(system) && /promise/.test(prompt),
    tell: readAndReport(
      "I'll read the README.",
      ["README.md"],
      'The README promises decimals: "An amount may have decimals", with the example `2.5s`.',
    ),
  },
  {
    isFor: (_prompt, system) => /reviewer/.test(system),
    tell: readAndReport(
      "I read both files.",
      ["src/tokens.js", "src/parse.js"],
      "Both changes are right. `PART` still refuses `1.` and `.5`, so `Number` never sees half an amount.",
    ),
  },
  { isFor: (prompt) => /fix|test/i.test(prompt), tell: (moment) => FIX[moment.step]?.(moment) ?? fixedOnce(moment) },
  {
    isFor: (prompt) => /explain|repository/i.test(prompt),
    tell: ({ step }) =>
      step === 0
        ? {
            text: "I'll read what is here.",
            calls: [
              ["list_dir", { path: "." }],
              ...["README.md", "src/index.js", "src/parse.js", "src/format.js", "src/units.js"].map(
                (path) => ["read_file", { path }] as const,
              ),
            ],
          }
        : { text: EXPLANATION },
  },
];

function fixedOnce(moment: Moment): Step | undefined {
  return moment.step <= FIX.length ? fixed(moment) : undefined;
}
