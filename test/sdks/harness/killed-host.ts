// A host in a process of its own, which is killed: `tsx killed-host.ts DIRECTORY first|second`. Prints what has happened, line by line.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { harnessStateOf } from "../../../src/ai-sdk/index.js";
import { defineTool, type ToolMessage } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { newHost } from "./hosts.js";

const [directory, phase] = process.argv.slice(2) as [string, "first" | "second"];
const say = (line: string) => process.stdout.write(`${line}\n`);

function slow(name: string, onUnknown: "fail" | "retry") {
  return defineTool({
    name,
    description: "Takes long.",
    permission: "execute",
    timeoutMs: null,
    claims: () => [],
    onUnknown,
    execute: async () => {
      if (phase === "second") return `${name} was made again`;
      say(`${name} has started`);
      return new Promise<string>(() => setTimeout(() => {}, 60_000));
    },
  });
}

const note = defineTool({
  name: "note",
  description: "Writes a line.",
  permission: "execute",
  claims: () => [],
  execute: () => {
    appendFileSync(join(directory, "notes"), "note\n");
    return "noted";
  },
});

const turns =
  phase === "first"
    ? [text("Hello."), [toolCall("note"), toolCall("slow_once"), toolCall("slow_again")]]
    : [
        ({ messages }: { messages: readonly unknown[] }) => {
          const { content } = messages.at(-1) as ToolMessage;
          return text(content.map(({ name, isError }) => `${name} ${isError ? "failed" : "succeeded"}`).join(", "));
        },
      ];
const tools = [note, slow("slow_once", "fail"), slow("slow_again", "retry")];
const { host, sessions } = newHost({ directory }, { provider: scripted(turns), engine: { tools } });

if (phase === "first") {
  const session = await host.createSession({ sessionId: "killed" });
  say((await host.generate({ session, prompt: "Hi." })).text);
  await host.generate({ session, prompt: "Work." });
} else {
  const state = await harnessStateOf(sessions, "killed");
  say(state.continueFrom ? "unfinished" : "finished");
  const session = await host.createSession({ sessionId: "killed", resumeFrom: state });
  say((await host.continueGenerate({ session })).text);
  say((await session.stop()).continueFrom ? "unfinished" : "finished");
}
