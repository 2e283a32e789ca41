// What a terminal shows of an error that nobody catches: Node prints the line of code it came from before its message, so the
// packed library must have no long lines.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

/** Of code that stands before the message. */
const MAX_CHARS = 320;
const MAX_LINES_BEFORE = 6;
const MAX_CHARS_IN_ALL = 2_500;

const HEAD = `import { AgentEngine, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
const provider = scripted([toolCall("look", {}), text("Done.")]);
`;

/** Programs of newcomers, and what their errors say. */
const PROGRAMS: Readonly<Record<string, { readonly code: string; readonly says: string }>> = {
  "a wrong option": {
    code: "new AgentEngine({ provider, tols: [] });",
    says: "ConfigurationError: ",
  },
  "an unknown event": {
    code: `new AgentEngine({ provider }).on("compaction-end", () => {});`,
    says: "ConfigurationError: ",
  },
  "an error in a tool's timer": {
    code: `const engine = new AgentEngine({ provider, tools: [defineTool({
  name: "look", description: "Looks.", permission: "none", input: { type: "object" },
  execute: () => new Promise(() => setTimeout(() => engine.on("tool-end", () => {}), 1)),
})] });
await engine.run("Look.");`,
    says: "ConfigurationError: ",
  },
  "a run that fails": {
    code: `const result = await new AgentEngine({ provider: scripted([]) }).run("Hello.");
throw result.error;`,
    says: "ProviderError: ",
  },
  "a rejection": {
    code: `new AgentEngine({ provider }).run("Hello.", { sesionId: "s" });`,
    says: "ConfigurationError: ",
  },
  "an error long after": {
    code: `const engine = new AgentEngine({ provider });
setTimeout(() => engine.run(42), 1);`,
    says: "ConfigurationError: ",
  },
};

/** @throws Error with what the terminal showed, where that is not readable */
export function checkFirstErrors(app: string): void {
  const tooLong = linesThatThrow(join(app, "node_modules/loopwright/dist")).filter((line) => line.length > MAX_CHARS);
  if (tooLong.length > 0) throw new Error(`lines that throw are too long to be shown:\n${tooLong.join("\n")}`);
  for (const [what, { code, says }] of Object.entries(PROGRAMS)) {
    writeFileSync(join(app, "first-error.mjs"), HEAD + code);
    const { status, stderr } = spawnSync(process.execPath, ["first-error.mjs"], { cwd: app, encoding: "utf8" });
    const lines = stderr.replaceAll(app, "").split("\n");
    const at = lines.findIndex((line) => line.includes(says));
    const isReadable =
      status === 1 &&
      at >= 0 &&
      at <= MAX_LINES_BEFORE &&
      lines.every((line, index) => index === at || line.length <= MAX_CHARS) &&
      stderr.length <= MAX_CHARS_IN_ALL;
    if (!isReadable) throw new Error(`${what} ends with ${status} and is not readable on a terminal:\n${stderr}`);
  }
  console.log(`errors nobody catches, ${Object.keys(PROGRAMS).length} of them: readable`);
}

/** Each line of the package where an error is made or thrown. */
function linesThatThrow(dist: string): string[] {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const found = files.flatMap((file) => {
    const code = readFileSync(join(dist, file), "utf8");
    return startsOfErrors(parseSync(file, code).program).map((start) => {
      return code.slice(code.lastIndexOf("\n", start) + 1).split("\n", 1)[0]!;
    });
  });
  if (found.length < 100) throw new Error(`only ${found.length} lines of the package throw`);
  return found;
}

function startsOfErrors(node: unknown): number[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, start, callee } = node as { type?: string; start?: number; callee?: { name?: string } };
  const isError = type === "ThrowStatement" || (type === "NewExpression" && callee?.name?.endsWith("Error"));
  return [...(isError ? [start!] : []), ...Object.values(node).flatMap(startsOfErrors)];
}
