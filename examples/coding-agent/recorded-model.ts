import type { ProviderAdapter } from "loopwright";
import {
  type RecordedRequest,
  type ScriptedToolCall,
  type ScriptedTurn,
  scripted,
  type TurnFunction,
  toolCall,
} from "loopwright/providers/scripted";
import { readTestReport } from "./test-report.js";

const TESTS = toolCall("bash", { command: "node --test --test-reporter=tap", description: "Run the tests" });

/** What an answer was recorded for: text of the tool results, or the names of all tests that fail. */
type Expected = RegExp | { readonly failing: readonly string[] };

/**
 * A model whose answers were recorded: no key, no network, the same words every time.
 *
 * Its tool calls are carried out for real. Each answer names the tool result it was recorded for; when the real one
 * differs, the model fails and says so, and the run with it.
 */
export function recordedModel(): ProviderAdapter {
  return scripted(
    [
      answer(
        /./,
        "There is a skill for this. I'll see what is here before I touch anything.",
        toolCall("skill", { name: "fix-failing-tests" }),
        toolCall("glob", { pattern: "**/*.js" }),
        toolCall("read_file", { path: "package.json" }),
      ),
      answer(/src\/parse\.js[\s\S]*"node --test"/, "A small package with tests of its own. What do they say?", TESTS),
      answer(
        { failing: ["accepts a decimal point", "counts the decimals"] },
        "Two fail, both on decimals: the text is refused before anything is counted. Where does that message come from?",
        toolCall("grep", { pattern: "was not understood", path: "src", output_mode: "content", "-n": true }),
      ),
      answer(/tokens\.js/, "In the tokenizer.", toolCall("read_file", { path: "src/tokens.js" })),
      answer(
        /const PART = .*\(\\d\+\)/,
        "An amount is `\\d+` here, so digits only. I'll let it have decimals.",
        toolCall("edit_file", {
          path: "src/tokens.js",
          old_text: "const PART = /^\\s*(\\d+)\\s*(ms|[dhms])(?![a-z])/;",
          new_text: "const PART = /^\\s*(\\d+(?:\\.\\d+)?)\\s*(ms|[dhms])(?![a-z])/;",
        }),
      ),
      answer(/\+const PART/, "And the tests again.", TESTS),
      answer(
        { failing: ["counts the decimals"] },
        "Better, but not fixed: 1.5h is read now and counts as one hour. The decimals get lost further on.",
        toolCall("grep", { pattern: "parseInt|Math\\.", path: "src", output_mode: "content", "-n": true }),
      ),
      answer(
        /parse\.js.*parseInt/,
        "The parser cuts them off: `parseInt` stops at the point.",
        toolCall("read_file", { path: "src/parse.js" }),
      ),
      answer(
        /Number\.parseInt\(amount, 10\)/,
        "The tokenizer lets only numbers through, so `Number` is enough.",
        toolCall("edit_file", {
          path: "src/parse.js",
          old_text: "Number.parseInt(amount, 10)",
          new_text: "Number(amount)",
        }),
      ),
      answer(/Number\(amount\)/, "Once more.", TESTS),
      answer(
        { failing: [] },
        "All nine pass. Somebody who has not watched me should look at it, too.",
        toolCall("task", {
          subagent_type: "reviewer",
          description: "Review the fix",
          prompt:
            "Durations such as 1.5h are understood now: see PART in src/tokens.js and the amounts in src/parse.js.",
        }),
      ),
      // The next two are the sub-agent's: it has a transcript of its own.
      answer(
        /^Durations such as 1\.5h/,
        "I read both files.",
        toolCall("read_file", { path: "src/tokens.js" }),
        toolCall("read_file", { path: "src/parse.js" }),
      ),
      answer(
        /\\d\+\(\?:\\\.\\d\+\)\?[\s\S]*Number\(amount\)/,
        "Both changes are right. `PART` still refuses `1.` and `.5`, so `Number` never sees half an amount. I found nothing else that reads amounts.",
      ),
      answer(
        /Both changes are right/,
        "Reviewed. I'll remember how to run the tests; and I could publish right away.",
        toolCall("remember", { fact: "The tests of this package run with: node --test", subject: "test command" }),
        toolCall("bash", { command: "npm publish", description: "Publish the package" }),
      ),
      answer(
        /recorded demo publishes nothing/,
        "Fair enough, that is yours to do.\n\n" +
          "Decimals were lost in two places: the tokenizer refused them, and behind it the parser cut them off. " +
          "I changed one line in src/tokens.js and one in src/parse.js. No test was changed; all nine pass.",
      ),
    ],
    { id: "recorded", model: "recorded" },
  );
}

/** An answer at a model's pace, given only if the tools said what they said when it was recorded. */
function answer(expected: Expected, text: string, ...toolCalls: readonly ScriptedToolCall[]): TurnFunction {
  return (request): ScriptedTurn => {
    const results = request.lastToolResults.map(({ output }) => String(output)).join("\n");
    const heard = results || request.lastUserText;
    if (!isAsRecorded(heard, expected)) {
      const wanted = expected instanceof RegExp ? String(expected) : JSON.stringify(expected);
      throw new Error(
        `the recorded answer needs a tool result like ${wanted}, but the tools said: ${heard.slice(0, 400)}`,
      );
    }
    const usage = {
      inputTokens: tokensIn(request),
      outputTokens: tokensOf([text, toolCalls]),
      estimated: true,
    } as const;
    return { text, toolCalls, usage, delayMs: 120, chunkSize: 4, argumentChunkSize: 16, chunkDelayMs: 13 };
  };
}

function isAsRecorded(heard: string, expected: Expected): boolean {
  if (expected instanceof RegExp) return expected.test(heard);
  const failed = readTestReport(heard)?.failed;
  return failed?.size === expected.failing.length && expected.failing.every((name) => failed.has(name));
}

function tokensIn({ system, tools, messages }: RecordedRequest): number {
  return tokensOf([system, tools, messages]);
}

/** The usual rule of thumb: four characters a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
