import type { PermissionMode } from "../../../src/contracts/permission.js";
import { text, toolCall, type Turn } from "../../../src/providers/scripted/index.js";

interface Scenario {
  readonly turns: readonly Turn[];
  readonly mode?: PermissionMode;
  readonly prompt?: string;
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

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
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
};
