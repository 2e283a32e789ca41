// `loopwright demo`: the agent at work on a small package, with a recorded model. Tools, files and processes are real.
import { rmSync } from "node:fs";
import type { EngineEvent } from "../../contracts/event.js";
import type { Approver } from "../../engine/calls/approval.js";
import { createCodingAgent } from "../../presets/coding-agent.js";
import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";
import { EXIT } from "../exit-codes.js";
import { Interruption } from "../interruption.js";
import type { ProgramIo } from "../program-io.js";
import { DEMO_TASK, makeDemoProject } from "./demo-project.js";
import { recordedModel } from "./recorded-model.js";

/** Opens the demo's agent. Nothing of the user's is read. */
export function openDemoAgent(root: string, approver: Approver, { isFast = false } = {}) {
  const off = { home: null, settings: false, skills: false, mcp: false } as const;
  return createCodingAgent({ ...off, provider: recordedModel({ isFast }), root, approver, compaction: false });
}

/** Without a terminal nobody is asked: the calls of the recording are allowed. Resolves with the exit code. */
export async function runDemo({ stdout }: ProgramIo): Promise<number> {
  const root = makeDemoProject();
  const interruption = new Interruption();
  // Also when a second signal ends the process at once.
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.on("exit", remove);
  const agent = await openDemoAgent(root, () => ({ decision: "allow", by: "the demo" }), { isFast: true });
  try {
    stdout.write(
      `loopwright demo: a recorded model, no key, no network; files and commands are real.\n\n> ${DEMO_TASK}\n`,
    );
    const run = agent.engine.stream(DEMO_TASK, { signal: interruption.signal });
    for await (const event of run) stdout.write(shown(event));
    const { status } = await run.result;
    stdout.write(`\n\n${status === "completed" ? "Done" : `Ended as "${status}"`}: the directory was removed again.\n`);
    return interruption.exitCode ?? (status === "completed" ? EXIT.done : EXIT.failed);
  } finally {
    interruption.close();
    await agent.close();
    remove();
    process.off("exit", remove);
  }
}

/** A run as plain lines: what the model says, and a line for each call. */
function shown(event: EngineEvent): string {
  if (event.type === "turn-start") return "\n";
  if (event.type === "text-delta") return withoutControls(event.text);
  if (event.type === "tool-call-start") {
    const { name, arguments: args } = event.call;
    return `\n  ${name} ${clip(withoutControls(JSON.stringify(args)), 100)}`;
  }
  if (event.type === "tool-call-end" && event.result.isError) return `\n  ${event.result.name} failed`;
  return "";
}
