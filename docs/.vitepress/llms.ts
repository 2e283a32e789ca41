// The map of the documentation for language models, in the format of https://llmstxt.org: from docs/README.md. Its links lead to Markdown
// beside it, in the package and on the site.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DOCS, packedPages, REPOSITORY } from "./pages.js";

const HEAD = `# loopwright

> An embeddable agent harness for TypeScript: a streaming, permissioned, recoverable loop around any language model. An npm package
> for Node ≥ 20.19; the core also runs in browsers and edge workers.

\`npm install loopwright\`. \`new AgentEngine({ provider, tools })\` runs prompts: \`await engine.run("…")\` resolves with a typed status, and
rejects for misuse alone. Providers are in \`loopwright/providers/openai\`, \`/anthropic\`, \`/google\` and \`/ai-sdk\`; tools for files and
shell in \`loopwright/tools\`, over \`createWorkspace\` of \`loopwright/workspace\`; permission rules in \`loopwright/permissions\`. Tools
that write or execute need an allow rule or an \`approver\`. Unknown options are refused by name.
`;

const packed = new Set(packedPages());
/** Where the pages are that the package does not have. */
const WHOLE = `${REPOSITORY}/blob/main/docs`;

/** The text of docs/llms.txt. */
export function llmsText(): string {
  const map = readFileSync(join(DOCS, "README.md"), "utf8");
  const [, ...sections] = map.split(/^\*\*(?=.+\*\*)/m);
  return [HEAD, ...sections.flatMap(section)].join("\n");
}

/** A heading, and the lines of its list; what concerns the library alone is left out. */
function section(text: string): string[] {
  const title = text.slice(0, text.indexOf("**"));
  if (title.startsWith("For those who change")) return [];
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("- ["))
    .map((row) =>
      row.replaceAll(/\]\(([^)#:]+\.md)/g, (link, page) => (packed.has(page) ? link : `](${WHOLE}/${page}`)),
    );
  return [`## ${title}`, "", ...rows, ""];
}
