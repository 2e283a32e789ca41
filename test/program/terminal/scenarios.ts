import type { ServerToolUse } from "../../../src/contracts/message.js";
import type { PermissionMode } from "../../../src/contracts/permission.js";
import { type Turn, text, toolCall } from "../../../src/providers/scripted/index.js";

interface Scenario {
  readonly turns: readonly Turn[];
  readonly mode?: PermissionMode;
  readonly prompt?: string;
  /** The habit of a server that is connected as `dinner`. */
  readonly server?: string;
}

const ANSWER = `# Result

The sum is **right** now. Run \`npm test\` to see:

\`\`\`ts
export const add = (a: number, b: number) => a + b;
\`\`\`

| name | 漢字 |
| --- | --- |
| one | 一つ |

- 日本語のテキスト
- emoji 👩‍👩‍👧 and é
`;

/** Work of a tool that the vendor's server has run. */
const searched = (what: Pick<ServerToolUse, "input" | "output">): ServerToolUse => ({
  id: "srv_1",
  name: "web_search",
  trust: "untrusted",
  ...what,
});

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  picture: { turns: [["Here it is:", { type: "image", mediaType: "image/png", data: "A".repeat(4_000) }, "Nice?"]] },
  markdown: { turns: [text(ANSWER, { chunkSize: 7 })] },
  work: {
    turns: [
      [
        "I look at the file first.",
        toolCall("todo_write", {
          todos: [
            { content: "Read the code", status: "in_progress", activeForm: "Reading the code" },
            { content: "Fix the sum", status: "pending" },
          ],
        }),
        toolCall("read_file", { path: "sum.js" }),
      ],
      toolCall("edit_file", { path: "sum.js", old_text: "a - b", new_text: "a + b" }),
      toolCall("bash", { command: "node sum.js", description: "Run it" }),
      toolCall("bash", { command: "git push origin main" }),
      text("The sum is right now."),
    ],
  },
  question: {
    turns: [
      toolCall("ask_user", { question: "Which format should the report have?", options: ["PDF", "HTML"] }),
      ({ lastToolResult }) => text(`You chose ${lastToolResult?.output}.`),
    ],
  },
  elicitation: {
    server: "asks for a form",
    turns: [
      toolCall("mcp__dinner__echo", {}),
      ({ lastToolResult }) => text(`The server was told: \`${lastToolResult?.output}\``),
    ],
  },
  resources: { server: "has resources", turns: [text("Read.")] },
  plan: {
    mode: "plan",
    turns: [
      toolCall("present_plan", { plan: "1. Read `sum.js`\n2. Turn the **minus** into a plus" }),
      toolCall("write_file", { path: "done.txt", content: "done\n" }),
      text("Carried out."),
    ],
  },
  agents: {
    turns: [
      async ({ system, messages }) => {
        if (system[0]?.text === "You review.") return text("Nothing is wrong.", { delayMs: 700 });
        if (messages.length > 1) return text("The review found nothing.");
        return [
          toolCall("task", { description: "Review the sum", prompt: "Review sum.js", subagent_type: "reviewer" }),
          toolCall("task", { description: "Review the docs", prompt: "Review README", subagent_type: "reviewer" }),
        ];
      },
    ],
  },
  long: {
    turns: [
      toolCall("bash", { command: "for i in 1 2 3; do echo line $i; sleep 0.4; done; sleep 30" }),
      ({ messages }) =>
        text(
          `I have read: ${JSON.stringify(messages.at(-1)?.content).includes("in French") ? "French it is" : "nothing new"}.`,
        ),
    ],
  },
  background: {
    turns: [
      async ({ system, messages }) => {
        if (system[0]?.text === "You review.") return text("I am still at it.", { delayMs: 60_000 });
        const read = JSON.stringify(messages);
        if (!read.includes("bash_1"))
          return toolCall("bash", { command: "echo up; sleep 60", description: "a server", run_in_background: true });
        if (!read.includes("subagent_type"))
          return toolCall("task", { prompt: "Review.", subagent_type: "reviewer", run_in_background: true });
        return text(read.includes("ended as aborted") ? "The review was stopped." : "Both are at work.");
      },
    ],
  },
  slow: {
    turns: [
      [text("Let me see."), toolCall("bash", { command: "sleep 0.2; echo done" })],
      ({ messages }) => {
        const steered = messages.some((m) => m.role === "user" && m.origin === "steering");
        return text(steered ? "French it is." : "Nothing new.");
      },
      text("And again."),
    ],
  },
  slower: {
    turns: [
      toolCall("bash", { command: "sleep 2; echo done" }),
      ({ messages }) => {
        const said = messages.flatMap((m) => (m.role === "user" && m.origin === "steering" ? m.content : []));
        return text(JSON.stringify(said).includes("in French") && said.length === 1 ? "French it is." : "Nothing new.");
      },
    ],
  },
  edits: {
    turns: [
      toolCall("bash", { command: "node sum.js" }),
      toolCall("bash", { command: "node sum.js --again" }),
      ({ lastToolResult }) => text(`Printed: ${lastToolResult?.output}`),
    ],
  },
  kill: {
    turns: [
      ({ messages }) =>
        messages.length > 1
          ? text("It printed something.")
          : [text("I run it now."), toolCall("bash", { command: "node sum.js" })],
    ],
  },
  planned: {
    turns: [
      () =>
        process.env.IS_SECOND
          ? toolCall("write_file", { path: "done.txt", content: "done\n" })
          : text("I think about it. ".repeat(600), { chunkDelayMs: 100, chunkSize: 18 }),
      text("Thought."),
    ],
  },
  draft: {
    turns: [
      [text("I ask soon.", { chunkDelayMs: 30, chunkSize: 1 }), toolCall("bash", { command: "node sum.js" })],
      text("It printed something."),
    ],
  },
  crash: {
    turns: [
      () => {
        setTimeout(() => {
          throw new Error("a bug in the program");
        });
        return text("Soon it is over.");
      },
    ],
  },
  thinking: {
    turns: [
      [
        { type: "reasoning", text: "First.\nThe **sum** has a minus.\nIt should be a plus.\nI read it.\n" },
        toolCall("read_file", { path: "sum.js" }),
      ],
      [{ type: "reasoning", text: "Done with thinking." }, text("It has a minus.")],
    ],
  },
  searching: {
    turns: [
      {
        events: [
          { type: "message-start" },
          {
            type: "reasoning-end",
            providerData: { block: 1 },
            serverTool: searched({ input: { query: "\x1b]0;owned\x07loops" } }),
          },
          { type: "reasoning-end", providerData: { block: 2 }, serverTool: searched({ output: "Two loops." }) },
          { type: "text-delta", text: "There are two." },
          { type: "message-end", finishReason: "stop" },
        ],
      },
    ],
  },
  composed: {
    turns: [toolCall("survey", { paths: ["sum.js", "none.js"] }), text("Surveyed.")],
  },
  lines: {
    turns: [
      toolCall("bash", { command: "for i in 1 2 3 4 5 6 7 8; do echo line $i; done; sleep 1; node sum.js" }),
      text("Eight lines."),
    ],
  },
  own: {
    turns: [
      ({ messages }) => {
        const read = JSON.stringify(messages);
        const sees = (what: string) => (read.includes(what) ? "yes" : "no");
        return text(`Your command: ${sees("ran this command themselves")}. Its output: ${sees("made-by-hand")}.`);
      },
    ],
  },
  hostile: {
    turns: [
      [
        text("Title: \x1b]0;pwned\x07 clip \x1b]52;c;cHduZWQ=\x07 clear \x1b[2J and &#27;[31m end \u009b31m."),
        toolCall("bash", { command: "printf '\x1b[2Jx' # \u202e evil \x1b[8m hidden" }),
      ],
      text("[https://good.example](https://evil.example)"),
    ],
  },
};
