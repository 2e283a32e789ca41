// One prompt, run to its end without a conversation: for scripts, CI and pipes.
import type { AgentRun } from "../../engine/agent-run.js";
import { withoutControls } from "../../text/terminal-text.js";
import type { ProgramAgent } from "../chat/program-agent.js";
import type { OutputFormat } from "../command-line.js";
import { failureText } from "../exit-codes.js";
import type { Interruption } from "../interruption.js";
import { safeText } from "../terminal/screen/safe-text.js";
import { type PrintedResult, printedResult } from "./printed-result.js";
import type { HeldBack } from "./unattended.js";

export interface PrintOptions {
  readonly agent: ProgramAgent;
  /** The list of calls that nobody could approve. */
  readonly heldBack: readonly HeldBack[];
  /** Empty: the session goes on where it stopped. */
  readonly prompt: string;
  readonly sessionId?: string | undefined;
  /** Called with the session's id once the run has it. */
  readonly onSession?: ((sessionId: string) => unknown) | undefined;
  readonly model: string;
  readonly format: OutputFormat;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly interruption: Pick<Interruption, "signal" | "exitCode">;
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Runs the prompt and prints what comes of it. Resolves with the exit code. */
export async function runPrint(options: PrintOptions): Promise<number> {
  const { agent, prompt, sessionId, model, format, stdout, stderr, interruption, heldBack } = options;
  const { signal } = interruption;
  const startedAt = performance.now();
  const run: AgentRun =
    prompt === "" ? agent.engine.resume(sessionId!, { signal }) : agent.engine.stream(prompt, { sessionId, signal });
  await options.onSession?.(run.sessionId);
  const line = (value: object) => stdout.write(`${JSON.stringify(value)}\n`);
  if (format === "stream-json") {
    line(beginning(options, run));
    for await (const event of run) line(event);
  }
  const ended = await run.result;
  await run.idle;
  const durationMs = Math.round(performance.now() - startedAt);
  const { problems, untrusted } = agent;
  const { exitCode } = interruption;
  const result = printedResult(ended, { exitCode, model, durationMs, heldBack, problems, untrusted });

  if (format !== "text") line(result);
  else if (result.text !== "") stdout.write(`${readable(result.text, stdout)}\n`);
  if (format === "text")
    for (const remark of remarksOn(result, agent.workspace.files.onDisk === true))
      stderr.write(`${readable(remark, stderr)}\n`);
  return result.exitCode;
}

/** Nothing controls the terminal; for a person what hides or reorders is shown, too. */
function readable(text: string, { isTTY }: Output): string {
  return isTTY ? safeText(text) : withoutControls(text);
}

function beginning({ agent, model, sessionId }: PrintOptions, run: AgentRun) {
  const { engine, workspace, connections, problems, untrusted } = agent;
  return {
    type: "start",
    v: 1,
    sessionId: sessionId ?? run.sessionId,
    model,
    directory: workspace.root,
    tools: engine.tools.list().map(({ name }) => name),
    mcpServers: connections.map(({ name, status }) => ({ name, status })),
    problems,
    untrusted,
  };
}

const MAX_PROBLEMS = 10;

/** The remarks for the reader of a script's log, beside the answer. */
function remarksOn(
  { status, error, heldBack, sessionId, problems, untrusted }: PrintedResult,
  canTrust: boolean,
): string[] {
  const remarks = problems.slice(0, MAX_PROBLEMS).map(({ source, line, message }) => {
    return `loopwright: ${line === undefined ? source : `${source}:${line}`}: ${message}`;
  });
  if (problems.length > MAX_PROBLEMS) remarks.push(`loopwright: and ${problems.length - MAX_PROBLEMS} more problems`);
  const ofPlugins = untrusted.filter(({ part }) => part === "plugins");
  if (ofPlugins.length > 0) {
    const names = [...new Set(ofPlugins.map(({ source }) => source))].join(", ");
    remarks.push(`loopwright: plugins that are not trusted do not count: ${names}. See --plugin-dir, and /plugins.`);
  }
  if (untrusted.length > ofPlugins.length) {
    const parts = [...new Set(untrusted.map(({ part }) => part))].filter((part) => part !== "plugins").join(", ");
    const trust = canTrust ? " See --trust-project." : "";
    remarks.push(`loopwright: this project is not trusted, so its ${parts} do not count.${trust}`);
  }
  if (status !== "completed") {
    const why = error ? `: ${failureText(error)}` : "";
    remarks.push(`loopwright: the run ended as "${status}"${why}`, `Go on with: loopwright --resume ${sessionId}`);
  }
  for (const { kind, tool, reason, rules } of heldBack) {
    if (kind !== "approval") {
      remarks.push(`loopwright: ${tool} asked a question that nobody could answer, so it was declined: ${reason}`);
      continue;
    }
    const allow = rules.length > 0 ? ` Allow it with --allowed-tools ${quoted(rules.join(", "))}.` : "";
    remarks.push(`loopwright: ${tool} was not run, because nobody could approve it: ${reason}${allow}`);
  }
  return remarks;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
