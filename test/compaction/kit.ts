// What the compaction tests share: sessions as entries, views of them, and ways to apply edits as the engine does.
import fc from "fast-check";
import type { Message, SessionEntry, SessionRecord, ToolDefinition, View, ViewEdit } from "loopwright";
import { estimateTokens, type StageBudget } from "loopwright/compaction";
import { countMessage } from "../../src/compaction/token-count.js";
import { Transcript } from "../../src/engine/transcript/transcript.js";

/** A session under construction: entries, and the transcript they make. */
export class Session {
  readonly entries: SessionEntry[] = [];
  readonly transcript = new Transcript();
  #calls = 0;

  add(record: SessionRecord): this {
    const parent = this.entries.at(-1)?.id ?? null;
    const entry: SessionEntry = { v: 1, id: `e${this.entries.length}`, parent, at: 0, runId: "r", turn: 0, ...record };
    this.transcript.apply(entry);
    this.entries.push(entry);
    return this;
  }

  user(text: string, origin?: Extract<Message, { role: "user" }>["origin"]): this {
    return this.add({
      type: "message",
      message: { role: "user", content: [{ type: "text", text }], ...(origin && { origin }) },
    });
  }

  answer(text: string): this {
    return this.#assistant([{ type: "text", text }]);
  }

  /** A turn with calls: `[name, arguments, output]`, `isError` as a fourth. */
  turn(calls: readonly (readonly [string, object, string, boolean?])[], text = ""): this {
    const ids = calls.map(() => `c${++this.#calls}`);
    this.#assistant([
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map(([name, args], index) => ({
        type: "tool-call" as const,
        id: ids[index]!,
        name,
        arguments: args as never,
      })),
    ]);
    for (const [index, [name, , output, isError = false]] of calls.entries()) {
      this.add({
        type: "tool-result",
        result: {
          toolCallId: ids[index]!,
          name,
          output,
          isError,
          status: isError ? "failure" : "success",
          ...(isError && { details: { code: "TOOL_FAILED" } }),
          durationMs: 1,
        },
      });
    }
    return this;
  }

  /** What the model says, part by part. */
  says(...content: Extract<Message, { role: "assistant" }>["content"][number][]): this {
    return this.#assistant(content);
  }

  #assistant(content: Extract<Message, { role: "assistant" }>["content"]): this {
    const message = { role: "assistant", content, finishReason: "stop", provider: "p", model: "m" } as const;
    return this.add({ type: "message", message });
  }

  apply(edits: readonly ViewEdit[]): this {
    for (const { stage, from, to, replacement, report } of edits)
      this.add({ type: "view-edit", stage, from, to, replacement, report });
    return this;
  }

  view(about: Partial<View> = {}): View {
    return {
      messages: this.transcript.view,
      entryIds: this.transcript.viewEntryIds,
      system: [],
      tools: [],
      sessionId: "s",
      signal: new AbortController().signal,
      ...about,
    };
  }
}

export function textIn(messages: readonly Message[]): string {
  return JSON.stringify(messages);
}

export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + countMessage(message, estimateTokens), 0);
}

export function headTokensOf({ system, tools }: Pick<View, "system" | "tools">): number {
  const definitions = tools.map(({ name, description, inputSchema }: ToolDefinition) => {
    return 10 + estimateTokens(name) + estimateTokens(description) + estimateTokens(JSON.stringify(inputSchema));
  });
  return [...system.map(({ text }) => estimateTokens(text)), ...definitions].reduce((sum, each) => sum + each, 0);
}

export function budget(about: Partial<StageBudget> = {}): StageBudget {
  return { contextWindow: 10_000, reservedOutputTokens: 1_000, ...about };
}

const WORDS = [
  "fix",
  "the parser",
  "src/a.ts",
  "PORT=4812",
  "never use tabs",
  "错误",
  "because",
  "x".repeat(40),
  "🙂",
  "\n",
];
const words = fc
  .tuple(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
    fc.constantFrom(1, 1, 1, 1, 3, 3, 20, 60),
  )
  .map(([some, times]) => Array(times).fill(some.join(" ")).join(" "));

const callArguments = fc.oneof(
  fc.record({ path: fc.constantFrom("src/a.ts", "src/b.ts", "docs/c.md") }),
  fc.record({ command: fc.constantFrom("npm test", "git status", "make") }),
  fc.record({ path: fc.constantFrom("src/a.ts", "src/b.ts"), content: words }),
  fc.record({
    todos: fc.array(
      fc.record({
        content: fc.constantFrom("one", "two"),
        status: fc.constantFrom("pending", "in_progress", "completed"),
      }),
      { maxLength: 2 },
    ),
  }),
);

type Step =
  | { readonly kind: "user"; readonly text: string; readonly origin: "user" | "reminder" | "subagent" | "steering" }
  | { readonly kind: "answer"; readonly text: string }
  | {
      readonly kind: "turn";
      readonly text: string;
      readonly calls: readonly (readonly [string, object, string, boolean])[];
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("user" as const),
      text: words,
      origin: fc.constantFrom("user" as const, "reminder" as const, "subagent" as const, "steering" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("answer" as const), text: words }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("turn" as const),
      text: fc.oneof(fc.constant(""), words),
      calls: fc.array(
        fc.tuple(
          fc.constantFrom("read_file", "edit_file", "bash", "todo_write", "grep"),
          callArguments,
          words,
          fc.boolean(),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
);

/** Sessions of any shape that begin with a prompt. */
export const sessions: fc.Arbitrary<() => Session> = fc
  .tuple(words, fc.array(step, { maxLength: 30 }), fc.boolean())
  .map(([prompt, steps, isOpen]) => () => {
    const session = new Session().user(prompt);
    for (const each of steps) {
      if (each.kind === "user") session.user(each.text, each.origin === "user" ? undefined : each.origin);
      else if (each.kind === "answer") session.answer(each.text);
      else session.turn(each.calls, each.text);
    }
    if (isOpen) {
      const open = { type: "tool-call", id: "open", name: "bash", arguments: { command: "sleep" } } as const;
      session.add({
        type: "message",
        message: { role: "assistant", content: [open], finishReason: "tool-calls", provider: "p", model: "m" },
      });
    }
    return session;
  });
