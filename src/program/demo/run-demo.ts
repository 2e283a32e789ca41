// `loopwright demo`: the agent at work on a small package, with a recorded model. Tools, files and processes are real.
import { rmSync } from "node:fs";
import type { EngineEvent } from "../../contracts/event.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import { createCodingAgent } from "../../presets/coding-agent.js";
import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";
import { EXIT } from "../exit-codes.js";
import { Interruption } from "../interruption.js";
import { openTrace, type ProgramTrace } from "../open-trace.js";
import { hasScreen, type ProgramIo } from "../program-io.js";
import { readVersion } from "../version.js";
import { DEMO_TASK, makeDemoProject } from "./demo-project.js";
import { recordedModel } from "./recorded-model.js";

/** Opens the demo's agent. Nothing of the user's is read. */
async function openDemoAgent(root: string, approver: Approver, provider: ProviderAdapter, trace: ProgramTrace) {
  const off = { home: null, settings: false, skills: false, mcp: false } as const;
  const agent = await createCodingAgent({ ...off, provider, root, approver, compaction: false });
  trace.watch(agent.engine);
  return agent;
}

/** Shows the demo, at a terminal as a conversation. Resolves with the exit code. */
export async function runDemo(io: ProgramIo): Promise<number> {
  const { stdout, stderr, env, cwd } = io;
  const isDrawn = hasScreen(io);
  const trace = await openTrace({ env, cwd, stderr, hasScreen: isDrawn });
  const root = makeDemoProject();
  // Also when a second signal ends the process at once.
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.on("exit", remove);
  try {
    if (!isDrawn) return await playDemo(root, stdout, trace);
    const { runTerminal } = await import("../terminal/run-terminal.js");
    const provider = recordedModel();
    const open = (approver: Approver) => openDemoAgent(root, approver, provider, trace);
    return await runTerminal({ open, root, provider, prompt: DEMO_TASK, env, version: readVersion() });
  } finally {
    trace.close();
    remove();
    process.off("exit", remove);
  }
}

/** Nobody is asked: the calls of the recording are allowed. */
async function playDemo(root: string, stdout: NodeJS.WritableStream, trace: ProgramTrace): Promise<number> {
  const interruption = new Interruption();
  const agent = await openDemoAgent(
    root,
    () => ({ decision: "allow", by: "the demo" }),
    recordedModel({ isFast: true }),
    trace,
  );
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
