// Behind the first frame, and for `-p`: the agent of a project, with a person at the terminal or without one.
import { resolve } from "node:path";
import { NO_FILES } from "../../files/project-files.js";
import { loadSettings } from "../../hooks/settings/settings.js";
import { createPrices } from "../../providers/prices.js";
import { createFileSessionStore } from "../../sessions/file-session-store.js";
import type { CommandLine } from "../command-line.js";
import { UsageError } from "../exit-codes.js";
import { Interruption } from "../interruption.js";
import { chooseModel, connectModel, findModel } from "../models/model-choice.js";
import { ownPrices, readOwnModels } from "../models/own-models.js";
import { readPiped } from "../print/read-piped.js";
import { runPrint } from "../print/run-print.js";
import { unattended } from "../print/unattended.js";
import type { ProgramIo } from "../program-io.js";
import { isProjectTrusted } from "../project/ask-trust.js";
import { findPlugins } from "../project/plugins.js";
import { prepareProject } from "../project/prepare-project.js";
import type { ProjectPlace } from "../project/project-place.js";
import { makeState } from "../project/project-state.js";
import { chooseSession } from "../sessions/session-choice.js";
import { sessionModes } from "../sessions/session-modes.js";
import { sessionNames } from "../sessions/session-names.js";
import type { FirstScreen } from "../terminal/screen/first-screen.js";
import { openProgramAgent, type ProgramAgentOptions } from "./program-agent.js";

/** Resolves with the exit code. `first` is the screen of the person at the terminal; without one nobody is there. */
export async function runChat(
  line: CommandLine,
  io: ProgramIo,
  place: ProjectPlace,
  first: FirstScreen | undefined,
): Promise<number> {
  const { env, cwd } = io;
  const state = makeState(place.state);
  const isInteractive = first !== undefined;
  // First of all: a project that is trusted may name the model and the mode.
  const isHere = place.open === undefined;
  const ask = first && { io, prepare: () => first.remove() };
  const isTrusted = isHere && (line.trustProject || (await isProjectTrusted(state, ask)));
  // The files of another machine choose neither: until its workspace is open, the user's own count alone.
  const files = isHere ? undefined : NO_FILES;
  const settings = await loadSettings(state.root, { files, trustProject: isTrusted, onProblem: () => {} });
  const given = line.pluginDirectories.map((each) => resolve(cwd, each));
  const plugins = await findPlugins(state, { given, isHere, ask });
  const own = readOwnModels(env);
  const name = chooseModel([line.model, env.LOOPWRIGHT_MODEL, settings.model], env, own);
  const setup: Omit<ProgramAgentOptions, "approver"> = {
    state,
    provider: connectModel(name, env, own),
    isTrusted,
    plugins,
    mode: line.permissionMode,
    rules: { allow: line.allowedTools, deny: line.disallowedTools },
    place,
    sandbox: line.sandbox,
    limits: { maxTurns: line.maxTurns, maxCostUsd: line.maxCostUsd, maxTokens: line.maxTokens },
    models: (wanted) => findModel(wanted, env, own),
    prices: createPrices(ownPrices(own)),
    trace: { env, cwd, stderr: io.stderr, hasScreen: isInteractive },
  };
  const names = await sessionNames(state.names).read();
  const sessionId = await chooseSession(line, createFileSessionStore({ dir: state.sessions }), {
    cwd,
    model: `${setup.provider.id}/${setup.provider.model}`,
    say: (text) => io.stderr.write(`${text}\n`),
    names,
  });
  if (isInteractive) {
    const { talk } = await import("./start-conversation.js");
    const { modelRefusal } = settings.restrictions;
    return talk({ line, io, setup, own, sessionId, modelRefusal, first });
  }
  return printOnce(line, io, { ...setup, model: name, sessionId });
}

interface PrintSetup extends Omit<ProgramAgentOptions, "approver"> {
  readonly model: string;
  readonly sessionId: string | undefined;
}

const NOT_READ =
  "loopwright: standard input is open, but nothing has come from it, so it is not read. If a slow command feeds it, write its output to a file and pass that with < file; otherwise pass < /dev/null.\n";

async function printOnce(line: CommandLine, io: ProgramIo, setup: PrintSetup): Promise<number> {
  const words = line.words.join(" ").trim();
  const { model, sessionId } = setup;
  const goesOn = sessionId !== undefined;
  const piped = await readPiped(io.stdin, words === "" && !goesOn, () => io.stderr.write(NOT_READ));
  const prompt = [words, piped.trim()].filter(Boolean).join("\n\n");
  if (prompt === "" && !goesOn) {
    throw new UsageError('There is no prompt. Pass one: loopwright -p "What does this project do?", or pipe one in.');
  }
  const modes = sessionModes(setup.state.modes);
  const mode = setup.mode ?? (goesOn ? await modes.of(sessionId) : undefined);
  const { approver, heldBack } = unattended();
  const interruption = new Interruption();
  const agent = await openProgramAgent({ ...setup, mode, approver });
  try {
    if (line.init && agent.settings) await prepareProject(agent.settings.hooks, interruption.signal);
    const { stdout, stderr } = io;
    const about = {
      agent,
      heldBack,
      onSession: (id: string) => mode && modes.keep(id, mode),
      prompt,
      sessionId,
      model,
      format: line.outputFormat,
      stdout,
      stderr,
      interruption,
    };
    const code = await runPrint(about);
    return interruption.exitCode ?? code;
  } finally {
    interruption.close();
    await agent.close();
  }
}
